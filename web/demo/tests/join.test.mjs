// A sentence and its source belong together: what is pointed at in one place,
// with the pointer, a finger or the keyboard, is marked in all others.

import assert from "node:assert/strict";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, loadSample, open, quotes } from "./lib.mjs";

const { server, browser } = await begin();

const opened = async (sample, options = {}) => {
  const made = await open(browser, server.url, options);
  await loadSample(made.page, sample);
  await made.page.waitForFunction(() => document.querySelectorAll("#document-list .strip:has(.cell)").length > 2);
  // The reader shows what the first quote is from.
  await made.page.click("#quotes > li:first-child .quote-link");
  await made.page.mouse.move(2, 2);
  return made;
};

/** Everything that is marked as pointed at. */
const pointed = (page) => page.evaluate(() => ({
  quotes: [...document.querySelectorAll("#quotes .pointed .quote-text")].map((one) => one.textContent),
  marks: [...document.querySelectorAll("#reader-text mark.pointed")].map((one) => one.textContent),
  cards: [...document.querySelectorAll("#document-list .doc.pointed .chip")].map((one) => one.textContent),
  cells: [...document.querySelectorAll(".cell.pointed")].map((one) => one.classList.contains("quoted")),
}));
const nothing = { quotes: [], marks: [], cards: [], cells: [] };

test("pointing at a quote marks its place in the document and its cell; leaving it, no more", async () => {
  const { page, context, log } = await opened("en");
  const [first] = await quotes(page);
  const from = await page.textContent("#quotes > li:first-child .quote-link .chip");
  await page.hover("#quotes > li:first-child .quote-text");
  assert.deepEqual(await pointed(page), { quotes: [first], marks: [first], cards: [from], cells: [true] });
  const ground = (selector) => page.$eval(selector, (one) => getComputedStyle(one).backgroundColor);
  const seen = await ground("mark.quoted.pointed");
  await page.mouse.move(2, 2);
  assert.deepEqual(await pointed(page), nothing);
  assert.notEqual(seen, await ground("mark.quoted"), "it can be seen");

  // A sentence that is only like it: its document and its cell, and the quote that it is like.
  const chip = page.locator("#quotes .others .chip").first();
  const number = await chip.textContent();
  await chip.hover();
  const found = await pointed(page);
  const like = await page.locator("#quotes > li:has(.others) .quote-text").first().textContent();
  assert.deepEqual([found.quotes, found.cards], [[like], [number]]);
  assert.deepEqual(found.cells, [false]);
  assert.deepEqual(log, []);
  await context.close();
});

slow("pointing at a marked sentence or a cell marks the quote", async () => {
  const { page, context, log } = await opened("en");
  const all = await quotes(page);
  await page.hover("#reader-text mark.quoted >> nth=0");
  const inText = await pointed(page);
  assert.equal(inText.quotes.length, 1);
  assert.deepEqual([inText.quotes, inText.cells], [inText.marks, [true]]);

  // A document that is quoted, and not in the reader.
  const read = await page.textContent("#reader-chip");
  const other = (await page.$$eval("#document-list > li:has(.cell.quoted) .chip", (all) => all.map((one) => one.textContent))).find((number) => number !== read);
  await page.hover(`#document-list > li:nth-child(${other}) .cell.quoted`);
  const inStrip = await pointed(page);
  assert.ok(all.includes(inStrip.quotes[0]));
  assert.deepEqual([inStrip.cards, inStrip.marks], [[other], []], "the reader shows another document");
  await page.hover(`#document-list > li:nth-child(${other}) .cell:not(.quoted)`);
  const unquoted = await pointed(page);
  assert.deepEqual([unquoted.cards, unquoted.cells], [[other], [false]]);

  await page.mouse.move(2, 2);
  assert.deepEqual(await pointed(page), nothing);

  // A similar sentence in the text leads the eye to the quote that it is like.
  await page.click("#quotes .others .chip >> nth=0");
  await page.hover("#reader-text mark.similar >> nth=0");
  assert.equal((await pointed(page)).quotes.length, 1);
  assert.deepEqual(log, []);
  await context.close();
});

