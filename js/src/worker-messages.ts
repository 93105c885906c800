// Messages between the client and its worker, besides those of the protocol:
// the client says start, the worker answers started or failed; from then on
// requests and replies pass through unchanged. Crashed comes at any time and is
// the last message.

export interface StartMessage {
  kind: "start";
  /** An absolute address, or the program already compiled. */
  wasm: string | WebAssembly.Module;
}

/** The compiled program comes back, so that a second worker starts without loading it again. `kernel` is what kernel.ts says of the SIMD kernel. */
export interface StartedMessage { kind: "started"; module: WebAssembly.Module; kernel: number }
export interface FailedMessage { kind: "failed"; name: "NetworkError" | "OperationError"; message: string }
export interface CrashedMessage { kind: "crashed"; message: string }
export type WorkerMessage = StartedMessage | FailedMessage | CrashedMessage;

/**
 * The part of a Worker that is used here. A browser's Worker has it; under Node
 * worker_threads are wrapped to have it. The listeners get events with `data`
 * ("message") or `message` ("error").
 */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  // DOM types its listeners by event, which only any fits.
  addEventListener(type: "message" | "error" | "messageerror", listener: (event: any) => void): void;
  /** Under Node: whether the worker keeps the process alive. */
  ref?(): void;
  unref?(): void;
}
