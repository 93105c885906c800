// The ways in: typing, the clipboard, files, drops; and what is refused.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, loadSample, open, paste, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const list = (page) => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
const file = (name, content, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(content) });

/** Drops files as a person does: one drag over the page, then the drop. */
async function drop(page, files) {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, type, bytes } of all) transfer.items.add(new File([Uint8Array.from(bytes)], name, { type }));
    return transfer;
  }, files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, bytes: [...buffer] })));
  for (const kind of ["dragenter", "dragover", "drop"]) await page.dispatchEvent("#drop", kind, { dataTransfer: data });
}

const harbour = "The harbour of Nessel will be closed for three weeks. Divers are to clear the channel of stones.";

test("pasted texts become documents with their own titles", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => paste(page, harbour));
  await summarized(page, () => paste(page, "Nessel's fishermen ask for help while the harbour is closed. They may use the pier of Ost.", "Fishermen"));
  assert.deepEqual(await list(page), ["The harbour of Nessel will be closed for three weeks.…", "Fishermen"]);
  assert.deepEqual(new Set(await page.$$eval("#quotes .quote-link .chip", (all) => all.map((one) => one.textContent))), new Set(["1", "2"]));
  await paste(page, " \n\t ");
  assert.match(await page.textContent("#paste-problem"), /no text to add/);
  assert.equal((await list(page)).length, 2);
  assert.deepEqual(log, []);
  await context.close();
});

test("text pasted anywhere on the page becomes a document", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () =>
    page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, harbour),
  );
  assert.equal((await list(page)).length, 1);
  assert.deepEqual(log, []);
  await context.close();
});

const html = `<!doctype html><html lang="en"><head><title>Bees of Nessel</title><script>document.title = "ran"</script></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>Bees of Nessel</h1><p>The beekeepers of Nessel have counted ${"very ".repeat(40)}many bees this spring.</p>
<p>They put it down to the lime trees<br>along the harbour. <img src="http://pictures.example/bee.png" onerror="fetch('http://evil.example/')"></p><p style="display:none">Nobody sees this.</p><div style="color: red" onclick="alert(1)"><p>Hives are painted &lt;red&gt; on Sundays.</p></div><figure><figcaption>A hive. Photo: N. N.</figcaption></figure><ul><li>One hive gave 31 kilos.<sup>[2]</sup></li><li>Another gave none.</li></ul></article>
<footer>Copyright nobody</footer><script src="http://evil.example/x.js"></script></body></html>`;
const markdown = "---\ntitle: Notes on *limes*\n---\n\n# Limes\n\nThe **lime trees** of [Nessel](http://trees.example/) were planted in 1882.\n\n- Forty stand by the harbour.\n- Six stand by the church.\n";

test("dropped files: text, Markdown and HTML are read, nothing in them runs or loads", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => drop(page, [file("plain.txt", harbour), file("notes.md", markdown, "text/markdown"), file("bees.html", html, "text/html")]));
  assert.deepEqual(await list(page), ["Bees of Nessel", "Notes on *limes*", "plain"]);
  const texts = [];
  for (let i = 0; i < 3; i++) {
    await page.click(`#document-list > li:nth-child(${i + 1}) .doc-open`);
    texts.push(await page.textContent("#reader-text"));
  }
  assert.match(texts[0], /beekeepers of Nessel have counted/);
  assert.match(texts[0], /lime trees\nalong the harbour\./);
  assert.match(texts[0], /One hive gave 31 kilos\.\nAnother gave none\./);
  assert.match(texts[0], /Hives are painted <red> on Sundays\./);
  assert.doesNotMatch(texts[0], /Home|Copyright|fetch|document\.title|Nobody sees|\[2\]/);
  assert.equal(texts[1], "Limes\n\nThe lime trees of Nessel were planted in 1882.\n\nForty stand by the harbour.\nSix stand by the church.".slice("Limes\n\n".length));
  assert.equal(texts[2], harbour);
  assert.deepEqual(log, []);
  await context.close();
});

slow("a dropped folder: all files in it, in the order of their paths", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cerasum-"));
  const { page, context, log } = await open(browser, server.url);
  try {
    await mkdir(join(folder, "news", "old"), { recursive: true });
    await writeFile(join(folder, "news", "b.txt"), harbour);
    await writeFile(join(folder, "news", "old", "a.txt"), "The old harbour of Nessel was dug in 1750 by hand.");
    await writeFile(join(folder, "news", ".hidden"), "not this one");
    const box = await page.locator("#drop").boundingBox();
    const devtools = await context.newCDPSession(page);
    const at = { x: box.x + 20, y: box.y + 20, data: { items: [], files: [join(folder, "news")], dragOperationsMask: 1 } };
    await summarized(page, async () => {
      for (const type of ["dragEnter", "dragOver"]) await devtools.send("Input.dispatchDragEvent", { type, ...at });
      assert.equal(await page.isVisible("#drop-now"), true);
      await devtools.send("Input.dispatchDragEvent", { type: "drop", ...at });
    });
    assert.equal(await page.isVisible("#drop-now"), false);
    assert.deepEqual(await list(page), ["b", "a"]);
    assert.match(await page.textContent("#reader-meta"), /^news\/b\.txt/);
    assert.deepEqual(log, []);
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
});

