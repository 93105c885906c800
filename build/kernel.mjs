// Compiles the SIMD kernel (wasm/internal/kernel/kernel.ts, AssemblyScript) into
// build/out/wasm: kernel-relaxed.wasm for hosts with relaxed SIMD, kernel-simd.wasm
// for the others. A third file there, kernel.mjs, is js/src/kernel.ts for the Go
// tests, which links either of them to a Go program.

import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, "build/out/wasm");

/** The kernels as bytes, in order of preference. */
export async function kernels() {
  mkdirSync(out, { recursive: true });
  return [await compile("relaxed", "--enable", "relaxed-simd"), await compile("simd")];
}

async function compile(name, ...features) {
  const file = `build/out/wasm/kernel-${name}.wasm`;
  const { error, stderr } = await asc.main(
    [
      "wasm/internal/kernel/kernel.ts", "--baseDir", root, "--outFile", file, "-O3", "--noAssert", "--runtime", "stub",
      "--importMemory", "--noExportMemory", "--enable", "simd", ...features,
    ],
    {},
  );
  if (error) throw new Error(`wasm/internal/kernel/kernel.ts: ${error.message}\n${stderr}`);
  const bytes = readFileSync(join(root, file));
  check(bytes, file);
  return bytes;
}

/** The memory belongs to the Go program: the kernel must not initialize it or run anything at the start. */
function check(bytes, file) {
  const data = 11, start = 8;
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at++];
    if (id === data || id === start) throw new Error(`${file} has a data section or a start function, which wasm/internal/kernel/kernel.ts must not need`);
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      size |= (bytes[at] & 127) << shift;
      if (bytes[at++] < 128) break;
    }
    at += size;
  }
}

/** Writes kernel.mjs. */
export const host = () => build({ input: join(root, "js/src/kernel.ts"), output: { file: join(out, "kernel.mjs"), format: "es" }, logLevel: "warn" });

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await kernels();
  await host();
}
