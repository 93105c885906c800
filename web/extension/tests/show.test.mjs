// Sentences are marked where they stand, and pages are not changed by it.

import assert from "node:assert/strict";
import { again, count, test } from "../../common/tests/limits.mjs";
import { until } from "../../common/tests/until.mjs";
import { begin, marked, read, show, tabs } from "./lib.mjs";
import { article, sites, story } from "./pages.mjs";

const filler = Array.from({ length: 80 }, (_, i) => `Paragraph ${i} stands here so that the page is longer than the window, and it says nothing that is said elsewhere.`);
const twice = "The council will meet again on Friday.";

const pages = {
  ...sites,
  "alfa/long": article("en", "A long page", [...filler, story.en[1], ...filler]),
  "alfa/twice": article("en", "Twice", [...filler.slice(0, 30), `First the divers. ${twice} Then the crane.`, ...filler.slice(30, 60), `At last the ferry. ${twice} And the islands.`]),
  "alfa/marks": `<!doctype html><html lang="en"><title>Marks</title><body><p>The <b>har</b>bour<sup id="r1">[1]</sup> of&nbsp;Nes\u00adsel is <i>closed\u200b for</i>
     three<br>weeks,<sup>[2]</sup> as 2<sup>10</sup> people <a href="#x">heard</a>.</p>`,
  "alfa/shadow": `<!doctype html><html lang="en"><title>Shadow</title><body><div style="height:3000px"></div><main id="main"></main><script>
    for (const [mode, text] of [["open", ${JSON.stringify(story.en[0])}], ["closed", ${JSON.stringify(story.en[1])}]]) { const host = document.createElement("x-card"); host.attachShadow({ mode }).innerHTML = "<style>p{color:navy}</style><p>" + text + "</p>"; main.append(host); }
  </script>`,
  "alfa/frames": `<!doctype html><html lang="en"><title>Frames</title><body><div style="height:2000px"></div><iframe src="/inner" width=600 height=300></iframe>`,
  "alfa/inner": article("en", "Inner", [...filler.slice(0, 20), ...story.en]),
  "alfa/embedding": () => article("en", "A page with a frame of another site", filler.slice(0, 20), { extra: `<iframe src="${site.url("bravo/inner")}" width=600 height=300></iframe>` }),
  "alfa/hollow": () => `<!doctype html><html lang="en"><title>Reuters</title><body><iframe src="${site.url("bravo/inner")}" width=600 height=300></iframe><iframe sandbox srcdoc="<p>${filler.slice(0, 9).join(" ")}</p>" width=600 height=300></iframe>`,
  "alfa/late": article("en", "It vanishes", [...filler.slice(0, 20), `<span id="it">${story.en[1]}</span>`]),
  "bravo/inner": article("en", "Inner", [...filler.slice(0, 20), ...story.en]),
  "alfa/folded": `<!doctype html><title>Folded</title><body><details><summary>More</summary><p>${story.en[0]}</p></details><p>Nothing else.</p>`,
  "zulu/page": article("en", "Elsewhere", [...filler, ...story.en]),
};

const { site, browser, panel } = await begin(pages);

/** The page as its own scripts see it, and every change to it from now on. */
const observe = (page) =>
  page.evaluate(() => {
    globalThis.changes = [];
    new MutationObserver((records) => changes.push(...records.map(({ type, target }) => `${type} ${target.nodeName}`))).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    globalThis.earlier = document.documentElement.outerHTML;
  });
const unchanged = (page) => page.evaluate(() => ({ changes, same: earlier === document.documentElement.outerHTML }));

