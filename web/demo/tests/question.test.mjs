// The question: the summary leans to it, what answers it is marked, and it goes
// where the summary goes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { runnerImport } from "vite";
import { begin, downloaded, here, loadSample, more, open, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();
const { askedWords, othersAsked } = (await runnerImport(here("../../common/question.ts"), { configFile: false, logLevel: "error" })).module;

const found = (question, languages, text) => askedWords(question, languages)(text).map(({ start, end }) => text.slice(start, end));

test("the words that a sentence shares with a question, whatever their endings, without function words", () => {
  for (const [question, language, sentence, words] of [
    ["Who repaired the sea wall?", "en", "The repairs of the Sea Wall were put off by those who had built it.", ["repairs", "Sea Wall"]],
    ["What did it cost?", "en", "It costs what it did: 40 euros.", ["costs"]],
    ["Who is the mayor?", "en", "Nobody is.", []],
    ["What happened in 1931?", "en", "In 1931 and 1932 the tide was high.", ["1931"]],
    ["¿Quién pidió la reparación?", "es", "Las reparaciones costaron lo que la reparacion de 1990.", ["reparaciones", "reparacion"]],
    ["Qui a payé l’eau du quartier ?", "fr", "L’eau des quartiers est payée par la ville.", ["eau", "quartiers", "payée"]],
    ["Quem pagou as reparações?", "pt", "A reparação foi paga por quem a pediu.", ["reparação"]],
    ["Кто закрыл гавань?", "ru", "Гавань закрыли в понедельник.", ["Гавань закрыли"]],
    ["閉鎖", "ja", "ネッセル港の東埠頭は嵐の後に閉鎖された。", ["閉鎖"]],
    ["general", "en", "A general of his generation", ["general"]],
    ["", "en", "The harbour", []],
  ]) assert.deepEqual(found(question, [language], sentence), words, question);
});

test("whether quotes are in another language than the question, which is known by its function words, or else by the quotes that have its words", () => {
  for (const [question, quotes, locale, others] of [
    ["Who closed the harbour of Nessel?", { es: true }, "en", true],
    ["Who closed the harbour?", { en: false, es: false }, "es", true],
    ["Who closed the harbour?", { en: true }, "es", false],
    ["¿Quién cerró el puerto?", { es: false }, "en", false],
    ["Quem fechou o porto?", { "pt-BR": true }, "en", false],
    ["Кто закрыл гавань?", { ru: true, es: false }, "en", true],
    ["Кто закрыл гавань?", { ru: true }, "en", false],
    ["Nessel", { es: false }, "en", true],
    ["Nessel", { en: false }, "en", false],
    ["Nessel", { "": false }, "en", false],
  ]) assert.equal(othersAsked(question, Object.entries(quotes).map(([language, found]) => ({ language, found })), locale), others, `${question} ${JSON.stringify(quotes)}`);
});

const asked = (page, question) => summarized(page, () => page.fill("#question", question));

test("the summary leans to the question as it is typed; empty, it is a general one", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  const general = await quotes(page);
  assert.equal(await page.isVisible("#asked"), false);
  await asked(page, "How much will the insurers pay?");
  const answer = await quotes(page);
  assert.notDeepEqual(answer, general);
  assert.ok(answer.some((quote) => /Insurers/.test(quote)), answer.join("\n"));
  assert.ok((await page.locator("#quotes mark.asked").allTextContents()).some((word) => /insurers/i.test(word)));
  await asked(page, "How much is a submarine xylophone?");
  assert.equal(await page.textContent("#asked"), "No quote contains words from your question.");
  await summarized(page, () => page.selectOption("#method", "lead"));
  assert.match(await page.textContent("#asked"), /does not use the question/);
  await summarized(page, () => page.selectOption("#method", "auto"));
  await asked(page, "");
  assert.deepEqual(await quotes(page), general);
  assert.equal(await page.isVisible("#asked"), false);
  assert.deepEqual(log, []);
  await context.close();
});

