// The blocks of pages, Markdown and plain text, beside those of the command line
// program: both read the same fixtures.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { here, launch } from "./lib.mjs";

const folder = here("../../../cmd/cerasum/internal/ingest/testdata/blocks/");
const readers = {
  ".html": "readHTML",
  ".md": "readMarkdown",
  ".txt": "readPlain",
};

let browser, page;
before(async () => {
  const entry = `export { readHTML } from "./html.ts"; export { readMarkdown } from "./markdown.ts"; export { limit } from "./markdown-limit.ts";
    import { plainBlocks } from "../../../common/read/plain.ts"; export const readPlain = (text) => ({ title: "", text, blocks: plainBlocks(text) });`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: here("../src/read"), loader: "ts" }, bundle: true, write: false, format: "iife", globalName: "readers", target: "es2022",
  });
  browser = await launch();
  page = await browser.newPage();
  await page.addScriptTag({ content: outputFiles[0].text });
});
after(() => browser?.close());

for (const name of readdirSync(folder).filter((name) => extname(name) !== ".json")) {
  test(name, async () => {
    const source = readFileSync(folder + name, "utf8");
    const { title, date, text, blocks } = await page.evaluate(([reader, source]) => globalThis.readers[reader](source), [readers[extname(name)], source]);
    const golden = JSON.parse(readFileSync(folder + name.replace(/\.\w+$/, ".json"), "utf8"));
    assert.deepEqual({ title, ...(date && { date }), blocks: blocks.map(([start, end, kind]) => [kind, text.slice(start, end)]) }, golden);
  });
}

test("Markdown beyond the limits of its parser", async () => {
  // Line i has i steps before it.
  const cases = JSON.parse(readFileSync(`${folder}../limits.json`, "utf8"));
  const wrong = await page.evaluate((cases) => {
    const sourceOf = ({ start = "", step = "", line, times, end = "" }) => start + Array.from({ length: times }, (_, i) => step.repeat(i) + line).join("") + end;
    return cases.map((one) => [one.name, one.limit, globalThis.readers.limit(sourceOf(one)) ?? "", Boolean(globalThis.readers.readMarkdown(sourceOf(one)).plain)])
      .filter(([, limit, found, plain]) => found !== limit || plain !== (limit !== ""));
  }, cases);
  assert.deepEqual(wrong, []);
});
