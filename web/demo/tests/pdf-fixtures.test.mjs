// PDFs, beside the reader of the command line program: both read the same fixtures,
// which web/common/tests/write-pdfs.mjs writes.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { here, launch } from "./lib.mjs";

const folder = here("../../../cmd/cerasum/internal/ingest/testdata/pdf/");
const reader = here("../../../node_modules/pdfjs-dist");

// What the Worker itself fetches.
const server = createServer((request, response) => {
  const script = request.url.endsWith(".mjs");
  const file = `${reader}${script ? "/legacy/build" : ""}${request.url}`;
  const found = request.url === "/" || existsSync(file);
  response.writeHead(found ? 200 : 404, { "Content-Type": script ? "text/javascript" : "text/html" });
  response.end(request.url === "/" || !found ? "" : readFileSync(file));
}).listen(0, "127.0.0.1");

let browser, page;
before(async () => {
  const entry = `import { PDFError, textOf } from "./pdf.ts";
    export async function read(bytes) {
      const worker = new Worker("/pdf.worker.mjs", { type: "module" });
      try {
        return await textOf(new Uint8Array(bytes), { maps: new URL("/cmaps/", location.href).href, worker });
      } catch (error) {
        if (!(error instanceof PDFError)) throw error;
        return { problem: error.problem };
      } finally {
        worker.terminate();
      }
    }`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: here("../../common/read"), loader: "ts" }, bundle: true, write: false, format: "iife", globalName: "reader", target: "es2022",
    define: { "import.meta.url": "location.href" },
  });
  browser = await launch();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.addScriptTag({ content: outputFiles[0].text });
});
after(async () => {
  await browser?.close();
  server.close();
});

for (const file of readdirSync(folder).filter((name) => name.endsWith(".pdf"))) {
  test(file, async () => {
    const { title, text, blocks, problem } = await page.evaluate((bytes) => globalThis.reader.read(bytes), [...readFileSync(folder + file)]);
    const golden = JSON.parse(readFileSync(folder + file.replace(/pdf$/, "json"), "utf8"));
    assert.deepEqual(problem ? { problem } : { ...(title && { title }), blocks: blocks.map(([start, end, kind]) => [kind, text.slice(start, end)]) }, golden);
  });
}