test("the question is in the text, Markdown, JSON, the saved file, the link and on paper", async () => {
  const { page, context, log } = await open(browser, server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  const question = "What about the *warning* system?";
  await loadSample(page, "en");
  await page.click("#more > summary");
  assert.equal(await page.isDisabled("#copy-link"), true);
  await page.keyboard.press("Escape");
  await asked(page, question);
  const own = await quotes(page);
  assert.match(await downloaded(page, () => page.click("#download")), /^# [^\n]+\n\nQuestion: What about the \\\*warning\\\* system\?\n\nMethod:/);
  assert.equal(JSON.parse(await downloaded(page, () => more(page, "#download-json"))).query, question);
  const saved = await downloaded(page, () => more(page, "#save-all"));
  assert.equal(JSON.parse(saved).settings.query, question);
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy-label").textContent === "Copied");
  assert.ok((await page.evaluate(() => navigator.clipboard.readText())).startsWith(`Question: ${question}\n\n${own[0]}`));
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.textContent("#print-question"), `Question: ${question}`);
  await more(page, "#copy-link");
  await page.waitForFunction(() => /Link copied/.test(document.getElementById("toast").textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${server.url}#q=`), link);

  const there = await open(browser, link);
  await there.page.waitForFunction((asked) => document.getElementById("question").value === asked, question);
  await loadSample(there.page, "en");
  assert.deepEqual(await quotes(there.page), own);
  assert.ok(there.requests.every((url) => !/warning/.test(url)), "the question is not sent");
  await there.context.close();

  const later = await open(browser, server.url);
  await summarized(later.page, () => later.page.setInputFiles("#files", [{ name: "kept.cerasum.json", mimeType: "application/json", buffer: Buffer.from(saved) }]));
  assert.equal(await later.page.inputValue("#question"), question);
  assert.deepEqual(await quotes(later.page), own);
  assert.deepEqual([...log, ...there.log, ...later.log], []);
  await later.context.close();
  await context.close();
});

test("as a text: paragraphs with numbers, each opens its quote in context below; the choice is kept with the settings", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await summarized(page, () => page.fill("#budget-number", "250"));
  const own = await quotes(page);
  await page.check('input[name="view"][value="text"]');
  assert.equal(await page.isVisible("#quotes"), false);
  const passages = await page.$$eval("#prose .passage", (all) => all.map((one) => one.firstChild.textContent));
  assert.deepEqual(passages, own);
  const paragraphs = await page.locator("#prose .prose-text").count();
  assert.ok(paragraphs > 1 && paragraphs < own.length, `${paragraphs} paragraphs of ${own.length} sentences`);
  const ref = page.locator("#prose .ref").nth(1);
  await ref.focus();
  await page.keyboard.press("Enter");
  assert.equal(await ref.getAttribute("aria-expanded"), "true");
  assert.equal(await page.locator("#prose .quote .quote-text").textContent(), own[1]);
  assert.equal(await page.locator("#prose .quote .around:visible").count(), 2);
  await page.click("#prose .quote .quote-link");
  assert.equal(await page.textContent("#reader-text mark.active"), own[1]);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.quote), "1", "back to its number");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#prose .quote").count(), 0);

  await page.click("#more > summary");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-all")]);
  assert.equal(JSON.parse(await readFile(await download.path(), "utf8")).settings.view, "text");

  // What is selected is copied with the numbers in brackets.
  const copied = await page.evaluate(() => {
    getSelection().selectAllChildren(document.querySelector(".prose-text"));
    const clipboardData = new DataTransfer();
    document.querySelector(".prose-text").dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData("text/plain");
  });
  assert.match(copied, new RegExp(`^${own[0].slice(0, 20)}.*\\. \\[\\d\\] `));
  assert.deepEqual(log, []);
  await context.close();
});

test("what other documents say, and what only one says, is told in words", async () => {
  const { page, context, log } = await open(browser, server.url);
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await summarized(page, () => page.setInputFiles("#files", [
    file("a.txt", "The harbour of Nessel was closed on Monday after the storm. Zoologists counted ninety otters near Ferrow."),
    file("b.txt", "After the storm the harbour of Nessel was closed on Monday evening. Nobody was hurt in the storm."),
    file("c.txt", "A violinist from Lund won first prize in Brno yesterday evening with a sonata."),
  ]));
  const also = page.locator("#quotes > li", { has: page.locator(".others") });
  assert.match(await also.first().textContent(), /Also said by \d/);
  const only = page.locator("#quotes > li", { has: page.locator(".only") });
  assert.ok((await only.count()) > 0);
  assert.match(await only.first().textContent(), /Only in \d/);
  assert.match(await page.textContent("#marks"), /“Also said by”: .*“Only in”: /);
  await also.first().locator(".others .chip").first().click();
  assert.match(await page.textContent("#reader-marks"), /Dotted line: similar to a sentence in the summary\./);
  assert.deepEqual(log, []);
  await context.close();
});
