// Time of summaries in Chromium. Run `node js/bench/summaries.mjs` after
// `npm run build`. It measures
//
// - methods auto and instant on 10 articles of 40 sentences: cold (the page loads,
//   compiles and starts the core first) and warm;
// - CeRAI's estimate of the centroid for 1,000 sentences of 256 dimensions: the
//   stage "select" with it, minus the stage with the mean centroid.
//
// The sentences are spliced from those of the English sample, so that articles
// share words and word pairs; ARTICLES=file replaces them with a line of JSON
// Lines with "documents". Embeddings and weights are random.

import { readFileSync } from "node:fs";
import { createCore } from "cerasum";
import { here, median, show, start } from "./page.mjs";

const RUNS = 9;
const N = 1000, D = 256, P = 35;
/** Number of values in CeRAI's weights, as in centroid.Tensors. */
const NUMBERS = 6 * D * D + (P + 10) * D + 1;

let seed = 1;
/** Pseudo-random numbers in (0, 1), the same in every run. */
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const core = createCore();

/** Documents with the given number of sentences, each spliced from thirds of three sentences. */
async function articles(count, length) {
  const sample = JSON.parse(readFileSync(here("../../web/demo/samples/en.json"), "utf8")).documents.map(({ text }) => ({ text }));
  const sentences = (await core.open(sample)).texts.map((text) => text.replace(/["“”]/g, "").split(/\s+/)); // parts of quotations would be joined
  const third = (k) => {
    const words = sentences[Math.floor(random() * sentences.length)];
    return words.slice(Math.floor((k * words.length) / 3), Math.floor(((k + 1) * words.length) / 3)).join(" ").replace(/[.!?"”]+$/, "");
  };
  const sentence = () => `${[0, 1, 2].map(third).filter(Boolean).join(" ").replace(/[.!?]["”]? /g, " ").replace(/^./, (c) => c.toUpperCase())}.`;
  return Array.from({ length: count }, () => ({ text: Array.from({ length }, sentence).join(" ") }));
}

async function counted(documents) {
  const session = await core.open(documents);
  const sentences = session.texts.length;
  session.close();
  const words = documents.reduce((n, { text }) => n + text.split(/\s+/).length, 0);
  return { sentences, line: `${documents.length} documents, ${sentences} sentences, ${words} words` };
}

const given = process.env.ARTICLES;
const news = given ? JSON.parse(readFileSync(given, "utf8").split("\n")[0]).documents.map((text) => ({ text })) : await articles(10, 40);
const many = await articles(25, 40);
const { sentences } = await counted(many);
if (sentences !== N) throw new Error(`${sentences} sentences, want ${N}`);
console.log((await counted(news)).line);

const chromium = await start();
console.log(`Chromium ${chromium.version}; medians of ${RUNS}`);

const cold = { auto: [], instant: [] };
const warm = { auto: [], instant: [] };
for (let run = 0; run < RUNS; run++) {
  for (const method of Object.keys(cold)) {
    const page = await chromium.fresh();
    const found = await page.evaluate(async ({ documents, method }) => {
      const begun = performance.now();
      const { createCore } = await import("/index.js");
      const core = createCore();
      await core.summarize(documents, { method });
      return performance.now() - begun;
    }, { documents: news, method });
    cold[method].push(found);
    await page.context().close();
  }
}
const page = await chromium.fresh();
const ran = await page.evaluate(async ({ documents, methods, runs }) => {
  const { createCore } = await import("/index.js");
  const core = createCore();
  const times = Object.fromEntries(methods.map((method) => [method, []]));
  let ran;
  // Two rounds until the optimizing compiler is done.
  for (let run = -2; run < runs; run++) {
    for (const method of methods) {
      const begun = performance.now();
      const summary = await core.summarize(documents, { method });
      if (run >= 0) times[method].push(performance.now() - begun);
      if (method === "auto") ran = summary.method;
    }
  }
  return { times, method: ran };
}, { documents: news, methods: Object.keys(warm), runs: RUNS });
for (const method of Object.keys(cold)) {
  const name = method === "auto" ? `auto (${ran.method})` : method;
  console.log(`${name}, cold:`.padEnd(24) + show(cold[method]));
  console.log(`${name}, warm:`.padEnd(24) + show(ran.times[method]));
}

const select = await page.evaluate(async ({ documents, runs, N, D, P, numbers }) => {
  const { createCore } = await import("/index.js");
  const core = createCore();
  let seed = 1;
  // The time does not depend on the values.
  const draw = (n, scale) => Float32Array.from({ length: n }, () => ((seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5) * scale);
  const embeddings = draw(N * D, 1);
  const weights = { dimensions: D, positions: P, interpolation: true, data: draw(numbers, 0.1) };
  const times = { cerai: [], mean: [] };
  const session = await core.open(documents);
  await session.embed({ embeddings, dimensions: D });
  for (let run = -2; run < runs; run++) {
    for (const method of Object.keys(times)) {
      const { timings } = await session.summarize({ method, ...(method === "cerai" && { weights }) });
      if (run >= 0) times[method].push(timings.select);
    }
  }
  return times;
}, { documents: many, runs: RUNS, N, D, P, numbers: NUMBERS });
for (const method of Object.keys(select)) console.log(`${method}, ${N} × ${D}, select:`.padEnd(32) + show(select[method]));
console.log(`the estimate of CeRAI:`.padEnd(32) + `${(median(select.cerai) - median(select.mean)).toFixed(0)} ms`);
await chromium.stop();
core.destroy();
