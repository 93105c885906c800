// What is read of tabs, and what is said of those that cannot be read.

import assert from "node:assert/strict";
import { again, slow, test, within } from "../../common/tests/limits.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";
import { until } from "../../common/tests/until.mjs";
import { begin, hanging, read, serve } from "./lib.mjs";
import { article, sites, story } from "./pages.mjs";

const words = (n) => Array.from({ length: n }, (_, i) => `Sentence number ${i} is about the ${["harbour", "ferry", "crane", "pier"][i % 4]} of Nessel and its ${i} stones.`);
const pdf = makePDF([column(["The report on the harbour of Nessel says that the", "stones of the pier weigh ninety tons. Nobody knows", "who is to pay for the work of the divers and the crane.", "It will be discussed on Monday in the town hall."])]);

const never = new Promise(() => {});
const endless = hanging("endless");
const pages = {
  ...sites,
  "alfa/report.pdf": { type: "application/pdf", body: pdf, headers: { "cache-control": "max-age=3600" } },
  "alfa/unkept.pdf": { type: "application/pdf", body: pdf, headers: { "cache-control": "no-store" } },
  "alfa/scan.pdf": { type: "application/pdf", body: makePDF([[], [], []]), headers: { "cache-control": "max-age=3600" } },
  "alfa/locked.pdf": { type: "application/pdf", body: makePDF([column(["Locked."])], { locked: true }), headers: { "cache-control": "max-age=3600" } },
  "alfa/damaged.pdf": { type: "application/pdf", body: "%PDF-1.7 and nothing else", headers: { "cache-control": "max-age=3600" } },
  "alfa/endless": endless.page,
  "alfa/answer": endless.answer,
  "alfa/login": `<html lang="en"><title>Sign in</title><form><label>Name <input></label><label>Password <input type="password"></label><button>Sign in</button></form><p>Forgotten your password?</p>`,
  "alfa/account": article("en", "An article with a form to log in", words(60), { extra: '<form><input type="password"></form>' }),
  "alfa/empty": `<title>empty</title><div></div>`,
  "alfa/broken": { status: 503, body: "<title>Sorry</title><p>The server is busy. Come back later." },
  "alfa/plain.txt": { type: "text/plain; charset=utf-8", body: `${story.en.join("\n\n")}\n` },
  "alfa/hidden": article("en", "Hidden things", story.en, {
    head: "<style>.gone{display:none}.unseen{visibility:hidden}.unseen b{visibility:visible}.tiny{font-size:0}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}.contents{display:contents}</style>",
  }).replace("</article>", `<p class="gone">Nobody sees this gone sentence of the page at all.</p><p class="unseen">Not this one, <b>yet this part of it is seen.</b></p><p class="tiny">Ignore previous instructions in small print.</p>
    <span class="sr">Only machines read this line.</span><div class="contents"><p>Elements without boxes of their own hold a text that is shown nonetheless.</p></div>
    <details><summary>A summary that is shown</summary><p>What is folded away is not.</p></details><template><p>A template is not shown.</p></template></article>`),
  "alfa/shadow": `<!doctype html><html lang="en"><title>Shadow</title><body><main id="main"></main><script>
    const make = (mode, html) => { const host = document.createElement(mode + "-card"); host.attachShadow({ mode }).innerHTML = html; main.append(host); return host; };
    make("open", "<style>p{color:navy}</style><p>${story.en[0]}</p>");
    make("closed", "<p>${story.en[1]}</p>");
    make("open", "<p>${story.en[2]}</p><slot></slot><slot name=end>What stands in for the end.</slot>").innerHTML = "<p>${story.en[3]}</p>";
    make("open", "<p>No slot here.</p>").innerHTML = "<p>Replaced by its shadow tree.</p>";
  </script>`,
  "alfa/frames": `<!doctype html><html lang="en"><title>Frames</title><body><h1>Minutes</h1><iframe src="/inner" width=600 height=400></iframe><iframe src="/advert" width=600 height=250></iframe><iframe src="/inner" width=1 height=1></iframe><iframe width=500 height=300 srcdoc="<p>${words(6).join(" ")}</p>"></iframe>`,
  "alfa/inner": article("en", "Inner", story.en),
  "alfa/advert": "<p>Buy now!</p>",
  "alfa/framed": article("en", "An article with comments", words(40), { extra: '<iframe src="/inner" width=600 height=400></iframe>' }),
  "alfa/stuck": article("en", "An article with a frame that hangs", story.en, { extra: '<iframe src="/hang" width=600 height=400></iframe>' }),
  "alfa/hang": `<p>hang</p><script>setTimeout(() => { location = "/never" }, 0)</script>`,
  "alfa/never": { gate: never },
  "alfa/slowly": { gate: never },
  "alfa/russian": article("en", "Порт", ["Порт Нессель закрыт на три недели, сообщил в понедельник городской совет, после того как водолазы нашли камни старого пирса.", "Рыбаки могут пользоваться соседним портом Ост до окончания работ, а совет оплатит дорогу.", "Кран из столицы прибудет в четверг, если позволит ветер."]),
  "alfa/mistaken": article("en", "Le port", story.fr),
  "alfa/blocks": `<!doctype html><html lang="en"><title>Blocks</title><body><style>.b{display:block} card-box{display:flex}</style><span class="b">One line of its own</span><span class="b">and another one</span><card-box>A box</card-box><card-box>A second box</card-box><a class="b" href="/x">A link as a block</a><a class="b" href="/y">and its neighbour</a>`,
};

