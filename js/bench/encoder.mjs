// Time of the encoder in Chromium: the first load from localhost, then the sentences of
// ten articles of 40 and of one. Run `node js/bench/encoder.mjs [THREADS]` after
// `npm run build`; with more than one thread, the page is cross-origin isolated.
// SENTENCES=file replaces the sentences by the file's lines.

import { readFileSync } from "node:fs";
import { createCore } from "cerasum";
import { here, show, start } from "./page.mjs";

const RUNS = 5;
const threads = Number(process.argv[2] ?? 1);

async function sentences() {
  if (process.env.SENTENCES) return readFileSync(process.env.SENTENCES, "utf8").split("\n").filter(Boolean);
  const core = createCore();
  const session = await core.open(JSON.parse(readFileSync(here("../../web/demo/samples/en-long.json"), "utf8")).documents.map(({ text }) => ({ text })));
  core.destroy();
  return session.texts;
}

const list = await sentences();
const chromium = await start({}, { isolated: threads > 1 });
const loads = [], ten = [], one = [];
let found;
for (let run = 0; run < RUNS; run++) {
  const page = await chromium.fresh();
  found = await page.evaluate(async ([texts, threads]) => {
    const { createCore, createEncoder } = await import("/index.js");
    const core = createCore();
    const encoder = createEncoder({ core, threads });
    const time = async (work) => {
      const begun = performance.now();
      await work();
      return performance.now() - begun;
    };
    const load = await time(() => Promise.all([encoder.ready(), core.ready()]));
    await encoder.embed(["One."]); // the core gets the vocabulary
    const ten = await time(() => encoder.embed(texts));
    const one = await time(() => encoder.embed(texts.slice(0, 40)));
    const { dimensions } = encoder;
    return { load, ten, one, dimensions, threads: encoder.threads };
  }, [list, threads]);
  loads.push(found.load);
  ten.push(found.ten);
  one.push(found.one);
  await page.context().close();
}
const words = list.reduce((n, one) => n + one.split(/\s+/).length, 0) / list.length;
console.log(`${found.dimensions} dimensions, threads: ${found.threads}; ${list.length} sentences of ${words.toFixed(1)} words; Chromium ${chromium.version}; median of ${RUNS}`);
console.log(`first load         ${show(loads)}`);
console.log(`all sentences      ${show(ten)}`);
console.log(`the first 40       ${show(one)}`);
await chromium.stop();