test("a sentence is marked and scrolled to; the page is as it was", async () => {
  const page = await browser.visit(site.url("alfa/long"));
  await observe(page);
  assert.equal(await show(panel, "/long", { sentence: story.en[1] }), "highlighted");
  assert.deepEqual(await marked(page), { text: story.en[1], count: 1, seen: true });
  assert.deepEqual(await unchanged(page), { changes: [], same: true });
  const [id] = await tabs(panel, "/long");
  assert.equal(await panel.evaluate(async (id) => (await chrome.tabs.get(id)).active, id), true);
  // The next one takes its place.
  assert.equal(await show(panel, "/long", { sentence: filler[3], at: 0 }), "highlighted");
  assert.equal((await marked(page)).text, filler[3]);
  // What is not there is not marked, and the old mark goes.
  assert.equal(await show(panel, "/long", { sentence: "Nobody has ever said this." }), "changed");
  assert.equal((await marked(page)).text, "");
  await page.close();
});

test("the mark can be seen, in shadow trees too", async () => {
  for (const [end, sentence] of [["/long", story.en[1]], ["/shadow", story.en[0]], ["/shadow", story.en[1]]]) {
    const page = await browser.visit(site.url(`alfa${end}`));
    assert.equal(await show(panel, end, { sentence }), "highlighted");
    assert.equal((await marked(page)).seen, true);
    const shot = (await page.screenshot({ type: "png" })).toString("base64");
    const yellow = await panel.evaluate(async (shot) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(shot), (c) => c.charCodeAt(0))], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
      let n = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] === 0xff && data[i + 1] === 0xd8 && data[i + 2] === 0x4d) n++;
      return n;
    }, shot);
    assert.ok(yellow > 2000, `${yellow} pixels in ${end}`);
    await page.close();
  }
});

test("the same words twice: what stands around them decides, else the place", async () => {
  const page = await browser.visit(site.url("alfa/twice"));
  const before = () => page.evaluate(() => { const [range] = CSS.highlights.get("cerasum"); return range.startContainer.data.slice(0, 10); });
  assert.equal(await show(panel, "/twice", { sentence: twice, before: "At last the ferry. ", after: " And the islands.", at: 0 }), "highlighted");
  assert.equal(await before(), "At last th");
  await show(panel, "/twice", { sentence: twice, before: "First the divers. ", after: " Then the crane.", at: 1 });
  assert.equal(await before(), "First the ");
  await show(panel, "/twice", { sentence: twice, at: 0.9 });
  assert.equal(await before(), "At last th");
  await show(panel, "/twice", { sentence: twice, at: 0.3 });
  assert.equal(await before(), "First the ");
  await page.close();
});

test("what was read is found again, whatever it is interspersed with", async () => {
  const page = await browser.visit(site.url("alfa/marks"));
  const { text } = await read(panel, "/marks");
  assert.equal(text, "The harbour of Nessel is closed for three\nweeks, as 210 people heard.".replace("of Nessel", "of\u00a0Nessel"));
  assert.equal(await show(panel, "/marks", { sentence: text }), "highlighted");
  assert.equal((await marked(page)).text.replace(/[\s\u00ad\u200b]+/g, " ").replace(/ /g, ""), "TheharbourofNesselisclosedforthreeweeks,as210peopleheard.");
  await page.close();
});

test("a sentence in a frame of the same site", async () => {
  const page = await browser.visit(site.url("alfa/frames"));
  const { text } = await read(panel, "/frames");
  assert.ok(text.includes(story.en[2]));
  assert.equal(await show(panel, "/frames", { sentence: story.en[2] }), "highlighted");
  const frame = page.frames().find((one) => one.url().includes("inner"));
  assert.equal((await marked(frame)).text, story.en[2]);
  assert.equal((await marked(page)).count, 0);
  await page.close();
});

