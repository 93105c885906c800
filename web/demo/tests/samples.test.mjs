// The main job: every sample gives a summary within the budget, and every
// sentence of it leads to the same sentence in its document.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { begin, countWords, here, loadSample, open, quotes, serve, summarized } from "./lib.mjs";

const { server, browser } = await begin({ prefix: "/some/folder/" });

const names = (await readdir(here("../samples"))).map((file) => file.replace(".json", "")).sort();

test("there are samples in every language promised", () => {
  assert.deepEqual(names, ["en", "en-long", "es", "fr", "mixed", "pt", "ru", "tr"]);
});

// The others differ in their language alone: make test-slow has them.
const few = ["en", "mixed"];
for (const name of process.env.CERASUM_SLOW ? names.filter((name) => !few.includes(name)) : few) {
  test(`sample ${name}: quoted within the budget, linked to its sources`, async () => {
    const sample = JSON.parse(await readFile(here(`../samples/${name}.json`), "utf8"));
    const { page, context, log, requests } = await open(browser, server.url);
    await loadSample(page, name);
    assert.equal(await page.locator("#document-list > li").count(), sample.documents.length);

    const found = await quotes(page);
    assert.ok(found.length >= 2, `${found.length} quotes`);
    const used = countWords(found.join("\n"));
    assert.ok(used > 40 && used <= 100, `${used} words`);
    assert.match(await page.textContent("#status"), /^\d+ of 100 words/);

    for (let i = 0; i < found.length; i++) {
      const quote = page.locator("#quotes > li").nth(i);
      const number = Number(await quote.locator(".quote-link .chip").textContent());
      await quote.locator(".quote-link").click();
      const active = await page.$$eval("#reader-text mark.active", (all) => all.map((mark) => mark.textContent));
      assert.deepEqual(active, [found[i]], "exactly the sentence is highlighted");
      assert.equal(await page.textContent("#reader-name"), sample.documents[number - 1].title);
      assert.equal(await page.textContent("#reader-text"), sample.documents[number - 1].text, "the whole text is shown, as given");
      assert.ok(sample.documents[number - 1].text.includes(found[i]));
      assert.equal(await page.evaluate(() => document.activeElement.textContent), found[i], "the focus has moved to it");
      await inView(page, "#reader-text mark.active");

      // And back.
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.querySelector(".quote-text")?.textContent), found[i]);
      await inView(page, "#quotes .quote.current");
    }

    if (name !== "mixed") {
      const languages = await page.$$eval("#document-list .doc-meta", (all) => all.map((one) => one.textContent));
      const wanted = { en: "English", "en-long": "English", es: "Spanish", fr: "French", pt: "Portuguese", ru: "Russian", tr: "Turkish" }[name];
      for (const line of languages) assert.ok(line.endsWith(wanted), `${line}, want ${wanted}`);
    }
    const coverage = await page.$$eval("#document-list .meter", (all) => all.map((one) => Number(one.getAttribute("aria-valuenow"))));
    for (const share of coverage) assert.ok(share > 0 && share <= 100, `coverage ${coverage}`);

    assert.deepEqual(log, []);
    assert.ok(requests.length >= 5 && requests.every((url) => url.startsWith(server.url)), requests.join("\n"));
    await context.close();
  });
}

async function inView(page, selector) {
  const [box, size] = [await page.locator(selector).boundingBox(), page.viewportSize()];
  assert.ok(box && box.y >= 0 && box.y < size.height && box.x >= 0 && box.x < size.width, `${selector} at ${JSON.stringify(box)}`);
}

test("the most similar sentences of other documents are linked as well", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await summarized(page, () => page.fill("#budget-number", "200"));
  const chips = page.locator("#quotes .others .chip");
  assert.ok((await chips.count()) > 0, "no quote has a sentence like it in another document");
  assert.match(await page.locator("#quotes .others").first().textContent(), /^(Also said by|See also) /);
  const number = await chips.first().textContent();
  await chips.first().click();
  assert.equal(await page.textContent("#reader-chip"), number);
  assert.equal(await page.locator("#reader-text mark.active").count(), 1);
  const quote = await page.locator("#quotes .quote.current .quote-text").textContent();
  const said = await page.locator("#reader-text mark.active").textContent();
  assert.notEqual(said, quote);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), said);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".quote-text")?.textContent), quote);
  assert.deepEqual(log, []);
  await context.close();
});

test("the budget slider and the order change the summary", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  const hundred = await quotes(page);
  for (const budget of [20, 37, 250, 500]) {
    await summarized(page, () => page.fill("#budget", String(budget)));
    const used = countWords((await quotes(page)).join("\n"));
    assert.ok(used <= budget, `${used} words of ${budget}`);
    assert.equal(await page.inputValue("#budget-number"), String(budget));
  }
  await summarized(page, () => page.fill("#budget-number", "100"));
  assert.equal(await page.inputValue("#budget"), "100");
  assert.deepEqual(await quotes(page), hundred, "the same budget gives the same summary");

  const orders = new Set([hundred.join("\n")]);
  for (const order of ["rank", "document"]) {
    await summarized(page, () => page.check(`input[name="order"][value="${order}"]`));
    const ordered = await quotes(page);
    assert.deepEqual([...ordered].sort(), [...hundred].sort(), "the order alone changes");
    orders.add(ordered.join("\n"));
  }
  assert.ok(orders.size > 1, "an order changes something");

  await page.fill("#budget-number", "7");
  await page.press("#budget-number", "Tab");
  assert.match(await page.textContent("#budget-problem"), /20 to 500/);
  await summarized(page, () => page.fill("#budget-number", "60"));
  assert.equal(await page.textContent("#budget-problem"), "");
  assert.deepEqual(log, []);
  await context.close();
});

test("a host that sends the wrong type for WebAssembly still serves it", async () => {
  const odd = await serve({ wasmType: "application/octet-stream" });
  const { page, context, log } = await open(browser, odd.url);
  await loadSample(page, "tr");
  assert.ok((await quotes(page)).length > 1);
  assert.deepEqual(log, []);
  await context.close();
  await odd.close();
});
