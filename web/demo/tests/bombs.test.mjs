// Files made to hold the page: each is read, or refused with its reason, and the
// next one goes on.

import assert from "node:assert/strict";
import { again, count, test } from "../../common/tests/limits.mjs";
import { bombs, table } from "./bombs.mjs";
import { inPage, inProgram } from "./bombs-lib.mjs";
import { begin, holding, open, summarized, textFile } from "./lib.mjs";

const { server, browser } = await begin();
const small = [
  ...bombs(count(4, 14), 40_000),
  { name: "title.md", content: Buffer.from(`---\ntitle:${" ".repeat(200_000)}x\n---\nThe river rose.`) },
  table(40_000),
  { name: "styles.html", content: Buffer.from(`<p>The river rose.</p>${"<style>".repeat(40_000)}`) },
];

again("small bombs are read, or refused with their reason", async () => {
  for (const bomb of small) {
    const { told, log } = await inPage(browser, server.url, bomb);
    assert.ok(told === "" || told.startsWith(`${bomb.name}: `), told);
    assert.deepEqual(log, [], bomb.name);
  }
});

test("a text without lines and blanks is laid out in pieces, and so is a quote", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", [textFile("long.txt", `The river rose. ${"😀00:".repeat(60_000)}`)]));
  const pieces = await page.$$eval("#reader-text .piece", (all) => all.map(({ textContent }) => [textContent.length, textContent.isWellFormed()]));
  assert.ok(pieces.length >= 3 && pieces.every(([length, whole]) => length <= 90_000 && whole), `${pieces}`);
  assert.equal(pieces.reduce((sum, [length]) => sum + length, 0), 16 + 5 * 60_000);
  assert.deepEqual(log, []);
  await context.close();
});

again("the program reads them, or says which file it cannot read", async () => {
  for (const { name, code, error } of await inProgram(small)) assert.ok(code === 0 || error.includes(name), `${name}: ${code} ${error}`);
});

test("a file that takes too long: its Worker ends, the reader is told, and the next file is read", async () => {
  const { page, context, log } = await open(browser, server.url, {
    init: () => {
      const { setTimeout } = window;
      window.setTimeout = (work, delay, ...rest) => setTimeout(work, delay === 20_000 && window.holds ? 300 : delay, ...rest);
    },
  });
  await page.evaluate(holding);
  // The file never reaches the Worker.
  await page.evaluate(() => (window.holds = ({ file }) => file?.name === "slow.txt"));
  const ended = page.waitForEvent("worker", (worker) => worker.url().includes("reading-worker")).then((worker) => worker.waitForEvent("close"));
  await summarized(page, () => page.setInputFiles("#files", [textFile("slow.txt", "The river rose."), textFile("next.txt", "The harbour of Nessel is open again.")]));
  await ended;
  assert.equal(await page.textContent("#file-problems li"), "slow.txt: reading took longer than 20 seconds and was stopped");
  assert.deepEqual(await page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent)), ["next"]);
  assert.deepEqual(log, []);
  await context.close();
});
