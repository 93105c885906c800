// Links the SIMD kernel (wasm/internal/kernel) to the Go program. The program
// imports the kernel's functions and the kernel imports the program's memory. To
// break the circle, the program gets functions that forward to the kernel once
// it has started.

/** Name of the imports, and of the custom sections that contain the kernel's versions: the first that compiles is used. */
const name = "cerasum.kernel";

export interface Kernel {
  /** Imports of the program, in addition to those of Go's loader. */
  readonly imports: WebAssembly.Imports;
  /**
   * Starts the kernel in the memory of the program, which has not run yet.
   * Returns the version: 0 for relaxed SIMD, 1 for SIMD, -1 if none compiles and
   * the program uses its own loops.
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
