// The formats of internal/files: the page reads the files that the command line program
// reads, and gets the same text; and nothing is sent.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { begin, here, open } from "./lib.mjs";
import { reader } from "./reader-lib.mjs";

const { server, browser } = await begin();
const testdata = here("../../../cmd/cerasum/internal/ingest/testdata/");
const expected = JSON.parse(readFileSync(`${testdata}files.json`, "utf8"));

test("the page reads what the command line program reads", async () => {
  const page = await reader(browser);
  const differ = [];
  for (const want of expected) {
    const bytes = readFileSync(`${testdata}files/${want.file}`).toString("base64");
    const got = await page.evaluate(async ([name, base64]) => {
      const content = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const result = await globalThis.reader.contentOf({ content, name, type: "", base: location.href }, () => undefined);
      if ("problem" in result) return { file: name, problem: result.problem };
      const documents = [];
      const problems = [];
      for (const { source, text, problem } of result.found) {
        if (problem) problems.push([source, problem]);
        else documents.push({ source, title: text.title, ...(text.date && { date: text.date }), blocks: text.blocks.map(([start, end, kind]) => [kind, text.text.slice(start, end)]) });
      }
      return { file: name, ...(documents.length > 0 && { documents }), ...(problems.length > 0 && { problems }) };
    }, [want.file, bytes]);
    // What is a picture here is no text there.
    if (got.problems) got.problems = got.problems.map(([source, problem]) => [source, problem === "image" ? "binary" : problem]);
    try {
      assert.deepEqual(got, want);
    } catch (error) {
      differ.push(`${want.file}: ${error.message}`);
    }
  }
  assert.deepEqual(differ, []);
  await page.context().close();
});

test("the page guesses the encodings that the command line program guesses", async () => {
  const page = await reader(browser);
  for (const { encoding, text, bytes } of JSON.parse(readFileSync(`${testdata}encodings.json`, "utf8"))) {
    const got = await page.evaluate(async (base64) => {
      const content = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const table = new TextEncoder().encode("text\n");
      const csv = new Uint8Array([...table, ...[...content].filter((byte) => byte !== 0x22)]);
      const plain = await globalThis.reader.contentOf({ content, name: "a.txt", type: "", base: location.href }, () => undefined);
      const { found } = await globalThis.reader.contentOf({ content: csv, name: "a.csv", type: "", base: location.href }, () => undefined);
      return { text: plain.text.text, guessed: plain.text.encoding, table: found[0].text.encoding };
    }, bytes);
    assert.equal(got.text, text, `${encoding}, guessed ${got.guessed}`);
    assert.equal(got.table, got.guessed, encoding);
  }
  await page.context().close();
});

test("gzip is unpacked, zstd is named", async () => {
  const page = await reader(browser);
  const read = (name, bytes) => page.evaluate(async ([name, base64]) => {
    const content = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return globalThis.reader.contentOf({ content, name, type: "", base: location.href }, () => undefined);
  }, [name, bytes.toString("base64")]);
  const packed = gzipSync("The bridge is open.");
  assert.equal((await read("a.txt.gz", packed)).text.text, "The bridge is open.");
  assert.equal((await read("a.csv.gz", gzipSync("text\nThe bridge is open.\n"))).found[0].text.text, "The bridge is open.");
  assert.deepEqual(await read("a.txt.gz", packed.subarray(0, 20)), { problem: "gzip" });
  assert.deepEqual(await read("a.txt.gz", gzipSync(Buffer.alloc(70 << 20))), { problem: "unpacked" });
  assert.deepEqual(await read("a.txt.zst", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0, 9, 0, 0, 97])), { problem: "zstd" });
  await page.context().close();
});

const titles = (page) => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
const files = (...names) => names.map((name) => ({ name, mimeType: "", buffer: readFileSync(`${testdata}files/${name}`) }));

test("Word files, mailboxes and archives become documents; those that cannot be read say why", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  assert.deepEqual(requests.filter((url) => url.includes("/files/")), [], "the first view loads no reader of such files");
  await page.setInputFiles("#files", files("made-wehr.docx", "mutt.mbox", "some-unreadable.zip", "some-unread.mbox", "broken-password.docx", "broken-truncated.odt"));
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length === 6 && !document.getElementById("file-problems").hidden);
  assert.deepEqual(await titles(page), ["Das Wehr am Mühlbach", "One", "Two", "good", "First", "Last"]);
  assert.deepEqual(await page.$$eval("#file-problems li", (all) => all.map((one) => one.textContent)), [
    "some-unreadable.zip/3.zip/2.zip: packed again inside an archive or mail; unpack it first",
    "some-unreadable.zip/cut.docx: damaged, incomplete, or not the type its extension suggests",
    "some-unreadable.zip/old.doc: a Word file in the old format (.doc); save it as .docx or PDF first",
    "some-unreadable.zip/picture.png: images, audio and video are not supported",
    "some-unreadable.zip/slides.pptx: a presentation; save it as PDF first",
    "some-unread.mbox: 2 documents in it could not be read; the first: encrypted; open it with its password and save a copy without one",
    "broken-password.docx: encrypted; open it with its password and save a copy without one",
    "broken-truncated.odt: damaged, incomplete, or not the type its extension suggests",
  ]);
  assert.equal(requests.filter((url) => url.includes("/files/")).length, 1);
  assert.deepEqual(log, []);
  await context.close();
});

test("a pasted link says that the page contacts no other site, and what to do", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  const before = requests.length;
  await page.click("#paste-open");
  await page.fill("#paste-text", " https://news.example/story?id=4\n");
  await page.click("#paste [type=submit]");
  assert.match(await page.textContent("#paste-problem"), /does not contact other sites.*copy its text here, or save the page/s);
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "www.news.example/story");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText(/^This page does not contact other sites/).last().waitFor();
  assert.deepEqual(await titles(page), []);
  // A text with a link in it is a text.
  await page.fill("#paste-text", "Read https://news.example/story first. It tells the story of the harbour.");
  await page.click("#paste [type=submit]");
  await page.waitForSelector("#document-list > li");
  assert.deepEqual(requests.slice(before).filter((url) => url.includes("news.example")), []);
  assert.deepEqual(log, []);
  await context.close();
});
