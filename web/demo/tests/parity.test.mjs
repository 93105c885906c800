// The page quotes what the command line program does of the same files: their
// titles and sources count too.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { begin, here, loadSample, open, paste, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const run = promisify(execFile);
const sample = async (name) => JSON.parse(await readFile(here(`../samples/${name}.json`), "utf8")).documents;
let folder, program;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cerasum-"));
  program = process.env.CERASUM ?? join(folder, "cerasum");
  if (!process.env.CERASUM) execFileSync("go", ["build", "-o", program, "./cmd/cerasum"], { cwd: here("../../.."), stdio: ["ignore", "inherit", "inherit"] });
});
after(() => rm(folder, { recursive: true }));

/** The quotes of the command line program. */
async function native(...args) {
  const { stdout } = await run(program, ["summarize", "--format", "json", "--encoder", "lexical", ...args], { cwd: folder });
  return JSON.parse(stdout).sentences.map(({ text }) => text);
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const paragraphs = (text) => text.split(/\n\s*\n/);

/** Files of three formats; those of plain text have no title. */
const formats = [
  ({ title, date, text }, n) => [`${n}.html`, `<!doctype html><html><head><title>${escape(title)}</title><meta property="article:published_time" content="${date}"></head><body><article>${paragraphs(text).map((one) => `<p>${escape(one)}</p>`).join("\n")}</article></body></html>`],
  ({ title, text }, n) => [`${n}.md`, `# ${title}\n\n${text}`],
  ({ title, text }, n) => [`${n}-${title.toLowerCase().replace(/\W+/g, "-")}.txt`, text],
];

test("HTML, Markdown and plain text: the same quotes as from the command line, in every length", async () => {
  const files = (await sample("en-long")).map((doc, i) => formats[i % 3](doc, i));
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", files.map(([name, content]) => ({ name, mimeType: "", buffer: Buffer.from(content) }))));
  for (const words of [30, 120, 200, 300]) {
    await summarized(page, () => page.fill("#budget-number", String(words)));
    assert.deepEqual(await quotes(page), await native("--budget", String(words), ...files.map(([name]) => name)), `${words} words`);
  }
  assert.deepEqual(log, []);
  await context.close();
});

test("a sample: the same quotes as from the command line, in every order", async () => {
  await writeFile(join(folder, "sample.jsonl"), JSON.stringify({ documents: await sample("en-long") }));
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en-long");
  const told = new Set();
  for (const order of ["document", "rank", "story"]) {
    await summarized(page, () => page.check(`input[name="order"][value="${order}"]`));
    const found = await quotes(page);
    assert.deepEqual(found, await native("--input-format", "jsonl", "--order", order, "sample.jsonl"), order);
    told.add(found.join("\n"));
  }
  assert.ok(told.size > 1, "the orders differ");
  assert.deepEqual(log, []);
  await context.close();
});

/** Runs in the page: keeps the titles and sources that the core is told, each time. */
function watch() {
  const told = (window.told = []);
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.kind === "open") told.push(message.documents.map(({ title, source }) => [title, source]));
    return postMessage.call(this, message, ...rest);
  };
}
const told = (page) => page.evaluate(() => window.told.splice(0).at(-1));

const body = (before = "") => `<body><article>${before}${"<p>The harbour of Nessel will be closed for three weeks. Divers are to clear the channel of stones, said the mayor.</p>".repeat(3)}</article></body>`;
const icon = "<svg><title>Icon</title></svg>";
const named = '<meta property="og:title" content="Nessel">';

test("the core is told the titles and sources that the command line program has", async () => {
  const files = Object.entries({
    "site.html": `<title>Harbour closed for three weeks after the storm | The Gazette</title>${body()}`,
    "named.html": `<title>News</title>${named}${body()}`,
    "heading.html": `${named}${body("<h1></h1><h1>Harbour <b>closed</b></h1>")}`,
    "second.html": body("<h2>Harbour closed</h2>"),
    "none.html": body(icon),
    "front.md": '---\ntitle: "Notes on harbours"\n---\n\n# Limes\n\nThe limes of Nessel.',
    "none.md": "The limes of Nessel.",
    "a report.text": "The limes of Nessel.",
  });
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  const { stdout } = await run(program, ["summarize", "--format", "json", ...files.map(([name]) => name)], { cwd: folder });
  const { page, context, log } = await open(browser, server.url, { init: watch });
  await summarized(page, () => page.setInputFiles("#files", files.map(([name, content]) => ({ name, mimeType: "", buffer: Buffer.from(content) }))));
  assert.deepEqual(await told(page), JSON.parse(stdout).documents.map(({ title, source }) => [title, source]));
  assert.deepEqual(log, []);
  await context.close();
});

test("a title that is only for the list is not told, one of the reader is, and is kept in a file", async () => {
  const { page, context, log } = await open(browser, server.url, { init: watch });
  await summarized(page, () => paste(page, "The harbour of Nessel is closed. Nobody knows for how long."));
  assert.deepEqual(await told(page), [[undefined, undefined]]);
  await summarized(page, () => paste(page, "The fishermen of Nessel use the pier of Ost.", "Fishermen"));
  await summarized(page, () => page.setInputFiles("#files", [{ name: "limes.txt", mimeType: "text/plain", buffer: Buffer.from("The limes of Nessel.") }]));
  const list = [[undefined, undefined], ["Fishermen", undefined], ["limes.txt", "limes.txt"]];
  assert.deepEqual(await told(page), list);

  const saving = page.waitForEvent("download");
  await page.click("#more > summary");
  await page.click("#save-all");
  const content = await readFile(await (await saving).path());
  await summarized(page, () => page.setInputFiles("#files", [{ name: "kept.cerasum.json", mimeType: "application/json", buffer: content }]));
  assert.deepEqual(await told(page), list);

  // The documents are opened again with another title, and with the old one if that is undone.
  await page.click("#document-list > li:nth-child(1) .doc-open");
  await page.click("#edit");
  await summarized(page, () => page.fill("#edit-title", "Harbour"));
  assert.deepEqual(await told(page), [["Harbour", undefined], ...list.slice(1)]);
  await page.click("#editor button[type=submit]");
  await summarized(page, () => page.click("#undo"));
  assert.deepEqual(await told(page), list);
  assert.deepEqual(log, []);
  await context.close();
});
