// Carrying the summary away, stopping it, and what happens when it fails.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, countWords, loadSample, open, paste, quotes, serve, summarized } from "./lib.mjs";

const { server, browser } = await begin();

test("copy: the sentences with the numbers of their documents, confirmed in sight", async () => {
  const { page, context, log } = await open(browser, server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  assert.equal(await page.isVisible("#copy"), false);
  await loadSample(page, "fr");
  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy-label").textContent === "Copied");
  assert.equal(await page.textContent("#announcement"), "Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const found = await quotes(page);
  const numbers = await page.$$eval("#quotes .quote-link .chip", (all) => all.map((one) => one.textContent));
  const lines = copied.split("\n");
  found.forEach((quote, i) => assert.equal(lines[i], `${quote} [${numbers[i]}]`));
  assert.deepEqual(lines.slice(found.length, found.length + 2), ["", "Sources"]);
  assert.match(copied, /\[2\] "Vauclère : les commerçants entre fierté et inquiétude", Radio Trois Rivières/);
  assert.deepEqual(log, []);
  await context.close();
});

test("download: Markdown with a footnote a quote, marks of Markdown escaped", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => paste(page, "The *harbour* of Nessel costs 3_000_000 [euros] <now>.\nFrom the first of May it will be open again to the ships of all other\nharbours.", "Harbour & [port]"));
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  assert.equal(download.suggestedFilename(), "summary.md");
  const content = await readFile(await download.path(), "utf8");
  assert.match(content, /^# Summary of 1 document\n\nMethod: [^\n]+\n\n> The \\\*harbour\\\* of Nessel costs 3\\_000\\_000 \\\[euros\\\] \\<now\\>\.\[\^1\]\n\n/);
  assert.match(content, /> From the first of May it will be open again to the ships of all other harbours\.\[\^2\]/);
  assert.match(content, /\[\^1\]: \*Harbour & \\\[port\\\]\*, sentence 1\.\n\[\^2\]: \*Harbour & \\\[port\\\]\*, sentence 2\.\n$/);
  assert.deepEqual(log, []);
  await context.close();
});

slow("every method summarizes within the budget, is described, and is named in the Markdown", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  assert.equal(await page.inputValue("#method"), "auto");
  const automatic = await quotes(page);
  const methods = await page.$$eval("#method option:enabled", (all) => all.map((one) => ({ name: one.value, title: one.textContent })));
  assert.equal(methods[0].name, "auto");
  assert.ok(methods.length > 2, `${methods.length} methods`);
  const descriptions = new Set();
  const summaries = new Set();
  // What the page hands to the browser: Chromium now and then drops one of many downloads in a row.
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      window.handed = blob.text();
      return make.call(URL, blob);
    };
  });
  // Some methods have to read closely.
  await page.selectOption("#method", "multilingual");
  await summarized(page, () => page.click("#closely-read"));
  // Automatic last: it is the choice to begin with.
  for (const { name, title } of [...methods.slice(1), methods[0]]) {
    await summarized(page, () => page.selectOption("#method", name));
    const found = await quotes(page);
    const used = countWords(found.join("\n"));
    assert.ok(used > 50 && used <= 100, `${name}: ${used} words`);
    await page.click("#download");
    const line = (await page.evaluate(() => window.handed)).split("\n")[2];
    if (name === "auto") assert.ok(methods.slice(1).some((one) => line === `Method: ${one.title}`), line);
    else assert.equal(line, `Method: ${title}`);
    descriptions.add(await page.textContent("#method-more"));
    summaries.add(found.join("\n"));
  }
  assert.equal(descriptions.size, methods.length, "each has a description of its own");
  assert.ok(!descriptions.has(""));
  assert.ok(summaries.size > 3, `${summaries.size} different summaries`);
  assert.deepEqual(await quotes(page), automatic);
  assert.deepEqual(log, []);
  await context.close();
});

