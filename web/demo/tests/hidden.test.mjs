// Text that no reader sees, beside text that only looks like it: the command line
// program reads the same pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { here, launch } from "./lib.mjs";

const cases = JSON.parse(readFileSync(here("../../../cmd/cerasum/internal/ingest/testdata/hidden.json"), "utf8"));

let browser, page;
before(async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export { readHTML } from "./html.ts"; export { readMarkdown } from "./markdown.ts";', resolveDir: here("../src/read"), loader: "ts" },
    bundle: true, write: false, format: "iife", globalName: "readers", target: "es2022",
  });
  browser = await launch();
  page = await browser.newPage();
  await page.addScriptTag({ content: outputFiles[0].text });
});
after(() => browser?.close());

for (const kind of ["page", "deep page", "Markdown"]) {
  test(`${kind}: hidden text is not read, and visible text is`, async () => {
    const wrong = await page.evaluate(([cases, kind]) => cases.filter(({ name, html, seen }) => {
      if (kind === "Markdown" && html.includes("<body")) return false;
      const page = `<!doctype html><title>Page</title>${html}<p>The river rose.</p>${kind === "page" ? "" : "<i>".repeat(600)}`;
      const { readHTML, readMarkdown } = globalThis.readers;
      const { title, text } = kind === "Markdown" ? readMarkdown(`${html}\n\nThe river rose.\n`) : readHTML(page);
      return (text + title).includes("secret") !== seen || (!text.includes("The river rose.") && !name.startsWith("all but"));
    }).map(({ name, seen }) => `${name}: want seen: ${seen}`), [cases, kind]);
    assert.deepEqual(wrong, []);
  });
}

// With a copy of the variables for each element, the page would run out of memory.
test("elements within each other share their variables", async () => {
  const text = await page.evaluate(() => {
    const nested = Array.from({ length: 20_000 }, (_, i) => `<i style=--v${i}:1>`).join("");
    return globalThis.readers.readHTML(`${nested}The river rose.`).text;
  });
  assert.equal(text, "The river rose.");
});
