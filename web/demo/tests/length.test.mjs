// The length of the summary, in words, sentences or characters.

import assert from "node:assert/strict";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, countWords, loadSample, open, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const graphemes = (text) => [...new Intl.Segmenter().segment(text)].length;
const value = (page) => page.evaluate(() => ["budget-number", "budget"].map((id) => Number(document.getElementById(id).value)));
const label = (page) => page.getAttribute("#budget-number", "aria-label");

test("each unit is counted, named and bounded; another unit keeps about the same length", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  assert.equal(await label(page), "Length in words, from 20 to 500");
  await summarized(page, () => page.selectOption("#budget-unit", "sentences"));
  assert.deepEqual(await value(page), [5, 5]);
  assert.equal(await label(page), "Length in sentences, from 1 to 25");
  const five = (await quotes(page)).length;
  assert.ok(five > 1 && five <= 5, `${five} quotes`);
  assert.match(await page.textContent("#status"), new RegExp(`^${five} of 5 sentences · `));
  await summarized(page, () => page.fill("#budget-number", "1"));
  assert.equal((await quotes(page)).length, 1);
  assert.match(await page.textContent("#status"), /^1 of 1 sentence · /);
  await page.fill("#budget-number", "26");
  await page.press("#budget-number", "Tab");
  assert.equal(await page.textContent("#budget-problem"), "Enter a whole number from 1 to 25.");

  await summarized(page, () => page.fill("#budget-number", "10"));
  await summarized(page, () => page.selectOption("#budget-unit", "characters"));
  assert.deepEqual(await value(page), [1200, 1200]);
  assert.equal(await page.textContent("#budget-problem"), "");
  let text = (await quotes(page)).join("");
  assert.ok(graphemes(text) <= 1200 && graphemes(text) > 800, `${graphemes(text)} characters`);
  // A number between the steps of the slider is taken as it is.
  await summarized(page, () => page.fill("#budget-number", "433"));
  assert.match(await page.textContent("#status"), /of 433 characters/);
  await summarized(page, () => page.selectOption("#budget-unit", "words"));
  assert.deepEqual(await value(page), [72, 72]);
  text = (await quotes(page)).join("\n");
  assert.ok(countWords(text) <= 72);
  assert.deepEqual(log, []);
  await context.close();
});

test("no sentence fits into so many characters: said in this unit", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "mixed");
  await summarized(page, () => page.selectOption("#budget-unit", "characters"));
  await summarized(page, () => page.fill("#budget-number", "100"));
  const [only, ...more] = await quotes(page);
  assert.deepEqual(more, []);
  if (graphemes(only) > 100) assert.match(await page.textContent("#over-budget"), /into 100 characters/);
  else assert.equal(await page.isVisible("#over-budget"), false);
  assert.deepEqual(log, []);
  await context.close();
});

test("the summary follows the slider while it is dragged", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  const short = (await quotes(page)).length;
  await page.locator("#budget").scrollIntoViewIfNeeded();
  const { x, y, width, height } = await page.locator("#budget").boundingBox();
  const at = (share) => [x + share * width, y + height / 2];
  await page.mouse.move(...at(0.2));
  await page.mouse.down();
  const seen = new Set();
  for (const share of [0.4, 0.6, 0.8, 0.95]) {
    await page.mouse.move(...at(share), { steps: 5 });
    const wanted = await page.inputValue("#budget");
    // The button of the mouse is still down.
    await page.waitForFunction((n) => document.getElementById("status").textContent.includes(`of ${n} words`), wanted);
    seen.add((await quotes(page)).join());
  }
  // Room that would add little is left unused, so that two stops may have the same.
  assert.ok(seen.size >= 3, `${seen.size} summaries at four stops`);
  await page.mouse.up();
  assert.ok((await quotes(page)).length > short);
  assert.deepEqual(log, []);
  await context.close();
});

slow("a drag without a stop: one summary at a time, of the newest length, each shown", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en-long");
  const { shown, last } = await page.evaluate(async () => {
    const range = document.getElementById("budget");
    const quotes = document.getElementById("quotes");
    let shown = 0;
    new MutationObserver(() => shown++).observe(quotes, { childList: true });
    for (let words = 60; words <= 300; words += 4) {
      range.value = String(words);
      range.dispatchEvent(new Event("input"));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    while (quotes.getAttribute("aria-busy") === "true") await new Promise((resolve) => setTimeout(resolve, 10));
    return { shown, last: document.getElementById("status").textContent };
  });
  assert.ok(shown > 2, `${shown} summaries shown on the way`);
  assert.match(last, /of 300 words/);
  assert.deepEqual(log, []);
  await context.close();
});
