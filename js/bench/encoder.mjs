// Time of the encoder in Chromium, one thread: the first load from localhost,
// then 1,000 sentences. Run `node js/bench/encoder.mjs [FOLDER]` after
// `npm run build`; FOLDER is an export folder, by default the shipped encoder. A
// static encoder is measured on onnxruntime-web as well, in turns.
// The sentences are those of the demo's samples, repeated with distinct numbers,
// or the lines of SENTENCES=file.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createCore } from "cerasum";
import { dist, here, show, start } from "./page.mjs";

const COUNT = 1000;
const RUNS = 5;
const folder = resolve(process.argv[2] ?? join(dist, "encoder"));

async function sentences() {
  if (process.env.SENTENCES) return readFileSync(process.env.SENTENCES, "utf8").split("\n").filter(Boolean).slice(0, COUNT);
  const core = createCore();
  const samples = here("../../web/demo/samples");
  const documents = readdirSync(samples).flatMap((name) => JSON.parse(readFileSync(join(samples, name), "utf8")).documents.map(({ text }) => ({ text })));
  const session = await core.open(documents);
  core.destroy();
  const all = session.texts;
  return Array.from({ length: COUNT }, (_, i) => `${all[i % all.length]} ${i}`);
}

const list = await sentences();
const copy = mkdtempSync(join(tmpdir(), "cerasum-"));
const runtimes = [{ name: "onnxruntime-web", url: "/copy/" }];
const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
if (config.model_type === "static") runtimes.unshift({ name: "without onnxruntime-web", url: "/encoder/" });
cpSync(folder, copy, { recursive: true });
writeFileSync(join(copy, "config.json"), JSON.stringify({ ...config, model_type: config.model_type === "static" ? undefined : config.model_type }));
const chromium = await start({ "/encoder/": folder, "/copy/": copy });
for (const runtime of runtimes) Object.assign(runtime, { loads: [], first: [], later: [] });
let model;
for (let run = 0; run < RUNS * runtimes.length; run++) {
  const { url, loads, first, later } = runtimes[run % runtimes.length];
  const page = await chromium.fresh();
  const found = await page.evaluate(async ([url, texts]) => {
    const { createEncoder } = await import("/index.js");
    const encoder = createEncoder({ model: url });
    const time = async (work) => {
      const begun = performance.now();
      await work();
      return performance.now() - begun;
    };
    const load = await time(() => encoder.ready());
    const first = await time(() => encoder.embed(texts));
    const later = await time(() => encoder.embed(texts));
    return { load, first, later, dimensions: encoder.dimensions };
  }, [url, list]);
  loads.push(found.load);
  first.push(found.first);
  later.push(found.later);
  model = found.dimensions;
  await page.context().close();
}
const words = list.reduce((n, one) => n + one.split(/\s+/).length, 0) / list.length;
console.log(`${folder}, ${model} dimensions; ${list.length} sentences of ${words.toFixed(1)} words; Chromium ${chromium.version}, one thread; median of ${RUNS}`);
for (const { name, loads, first, later } of runtimes) {
  console.log(name);
  console.log(`first load         ${show(loads)}`);
  console.log(`${list.length} sentences     ${show(first)} at once after it`);
  console.log(`the same again     ${show(later)}`);
}
await chromium.stop();
rmSync(copy, { recursive: true });