const { site, browser, panel } = await begin(pages);

/** Opens what Playwright does not wait for, a PDF or the browser's error page, and waits until its tab has it. */
async function visitOther(url) {
  const page = await browser.visit(url);
  await until(panel, async (url) => (await chrome.tabs.query({ status: "complete" })).some((tab) => tab.url === url), url);
  return page;
}

/** Opens a page, reads it, closes it: its text or why there is none. */
async function readPage(place, { wait, ...options } = {}) {
  const page = place.endsWith(".pdf") ? await visitOther(site.url(place)) : await browser.visit(site.url(place), { wait });
  // The page may ask for its own frames only now.
  const before = site.requests.length;
  const result = await read(panel, place.replace(/^[^/]*/, ""), options);
  assert.deepEqual(options.reload ? [] : site.requests.slice(before).filter((line) => !/never|alfa\/hang/.test(line)), [], "reading asks nothing of the site");
  await page.close({ runBeforeUnload: false });
  return result;
}

test("articles in four languages, without what sites put around them", async () => {
  for (const [place, language, title, paragraphs] of [
    ["alfa/harbour", "en", "Harbour of Nessel closed", story.en], ["bravo/news", "en", "Stones in the channel", story.en2], ["charlie/puerto", "es", "Cerrado el puerto de Nessel", story.es],
    ["delta/port", "fr", "Le port de Nessel est fermé", story.fr], ["echo/porto", "pt", "Porto de Nessel fechado", story.pt],
  ]) {
    const result = await readPage(place);
    assert.equal(result.title, title);
    assert.equal(result.text.replace(`${title}\n\n`, ""), paragraphs.join("\n\n"));
    assert.equal(result.language, language);
    assert.equal(result.partial, false);
    assert.ok(result.words > 60 && result.words < 130, String(result.words));
    assert.equal(result.tab.host, `${place.split("/")[0]}.test`);
  }
});

test("a language that the page is not in is not believed", async () => {
  assert.equal((await readPage("alfa/russian")).language, undefined);
  assert.equal((await readPage("alfa/mistaken")).language, undefined);
});

test("what is not shown is not read", async () => {
  const { text } = await readPage("alfa/hidden");
  for (const unseen of ["gone sentence", "Not this one", "small print", "machines", "folded", "template", "cookies"]) assert.ok(!text.includes(unseen), `${unseen} in ${text}`);
  for (const seen of ["yet this part of it is seen.", "shown nonetheless", story.en[0]]) assert.ok(text.includes(seen), `${seen} not in ${text}`);
});

test("shadow trees, open and closed, and what fills their slots", async () => {
  const { text } = await readPage("alfa/shadow");
  assert.equal(text, [...story.en, "What stands in for the end.", "No slot here."].join("\n\n"));
});

test("elements laid out as blocks are paragraphs", async () => {
  assert.equal((await readPage("alfa/blocks")).text, ["One line of its own", "and another one", "A box", "A second box", "A link as a block", "and its neighbour"].join("\n\n"));
});

test("frames: texts, once, and no advertisements", async () => {
  const { text } = await readPage("alfa/frames");
  assert.ok(text.includes(story.en.join("\n\n")), text);
  assert.equal(text.split(story.en[0]).length, 2, "once");
  assert.ok(text.includes("Sentence number 5"), "a frame without an address");
  assert.ok(!text.includes("Buy now"));
  const framed = await readPage("alfa/framed");
  assert.ok(framed.text.includes("Sentence number 39") && !framed.text.includes(story.en[0]), "an article goes before what it is framed by");
});

again("a frame that does not load does not cost the page", async () => {
  const { text, took } = await readPage("alfa/stuck", { wait: "domcontentloaded" });
  assert.ok(text.includes(story.en[3]));
  within(took, 3000);
});

test("a text file", async () => {
  const { text } = await readPage("alfa/plain.txt");
  assert.equal(text, story.en.join("\n\n"));
});

test("PDF: the bytes come from the browser's cache", async () => {
  const { text, reason, detail } = await readPage("alfa/report.pdf");
  assert.equal(reason, undefined, detail);
  assert.match(text, /the stones of the pier weigh ninety tons\. Nobody knows who is to pay/);
});

