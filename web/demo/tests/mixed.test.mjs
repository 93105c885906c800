// Loads of which only a part can be added: what was refused, and why, is said where the
// reader looks.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { begin, here, open, paste, some, summarized, textFile } from "./lib.mjs";

const { server, browser } = await begin();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = here("../../../build/out/screenshots");
await mkdir(shots, { recursive: true });

const picture = { name: "picture.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) };
const mixed = [...some(4), picture, textFile("empty.txt", "")];
const table = (rows, name = "news.csv") => textFile(name, `title,text\n${Array.from({ length: rows }, (_, i) => `Report ${i},Ship ${i} came to Nessel with grain and left again.\n`).join("")}`);
const head = (page) => page.textContent("#file-problems p");
const items = (page) => page.$$eval("#file-problems li", (all) => all.map((one) => one.textContent));
const documents = (page) => page.locator("#document-list > li").count();

/** Whether an element is in the window, all of it, and nothing is above it. */
const seen = (page, selector) => page.$eval(selector, (one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const above = (x, y) => one.contains(document.elementFromPoint(x, y));
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && above(left + 3, top + 3) && above((left + right) / 2, bottom - 3);
});

for (const [name, options] of Object.entries({
  desk: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 390, height: 844 } }, narrow: { viewport: { width: 320, height: 568 }, locale: "de-DE" },
})) {
  test(`${name}: of six files four are added; which two are not, and why, is in view`, async () => {
    const { page, context, log } = await open(browser, server.url, { options: false, bypassCSP: true, ...options });
    await page.waitForSelector("html:not([data-waiting])");
    await summarized(page, () => page.setInputFiles("#files", mixed));
    const german = options.locale === "de-DE";
    assert.equal(await head(page), german ? "4 von 6 Dokumenten hinzugefügt." : "Added 4 of 6 documents.");
    assert.deepEqual(await items(page), german
      ? ["picture.png: Bilder, Ton und Video werden nicht unterstützt", "empty.txt: leere Datei"]
      : ["picture.png: images, audio and video are not supported", "empty.txt: empty file"]);
    assert.ok(await seen(page, "#file-problems"));
    assert.equal(await page.getAttribute("#file-problems", "role"), "alert");
    assert.equal(await page.textContent("#toast"), "", "it is not said twice");
    await page.screenshot({ path: `${shots}/mixed-${name}.png` });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`), []);
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(inner <= outer, `${inner} px wide in a window of ${outer}`);
    // The next action stands below it; what is added next takes its place.
    await page.click("#document-list > li:first-child .remove");
    assert.ok(await seen(page, "#undo"));
    assert.ok(await page.isVisible("#file-problems"));
    await page.click("#file-problems button");
    assert.equal(await page.isVisible("#file-problems"), false);
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
    assert.deepEqual(log, []);
    await context.close();
  });
}

test("what is added whole is said as before, and takes the list away", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", mixed));
  await summarized(page, () => paste(page, "The ferry to Ost runs late.", "Ferry"));
  assert.equal(await page.isVisible("#file-problems"), false);
  assert.equal(await page.textContent("#toast"), "Added 1 document.");
  await page.setInputFiles("#files", [picture]);
  await page.waitForSelector("#file-problems:not([hidden])");
  assert.equal(await head(page), "One item could not be added:");
  assert.equal(await documents(page), 5);
  assert.deepEqual(log, []);
  await context.close();
});

test("rows beyond the limit are one line, and so is what many files have in common", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", [table(700)]));
  assert.equal(await documents(page), 500);
  assert.equal(await head(page), "Added 500 of 700 documents.");
  assert.deepEqual(await items(page), ["news.csv: 200 of 700 rows left out: the limit of 500 documents is reached"]);
  assert.ok(await seen(page, "#file-problems"));
  await page.screenshot({ path: `${shots}/mixed-rows.png` });
  await page.click("#clear");
  // More rows than are read of a file.
  await summarized(page, () => page.setInputFiles("#files", [table(1200, "long.csv")]));
  assert.deepEqual(await items(page), ["long.csv: 700 of 1,200 rows left out: the limit of 500 documents is reached"]);
  await page.click("#clear");
  const lines = Array.from({ length: 600 }, (_, i) => (i % 100 === 7 ? "{" : JSON.stringify({ text: `Ship ${i} came to Nessel.` }))).join("\n");
  await summarized(page, () => page.setInputFiles("#files", [textFile("a.jsonl", lines), ...Array.from({ length: 12 }, (_, i) => ({ ...picture, name: `${i}.png` })), textFile("b.txt", "One ship.")]));
  assert.equal(await head(page), "Added 500 of 613 documents.");
  assert.deepEqual(await items(page), [
    "a.jsonl: 6 documents in it could not be read; the first: not valid JSON (line 8)",
    "a.jsonl: 94 of 594 documents left out: the limit of 500 documents is reached",
    "0.png and 12 more: the limit of 500 documents is reached",
  ]);
  assert.deepEqual(log, []);
  await context.close();
});

test("the files of an archive that cannot be read are named where the others are added", async () => {
  const { page, context, log } = await open(browser, server.url, { viewport: { width: 390, height: 844 } });
  const zip = { name: "some-unreadable.zip", mimeType: "", buffer: await readFile(here("../../../cmd/cerasum/internal/ingest/testdata/files/some-unreadable.zip")) };
  await page.setInputFiles("#files", [picture]);
  await page.click("#file-problems button");
  assert.equal(await page.evaluate(() => document.activeElement.id), "choose");
  await summarized(page, () => page.setInputFiles("#files", [zip, ...Array.from({ length: 8 }, (_, i) => textFile(`${i}.json`, "{".repeat(i + 1)))]));
  assert.equal(await head(page), "Added 1 of 14 documents.");
  const all = await items(page);
  assert.match(all[0], /^some-unreadable\.zip\/3\.zip\/2\.zip: packed again/);
  assert.equal(all.at(-1), "0.json and 7 more: not valid JSON (line 1)");
  assert.ok(await seen(page, "#file-problems"));
  // A long list scrolls by itself, also by the keyboard.
  assert.deepEqual(await page.$eval("#file-problems ul", (list) => [list.scrollHeight > list.clientHeight, list.tabIndex]), [true, 0]);
  await page.screenshot({ path: `${shots}/mixed-archive.png` });
  assert.deepEqual(log, []);
  await context.close();
});
