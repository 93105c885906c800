// JSON: the page reads what the command line program reads, whatever the name of the file
// is, or refuses it; a session is one by what is in it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { begin, downloaded, here, loadSample, more, open, paste, summarized, textFile } from "./lib.mjs";
import { reader } from "./reader-lib.mjs";

const { server, browser } = await begin();
const testdata = here("../../../cmd/cerasum/internal/ingest/testdata/");
const expected = JSON.parse(readFileSync(`${testdata}json.json`, "utf8"));

/** What the page's Worker reads of a file. */
const read = (page, name, bytes, more = {}) => page.evaluate(async ([name, base64, more]) => {
  const content = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return globalThis.reader.contentOf({ content, name, type: "", base: location.href, ...more }, () => undefined);
}, [name, Buffer.from(bytes).toString("base64"), more]);

/** The line and the field of a message of the program. */
function placeOf(message) {
  const [, line, where, rest] = /^[^:]+:(\d+): (?:((?:\[\d+\])?\.?[\w.[\]]*): )?(.*)$/.exec(message) ?? [];
  if (!line) return { problem: "jsonNone" };
  return /invalid JSON/.test(rest) ? { problem: "jsonLine", of: [Number(line)] } : { problem: "jsonField", of: [Number(line), where ?? ""] };
}

test("the page reads the documents in JSON that the command line program reads", async () => {
  const page = await reader(browser);
  const differ = [];
  for (const { file, documents = [], clusters = 0, bad = [] } of expected) {
    const got = await read(page, file, readFileSync(`${testdata}json/${file}`));
    const source = (text, i) => (clusters > 0 && /^document \d+$/.test(text) ? (documents.length > 1 ? `${file} (${i + 1})` : file) : text);
    const words = documents.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
    let want;
    if (clusters > 1) want = { problem: "jsonClusters", of: [clusters] };
    else if (words.length > 0) want = {
      documents: words.map(({ source: from, title = "", date, language, text, blocks }) => ({ source: source(from, documents.findIndex((one) => one.text === text)), title, date, language, text, blocks })),
      ...(words.length < documents.length && { blank: documents.length - words.length }),
      ...(bad.length > 0 && { unread: bad.length, ...placeOf(bad[0]) }),
    };
    else want = bad.length > 0 ? placeOf(bad[0]) : { problem: "noWords" };
    let have = got;
    if ("text" in got) have = { documents: [{ source: file, title: file, text: got.text.text, blocks: got.text.blocks.map(([start, end, kind]) => [kind, got.text.text.slice(start, end)]) }] };
    if ("found" in got) {
      const problem = got.found.find((one) => one.unread);
      const blank = got.found.filter((one) => one.problem === "noWords").length;
      have = {
        documents: got.found.filter((one) => one.text).map(({ source, text: { title, date, language, text, blocks } }) => ({ source, title, date, language, text, blocks: blocks?.map(([start, end, kind]) => [kind, text.slice(start, end)]) })),
        ...(blank > 0 && { blank }),
        ...(problem && { unread: problem.unread, problem: problem.problem, of: problem.of }),
      };
    }
    // A value that is no document, and one without a text, lack the text here.
    for (const one of [want, have]) if (one.problem === "jsonField") one.of[1] = one.of[1].replace(/(?:^|\.)text$/, "");
    // Without undefined.
    const plain = (value) => JSON.parse(JSON.stringify(value));
    try {
      assert.deepEqual(plain(have), plain(want));
    } catch (error) {
      differ.push(`${file}: ${error.message}`);
    }
  }
  assert.deepEqual(differ, []);
  await page.context().close();
});