test("the keyboard's focus joins them as the pointer does", async () => {
  const { page, context, log } = await opened("fr");
  const all = await quotes(page);
  // What scrolls must not come under the pointer.
  await page.mouse.move(2, 2);
  const tabTo = async (selector, key = "Tab") => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press(key);
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
    }
    assert.fail(`${selector} cannot be reached`);
  };
  await page.focus("#method");
  await tabTo("#quotes > li:first-child .quote-link");
  const atQuote = await pointed(page);
  assert.deepEqual([atQuote.quotes, atQuote.cells], [[all[0]], [true]]);
  await tabTo("#reader-text a");
  const atMark = await pointed(page);
  assert.equal(atMark.marks.length, 1);
  assert.equal(atMark.quotes.length, 1);
  await page.focus("#document-list > li:nth-child(2) .remove");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  assert.deepEqual((await pointed(page)).cards, ["2"]);
  const quoted = await page.$$eval("#document-list > li:nth-child(2) .cell", (cells) => cells.findIndex((one) => one.classList.contains("quoted")));
  for (let i = 0; i < quoted; i++) await page.keyboard.press("ArrowRight");
  const atCell = await pointed(page);
  assert.deepEqual(atCell.cells, [true]);
  assert.equal(atCell.quotes.length, 1);
  await page.focus("#budget");
  assert.deepEqual(await pointed(page), nothing);
  assert.deepEqual(log, []);
  await context.close();
});

test("a finger: a tap on a quote opens its context in place, then its source; a tap on the source shows its quote", async () => {
  const { page, context, log } = await opened("en", { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
  const all = await quotes(page);
  await page.tap("#quotes > li:nth-child(3) .quote-text");
  const card = page.locator("#quotes > li:nth-child(3)");
  assert.equal(await card.locator(".in-context").getAttribute("aria-expanded"), "true");
  assert.equal(await card.locator(".around:visible").count(), 2);
  await card.locator(".also > a", { hasText: "Whole document" }).tap();
  assert.deepEqual(await page.$$eval("#reader-text mark.active", (found) => found.map((one) => one.textContent)), [all[2]]);
  assert.deepEqual(await page.$$eval("#quotes .current .quote-text", (found) => found.map((one) => one.textContent)), [all[2]]);
  await page.tap("#reader-text mark.active a");
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".quote-text")?.textContent), all[2]);
  const box = await page.locator("#quotes .current").boundingBox();
  assert.ok(box.y >= 0 && box.y < 800, "it is in sight");
  assert.deepEqual(log, []);
  await context.close();
});

test("how much of each document is covered: a bar with its share, said in words", async () => {
  const { page, context, log } = await opened("en");
  const found = await page.$$eval("#document-list .meter", (all) => all.map((one) => {
    const bar = one.querySelector(".meter-bar");
    const filled = Number.parseFloat(getComputedStyle(bar).backgroundSize);
    return { role: one.getAttribute("role"), now: Number(one.getAttribute("aria-valuenow")), said: one.getAttribute("aria-valuetext"), text: one.textContent, filled, label: one.getAttribute("aria-label"), width: bar.getBoundingClientRect().width };
  }));
  assert.equal(found.length, 4);
  for (const { role, now, said, text, filled, label, width } of found) {
    assert.equal(role, "meter");
    assert.equal(text, `${now}% covered`);
    assert.equal(said, text);
    assert.ok(now > 0 && Math.abs(filled - now) <= 0.51, `${filled} % filled for ${now} %`);
    assert.match(label, /^How much of “.+” the summary covers$/);
    assert.ok(width > 30);
  }
  assert.deepEqual(log, []);
  await context.close();
});
