// More text in tabs than the panel can compare.

import assert from "node:assert/strict";
import { test } from "node:test";
import { article } from "./pages.mjs";
import { marks, onlyFirst, quotes, start, summarized } from "./panel-lib.mjs";

test("more sentences than can be compared: a summary, and why nothing is marked", async () => {
  const places = ["harbour", "market", "bridge", "school", "mill", "tower", "station"];
  const many = (year) => article("en", `The year ${year}`, Array.from({ length: 105 }, (_, p) => Array.from({ length: 100 }, (_, i) => `On day ${i} the ${places[(i + p) % 7]} of Nessel cost ${(p * 7919 + i * 31 + year) % 1000} crowns.`).join(" ")));
  const { panel, log, close } = await start(["alfa/one", "bravo/two"], { pages: { "alfa/one": many(1901), "bravo/two": many(1902) } });
  panel.setDefaultTimeout(120_000);
  await summarized(panel);
  assert.ok((await quotes(panel)).length > 1);
  assert.equal(await marks(panel), 0);
  assert.equal(await panel.textContent("#unlooked"), "Sentences found in only one tab are not marked: there is too much text to compare all sentences.");
  assert.equal(await onlyFirst(panel), "There is too much text to compare all sentences.");
  assert.deepEqual(log, []);
  await close();
});
