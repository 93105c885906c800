// Ties the SIMD kernel (wasm/internal/kernel) to the Go program. The program imports the
// kernel's functions and the kernel the program's memory: whichever starts first
// needs the other, so the program is given functions that pass on to the kernel
// once that has started.

/** Under this name the program imports, and carries the kernel's versions: custom sections, of which the first that the host takes is used. */
const name = "cerasum.kernel";

export interface Kernel {
  /** To start the program with, beside what Go's loader gives. */
  readonly imports: WebAssembly.Imports;
  /**
   * Starts the kernel in the memory of the program, which has not run yet, and
   * says which version: 0 is that for relaxed SIMD, 1 that for SIMD, -1 none,
   * and the program computes without.
   */
  attach(program: WebAssembly.Instance): Promise<number>;
}

export function kernelOf(module: WebAssembly.Module, versions: BufferSource[] = WebAssembly.Module.customSections(module, name)): Kernel {
  let functions: WebAssembly.ModuleImports = { ready: () => 0 };
  const imports: WebAssembly.ModuleImports = {};
  for (const wanted of WebAssembly.Module.imports(module)) {
    if (wanted.module === name) imports[wanted.name] = (...args: number[]) => (functions[wanted.name] as (...args: number[]) => number)(...args);
  }
  return {
    imports: { [name]: imports },
    async attach({ exports }) {
      const version = versions.findIndex((bytes) => WebAssembly.validate(bytes));
      if (version >= 0) {
        const { instance } = await WebAssembly.instantiate(versions[version]!, { env: { memory: exports["mem"]! } });
        functions = { ...instance.exports, ready: () => 1 } as WebAssembly.ModuleImports;
      }
      return version;
    },
  };
}
