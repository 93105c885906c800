// Time to process ten articles of 40 sentences in Chromium, one thread: cerasum
// and what a page would otherwise run on onnxruntime-web, as transformers.js
// does. Run `node js/bench/compare.mjs` after `npm run build`; it needs Go.
//
// - cerasum: complete summaries by instant and auto;
// - the encoder: only the embeddings of the 400 sentences;
// - an abstractive transformer of the size of T5-small (js/bench/seq2seq, random
//   weights): for each article, reads the first 512 tokens and generates 60 by
//   greedy decoding, without a tokenizer. The ten texts are not merged.
//
// Cold: an empty page without any cache loads the code and the model from
// localhost and does the work. Warm: the same again. Every round runs each task
// once, so that other load on the machine affects all alike.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCore } from "cerasum";
import { dist, here, median, start } from "./page.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const [SOURCE, WRITTEN] = [512, 60];

const documents = JSON.parse(readFileSync(here("../../web/demo/samples/en-long.json"), "utf8")).documents.map(({ text }) => ({ text }));
const core = createCore();
const sentences = (await core.open(documents)).texts;
core.destroy();

const made = mkdtempSync(join(tmpdir(), "cerasum-"));
const size = (folder, names) => names.reduce((n, name) => n + statSync(join(folder, name)).size, 0) / 1e6;
const ort = here("../../node_modules/onnxruntime-web/dist");
const ortFiles = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];
const folders = { "/ort-web/": ort };
const tasks = [];

for (const method of ["instant", "auto"]) {
  tasks.push({ name: `cerasum, ${method}`, megabytes: size(dist, ["index.js", "worker.js", "cerasum.wasm"]), input: { documents, method }, once: async ({ documents, method }) => {
    const { createCore } = await import("/index.js");
    const core = (globalThis.core ??= createCore());
    await core.summarize(documents, { method });
  } });
}
tasks.push({ name: "the encoder: 400 embeddings", megabytes: size(dist, ["index.js", "worker.js", "cerasum.wasm", "encoder-worker.js", "encoder/encoder.onnx", "encoder/vocabulary.bin"]) + size(ort, ortFiles), input: { sentences }, once: async ({ sentences }) => {
  const { createCore, createEncoder } = await import("/index.js");
  const encoder = (globalThis.encoder ??= createEncoder({ core: createCore() }));
  await encoder.embed(sentences);
} });
for (const [name, ...flags] of [["float32"], ["int8", "--int8"]]) {
  const folder = join(made, name);
  execFileSync("go", ["run", "./js/bench/seq2seq", "--out", folder, ...flags], { cwd: here("../.."), stdio: "inherit" });
  folders[`/seq2seq-${name}/`] = folder;
  tasks.push({ name: `T5-small's shape, ${name}: ten texts`, megabytes: size(folder, readdirSync(folder)) + size(ort, ortFiles), input: { folder: `/seq2seq-${name}/`, articles: documents.length, source: SOURCE, written: WRITTEN }, once: async ({ folder, articles, source, written }) => {
    const ort = await import("/ort-web/ort.wasm.min.mjs");
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = "/ort-web/";
    const load = async (name) => ort.InferenceSession.create(new Uint8Array(await (await fetch(folder + name)).arrayBuffer()));
    const { encoder, decoder } = (globalThis.sessions ??= { encoder: await load("encoder.onnx"), decoder: await load("decoder.onnx") });
    const tokens = (ids) => new ort.Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
    for (let article = 0; article < articles; article++) {
      const feeds = await encoder.run({ input_ids: tokens(Array.from({ length: source }, (_, i) => (i * 97 + article * 31) % 32000)) });
      for (const [name, { dims }] of Object.entries({ ...feeds })) {
        const [, heads, a, b] = dims;
        const shape = name.includes("_key_") ? [1, heads, a, 0] : [1, heads, 0, b];
        feeds[name.replace("source", "past")] = new ort.Tensor("float32", new Float32Array(0), shape);
      }
      let next = 0;
      for (let step = 0; step < written; step++) {
        const found = await decoder.run({ ...feeds, input_ids: tokens([next]) });
        next = Number(found.next.data[0]);
        for (const [name, tensor] of Object.entries(found)) if (name !== "next") feeds[name.replace("present", "past")] = tensor;
      }
    }
  } });
}

const chromium = await start(folders);
console.log(`${documents.length} articles, ${sentences.length} sentences, ${documents.reduce((n, { text }) => n + text.split(/\s+/).length, 0)} words; Chromium ${chromium.version}, one thread; medians of ${ROUNDS} rounds, ms`);
for (let round = 0; round < ROUNDS; round++) {
  for (const task of tasks) {
    const page = await chromium.fresh();
    page.setDefaultTimeout(0);
    const time = async () => page.evaluate(`(async () => { const begun = performance.now(); await (${task.once})(${JSON.stringify(task.input)}); return performance.now() - begun; })()`);
    (task.cold ??= []).push(await time());
    const warm = [];
    for (let i = 0; i < (task.cold.at(-1) < 3000 ? 5 : 1); i++) warm.push(await time());
    (task.warm ??= []).push(median(warm));
    await page.context().close();
  }
}
const auto = tasks.find(({ name }) => name === "cerasum, auto");
console.log(`${"".padEnd(40)} ${"MB".padStart(6)} ${"cold".padStart(8)} ${"×".padStart(6)} ${"warm".padStart(8)} ${"×".padStart(6)}`);
for (const { name, megabytes, cold, warm } of tasks) {
  // The ratio to auto within each round.
  const ratio = (kind) => median(({ cold, warm })[kind].map((ms, i) => ms / auto[kind][i])).toFixed(1);
  console.log(`${name.padEnd(40)} ${megabytes.toFixed(1).padStart(6)} ${median(cold).toFixed(0).padStart(8)} ${ratio("cold").padStart(6)} ${median(warm).toFixed(0).padStart(8)} ${ratio("warm").padStart(6)}`);
}
await chromium.stop();
rmSync(made, { recursive: true });
