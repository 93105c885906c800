// Whose words: in documents of several languages the reader chooses which are
// quoted, and the choice goes where the summary goes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, downloaded, more, open, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

/** The language of each quote, by the text of the documents of the sample. */
const languagesOf = (page) => page.$$eval("#quotes .quote-text", (all) => all.map((one) => one.lang || one.closest("[lang]").lang));
/** The list of samples folds once there are documents. */
const loadSample = (page, name) => summarized(page, () => page.evaluate((name) => document.querySelector(`[data-sample="${name}"]`).click(), name));
const choose = (page, value) => summarized(page, () => page.selectOption("#whose-choice", value));

test("documents in several languages: all are quoted, one only, or one and what only the others say", async () => {
  const { page, context, log } = await open(browser, server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  await loadSample(page, "en");
  assert.equal(await page.isVisible("#whose"), false, "documents in one language leave nothing to choose");
  await loadSample(page, "mixed");
  assert.deepEqual(await page.$$eval("#whose-choice option", (all) => all.map(({ value, text }) => [value, text])), [
    ["", "All"], ["en+", "Preferably English"], ["en", "English only"], ["es+", "Preferably Spanish"],
    ["es", "Spanish only"], ["fr+", "Preferably French"], ["fr", "French only"], ["ru+", "Preferably Russian"], ["ru", "Russian only"],
  ]);
  const all = await quotes(page);
  assert.ok(new Set(await languagesOf(page)).size > 1, "all languages are quoted");
  await choose(page, "es");
  assert.deepEqual([...new Set(await languagesOf(page))], ["es"]);
  assert.ok((await page.locator("#quotes .others").count()) > 0, "the other languages say it, too");
  const own = await quotes(page);

  // Where the summary goes.
  assert.match(await downloaded(page, () => page.click("#download")), /^# [^\n]+\n\nLanguage of quotes: Spanish only\n\nMethod:/);
  assert.deepEqual(JSON.parse(await downloaded(page, () => more(page, "#download-json"))).quoteLanguages, ["es"]);
  const saved = await downloaded(page, () => more(page, "#save-all"));
  assert.equal(JSON.parse(saved).settings.whose, "es");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.textContent("#print-question"), "Language of quotes: Spanish only");
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy-label").textContent === "Copied");
  assert.ok((await page.evaluate(() => navigator.clipboard.readText())).startsWith(`Language of quotes: Spanish only\n\n${own[0]}`));
  await more(page, "#copy-link");
  await page.waitForFunction(() => /Link copied/.test(document.getElementById("toast").textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, `${server.url}#quotes=es`);

  // Documents in one language are quoted as they are; the choice is remembered.
  await loadSample(page, "en");
  assert.ok((await quotes(page)).length > 0);
  await loadSample(page, "mixed");
  assert.equal(await page.inputValue("#whose-choice"), "es");
  assert.deepEqual(await quotes(page), own);
  await summarized(page, () => page.fill("#question", "Why did they leave their homes?"));
  assert.match(await page.textContent("#asked"), /Words in other languages are not marked\.$/);
  await summarized(page, () => page.fill("#question", ""));
  await choose(page, "es+");
  const preferred = await languagesOf(page);
  assert.ok(preferred.includes("es") && preferred.some((language) => language !== "es"), "what only the others say is quoted, too");
  await choose(page, "");
  assert.deepEqual(await quotes(page), all);

  const there = await open(browser, link);
  await loadSample(there.page, "mixed");
  assert.deepEqual(await quotes(there.page), own);
  await there.context.close();
  const later = await open(browser, server.url);
  await summarized(later.page, () => later.page.setInputFiles("#files", [{ name: "kept.cerasum.json", mimeType: "application/json", buffer: Buffer.from(saved) }]));
  assert.equal(await later.page.inputValue("#whose-choice"), "es");
  assert.deepEqual(await quotes(later.page), own);
  assert.deepEqual([...log, ...there.log, ...later.log], []);
  await later.context.close();
  await context.close();
});
