// Go's own loader, lib/wasm/wasm_exec.js of the Go release that built the
// core. The build copies it into dist; imported for what it adds to globalThis.

export {};

declare global {
  class Go {
    importObject: WebAssembly.Imports;
    exit: (code: number) => void;
    /** Runs until the program ends or waits for a call from outside. */
    run(instance: WebAssembly.Instance): Promise<void>;
  }
}
