// What a reader downloads, as a good host sends it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { root, wasmPath } from "./support.js";

const dist = join(root, "js/dist");
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

// Brotli takes fifteen seconds (size.slow.ts); this one is proportional to it.
it("cerasum.wasm has at most 1.465 MB with gzip, about 1.1 MB with brotli", (t) => {
  const bytes = readFileSync(wasmPath);
  const size = gzipSync(bytes, { level: 9 }).length;
  t.diagnostic(`cerasum.wasm: ${kB(bytes.length)}, with gzip ${kB(size)}`);
  assert.ok(size <= 1_465_000, `${size} bytes, ${size - 1_465_000} too many`);
});

it("the scripts have at most 26.5 kB with gzip, Go's loader included", (t) => {
  // onnxruntime-web comes on top, once the encoder is used.
  const scripts = ["index.js", "worker.js", "encoder-worker.js"];
  for (const name of scripts) {
    const text = readFileSync(join(dist, name), "utf8");
    assert.doesNotMatch(text, /\b(import|from)\s*["'`]/, `${name} holds all that it needs`);
  }
  const size = scripts.map((name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length).reduce((a, b) => a + b);
  t.diagnostic(`${scripts.length} scripts: ${kB(size)} with gzip`);
  assert.ok(size <= 26_500, `${size} bytes`);
});
