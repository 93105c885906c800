// Copies into js/dist what the encoder needs: the files of onnxruntime-web for
// WebAssembly and the model, which shipped.js describes. CERASUM_ENCODER names another
// folder of the model; if it is empty or does not exist, none is shipped.

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "js/dist");

/** The files of onnxruntime-web that run a model on the CPU. */
export const runtime = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"]
  .map((name) => join(root, "node_modules/onnxruntime-web/dist", name));

/** The model's folder. */
export const encoder = process.env.CERASUM_ENCODER ?? join(root, "models/encoder");

/** The names of its files that the network needs; none if none is shipped. */
export const encoderFiles = encoder !== "" && existsSync(encoder) ? ["encoder.onnx", "vocabulary.bin"] : [];

/** The source of js/dist/shipped.js, which js/src/shipped.d.ts declares. */
export const shippedModule = `export const encoderName = ${JSON.stringify(encoderFiles.length > 0 ? JSON.parse(readFileSync(join(encoder, "config.json"), "utf8")).name : "")};
export const encoderFiles = ${JSON.stringify(Object.fromEntries(encoderFiles.map((name) => {
  const bytes = readFileSync(join(encoder, name));
  return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }];
})))};
`;

/** A file of the runtime as it is shipped. Source maps are not copied: tools would look for them and complain. */
export const shipped = (file) => file.endsWith(".mjs") ? readFileSync(file, "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/m, "") : readFileSync(file);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(dist, "ort"), { recursive: true });
  writeFileSync(join(dist, "shipped.js"), shippedModule);
  copyFileSync(join(root, "js/src/shipped.d.ts"), join(dist, "shipped.d.ts"));
  for (const file of runtime) writeFileSync(join(dist, "ort", basename(file)), shipped(file));
  rmSync(join(dist, "encoder"), { recursive: true, force: true });
  mkdirSync(join(dist, "encoder"), { recursive: true });
  for (const name of encoderFiles) copyFileSync(join(encoder, name), join(dist, "encoder", name));
  if (encoderFiles.length === 0) console.warn("js/dist: without an encoder");
}