test("chosen files in other encodings are read, and what was guessed is said", async () => {
  const { page, context, log } = await open(browser, server.url);
  const utf16 = (s, little) => {
    const units = Buffer.from(`\ufeff${s}`, "utf16le");
    return little ? units : units.swap16();
  };
  const german = "Die Brücke über die Nessel wird größer. Das kostet 3 Millionen.";
  const cyrillic = Buffer.concat([
    Buffer.from('<html><head><meta charset="windows-1251"><title>'),
    Buffer.from([0xcd, 0xe5, 0xf1, 0xf1, 0xe5, 0xeb]),
    Buffer.from("</title></head><body><p>"),
    Buffer.from([0xcc, 0xee, 0xf1, 0xf2, 0x20, 0xee, 0xf2, 0xea, 0xf0, 0xfb, 0xf2, 0x2e]),
    Buffer.from("</p></body></html>"),
  ]);
  await summarized(page, () =>
    page.setInputFiles("#files", [
      file("marked.txt", `\ufeff${german}`),
      { name: "little.txt", mimeType: "text/plain", buffer: utf16(german, true) },
      { name: "big.txt", mimeType: "text/plain", buffer: utf16(german, false) },
      { name: "old.txt", mimeType: "text/plain", buffer: Buffer.from(german, "latin1") },
      { name: "ru.html", mimeType: "text/html", buffer: cyrillic },
    ]),
  );
  assert.equal((await list(page)).length, 5);
  assert.equal((await list(page))[4], "Нессел");
  for (let i = 1; i <= 5; i++) {
    await page.click(`#document-list > li:nth-child(${i}) .doc-open`);
    assert.equal(await page.textContent("#reader-text"), i === 5 ? "Мост открыт." : german);
  }
  const notes = await page.textContent("#file-problems");
  assert.match(notes, /old\.txt: read as windows-1252/);
  assert.match(notes, /ru\.html: read as windows-1251/);
  assert.doesNotMatch(notes, /marked|little|big/);
  assert.deepEqual(log, []);
  await context.close();
});

test("what is no text is refused by name, with the reason; the rest is added", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () =>
    page.setInputFiles("#files", [
      file("empty.txt", ""),
      file("blank.txt", " \n \n"),
      file("report.pdf", "%PDF-1.7\n%âãÏÓ", "application/pdf"),
      file("letter.docx", "PK\x03\x04rest"),
      { name: "picture.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) },
      { name: "data.bin", mimeType: "", buffer: Buffer.from([1, 2, 0, 4, 5]) },
      file("nothing.html", "<html><body><script>var a = 'words'</script><p> </p></body></html>", "text/html"),
      file("good.txt", harbour),
    ]),
  );
  assert.deepEqual(await list(page), ["good"]);
  const problems = await page.$$eval("#file-problems li", (all) => all.map((one) => one.textContent));
  assert.deepEqual(problems, [
    "empty.txt: empty file",
    "blank.txt: no text found",
    "report.pdf: damaged PDF",
    "letter.docx: damaged, incomplete, or not the type its extension suggests",
    "picture.png: images, audio and video are not supported",
    "data.bin: not a text file",
    "nothing.html: no text found",
  ]);
  await page.click("#file-problems button");
  assert.equal(await page.isVisible("#file-problems"), false);
  assert.deepEqual(log, []);
  await context.close();
});

slow("a file past the limit and documents past the limit are refused", async () => {
  const { page, context, log } = await open(browser, server.url);
  await drop(page, [file("small.txt", harbour)]);
  await page.evaluate(() => {
    const input = document.getElementById("files");
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(25_000_001).fill(97)], "huge.txt", { type: "text/plain" }));
    for (let i = 0; i < 501; i++) transfer.items.add(new File([`Ship ${i} came to Nessel.`], `ship${String(i).padStart(3, "0")}.txt`));
    input.files = transfer.files;
    input.dispatchEvent(new Event("change"));
  });
  await page.waitForSelector("#file-problems:not([hidden])");
  assert.equal(await page.locator("#document-list > li").count(), 500);
  const problems = await page.textContent("#file-problems");
  assert.match(problems, /huge\.txt: 25 MB; the limit is 25 MB/);
  assert.match(problems, /ship499\.txt: the limit of 500 documents is reached/);
  assert.match(problems, /ship500\.txt/);
  assert.deepEqual(log, []);
  await context.close();
});

