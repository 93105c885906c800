// Copies into js/dist what the encoder needs: the tokenizer library, the files of
// onnxruntime-web for WebAssembly, and the shipped encoder. CERASUM_ENCODER names
// another export folder to ship; if it is empty, none is shipped.

import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "js/dist");

/** The files of onnxruntime-web that run a model on the CPU. */
export const runtime = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"]
  .map((name) => join(root, "node_modules/onnxruntime-web/dist", name));

/** The shipped encoder, an export folder. */
export const encoder = process.env.CERASUM_ENCODER ?? join(root, "models/encoder");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(dist, "ort"), { recursive: true });
  copyFileSync(join(root, "node_modules/@huggingface/tokenizers/dist/tokenizers.min.mjs"), join(dist, "tokenizers.js"));
  copyFileSync(join(root, "js/src/tokenizers.d.ts"), join(dist, "tokenizers.d.ts"));
  for (const file of runtime) {
    const to = join(dist, "ort", basename(file));
    // Source maps are not copied: tools would look for them and complain.
    if (file.endsWith(".mjs")) writeFileSync(to, readFileSync(file, "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/m, ""));
    else copyFileSync(file, to);
  }
  rmSync(join(dist, "encoder"), { recursive: true, force: true });
  if (existsSync(encoder)) cpSync(encoder, join(dist, "encoder"), { recursive: true });
  else console.warn("js/dist: without an encoder");
}
