// Two methods side by side, and ROUGE against a summary of the reader's.

import assert from "node:assert/strict";
import { runnerImport } from "vite";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, here, holding, loadSample, open, paste, quotes, readClosely, summarized } from "./lib.mjs";

const { server, browser } = await begin();
const { rouge } = (await runnerImport(here("../src/compare/rouge.ts"))).module;

const openView = async (page) => {
  await page.click("#compare-open");
  await page.waitForFunction(() => document.querySelectorAll("#compare .side .quotes:not([aria-busy]) .quote").length > 0 && !document.querySelector("#compare [aria-busy]"));
};
const side = (page, i) => page.$$eval(`#compare .side:nth-child(${i}) .quote`, (all) => all.map((one) => ({
  text: one.querySelector(".quote-text").textContent, shared: one.classList.contains("shared"), said: one.querySelector(".in-both")?.textContent,
})));
const settled = (page) => page.waitForFunction(() => !document.querySelector("#compare [aria-busy]"));

test("two methods: what both quote is marked and counted; the summary below stays what it was", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  const own = await quotes(page);
  await openView(page);
  assert.equal(await page.inputValue("#compare-0"), "auto");
  assert.equal(await page.inputValue("#compare-1"), "lead");
  for (const method of ["lead", "lexrank", "auto"]) {
    if (method !== "lead") await page.selectOption("#compare-1", method);
    await settled(page);
    const [left, right] = [await side(page, 1), await side(page, 2)];
    assert.deepEqual(left.map(({ text }) => text), own);
    const common = left.filter(({ text }) => right.some((other) => other.text === text));
    for (const one of [...left, ...right]) {
      const shared = common.some(({ text }) => text === one.text);
      assert.equal(one.shared, shared, `${method}: ${one.text}`);
      assert.equal(one.said, shared ? "in both" : undefined);
    }
    const said = await page.textContent("#compare > .status");
    if (common.length === 0) assert.match(said, /share no sentence/);
    else assert.match(said, new RegExp(`share ${common.length} sentences?`));
    if (method === "auto") assert.equal(common.length, own.length);
    else assert.ok(common.length < own.length, "these two differ");
  }
  await page.keyboard.press("Escape");
  await page.waitForSelector("#compare", { state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.id), "compare-open");
  assert.deepEqual(await quotes(page), own);
  assert.equal(await page.inputValue("#method"), "auto");
  assert.deepEqual(log, []);
  await context.close();
});

test("a quote leads to its source", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "fr");
  await openView(page);
  const [, second] = await side(page, 2);
  await page.click("#compare .side:nth-child(2) .quote:nth-child(2) .quote-link");
  await page.waitForSelector("#compare", { state: "detached" });
  assert.deepEqual(await page.$$eval("#reader-text mark.active", (all) => all.map((one) => one.textContent)), [second.text]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), second.text);
  assert.deepEqual(log, []);
  await context.close();
});

test("ROUGE of both against what the reader pastes: the figures of the same words", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await openView(page);
  await page.click("#compare .measure summary");
  const reference = ["The sea wall at Harrow Bay broke in a storm and 1,200 people fled.", "Nobody was killed."];
  await page.fill("#compare-reference", reference.join(" "));
  await page.waitForSelector("#compare .scores");
  const table = () => page.$$eval("#compare .scores tbody tr", (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const wanted = async () => {
    const sides = [await side(page, 1), await side(page, 2)].map((quotes) => rouge(quotes.map(({ text }) => text), [reference]));
    return [["ROUGE-1", "rouge1"], ["ROUGE-2", "rouge2"], ["ROUGE-L", "rougeL"]].map(([name, metric]) =>
      [name, ...sides.flatMap((one) => [one[metric].recall, one[metric].f1].map((value) => (100 * value).toFixed(1)))]);
  };
  const first = await wanted();
  assert.deepEqual(await table(), first);
  assert.ok(Number(first[0][1]) > 20, "there is something in common");
  await page.selectOption("#compare-1", "textrank");
  await settled(page);
  const second = await wanted();
  await page.waitForFunction((cells) => document.querySelector("#compare .scores tbody").textContent === cells, second.flat().join(""));
  await page.fill("#compare-reference", " … ");
  await page.waitForFunction(() => !document.querySelector("#compare .scores"));
  assert.match(await page.textContent("#compare .measure [role=status]"), /no word/);
  assert.deepEqual(log, []);
  await context.close();
});

slow("while edited documents are opened, those of the last summary are compared, and the page goes on", async () => {
  const { page, context, log } = await open(browser, server.url, { init: holding });
  await loadSample(page, "en");
  const own = await quotes(page);
  await page.click("#document-list .doc-title");
  await page.click("#edit");
  await page.evaluate(() => (window.holds = ({ kind }) => kind === "open"));
  await page.fill("#edit-text", "The port of Nessel is open again.");
  await page.click("#editor button[type=submit]");
  await page.waitForFunction(() => window.held.length === 1);
  await page.click("#compare-open");
  await page.evaluate(() => setTimeout(window.release, 300));
  await page.waitForFunction(() => document.querySelectorAll("#compare .side:nth-child(2) .quote").length > 0);
  assert.deepEqual((await side(page, 1)).map(({ text }) => text), own);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("quotes").getAttribute("aria-busy") === "false");
  assert.equal(await page.isVisible("#again"), false, await page.textContent("#status"));
  assert.notDeepEqual(await quotes(page), own);
  assert.deepEqual(log, []);
  await context.close();
});

slow("the page gives up close reading meanwhile: the comparison goes on", async () => {
  const { page, context, log } = await open(browser, server.url, { init: holding });
  await loadSample(page, "mixed");
  await readClosely(page);
  await openView(page);
  await page.selectOption("#compare-1", "hybrid");
  await settled(page);
  const wanted = await side(page, 2);
  await page.selectOption("#compare-1", "lead");
  await settled(page);
  assert.notDeepEqual(await side(page, 2), wanted);

  // The page closes its session, which has embeddings: the texts are in the cache.
  await page.evaluate(() => (window.holds = ({ kind }) => kind === "summarize"));
  await page.selectOption("#compare-1", "hybrid");
  await page.waitForFunction(() => window.held.length > 0);
  // The view is modal.
  await page.evaluate(() => document.getElementById("privacy").click());
  await page.waitForSelector("#closely-switch");
  await page.uncheck("#closely-switch");
  await page.waitForFunction(() => window.held.length > 0 && document.getElementById("quotes").getAttribute("aria-busy") === "true");
  await page.evaluate(() => setTimeout(window.release, 300));
  await settled(page);
  assert.deepEqual(await side(page, 2), wanted);
  assert.deepEqual(log, []);
  await context.close();
});

test("a method that needs close reading, and one that fails", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "mixed");
  await readClosely(page);
  await openView(page);
  await page.selectOption("#compare-1", "multilingual");
  await settled(page);
  assert.ok((await side(page, 2)).length > 0);
  assert.equal(await page.locator('#compare-1 option[value="oracle"]').count(), 0);
  assert.deepEqual(log, []);
  await context.close();
});

test("the keyboard stays in the view while it is open", async () => {
  const { page, context } = await open(browser, server.url);
  await loadSample(page, "pt");
  await page.focus("#compare-open");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#compare .quote");
  await settled(page);
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    seen.push(await page.evaluate(() => document.activeElement.closest("#compare") !== null || document.activeElement === document.body));
  }
  assert.ok(seen.every(Boolean));
  await summarized(page, async () => {
    await page.keyboard.press("Escape");
    await page.fill("#budget-number", "120");
  });
  await context.close();
});