slow("odd texts: a deep tree, right-to-left, emoji, NUL, lone surrogates", async () => {
  const { page, context, log } = await open(browser, server.url);
  const deep = `<p>The deepest page of Nessel.</p>${"<div>".repeat(20000)}<p>It goes down very far.</p>`;
  await summarized(page, () => drop(page, [file("deep.html", deep, "text/html")]));
  await summarized(page, () => paste(page, "افتتح الجسر الجديد في نسيل أمس. حضر ألفا شخص. 🌉👨‍👩‍👧", "جسر"));
  await summarized(page, () =>
    page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "A ship \ud83d came to Nessel.\0 It left \udea2 again.");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }),
  );
  const found = await quotes(page);
  assert.ok(found.length >= 4, found.join(" | "));
  for (let i = 0; i < found.length; i++) {
    await page.click(`#quotes > li:nth-child(${i + 1}) .quote-link`);
    assert.deepEqual(await page.$$eval("mark.active", (all) => all.map((one) => one.textContent)), [found[i]]);
  }
  assert.equal(await page.getAttribute("#reader-text > .piece", "dir"), "auto");
  await page.click("#document-list > li:nth-child(2) .doc-open");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("#reader-text > .piece")).direction), "rtl");
  assert.equal(await page.getAttribute("#reader-text", "lang"), "ar");
  assert.deepEqual(log, []);
  await context.close();
});

test("documents can be edited; the summary follows", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => paste(page, harbour, "Harbour"));
  await page.click("#edit");
  await summarized(page, () => page.fill("#edit-title", "Port"));
  assert.deepEqual(await list(page), ["Port"]);
  await summarized(page, () => page.fill("#edit-text", "The port of Nessel is open again."));
  await page.selectOption("#edit-language", "nl");
  await page.click("#editor button[type=submit]");
  assert.equal(await page.textContent("#reader-text"), "The port of Nessel is open again.");
  assert.match(await page.textContent("#document-list .doc-meta"), /Dutch/);
  assert.deepEqual(await quotes(page), ["The port of Nessel is open again."]);
  // Titles stand under the quotes of several documents.
  await summarized(page, () => paste(page, "Nobody in Ost knows for how long the ferry will be late.", "Ferry"));
  await page.waitForSelector("#quotes .quote-source");
  const sources = () => page.$$eval("#quotes .quote-source", (all) => all.map((one) => one.textContent).sort());
  assert.deepEqual(await sources(), ["Ferry", "Port"]);
  await page.click("#edit");
  await page.fill("#edit-title", "Haven");
  assert.deepEqual(await sources(), ["Ferry", "Haven"]);
  assert.deepEqual(log, []);
  await context.close();
});

slow("changes of a document can be undone as one step, once it is no longer edited", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "es");
  const before = { titles: await list(page), text: await page.textContent("#reader-text"), quotes: await quotes(page) };
  await page.click("#edit");
  await page.click("#editor button[type=submit]");
  assert.equal(await page.locator("#undo").count(), 0, "nothing was changed");
  await page.click("#edit");
  await summarized(page, () => page.fill("#edit-title", "Another"));
  await summarized(page, () => page.fill("#edit-text", "This is all that is left of it."));
  assert.equal(await page.locator("#undo").count(), 0);
  await page.click("#editor button[type=submit]");
  assert.match(await page.textContent("#toast"), new RegExp(`^Edited “${before.titles[0].slice(0, 10)}`));
  await summarized(page, () => page.click("#undo"));
  assert.deepEqual(await list(page), before.titles);
  assert.equal(await page.textContent("#reader-text"), before.text);
  assert.deepEqual(await quotes(page), before.quotes);
  // Again, by going to another document; the marks are those of the new text.
  await page.click("#edit");
  await summarized(page, () => page.fill("#edit-text", "El puerto de Nessel está cerrado. Nadie sabe por cuánto tiempo. Los barcos esperan en la bahía."));
  await page.click("#document-list > li:nth-child(2) .doc-open");
  assert.match(await page.textContent("#toast"), /^Edited/);
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li:first-child .cell").length === 3);
  await summarized(page, () => page.click("#undo"));
  assert.deepEqual(await quotes(page), before.quotes);
  assert.deepEqual(log, []);
  await context.close();
});

test("removing, clearing and replacing can be undone", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "es");
  const before = await list(page);
  await summarized(page, () => page.click("#document-list > li:nth-child(2) .remove"));
  assert.deepEqual(await list(page), [before[0], before[2]]);
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Remove/, "the focus goes on to the next document");
  await summarized(page, () => page.click("#undo"));
  assert.deepEqual(await list(page), before);
  assert.equal(await page.locator("#undo").count(), 0);

  await page.click("#clear");
  assert.deepEqual(await list(page), []);
  assert.equal(await page.isVisible("#summary"), false);
  await summarized(page, () => page.click("#undo"));
  assert.deepEqual(await list(page), before);

  await page.click(".samples summary");
  await loadSample(page, "pt");
  assert.notDeepEqual(await list(page), before);
  await summarized(page, () => page.click("#undo"));
  assert.deepEqual(await list(page), before);
  assert.deepEqual(log, []);
  await context.close();
});
