// Speed limits of the page. Other work can only make it slower, so the limits apply to
// the best of several tries, with more tries while it is above them. The medians for the
// docs are printed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCore } from "cerasum";
import { acts, articles, sample, show, start } from "./speed.mjs";

let chromium, core;
before(async () => {
  core = createCore();
  chromium = await start();
});
after(async () => {
  await chromium?.stop();
  core?.destroy();
});

/** Tries something until its best time is below the limit, at least `least` times and at most `most`. */
async function hold(t, name, limit, { least, most }, once) {
  const times = [];
  while (times.length < least || (times.length < most && Math.min(...times) >= limit)) times.push(await once());
  t.diagnostic(`${name}: ${show(times)}`);
  assert.ok(Math.min(...times) < limit, `${name} took ${times.map((x) => x.toFixed(0)).join(", ")} ms, and may take ${limit}`);
}

test(`sample ${sample}: ten articles of 40 sentences, all different`, async () => {
  const session = await core.open(articles.map(({ text }) => ({ text })));
  assert.deepEqual(session.documents.map(({ language, sentences }) => [language, sentences.length]), Array(10).fill(["en", 40]));
  assert.equal(new Set(session.texts).size, 400);
  session.close();
});

for (const [method, limit] of [["instant", 2000], ["auto", 3000]]) {
  test(`from navigation to the summary by ${method}, nothing cached, under ${limit / 1000} s`, async (t) => {
    const documents = articles.map(({ text, date, title, source }) => ({ text, date, title, source })); // as the page sends them
    const { sentences } = await core.summarize(documents, { method, budget: { words: 100 }, order: "document" });
    await hold(t, `${method}, cold`, limit, { least: 5, most: 30 }, async () => {
      const { page, first, close } = await chromium.cold(method);
      assert.equal(await page.inputValue("#method"), method);
      assert.deepEqual((await page.evaluate(() => speed.quotes())).sort(), sentences.map(({ text }) => text).sort());
      await close();
      return first;
    });
  });
}

test("from what the reader does to the summary, all loaded, under 150 ms", async (t) => {
  const { page, close } = await chromium.cold("auto");
  for (const [name, act] of Object.entries(acts)) await hold(t, `${name}, warm`, 150, { least: 9, most: 40 }, () => act(page));
  await close();
});
