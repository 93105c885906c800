// Copies into js/dist what encoders need: the tokenizer library, the files of
// onnxruntime-web for WebAssembly, and the shipped encoder, which shipped.js
// describes. CERASUM_ENCODER names another export folder to ship; if it is empty or
// does not exist, none is shipped.

import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "js/dist");

/** The files of onnxruntime-web that run a model on the CPU. */
export const runtime = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"]
  .map((name) => join(root, "node_modules/onnxruntime-web/dist", name));

/** The shipped encoder, an export folder. */
export const encoder = process.env.CERASUM_ENCODER ?? join(root, "models/encoder");

const config = join(encoder, "config.json");

/** Whether the shipped encoder is static, by its config.json: it then runs without onnxruntime (js/src/encoder-static.ts). */
const encoderStatic = encoder !== "" && existsSync(config) && JSON.parse(readFileSync(config, "utf8")).model_type === "static";

/** What the shipped encoder needs of the runtime: nothing if it is static, or if none is shipped. */
export const encoderRuntime = existsSync(encoder) && !encoderStatic ? runtime : [];

/** The paths of the shipped encoder's files in its folder; none if none is shipped. */
export const encoderFiles = existsSync(encoder)
  ? readdirSync(encoder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(encoder, name)).isFile()).map((name) => name.replaceAll("\\", "/")).sort()
  : [];

/** The source of js/dist/shipped.js, which js/src/shipped.d.ts declares. */
export const shippedModule = `export const shippedFiles = ${JSON.stringify(encoderFiles)};\nexport const shippedStatic = ${encoderStatic};\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(dist, "ort"), { recursive: true });
  copyFileSync(join(root, "node_modules/@huggingface/tokenizers/dist/tokenizers.min.mjs"), join(dist, "tokenizers.js"));
  copyFileSync(join(root, "js/src/tokenizers.d.ts"), join(dist, "tokenizers.d.ts"));
  writeFileSync(join(dist, "shipped.js"), shippedModule);
  copyFileSync(join(root, "js/src/shipped.d.ts"), join(dist, "shipped.d.ts"));
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
