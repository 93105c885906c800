// What crosses to the core's worker and back: the documents once, and for each
// summary little more than indices and numbers.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { begin, here, loadSample, open, paste, readClosely, summarized } from "./lib.mjs";

const { server, browser } = await begin();

/** Runs in the page: keeps the kind and the size in bytes of each message to and from workers. */
function watch() {
  const size = (value) => {
    if (typeof value === "string") return value.length;
    if (ArrayBuffer.isView(value)) return value.byteLength;
    if (typeof value !== "object" || value === null) return 8;
    if (value instanceof WebAssembly.Module) return 0;
    return Object.entries(value).reduce((sum, [name, field]) => sum + (Array.isArray(value) ? 0 : name.length) + size(field), 0);
  };
  const crossed = (window.crossed = []);
  const note = (to, message) => crossed.push({ to, kind: message?.kind, bytes: size(message) });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (!this.watched) this.addEventListener("message", ({ data }) => note("page", data));
    this.watched = true;
    note("worker", message);
    return postMessage.call(this, message, ...rest);
  };
}

const crossed = (page) => page.evaluate(() => crossed.splice(0).filter(({ kind }) => kind !== "progress"));
const names = (all) => all.map(({ kind }) => kind);
const another = (page) => ({
  length: (words) => summarized(page, () => page.fill("#budget-number", String(words))),
  method: (name) => summarized(page, () => page.selectOption("#method", name)),
});

test("a sample, five other lengths, two other methods: the documents cross once", async () => {
  const { page, context, log } = await open(browser, server.url, { init: watch });
  await loadSample(page, "en-long");
  const { documents } = JSON.parse(await readFile(here("../samples/en-long.json"), "utf8"));
  const texts = documents.reduce((sum, { title, source, text }) => sum + title.length + source.length + text.length, 0);
  const first = await crossed(page);
  assert.deepEqual(names(first.filter(({ to }) => to === "worker")).sort(), ["hello", "info", "open", "start", "summarize"]);
  const opening = first.find(({ kind }) => kind === "open").bytes;
  assert.ok(opening > texts && opening < texts + 1000, `${opening} bytes for ${texts} characters`);

  const { length, method } = another(page);
  for (const words of [60, 120, 180, 240, 300]) await length(words);
  for (const name of ["instant", "lead"]) await method(name);
  const later = await crossed(page);
  assert.deepEqual(names(later), Array(7).fill(["summarize", "summary"]).flat());
  const [sent, received] = ["worker", "page"].map((side) => later.filter(({ to }) => to === side).reduce((sum, { bytes }) => sum + bytes, 0));
  assert.ok(sent < 7 * 200, `${sent} bytes sent`);
  assert.ok(received < 7 * 10_000, `${received} bytes received`);
  assert.ok(later.every(({ bytes }) => bytes < texts / 4));

  // Other documents are opened, and the old ones closed.
  await summarized(page, () => paste(page, "A further text. It has two sentences."));
  assert.deepEqual(names((await crossed(page)).filter(({ to }) => to === "worker")).sort(), ["close", "open", "summarize"]);
  assert.deepEqual(log, []);
  await context.close();
});

test("in several languages: the sentences are embedded once; comparing opens nothing", async () => {
  const { page, context, log } = await open(browser, server.url, { init: watch });
  await loadSample(page, "mixed");
  await readClosely(page);
  const first = names((await crossed(page)).filter(({ to }) => to === "worker"));
  assert.equal(first.filter((kind) => kind === "open").length, 1);
  assert.equal(first.filter((kind) => kind === "tokenize").length, 1, "the texts to the core");
  assert.equal(first.filter((kind) => kind === "embed").length, 2, "their ids to the encoder, the rows to the core");
  const { length, method } = another(page);
  await length(60);
  await method("hybrid");
  await method("lead");
  await page.click("#compare-open");
  await page.waitForFunction(() => document.querySelectorAll("#compare .side .quotes:not([aria-busy]) .quote").length > 0 && !document.querySelector("#compare [aria-busy]"));
  const later = names((await crossed(page)).filter(({ to }) => to === "worker"));
  assert.deepEqual(new Set(later.filter((kind) => kind !== "info")), new Set(["summarize"]));
  assert.deepEqual(log, []);
  await context.close();
});