test("a session is known by what is in it, also compressed; one that is cut off is damaged", async () => {
  const page = await reader(browser);
  const session = { cerasum: 1, settings: { budget: { words: 50 }, order: "story", method: "auto", encoder: "shipped" }, documents: [{ title: "Nessel", text: "The harbour of Nessel is closed." }] };
  const content = JSON.stringify(session, null, 1);
  for (const [name, bytes] of [
    ["kept.cerasum.json", content], ["kept.json", content], ["kept.txt", content], ["kept", content], ["kept.md", content], ["kept.csv", content], ["kept.html", content], ["kept.docx", content],
    ["kept.json.gz", gzipSync(content)], ["kept", gzipSync(content)],
    ["marked.txt", `\ufeff\n${content}`], ["wide.txt", Buffer.from(`\ufeff${content}`, "utf16le")],
    ["sorted.txt", JSON.stringify({ documents: session.documents, cerasum: 1 })],
  ]) assert.equal((await read(page, name, bytes)).session?.documents[0].title, "Nessel", name);
  for (const name of ["kept.cerasum.json", "kept.txt", "kept"]) {
    assert.deepEqual(await read(page, name, content.slice(0, -20)), { problem: "sessionDamaged" });
    assert.deepEqual(await read(page, name, JSON.stringify({ ...session, cerasum: 2 })), { problem: "sessionNewer" });
    assert.deepEqual(await read(page, name, JSON.stringify({ ...session, cerasum: "1" })), { problem: "sessionInvalid" });
    assert.deepEqual(await read(page, name, JSON.stringify({ ...session, documents: [{ text: 1 }] })), { problem: "sessionField", of: ["documents[0].text"] });
  }
  // In an archive, JSON is refused as in the program.
  for (const [name, bytes] of [["a.zip/kept.txt", content], ["a.zip/news.json", '[{"text": "The ferry runs late."}]']]) assert.deepEqual(await read(page, name, bytes, { member: true }), { problem: "jsonPacked" });
  // A text about sessions is a text.
  assert.match((await read(page, "a.txt", `The file begins with {"cerasum": 1`)).text.text, /^The file/);
  await page.context().close();
});

test("a saved session opens under any name, with its settings; other JSON is read or refused in words", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "es");
  await summarized(page, () => page.check('[name="order"][value="rank"]'));
  const content = await downloaded(page, () => more(page, "#save-all"));
  const titles = () => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
  const saved = await titles();
  for (const name of ["session (2).txt", "session"]) {
    await summarized(page, () => page.check('[name="order"][value="story"]'));
    await page.click("#clear");
    await summarized(page, () => page.setInputFiles("#files", [textFile(name, content)]));
    assert.deepEqual(await titles(), saved);
    assert.ok(await page.isChecked('[name="order"][value="rank"]'));
  }
  await summarized(page, () => page.setInputFiles("#files", [textFile("news.txt", JSON.stringify({ documents: [{ title: "Ferry", text: "The ferry to Ost runs late.", language: "en" }, "Forty ships wait."] }))]));
  assert.deepEqual((await titles()).slice(saved.length), ["Ferry", "news"]);
  const refused = async (name, text) => {
    await page.setInputFiles("#files", [textFile(name, text)]);
    const said = await page.waitForSelector("#file-problems li").then((one) => one.textContent());
    await page.click("#file-problems button");
    return said;
  };
  await summarized(page, () => paste(page, JSON.stringify([{ text: "Divers look for the anchor.", title: "Anchor" }])));
  await summarized(page, () => paste(page, '{"Text" in braces} is a text.'));
  assert.deepEqual((await titles()).slice(saved.length), ["Ferry", "news", "Anchor", "Pasted text"]);
  assert.equal(await refused("package.json", '{"name": "x"}'), "package.json: JSON without documents; objects with “text” or “documents” are expected");
  assert.equal(await refused("news.json", "[\n{]"), "news.json: not valid JSON (line 2)");
  assert.equal(await refused("clusters.jsonl", '{"documents": ["One."]}\n{"documents": ["Two."]}\n'), "clusters.jsonl: 2 groups of documents, each for its own summary; add one group at a time, or use the command line program");
  assert.equal(await refused("cut.txt", content.slice(0, 200)), "cut.txt: documents and settings saved by this page, but the file is damaged or incomplete");
  assert.deepEqual(log, []);
  await context.close();
});
