// The panel with tabs of every kind; with sixty in make test-slow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { quotes, start } from "./panel-lib.mjs";

/** Tabs besides three articles and a page of the browser. */
const more = process.env.CERASUM_SLOW ? 56 : 6;

test(`${more + 4} tabs, tabs put to sleep, the browser's own pages, tabs closed meanwhile`, async () => {
  const { panel, visited, log, close } = await start(["alfa/harbour", "bravo/news", "charlie/puerto"]);
  const url = visited["alfa/harbour"].url();
  await panel.evaluate(async ([url, more]) => {
    await Promise.all(Array.from({ length: more }, (_, i) => chrome.tabs.create({ url: `${url}?${i}`, active: false })));
    await chrome.tabs.create({ url: "chrome://version/", active: false });
    const [, news] = await chrome.tabs.query({ url: "http://*.test/*" });
    await chrome.tabs.discard(news.id);
  }, [url, more]);
  // A tab that is still loading has a problem too, for a while.
  await panel.waitForFunction((all) => {
    const problems = [...document.querySelectorAll(".tab-problem")].map((one) => one.textContent);
    return document.querySelectorAll(".tab").length === all && problems.length === 2 &&
      problems.some((text) => /suspended this tab.*Load this tab/.test(text)) && problems.some((text) => /its own pages/.test(text));
  }, more + 4, { timeout: 60_000 });
  assert.equal(await panel.textContent("#summarize"), `Summarize ${more + 2} tabs`);
  await panel.click(".tab-problem button");
  await panel.waitForFunction((text) => document.querySelector("#summarize").textContent === text, `Summarize ${more + 3} tabs`);
  await panel.click("#summarize");
  await panel.evaluate(async () => chrome.tabs.remove((await chrome.tabs.query({ url: "http://charlie.test/*" }))[0].id));
  await panel.waitForSelector("#quotes .quote", { timeout: 60_000 });
  await panel.waitForFunction(() => document.querySelector("#quotes").getAttribute("aria-busy") === "false", undefined, { timeout: 60_000 });
  assert.ok((await quotes(panel)).length >= 1);
  assert.deepEqual(log, []);
  await close();
});
