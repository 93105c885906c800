// Which tabs: a tab group, those selected in the tab bar, a tab that loads later;
// what tabs of one site have in common; what is new; how the summary is read.

import assert from "node:assert/strict";
import { slow, test } from "../../common/tests/limits.mjs";
import { until } from "../../common/tests/until.mjs";
import { article, sites, story } from "./pages.mjs";
import { openPanel, quotes, start, summarized, toast } from "./panel-lib.mjs";

const ticked = (panel) => panel.$$eval(".tab", (all) => all.filter((one) => one.querySelector("input").checked).map((one) => one.querySelector(".tab-title").textContent));

test("a tab group, or the tabs selected in the tab bar, in two clicks; the window as before", async () => {
  const { panel, log, close } = await start(["alfa/harbour", "bravo/news", "charlie/puerto", "delta/port"]);
  const idsOf = (...hosts) => panel.evaluate(async (hosts) => (await chrome.tabs.query({})).filter(({ url }) => hosts.includes(new URL(url).hostname)).map(({ id, index }) => ({ id, index })), hosts);
  assert.ok(await panel.isHidden("#picks"));
  const grouped = await idsOf("bravo.test", "charlie.test");
  await panel.evaluate((tabIds) => chrome.tabs.group({ tabIds }), grouped.map(({ id }) => id));
  const pick = panel.locator("#picks button");
  await pick.waitFor();
  assert.equal(await pick.textContent(), "Tab group “Stones in the channel” (2)");
  await pick.click();
  assert.deepEqual(await ticked(panel), ["Stones in the channel | The Site", "Cerrado el puerto de Nessel | The Site"]);
  await summarized(panel);
  assert.match(await panel.textContent("#made"), /of 2 tabs|from 1 of 2/);

  const selected = await idsOf("alfa.test", "delta.test");
  await panel.evaluate((tabs) => chrome.tabs.highlight({ tabs }), selected.map(({ index }) => index));
  await panel.locator("#tabs > summary").click();
  await panel.click("#pick-selected");
  assert.equal((await ticked(panel)).length, 2);
  await panel.click("#all");
  assert.equal((await ticked(panel)).length, 4);
  assert.deepEqual(log, []);
  await close();
});

slow("a ticked tab that loads later joins the summary with the settings of then; one that slept, or shows another page, does not", async () => {
  const gate = {};
  const late = (title, script) => article("en", title, story.en2).replace("<body>", `<body><script src="/${script}"></script>`);
  const script = (name) => ({ type: "text/javascript", body: "", gate: new Promise((open) => (gate[name] = open)) });
  const pages = {
    ...sites, "echo/late": late("Late news", "late.js"), "echo/late.js": script("late"), "foxtrot/first": late("First page", "first.js"), "foxtrot/first.js": script("first"),
    "foxtrot/second": article("en", "Second page", story.en),
  };
  const { panel, server, log, close } = await start(["alfa/harbour", "bravo/news", "delta/port"], { pages });
  await panel.evaluate(async (urls) => {
    await chrome.tabs.discard((await chrome.tabs.query({ url: "http://bravo.test/*" }))[0].id);
    for (const url of urls) await chrome.tabs.create({ url, active: false });
  }, [server.url("echo/late"), server.url("foxtrot/first")]);
  await panel.waitForSelector(".tab.closed");
  await panel.waitForFunction(() => document.querySelectorAll(".tab").length === 5 && /echo.*foxtrot/s.test(document.getElementById("tab-list").textContent));
  await summarized(panel);
  assert.match(await panel.textContent("#made"), /of 2 tabs/);
  const loaded = (host) => until(panel, async (url) => (await chrome.tabs.query({ url }))[0]?.status === "complete", `http://${host}.test/*`);
  await panel.evaluate(async (url) => {
    await chrome.tabs.reload((await chrome.tabs.query({ url: "http://bravo.test/*" }))[0].id);
    await chrome.tabs.update((await chrome.tabs.query({ url: "http://foxtrot.test/*" }))[0].id, { url });
  }, server.url("foxtrot/second"));
  await loaded("bravo");
  await loaded("foxtrot");
  await panel.waitForFunction(() => !document.querySelector(".tab.closed"));
  // Another length, while the sentences of the tab that joins are looked for.
  await panel.evaluate(() => {
    const progress = document.getElementById("stage");
    new MutationObserver((_, observer) => {
      if (!/^Starting/.test(progress.textContent)) return;
      observer.disconnect();
      document.querySelector('[data-words="250"]').click();
    }).observe(progress, { childList: true, characterData: true, subtree: true });
  });
  gate.late();
  await panel.waitForFunction(() => /of 3 tabs/.test(document.getElementById("made").textContent));
  assert.match(await toast(panel), /“Late news.*” has loaded and joined the summary\./);
  await panel.waitForFunction(() => /of 250 words/.test(document.getElementById("made").textContent));
  assert.doesNotMatch(await panel.textContent("#coverage-list"), /Stones in the channel|Second page/);
  assert.deepEqual(log, []);
  await close();
});

