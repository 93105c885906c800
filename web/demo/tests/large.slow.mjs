// More text than most readers have: it is summarized, and the work can be cancelled.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, open, quotes, summarized, textFile } from "./lib.mjs";

const { server, browser } = await begin();

test("ten megabytes of text: shown, summarized, and the work can be cancelled half-way", async () => {
  const { page, context, log } = await open(browser, server.url);
  context.setDefaultTimeout(120_000);
  const fill = () =>
    page.evaluate(() => {
      const places = ["harbour", "market", "bridge", "school", "mill", "tower", "station", "garden"];
      const lines = [];
      let size = 0;
      for (let i = 0; size < 10_000_000; i++) {
        const line = `On day ${i} the ${places[i % 8]} of Nessel was repaired by ${(i * 7919) % 1000} people, who were paid ${(i * 104729) % 5000} crowns.`;
        lines.push(line);
        size += line.length + 1;
      }
      const transfer = new DataTransfer();
      transfer.items.add(new File([lines.join("\n")], "chronicle.txt", { type: "text/plain" }));
      const input = document.getElementById("files");
      input.files = transfer.files;
      input.dispatchEvent(new Event("change"));
    });
  await fill();
  await page.waitForSelector("#progress:not([hidden])");
  await page.click("#cancel");
  assert.match(await page.textContent("#status"), /Cancelled/);
  const started = Date.now();
  await summarized(page, () => page.click("#again"));
  console.log(`10 MB summarized in the page in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  const found = await quotes(page);
  assert.ok(found.length > 1);
  await page.click("#quotes > li:last-child .quote-link");
  assert.deepEqual(await page.$$eval("mark.active", (all) => all.map((one) => one.textContent)), [found.at(-1)]);
  assert.ok((await page.evaluate(() => document.getElementById("reader-text").textContent.length)) >= 10_000_000);
  assert.deepEqual(log, []);
  await context.close();
});

test("a hundred documents of 500 sentences: progress, cancelled, and begun again", async () => {
  const { page, context, log } = await open(browser, server.url);
  context.setDefaultTimeout(120_000);
  const places = ["harbour", "market", "bridge", "school", "mill", "tower", "station"];
  const docs = Array.from({ length: 100 }, (_, d) => textFile(`${d}.txt`, Array.from({ length: 500 }, (_, i) => `On day ${i} of year ${d} the ${places[(i + d) % 7]} of Nessel was repaired by ${((i + d) * 7919) % 1000} people.`).join("\n")));
  await page.setInputFiles("#files", docs);
  await page.waitForSelector("#progress:not([hidden])");
  assert.notEqual(await page.textContent("#progress-label"), "");
  await page.click("#cancel");
  assert.match(await page.textContent("#status"), /Cancelled/);
  const started = Date.now();
  await summarized(page, () => page.click("#again"));
  console.log(`100 documents of 500 sentences summarized in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  assert.ok((await quotes(page)).length > 1);
  assert.deepEqual(log, []);
  await context.close();
});
