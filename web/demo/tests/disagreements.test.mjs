// What documents disagree about and what quotes lean on, as the page shows them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { change, disagree } from "./disagreeing.mjs";
import { begin, open, paste, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

async function started(options = {}) {
  const opened = await open(browser, server.url, { init: change, ...options });
  await disagree(opened.page);
  return opened;
}

test("what documents disagree about is listed below the quotes, with links to the sentences", async () => {
  const { page, context, log } = await started();
  const items = await page.$$eval("#disagreement-list > li", (all) => all.map((one) => one.innerText.replace(/\s+/g, " ").replaceAll(" ,", ",")));
  assert.equal(items.length, 2);
  assert.match(items[0], /^injured 14 1, document 1, Ferry runs aground 14 3, document 3, .* 16 2, document 2, Ferry off Nessel/);
  assert.match(items[1], /^day updated Monday 1, .* → Tuesday 2/);
  assert.equal(await page.$eval("#disagreements", (one) => one.previousElementSibling.previousElementSibling.previousElementSibling.id), "quotes", "after the text and what the marks mean");
  assert.equal(await page.textContent("#disagreements h3"), "Sources disagree");

  // By keyboard, to the sentence that holds the value.
  await page.focus("#disagreement-0-1-0");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), "The hospital of Nessel counted 16 injured people on Tuesday.");
  assert.equal(await page.textContent("#reader-name"), "Ferry off Nessel");
  // To a sentence that is quoted, too.
  await page.click("#disagreement-1-0-0");
  assert.equal(await focused(), "A ferry ran aground off Nessel on Monday evening.");

  // They follow the language of the page.
  await page.selectOption("#language", "fr");
  await page.waitForFunction(() => document.querySelector("#disagreements h3").textContent === "Les sources divergent");
  await page.waitForFunction(() => /mis à jour/.test(document.getElementById("disagreement-list").textContent));

  // While a document is changed, its places are not certain.
  await page.evaluate(() => (window.answer = undefined));
  await summarized(page, () => paste(page, "A further text. It has two sentences."));
  assert.doesNotMatch(await page.textContent("#disagreement-list"), /Monday/, "only what the core finds by itself");
  assert.deepEqual(log, []);
  await context.close();
});

test("what a quote leans on stands before it and is not part of it", async () => {
  const { page, context, log } = await started();
  const first = page.locator("#quotes > li").first();
  assert.equal(await first.locator(".quote-context").textContent(), "Just before in the document: A ferry ran aground off Nessel on Monday evening. The captain had left the bridge.");
  assert.equal(await first.locator(":scope > *").first().getAttribute("class"), "quote-context small");
  assert.deepEqual(await quotes(page), ["He was arrested on Tuesday.", "The ferry hit a rock off Nessel on Monday."]);
  assert.equal(await page.locator(".quote-context").count(), 1);
  assert.deepEqual(log, []);
  await context.close();
});

test("they are carried away with the summary", async () => {
  const { page, context, log } = await started({ permissions: ["clipboard-read", "clipboard-write"] });
  const download = async (act) => {
    const [file] = await Promise.all([page.waitForEvent("download"), act()]);
    return readFile(await file.path(), "utf8");
  };
  const markdown = await download(() => page.click("#download"));
  assert.match(markdown, /\n\n## Sources disagree\n\n- injured: 14 \(\*Ferry runs aground\*, \*Nessel after the accident\*\), 16 \(\*Ferry off Nessel\*\)\n- day \(updated\): Monday \(\*Ferry runs aground\*\) → Tuesday \(\*Ferry off Nessel\*\)\n\n\[\^1\]: /);
  await page.click("#copy");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /\n\nSources disagree\ninjured: 14 \[1\] \[3\], 16 \[2\]\nday \(updated\): Monday \[1\] → Tuesday \[2\]\n\nSources\n\[1\] "Ferry runs aground"\n\[2\] "Ferry off Nessel"\n\[3\] "Nessel after the accident"\n$/);
  assert.deepEqual(log, []);
  await context.close();
});
