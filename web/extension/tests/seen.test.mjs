// Techniques that hide text, each in a block and inline, on a light page and on a
// dark one: no sentence hidden so is quoted. As many that only look like them, which a
// reader can see: they are. make test takes every third page.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { again, count } from "../../common/tests/limits.mjs";
import { launch, read, serve } from "./lib.mjs";
import { story } from "./pages.mjs";
import { cases, hidden, says, visible } from "./seen-pages.mjs";

const all = { mallory: cases(hidden), alfa: cases(visible) };
const some = (made) => new Map([...made].filter((_, i) => i % count(3, 1) === 0));
const pages = { mallory: some(all.mallory), alfa: some(all.alfa) };

let site, browser, panel;
before(async () => {
  site = await serve(Object.fromEntries(Object.entries(pages).flatMap(([host, made]) => [...made].map(([name, html]) => [`${host}/s-${name}`, html]))));
  browser = await launch();
  panel = await browser.open();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** The names of the pages whose sentence is read; every page's other text must be. */
async function readOf(host) {
  const page = await browser.context.newPage();
  const found = [];
  for (const name of pages[host].keys()) {
    await page.goto(site.url(`${host}/s-${name}`));
    const { text = "", reason } = await read(panel, `/s-${name}`);
    for (const seen of [story.en[0], says("neighbouring")]) assert.ok(text.includes(seen), `with ${name}, its neighbour is not read (${reason})`);
    if (text.includes(says(name))) found.push(name);
  }
  await page.close();
  return found;
}

again("of 60 pages and more with hidden text, none is quoted", async () => {
  assert.ok(all.mallory.size >= 60 && all.alfa.size >= all.mallory.size);
  assert.deepEqual(await readOf("mallory"), []);
});

again("of as many with text that a reader sees, nearly all are", async (t) => {
  const { size } = pages.alfa;
  const found = await readOf("alfa");
  const missed = [...pages.alfa.keys()].filter((name) => !found.includes(name));
  t.diagnostic(`${found.length} of ${size}${missed.length > 0 ? `, not ${missed.join(", ")}` : ""}`);
  assert.ok(found.length / size >= 55 / 60, missed.join(", "));
});
