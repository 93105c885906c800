// How long the encoder takes in Chromium, one thread: the first load from
// localhost, and 1,000 sentences after it. `node js/bench/encoder.mjs [FOLDER]`
// after `npm run build`; FOLDER is an export folder, the shipped encoder where
// it is left out. The sentences are those of the demo's samples, over and over
// with a number of their own each, or with SENTENCES=file one a line.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createCore } from "cerasum";

const COUNT = 1000;
const RUNS = 5;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = here("../dist");
const folder = resolve(process.argv[2] ?? join(dist, "encoder"));
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

async function sentences() {
  if (process.env.SENTENCES) return readFileSync(process.env.SENTENCES, "utf8").split("\n").filter(Boolean).slice(0, COUNT);
  const core = createCore();
  const samples = here("../../web/demo/samples");
  const documents = readdirSync(samples).flatMap((name) => JSON.parse(readFileSync(join(samples, name), "utf8")).documents.map(({ text }) => ({ text })));
  const split = await core.split(documents);
  core.destroy();
  const all = split.flatMap((one, i) => one.sentences.map(({ start, end }) => documents[i].text.slice(start, end)));
  return Array.from({ length: COUNT }, (_, i) => `${all[i % all.length]} ${i}`);
}

const list = await sentences();
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const file = pathname.startsWith("/encoder/") ? join(folder, pathname.slice(9)) : pathname === "/" ? undefined : join(dist, pathname);
  response.setHeader("content-security-policy", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  response.setHeader("cache-control", "no-store");
  response.setHeader("content-type", types[extname(pathname) || ".html"] ?? "application/octet-stream");
  try {
    response.end(file === undefined ? "<title>bench</title>" : readFileSync(decodeURIComponent(file)));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });

const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const show = (all) => `${median(all).toFixed(0)} ms (${all.map((x) => x.toFixed(0)).join(", ")})`;
const loads = [];
const first = [];
const later = [];
let model;
for (let run = 0; run < RUNS; run++) {
  // A context of its own: nothing is cached, neither files nor compiled code.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
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
  await context.close();
}
const words = list.reduce((n, one) => n + one.split(/\s+/).length, 0) / list.length;
console.log(`${folder}, ${model} dimensions; ${list.length} sentences of ${words.toFixed(1)} words; Chromium ${browser.version()}, one thread; median of ${RUNS}`);
console.log(`first load         ${show(loads)}`);
console.log(`${list.length} sentences     ${show(first)} at once after it`);
console.log(`the same again     ${show(later)}`);
await browser.close();
server.close();