slow("non-commercial weights are used only when allowed", async () => {
  const { page, context, log } = await open(browser, server.url);
  const ran = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    return (await readFile(await download.path(), "utf8")).split("\n")[2];
  };
  await loadSample(page, "en");
  assert.equal(await page.isChecked("#any-licence"), false);
  assert.equal(await ran(), "Method: Editor");
  await summarized(page, () => page.selectOption("#method", "salience"));
  for (const budget of [60, 400]) {
    await summarized(page, () => page.fill("#budget-number", String(budget)));
    assert.equal(await ran(), "Method: Salience");
    const free = await quotes(page);
    await summarized(page, () => page.getByLabel("Allow weights for non-commercial use only").check());
    assert.equal(await ran(), "Method: Salience");
    const used = countWords((await quotes(page)).join("\n"));
    assert.ok(used > budget / 2 && used <= budget, `${used} words`);
    await summarized(page, () => page.uncheck("#any-licence"));
    assert.deepEqual(await quotes(page), free);
  }
  assert.deepEqual(log, []);
  await context.close();
});

for (const width of [320, 1280]) {
  (width === 320 ? test : slow)(`the list of methods moves nothing when it arrives: ${width} px`, async () => {
    let release;
    const held = await serve({ gate: new Promise((resolve) => (release = resolve)) });
    const { page, context, log } = await open(browser, held.url, { viewport: { width, height: 800 } });
    await page.click('[data-sample="en"]');
    const boxes = () => page.$$eval("#controls, #controls label, #method, .state", (all) => all.map((one) => {
      const { x, y, width: wide, height } = one.getBoundingClientRect();
      return [x, y + scrollY, wide, one.className === "state" ? 0 : height];
    }));
    assert.deepEqual(await page.$$eval("#method option", (all) => all.map((one) => one.textContent)), ["Automatic"]);
    const before = await boxes();
    await summarized(page, release);
    assert.ok((await page.locator("#method option").count()) > 2);
    assert.deepEqual(await boxes(), before);
    assert.deepEqual(log, []);
    await context.close();
    await held.close();
  });
}

test("long work shows progress and can be cancelled, then begun again", async () => {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  const held = await serve({ gate });
  const { page, context, log } = await open(browser, held.url);
  await page.click('[data-sample="en"]');
  await page.waitForSelector("#progress:not([hidden])");
  assert.equal(await page.textContent("#status"), "Summarizing…");
  assert.notEqual(await page.textContent("#progress-label"), "");
  await page.click("#cancel");
  assert.match(await page.textContent("#status"), /Cancelled/);
  assert.equal(await page.isVisible("#progress"), false);
  assert.equal(await page.evaluate(() => document.activeElement.id), "again");
  assert.equal((await quotes(page)).length, 0);
  release();
  await summarized(page, () => page.click("#again"));
  assert.ok((await quotes(page)).length > 1);
  assert.equal(await page.isVisible("#again"), false);
  assert.deepEqual(log, []);
  await context.close();
  await held.close();
});

slow("no sentence fits: the nearest is quoted, and the page says so", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => paste(page, `The council of Nessel said ${"and said again ".repeat(30)}that it agrees.`));
  await summarized(page, () => page.fill("#budget-number", "20"));
  assert.equal((await quotes(page)).length, 1);
  assert.match(await page.textContent("#over-budget"), /No sentence fits in 20 words/);
  assert.deepEqual(log, []);
  await context.close();
});

test("a core that cannot be loaded is an error in plain words, and can be tried again", async () => {
  const { page, context } = await open(browser, server.url, { routes: { "**/*.wasm": (route) => route.abort() } });
  await page.click('[data-sample="ru"]');
  await page.waitForSelector("#problem:not([hidden])");
  assert.match(await page.textContent("#problem"), /could not be loaded. Check your connection/);
  await context.unroute("**/*.wasm");
  await summarized(page, () => page.click("#again"));
  assert.ok((await quotes(page)).length > 1);
  assert.equal(await page.isVisible("#problem"), false);
  assert.ok((await page.locator("#method option").count()) > 2, "the methods come with the core");
  await context.close();
});
