// Carrying away more than the Markdown: JSON, paper, and everything as a file
// that is opened again.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, loadSample, open, paste, quotes, serve, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const titles = (page) => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
const downloaded = async (page, button) => {
  await page.click("#more > summary");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
};
const session = (content, name = "kept.cerasum.json") => ({ name, mimeType: "application/json", buffer: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)) });
const settings = { budget: { sentences: 4 }, order: "rank", method: "lexrank", licence: "any" };
const documents = [
  { title: "Harbour", text: "The harbour of Nessel is closed. Divers clear the channel. Nobody knows for how long.", source: "The Gazette", language: "en" },
  { title: "Fishermen", text: "The fishermen of Nessel wait for the harbour. They use the pier of Ost." },
];

test("JSON: every quote with its place, every document with its report", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  const { name, content } = await downloaded(page, "#download-json");
  assert.equal(name, "summary.json");
  const { sentences, documents, method, budget, used, order } = JSON.parse(content);
  assert.deepEqual(sentences.map(({ text }) => text), await quotes(page));
  assert.deepEqual([method, budget, order], ["editor", { words: 100 }, "story"]);
  assert.ok(used > 50 && used <= 100);
  assert.deepEqual(documents.map(({ title }) => title), await titles(page));
  for (const { document, sentence, start, end, text, similar } of sentences) {
    assert.equal(end - start, text.length);
    assert.ok(sentence < documents[document].sentences);
    for (const one of similar) assert.notEqual(one.document, document);
  }
  assert.equal(documents.reduce((n, one) => n + one.chosen, 0), sentences.length);
  assert.deepEqual(log, []);
  await context.close();
});

test("on paper: the quotes with their numbers and the sources, nothing else", async () => {
  const { page, context, log } = await open(browser, server.url, { colorScheme: "dark" });
  await page.addInitScript(() => { window.print = () => (window.printed = true); });
  await page.reload();
  await loadSample(page, "fr");
  await page.click("#more > summary");
  await page.click("#print");
  assert.equal(await page.evaluate(() => window.printed), true);
  assert.equal(await page.evaluate(() => document.activeElement.matches("#more > summary")), true);
  const found = await quotes(page);
  const paper = await page.pdf({ format: "A4", printBackground: false });
  // The page reads it back.
  await page.setInputFiles("#files", [{ name: "paper.pdf", mimeType: "application/pdf", buffer: paper }]);
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length === 4);
  await page.click("#document-list > li:last-child .doc-open");
  const text = (await page.textContent("#reader-text")).replace(/\s+/g, " ");
  for (const quote of found) assert.ok(text.includes(quote.replace(/\s+/g, " ")), `${quote} | ${text}`);
  assert.match(text, /Sources.*Vauclère : les commerçants entre fierté et inquiétude, Radio Trois Rivières/);
  assert.match(text, /cerasum · Method: Editor$/);
  assert.doesNotMatch(text, /Choose files|Length|Copy|In context|Also said/);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".quote-text")).color), "rgb(0, 0, 0)", "black, on a dark screen too");
  await page.emulateMedia({ media: "screen" });
  await page.click("#quotes > li:first-child .quote-link");
  await page.waitForSelector("#quotes .current");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await page.$eval("#quotes .current", (one) => {
    const { backgroundColor, boxShadow } = getComputedStyle(one);
    return [backgroundColor, boxShadow];
  }), ["rgba(0, 0, 0, 0)", "none"], "what is selected is not marked");
  await page.emulateMedia({ media: "screen" });
  await page.click("#quotes > li:first-child .in-context");
  assert.equal(await page.isVisible("#quotes .open .quote-source"), false);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.isVisible("#quotes .open .quote-source"), true, "a quote whose context is open has its source on paper");
  assert.deepEqual(log, []);
  await context.close();
});

test("everything as a file: opened elsewhere it gives the same summary; what was there can be brought back", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "es");
  await page.click("#edit");
  await page.selectOption("#edit-language", "pt");
  await page.click("#editor button[type=submit]");
  await summarized(page, () => page.selectOption("#budget-unit", "sentences"));
  await summarized(page, () => page.fill("#budget-number", "3"));
  await summarized(page, () => page.check('input[name="order"][value="rank"]'));
  await summarized(page, () => page.selectOption("#method", "textrank"));
  const own = await quotes(page);
  assert.equal(own.length, 3);
  const { name, content } = await downloaded(page, "#save-all");
  assert.match(name, /^\d{4}-\d\d-\d\d\.cerasum\.json$/);
  assert.deepEqual(JSON.parse(content).documents[0].language, "pt");
  await context.close();

  const there = await open(browser, server.url);
  const other = there.page;
  await summarized(other, () => paste(other, "The harbour of Nessel is closed. Nobody knows for how long.", "Harbour"));
  await summarized(other, () => other.setInputFiles("#files", [session(content, "2026-11-20.cerasum (1).json")]));
  await other.waitForFunction((n) => document.querySelectorAll("#quotes .quote").length === n, own.length);
  assert.deepEqual(await quotes(other), own);
  assert.deepEqual(await titles(other), JSON.parse(content).documents.map(({ title }) => title));
  assert.deepEqual(
    await other.evaluate(() => ["budget-unit", "budget-number", "budget", "method"].map((id) => document.getElementById(id).value)),
    ["sentences", "3", "3", "textrank"],
  );
  assert.equal(await other.isChecked('input[name="order"][value="rank"]'), true);
  await summarized(other, () => other.click("#undo"));
  assert.deepEqual(await titles(other), ["Harbour"]);
  assert.deepEqual([...log, ...there.log], []);
  await there.context.close();
});

