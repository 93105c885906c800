// A page of a browser extension: Chromium with an unpacked extension of manifest
// version 3, made from the tarball, under the policy that extensions have by
// default, with the one word that WebAssembly wants.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type BrowserContext, chromium } from "playwright-core";
import { browserArguments } from "../../build/browser-arguments.mjs";
import { install, type Installed, run } from "./package.js";
import { executablePath } from "./page.js";

const documents = [
  { text: "The ferry Aurora ran aground off Vellin on Monday. Lifeboats took all 212 passengers ashore. Cafés on the quay gave them soup." },
  { text: "El transbordador Aurora encalló frente a Vellin el lunes. Los botes salvavidas desembarcaron a los 212 pasajeros." },
];

const files = {
  "manifest.json": JSON.stringify({
    manifest_version: 3,
    name: "cerasum in a page of an extension",
    version: "1",
    content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
  }),
  "page.html": '<!doctype html><meta charset="utf-8"><title>cerasum</title><script type="module" src="page.js"></script>',
  "page.js": `import { Summarizer } from "./cerasum/index.js";
    globalThis.summarize = async (documents) => {
      const summarizer = await Summarizer.create({ encoder: {} });
      const { text } = await summarizer.summarizeDocuments(documents, { budget: { sentences: 2 } });
      const { dimensions, embeddings } = await summarizer.embed(documents.map(({ text }) => text));
      summarizer.destroy();
      return { text, dimensions, rows: embeddings.length / dimensions };
    };
    document.title = "ready";`,
};

let installed: Installed;
let browser: BrowserContext;
let extension: string;

before(async () => {
  installed = await install();
  extension = join(realpathSync(installed.folder), "extension");
  mkdirSync(extension);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(extension, name), content);
  await run(process.execPath, ["node_modules/cerasum/bin/assets.mjs", join(extension, "cerasum"), "library", "core", "encoder"], installed.folder);
  browser = await chromium.launchPersistentContext(join(installed.folder, "profile"), {
    executablePath,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: [...browserArguments(), `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
});

after(async () => {
  await browser?.close();
  installed?.remove();
});

it("in a page of an extension it summarizes and embeds, as under Node", async () => {
  // What Chromium calls an unpacked extension is made of where it lies.
  const id = createHash("sha256").update(extension).digest("hex").slice(0, 32).replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 16)));
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  browser.on("request", (request) => request.url().startsWith(`chrome-extension://${id}/`) || complaints.push(`asked for ${request.url()}`));
  await page.goto(`chrome-extension://${id}/page.html`);
  await page.waitForFunction(() => document.title === "ready");
  const summarize = (given: typeof documents): Promise<unknown> => (globalThis as unknown as { summarize(given: unknown): Promise<unknown> }).summarize(given);
  const found = await page.evaluate(summarize, documents);

  const script = files["page.js"].replace("./cerasum/index.js", "cerasum").replace("document.title", "globalThis.title");
  writeFileSync(join(installed.folder, "node.js"), `${script}\nconsole.log(JSON.stringify(await summarize(${JSON.stringify(documents)})));`);
  const wanted = JSON.parse(await run(process.execPath, ["node.js"], installed.folder)) as { text: string; dimensions: number; rows: number };
  assert.match(wanted.text, /Aurora/);
  assert.deepEqual([wanted.dimensions, wanted.rows], [384, 2]);
  assert.deepEqual(found, wanted);
  assert.deepEqual(complaints, []);
});
