// For everybody: the keyboard alone, screen readers, light and dark; axe.test.mjs
// has what a program can check.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, loadSample, open, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

test("the keyboard alone: sample, length, order, method, sentence, source and back", async () => {
  const { page, context, log } = await open(browser, server.url);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.dataset.sample);
  const tabTo = async (selector, key = "Tab") => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press(key);
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) {
        const visible = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(visible, "none", `the focus on ${selector} cannot be seen`);
        return;
      }
    }
    assert.fail(`${selector} cannot be reached with ${key}; the focus is on ${await focused()}`);
  };
  await tabTo('[data-sample="es"]');
  await summarized(page, () => page.keyboard.press("Enter"));
  assert.equal(await focused(), "summary-title");
  await tabTo("#budget");
  await summarized(page, () => page.keyboard.press("ArrowRight"));
  assert.equal(await page.inputValue("#budget-number"), "101");
  await tabTo('input[name="order"]');
  await summarized(page, () => page.keyboard.press("ArrowDown"));
  await tabTo("#method");
  await summarized(page, () => page.keyboard.press("ArrowDown"));
  assert.notEqual(await page.inputValue("#method"), "auto");
  const found = await quotes(page);
  await tabTo("#quotes > li:first-child .quote-link");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), found[0]);
  assert.equal(await page.locator("mark.active").textContent(), found[0]);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".quote-text").textContent), found[0]);
  await tabTo("#document-list > li:first-child .remove", "Shift+Tab");
  await summarized(page, () => page.keyboard.press("Enter"));
  await tabTo("#undo");
  await summarized(page, () => page.keyboard.press("Enter"));
  assert.equal(await focused(), "documents-title");
  assert.equal(await page.locator("#document-list > li").count(), 3);
  assert.deepEqual(log, []);
  await context.close();
});

test("a focused quote keeps the focus when the summary is made anew", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await page.focus("#quotes > li:first-child .quote-link");
  const id = await page.evaluate(() => document.activeElement.id);
  await summarized(page, () => page.evaluate(() => {
    const range = document.getElementById("budget");
    range.value = "400";
    range.dispatchEvent(new Event("input"));
  }));
  const now = await page.evaluate(() => document.activeElement.id);
  const still = await page.locator(`#${id}`).count();
  assert.equal(now, still ? id : "summary-title");
  assert.deepEqual(log, []);
  await context.close();
});

test("light and dark: the system's choice, then the reader's, kept for the next visit if they ask for it", async () => {
  const { page, context, log } = await open(browser, server.url, { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "true");
  await page.click("#theme");
  const light = await ground();
  assert.notEqual(light, dark);
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "false");
  await page.click("#privacy");
  await page.click("#keep");
  await page.waitForFunction(() => localStorage.getItem("cerasum-theme") === "light");
  await page.reload();
  assert.equal(await ground(), light);
  assert.deepEqual(log, []);
  await context.close();
});

test("nothing on the page moves while it loads", async () => {
  const { page, context } = await open(browser, server.url);
  const shift = await page.evaluate(
    () => new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(sum), 500);
    }),
  );
  assert.ok(shift < 0.01, `layout shift ${shift}`);
  await context.close();
});

test("languages are marked, so that a screen reader pronounces them", async () => {
  const { page, context } = await open(browser, server.url);
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await loadSample(page, "ru");
  assert.deepEqual(new Set(await page.$$eval("#quotes .quote-text", (all) => all.map((one) => one.lang))), new Set(["ru"]));
  assert.equal(await page.getAttribute("#reader-text", "lang"), "ru");
  assert.equal(await page.getAttribute("#document-list .doc-title", "lang"), "ru");
  await context.close();
});