const related = `<section class="related"><h2>More from Alfa</h2><ul>
<li><a href="/1">The mayor of Ferrow opened the new bridge over the river Lind on Sunday morning.</a></li>
<li><a href="/2">Ninety otters were counted along the coast this winter, more than ever before.</a></li></ul>
<p>The Alfa Courier has reported from the coast of Nessel every day since 1911 and is owned by its readers.</p>
<p>Subscribe to the Alfa Courier today and read every story from the coast for one euro a month.</p></section>`;

slow("tabs of one site do not agree by what stands on all its pages", async () => {
  const pages = { ...sites, "alfa/harbour": article("en", "Harbour of Nessel closed", story.en, { extra: related }), "alfa/stones": article("en", "Stones in the channel", story.en2, { extra: related }) };
  const { panel, log, close } = await start(["alfa/harbour", "alfa/stones"], { pages });
  await panel.locator('[data-words="250"]').click();
  await summarized(panel);
  const own = new Set([...story.en, ...story.en2]);
  const found = await quotes(panel);
  assert.ok(found.length > 2);
  for (const quote of found) assert.ok([...own].some((sentence) => sentence.includes(quote)), `not of the articles: ${quote}`);
  const said = await panel.$$eval("#quotes .others a", (all) => all.map(({ title }) => title));
  for (const quote of said) assert.ok([...own].some((sentence) => sentence.includes(quote)), `agrees by furniture: ${quote}`);
  assert.deepEqual(log, []);
  await close();
});

slow("with a history, what is new since the last summary of the same tabs is marked", async () => {
  const { panel, visited, log, close } = await start(["alfa/harbour", "bravo/news"]);
  await panel.click("#menu");
  await panel.check("#history-keep");
  await panel.click("#drawer-close");
  await summarized(panel);
  assert.ok(await panel.isHidden("#news"), "there is no other summary");
  await until(panel, async () => ((await chrome.storage.local.get("history")).history ?? []).length === 1);
  await summarized(panel);
  assert.match(await panel.textContent("#news"), /^Nothing new since your summary of .+\.$/);
  const first = await quotes(panel);
  await visited["alfa/harbour"].evaluate(() => {
    const paragraph = document.createElement("p");
    paragraph.textContent = "Nessel was opened again on Friday to the 14 ships that had waited at sea, and 300 guests cheered the first of them, the Hilda of Varn.";
    document.querySelector("article h1").after(paragraph);
  });
  await summarized(panel);
  const now = await quotes(panel);
  const fresh = now.filter((quote) => !first.includes(quote));
  assert.ok(fresh.some((quote) => quote.includes("opened again on Friday")), String(now));
  assert.match(await panel.textContent("#news"), new RegExp(`^New since your summary of .+: ${fresh.length} of ${now.length} sentences?\\.$`));
  assert.deepEqual(await panel.$$eval("#quotes > li", (all) => all.filter((one) => [...one.querySelectorAll(".only")].some(({ textContent }) => textContent === "New")).map((one) => one.querySelector(".quote-text").textContent)), fresh);
  await panel.check('#views input[value="text"]');
  assert.deepEqual(await panel.$$eval("#prose .passage", (all) => all.filter((one) => one.dataset.fresh === "New").length), fresh.length);
  // Another length quotes other sentences: that is no news.
  await summarized(panel, () => panel.locator('[data-words="250"]').click());
  assert.ok(await panel.isHidden("#news"));
  assert.deepEqual(log, []);
  await close();
});

test("a quote in context in place, and the summary as a text, which is remembered", async () => {
  const { panel, browser, log, close } = await start(["alfa/harbour", "bravo/news"]);
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await summarized(panel);
  const own = await quotes(panel);
  await panel.locator(".in-context").first().click();
  assert.equal(await panel.locator("#quotes .around:visible").count(), 2);
  const around = (await panel.locator("#quotes .around").allTextContents()).join(" ");
  assert.ok([...story.en, ...story.en2].some((sentence) => around.includes(sentence) && !own.includes(sentence)), around);
  await panel.keyboard.press("Enter");
  assert.equal(await panel.locator("#quotes .around:visible").count(), 0);

  await panel.check('#views input[value="text"]');
  assert.ok(await panel.isHidden("#quotes"));
  assert.deepEqual(await panel.$$eval("#prose .passage", (all) => all.map((one) => one.firstChild.textContent || one.textContent)).then((all) => all.length), own.length);
  await panel.click("#copy");
  await panel.waitForSelector("#copy.confirmed");
  assert.match(await panel.evaluate(() => navigator.clipboard.readText()), new RegExp(`^${own[0].slice(0, 30)}.*\\[\\d\\] \\S`));
  await panel.locator("#prose .ref").first().click();
  assert.equal(await panel.locator("#prose .around:visible").count(), 2);
  await panel.click("#prose .quote-link");
  assert.equal(await toast(panel), "Highlighted in the tab.");
  await panel.locator("#prose .ref").first().click();
  assert.equal(await panel.locator("#prose .quote").count(), 0);
  await until(panel, async () => Object.values(await chrome.storage.session.get()).some(({ text }) => text === true));
  await panel.close();
  const again = await openPanel(browser);
  assert.ok(await again.isVisible("#prose"));
  assert.equal(await again.locator("#prose .passage").count(), own.length);
  assert.deepEqual(log, []);
  await close();
});
