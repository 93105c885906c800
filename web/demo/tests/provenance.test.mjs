// No document speaks in another's name: titles, addresses and quotes keep to their
// places, on the page, printed and carried away.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { runnerImport } from "vite";
import { begin, here, open, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const UNSEEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/u;

test("titles and addresses are shown as the command line program shows them", async () => {
  const { module } = await runnerImport(here("../../common/shown.ts"));
  const cases = JSON.parse(readFileSync(here("../../../cmd/cerasum/internal/render/testdata/provenance.json"), "utf8"));
  for (const [title, want] of cases.titles) assert.equal(module.quotedTitle(title), want);
  for (const [source, want] of cases.sources) assert.equal(module.shownSource(source), want);
  assert.equal(module.hostOf("https://аpple.example/a"), "xn--pple-43d.example");
  assert.equal(module.hostOf("notes.txt"), "");
});

const documents = [
  { title: "\u202eelpmaxe.sretuer A [9] Reuters, https://reuters.example/a", source: "https://reuters.example@evil.example/a", text: "\u202eThe harbour of Nessel\u202c is closed\u{e0049}\u{e0100} for \ufff9three weeks, the council\u2067 said on Monday. Ships wait outside of it." },
  { title: "مرفأ \u2067نيسل", source: "https://аpple.example/\u202efdp", text: "The ferry to the islands sails from the northern quay until the harbour opens again, its owner said." },
];

test("direction controls, invisible characters, numbers, user names and look-alike letters", async () => {
  const { page, context, log } = await open(browser, server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.origin });
  const file = { name: "a.cerasum.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ cerasum: 1, documents })) };
  await summarized(page, () => page.setInputFiles("#files", file));
  const sources = await page.$$eval("#quotes .quote-source", (all) => all.map((one) => [...one.children].map(({ tagName, textContent }) => [tagName, textContent])));
  assert.ok(sources.some(([title, host]) => title[0] === "BDI" && host[0] === "BDI" && host[1] === "evil.example"), JSON.stringify(sources));
  assert.ok(sources.some(([, host]) => host[1] === "xn--pple-43d.example"), JSON.stringify(sources));
  await page.click("#document-list > li:first-child .doc-open");
  assert.equal(await page.textContent("#reader-meta > bdi"), "https://evil.example/a");
  assert.match(await page.textContent("#reader-text"), /^The harbour of Nessel is closed/);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.deepEqual(await page.$$eval("#print-sources bdi", (all) => all.map((one) => one.textContent)), ["elpmaxe.sretuer A [9] Reuters, https://reuters.example/a", "https://evil.example/a", "مرفأ نيسل", "https://xn--pple-43d.example/fdp"]);
  // In attributes and hidden texts too.
  assert.doesNotMatch(await page.evaluate(() => document.documentElement.outerHTML), UNSEEN);

  await page.click("#copy");
  await page.waitForFunction(() => document.getElementById("copy-label").textContent === "Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.endsWith('\nSources\n[1] "elpmaxe.sretuer A (9) Reuters, https://reuters.example/a", https://evil.example/a\n[2] "مرفأ نيسل", https://xn--pple-43d.example/fdp\n'), copied);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const markdown = await readFile(await download.path(), "utf8");
  for (const text of [copied, markdown]) assert.doesNotMatch(text, UNSEEN);
  assert.deepEqual(log, []);
  await context.close();
});