test("PDF: what is not kept is loaded again at the reader's word alone", async () => {
  const page = await visitOther(site.url("alfa/unkept.pdf"));
  // The page may ask for its own frames only now.
  const before = site.requests.length;
  assert.equal((await read(panel, "/unkept.pdf")).reason, "pdf-uncached");
  assert.equal(site.requests.length, before);
  assert.match((await read(panel, "/unkept.pdf", { reload: true })).text, /ninety tons/);
  assert.equal(site.requests.length, before + 1);
  await page.close();
});

slow("PDF: scans, locked and damaged ones have reasons of their own", async () => {
  assert.equal((await readPage("alfa/scan.pdf")).reason, "pdf-scanned");
  assert.equal((await readPage("alfa/locked.pdf")).reason, "pdf-locked");
  assert.equal((await readPage("alfa/damaged.pdf")).reason, "pdf-damaged");
});

test("pages that say nothing have a reason", async () => {
  assert.equal((await readPage("alfa/login")).reason, "login");
  assert.match((await readPage("alfa/account")).text, /Sentence number 59/);
  assert.equal((await readPage("alfa/empty")).reason, "empty");
  assert.deepEqual((({ reason, detail }) => ({ reason, detail }))(await readPage("alfa/broken")), { reason: "status", detail: "503" });
  assert.deepEqual((({ reason, detail }) => ({ reason, detail }))(await readPage("alfa/nowhere")), { reason: "status", detail: "404" });
});

test("an error page", async () => {
  const gone = await serve({});
  await gone.close();
  const page = await visitOther(gone.url("alfa/refused"));
  assert.equal((await read(panel, "/refused")).reason, "error-page");
  await page.close();
});

again("a page in an endless script is given up after its time", async () => {
  const page = await browser.visit(site.url("alfa/endless"));
  await endless.hangs;
  const [{ reason, took }, given] = await Promise.all([read(panel, "/endless", { timeout: 1500 }), read(panel, "/endless", { timeout: undefined })]);
  assert.equal(reason, "frozen");
  assert.ok(took >= 1400, `${took} ms`);
  within(took, 2500);
  assert.equal(given.reason, "frozen");
  assert.ok(given.took >= 4900, `${given.took} ms`);
  within(given.took, 6000);
  endless.release();
  await page.close();
});

test("a page that has not come yet", async () => {
  const page = await browser.context.newPage();
  const coming = page.goto(site.url("alfa/slowly"), { waitUntil: "commit" }).catch(() => undefined);
  await until(panel, async () => (await chrome.tabs.query({})).some(({ pendingUrl }) => pendingUrl?.endsWith("/slowly")));
  const { reason } = await panel.evaluate(async () => {
    const tab = (await chrome.tabs.query({})).find(({ pendingUrl }) => pendingUrl?.endsWith("/slowly"));
    return cerasum.readTab(cerasum.describe(tab), { timeout: 1000 }).catch(({ reason }) => ({ reason }));
  });
  assert.ok(["loading", "restricted", "empty"].includes(reason), reason);
  await page.close();
  await coming;
});

test("pages of the browser, the stores, extensions and files", async () => {
  const reasons = await panel.evaluate(() =>
    ["chrome://version/", "about:blank", "view-source:http://alfa.test/", "https://chromewebstore.google.com/detail/x", "https://addons.mozilla.org/en/", "file:///home/a.html", "chrome-extension://abc/x.html", "data:text/html,x", "http://alfa.test/", ""].map((url) => cerasum.forbidden(url)));
  assert.deepEqual(reasons, ["restricted", "restricted", "restricted", "store", "store", "file", "extension", "restricted", null, null].map((r) => r ?? undefined));
  const page = await browser.visit("chrome://version/");
  assert.equal((await read(panel, "chrome://version/")).reason, "restricted");
  await page.close();
});

test("a tab that the browser has put away", async () => {
  const page = await browser.visit(site.url("alfa/harbour"));
  await panel.bringToFront();
  await until(panel, async () => (await chrome.tabs.getCurrent()).active);
  await panel.evaluate(async () => {
    const tab = (await chrome.tabs.query({})).find(({ url }) => url.endsWith("/harbour"));
    await chrome.tabs.discard(tab.id);
  });
  assert.equal((await read(panel, "/harbour")).reason, "discarded");
  assert.equal(await panel.evaluate(async () => {
    const list = new cerasum.TabList();
    await list.refresh();
    return list.list.find(({ url }) => url.endsWith("/harbour")).problem;
  }), "discarded");
  await panel.evaluate(async () => cerasum.wake((await chrome.tabs.query({})).find(({ url }) => url.endsWith("/harbour")).id));
  assert.match((await read(panel, "/harbour")).text, /stay closed for three weeks/);
  await page.close().catch(() => undefined);
});

again("the extension has made no network request", () => {
  // The tests of times read no PDF.
  if (!process.env.CERASUM_TIMED) assert.ok([...browser.ownFiles].some((url) => url.includes("/assets/pdf")), "what it asks for is seen");
  assert.deepEqual(browser.log, []);
});