test("what frames of another site say is not the page's, nor marked in its name", async () => {
  const page = await browser.visit(site.url("alfa/embedding"));
  const { text } = await read(panel, "/embedding");
  assert.ok(text.includes(filler[3]) && !text.includes(story.en[2]), text);
  assert.equal(await show(panel, "/embedding", { sentence: story.en[2] }), "changed");
  assert.equal((await marked(page.frames().find((one) => one.url().includes("bravo")))).count, 0);
  await page.close();
  // Sandboxed frames have no origin, whatever their address.
  const hollow = await browser.visit(site.url("alfa/hollow"));
  assert.equal((await read(panel, "/hollow")).reason, "framed");
  // A selection there is quoted as its own site's.
  await hollow.frames().find((one) => one.url().includes("bravo")).evaluate(() => getSelection().selectAllChildren(document.querySelector("article p:last-of-type")));
  const [id] = await tabs(panel, "/hollow");
  const selected = await panel.evaluate((id) => cerasum.readSelection(id), id);
  assert.deepEqual([selected.title, selected.tab.host, selected.tab.url], ["Inner | The Site", "bravo.test", site.url("bravo/inner")]);
  assert.equal(await show(panel, "/hollow", { url: selected.tab.url, sentence: selected.text }), "highlighted");
  await hollow.close();
});

test("a quote that no reader sees any more says so", async () => {
  const page = await browser.visit(site.url("alfa/late"));
  assert.equal(await show(panel, "/late", { sentence: story.en[1] }), "highlighted");
  await page.evaluate(() => (document.getElementById("it").style.display = "none"));
  assert.equal(await show(panel, "/late", { sentence: story.en[1] }), "unseen");
  assert.equal((await marked(page)).count, 0);
  await page.close();
});

test("what is folded away is not opened", async () => {
  const page = await browser.visit(site.url("alfa/folded"));
  assert.equal(await show(panel, "/folded", { sentence: story.en[0] }), "unseen");
  assert.equal(await page.evaluate(() => document.querySelector("details").open), false);
  await page.close();
});

again("every sentence of the sites is found where it was read", async () => {
  for (const place of Object.keys(sites).slice(0, count(2, 5))) {
    const end = `/${place.split("/")[1]}`;
    const page = await browser.visit(site.url(place));
    const { text } = await read(panel, end);
    const paragraphs = text.split("\n\n");
    for (const sentence of paragraphs) assert.equal(await show(panel, end, { sentence }), "highlighted", sentence);
    assert.equal((await marked(page)).text, paragraphs.at(-1));
    await page.close();
  }
});

test("where scripts may not run the page is opened at the sentence", async () => {
  const page = await browser.visit(site.url("zulu/page"));
  // The tests' hosts are granted for good: a refusal is what executeScript says then.
  await panel.evaluate(() => {
    globalThis.real = chrome.scripting.executeScript;
    chrome.scripting.executeScript = async () => { throw new Error("Cannot access contents of the page. Extension manifest must request permission to access the respective host."); };
  });
  const opened = browser.context.waitForEvent("page");
  assert.equal(await show(panel, "/page", { sentence: story.en[3] }), "fragment");
  await panel.evaluate(() => { chrome.scripting.executeScript = globalThis.real; });
  const beside = await opened;
  await beside.waitForFunction(() => scrollY > 500);
  assert.equal(beside.url().replace(/#.*/, ""), page.url());
  assert.equal(await page.evaluate(() => scrollY), 0, "the reader's own page stays as it is");
  await beside.close();
  await page.close();
});

test("a tab that has gone, one that shows something else by now, one that was put away", async () => {
  const page = await browser.visit(site.url("alfa/harbour"));
  const [id] = await tabs(panel, "/harbour");
  const go = () => panel.evaluate(async ([id, sentence, url]) => cerasum.showSentence({ tabId: id, url, sentence, before: "", after: "", at: 0 }), [id, story.en[0], site.url("alfa/harbour")]);
  await page.goto(site.url("bravo/news"));
  assert.equal(await go(), "changed");
  await page.goto(site.url("alfa/harbour"));
  await panel.bringToFront();
  await until(panel, async () => (await chrome.tabs.getCurrent()).active);
  await panel.evaluate((id) => chrome.tabs.discard(id), id);
  assert.equal(await go(), "highlighted");
  for (const one of await tabs(panel, "/harbour")) await panel.evaluate((one) => chrome.tabs.remove(one), one);
  assert.equal(await go(), "gone");
});

again("the extension has made no network request", () => {
  assert.deepEqual(browser.log, []);
});