slow("opened before the methods are known, and beside other files", async () => {
  let release;
  const slow = await serve({ gate: new Promise((resolve) => (release = resolve)) });
  const { page, context, log } = await open(browser, slow.url);
  await page.setInputFiles("#files", [session({ cerasum: 1, settings, documents })]);
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length === 2);
  await summarized(page, release);
  await page.waitForFunction(() => document.getElementById("method").value === "lexrank");
  assert.equal(await page.isChecked("#any-licence"), true);
  assert.equal(await page.inputValue("#budget-number"), "4");
  await page.setInputFiles("#files", [session({ cerasum: 1, settings: { ...settings, method: "lead" }, documents }), { name: "b.txt", mimeType: "text/plain", buffer: Buffer.from("A third text of Nessel.") }]);
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length === 5);
  assert.equal(await page.inputValue("#method"), "lexrank", "among other files only its documents count");
  assert.deepEqual(log, []);
  await context.close();
  await slow.close();
});

slow("settings that this page does not know are left as they are", async () => {
  const { page, context, log } = await open(browser, server.url);
  const odd = { budget: { furlongs: 9999 }, order: "sideways", method: "oracle of Nessel", encoder: "someone/else@1" };
  await summarized(page, () => page.setInputFiles("#files", [session({ cerasum: 1, settings: odd, documents })]));
  assert.deepEqual(
    await page.evaluate(() => ["budget-unit", "budget-number", "method"].map((id) => document.getElementById(id).value)),
    ["words", "100", "auto"],
  );
  await summarized(page, () => page.setInputFiles("#files", [session({ cerasum: 1, settings: { ...settings, budget: { sentences: 9999 } }, documents })]));
  assert.equal(await page.inputValue("#budget-number"), "25");
  assert.deepEqual(log, []);
  await context.close();
});

slow("a file of an older version: its length is an amount and a unit", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", [session({ cerasum: 1, settings: { ...settings, budget: { amount: 2, unit: "sentences" } }, documents })]));
  assert.deepEqual(await page.evaluate(() => ["budget-unit", "budget-number"].map((id) => document.getElementById(id).value)), ["sentences", "2"]);
  assert.deepEqual(JSON.parse((await downloaded(page, "#save-all")).content).settings.budget, { sentences: 2 });
  assert.deepEqual(log, []);
  await context.close();
});

test("files that are none, are newer, or are wrong somewhere are refused by name, and change nothing", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => paste(page, "The harbour of Nessel is closed.", "Harbour"));
  const refused = async (content) => {
    await page.setInputFiles("#files", [session(content)]);
    const problem = await page.waitForSelector("#file-problems li");
    const text = await problem.textContent();
    await page.click("#file-problems button");
    return text.replace(/^kept\.cerasum\.json: /, "");
  };
  for (const [content, why] of [
    ["", /^empty file$/], ["no JSON", /^not valid JSON \(line 1\)$/], ["[]", /^no text found$/], ["{}", /^JSON without documents/], ["null", /^JSON without documents/],
    ['{"cerasum":"1"}', /^not a file of documents and settings/], ['{"cerasum":1,"docum', /^documents and settings .* damaged or incomplete$/],
  ]) assert.match(await refused(content), why);
  assert.match(await refused({ cerasum: 2, documents: "whatever" }), /a newer version of cerasum/);
  for (const [content, where] of [
    [{ documents: 3 }, "documents"],
    [{ documents: Array(501).fill(documents[1]) }, "documents"],
    [{ documents: [documents[0], null] }, "documents[1]"],
    [{ documents: [{ title: "no text" }] }, "documents[0].text"],
    [{ documents: [{ text: "a", title: 7 }] }, "documents[0].title"],
    [{ documents: [{ text: "a", language: "<b>" }] }, "documents[0].language"],
    [{ documents, settings: [] }, "settings"],
    [{ documents, settings: { ...settings, budget: 100 } }, "settings.budget"],
    [{ documents, settings: { ...settings, budget: {} } }, "settings.budget"],
    [{ documents, settings: { ...settings, budget: { words: 5, sentences: 1 } } }, "settings.budget"],
    [{ documents, settings: { ...settings, budget: { words: -1 } } }, "settings.budget.words"],
    [{ documents, settings: { ...settings, budget: { amount: -1, unit: "words" } } }, "settings.budget.amount"],
    [{ documents, settings: { ...settings, budget: { amount: 5 } } }, "settings.budget.unit"],
    [{ documents, settings: { ...settings, method: undefined } }, "settings.method"],
    [{ documents, settings: { ...settings, licence: "mine" } }, "settings.licence"],
  ]) assert.equal(await refused({ cerasum: 1, ...content }), `invalid value: ${where}`);
  assert.deepEqual(await titles(page), ["Harbour"]);
  assert.equal(await page.inputValue("#method"), "auto");
  assert.deepEqual(log, []);
  await context.close();
});

test("the menu: arrow keys and Escape, and it closes when one goes elsewhere", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "pt");
  const isOpen = () => page.evaluate(() => document.getElementById("more").open);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
  await page.focus("#more > summary");
  await page.keyboard.press("Enter");
  assert.equal(await isOpen(), true);
  for (const id of ["download-json", "print", "save-all", "SUMMARY"]) {
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), id);
  }
  await page.keyboard.press("Escape");
  assert.equal(await isOpen(), false);
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "save-all");
  await page.keyboard.press("Tab");
  assert.equal(await isOpen(), false);
  await page.click("#more > summary");
  await page.click("#summary-title");
  assert.equal(await isOpen(), false);
  assert.deepEqual(log, []);
  await context.close();
});
