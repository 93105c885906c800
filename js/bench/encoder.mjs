// Time of the encoder in Chromium, one thread: the first load from localhost,
// then 1,000 sentences. Run `node js/bench/encoder.mjs [FOLDER]` after
// `npm run build`; FOLDER is an export folder, by default the shipped encoder.
// The sentences are those of the demo's samples, repeated with distinct numbers,
// or the lines of SENTENCES=file.

import { readdirSync, readFileSync } from "node:fs";
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
const chromium = await start({ "/encoder/": folder });
const loads = [];
const first = [];
const later = [];
let model;
for (let run = 0; run < RUNS; run++) {
  const page = await chromium.fresh();
  const found = await page.evaluate(async (texts) => {
    const { createEncoder } = await import("/index.js");
    const encoder = createEncoder({ model: "/encoder/" });
    const time = async (work) => {
      const begun = performance.now();
      await work();
      return performance.now() - begun;
    };
    const load = await time(() => encoder.ready());
    const first = await time(() => encoder.embed(texts));
    const later = await time(() => encoder.embed(texts));
    return { load, first, later, dimensions: encoder.dimensions };
  }, list);
  loads.push(found.load);
  first.push(found.first);
  later.push(found.later);
  model = found.dimensions;
  await page.context().close();
}
const words = list.reduce((n, one) => n + one.split(/\s+/).length, 0) / list.length;
console.log(`${folder}, ${model} dimensions; ${list.length} sentences of ${words.toFixed(1)} words; Chromium ${chromium.version}, one thread; median of ${RUNS}`);
console.log(`first load         ${show(loads)}`);
console.log(`${list.length} sentences     ${show(first)} at once after it`);
console.log(`the same again     ${show(later)}`);
await chromium.stop();
