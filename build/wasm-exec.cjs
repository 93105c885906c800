// Runs a Go program for js/wasm: what Go's wasm_exec_node.js does, and the SIMD
// kernel (build/kernel.mjs) for programs that import it. Arguments: Go's
// wasm_exec.js, the program, and what that takes.
"use strict";

const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

globalThis.require = require;
globalThis.fs = require("node:fs");
globalThis.path = require("node:path");
globalThis.crypto ??= require("node:crypto").webcrypto;

const [loader, program, ...args] = process.argv.slice(2);
require(loader);

const out = join(__dirname, "out/wasm");

async function main() {
  const go = new Go();
  go.argv = [program, ...args];
  go.env = { TMPDIR: require("node:os").tmpdir(), ...process.env };
  go.exit = process.exit;
  const module = await WebAssembly.compile(readFileSync(program));
  let kernel = { imports: {}, attach: () => -1 };
  let versions = [];
  if (WebAssembly.Module.imports(module).some(({ module }) => module === "cerasum.kernel")) {
    if (!existsSync(join(out, "kernel.mjs"))) throw new Error("this program wants the SIMD kernel: make kernel");
    const { kernelOf } = await import(pathToFileURL(join(out, "kernel.mjs")));
    const named = process.env.CERASUM_KERNEL;
    versions = (named ? [named] : ["relaxed", "simd"]).filter((name) => name !== "none");
    kernel = kernelOf(module, versions.map((name) => readFileSync(join(out, `kernel-${name}.wasm`))));
  }
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, ...kernel.imports });
  go.env.CERASUM_KERNEL = versions[await kernel.attach(instance)] ?? "none"; // for tests that depend on it
  process.on("exit", (code) => {
    // Node ends when nothing is left to wait for: a deadlock, of which Go tells.
    if (code === 0 && !go.exited) {
      go._pendingEvent = { id: 0 };
      go._resume();
    }
  });
  await go.run(instance);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
