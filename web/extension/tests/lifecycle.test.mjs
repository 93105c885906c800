// The browser stops the background script when it likes, tabs come and go
// while they are read, there are many of them; nothing is lost or mixed up.

import assert from "node:assert/strict";
import { again, count, test, within } from "../../common/tests/limits.mjs";
import { eventually, until } from "../../common/tests/until.mjs";
import { begin, hanging, read, sleep } from "./lib.mjs";
import { article, sites, story } from "./pages.mjs";

const filler = Array.from({ length: 40 }, (_, i) => `Paragraph ${i} stands here so that the page is longer than the window, and it says nothing that is said elsewhere.`);
const pages = {
  ...sites,
  ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`host${i % 5}/tab${i}`, article("en", `Tab ${i}`, [`This is what tab number ${i} says about the harbour of Nessel, and no other tab says it in these words.`, ...filler.slice(0, 6)])])),
};

const { site, browser, panel } = await begin(pages);
// The panel itself would take the requests that the tests look at.
await panel.evaluate(() => chrome.sidePanel.setOptions({ enabled: false }));

/** Stops the background script as the browser does after half a minute. */
async function stop() {
  const cdp = await browser.context.newCDPSession(panel);
  let stopped = false;
  cdp.on("ServiceWorker.workerVersionUpdated", ({ versions }) => (stopped ||= versions.some(({ runningStatus }) => runningStatus === "stopped")));
  await cdp.send("ServiceWorker.enable");
  await cdp.send("ServiceWorker.stopAllWorkers");
  await eventually(() => stopped);
  await cdp.detach();
}

/** Opens a page that hangs in a script until it is released. */
async function visitHanging() {
  const { page, answer, hangs, release } = hanging("Busy", 'addEventListener("message", hang)');
  Object.assign(pages, { "alfa/busy": article("en", "Busy", filler, { extra: page }), "alfa/answer": answer });
  const busy = await browser.visit(site.url("alfa/busy"));
  await busy.evaluate(() => void setTimeout(() => dispatchEvent(new MessageEvent("message"))));
  await hangs;
  return { busy, release };
}

const requests = () => panel.evaluate(() => cerasum.requests);
const clear = () => panel.evaluate(() => cerasum.requests.splice(0));

test("the toolbar button leaves a request for the panel of its window, once", async () => {
  await clear();
  const start = Date.now();
  const page = await browser.visit(site.url("alfa/harbour"));
  await browser.trigger(site.url("alfa/harbour"));
  await panel.waitForFunction(() => cerasum.requests.length > 0);
  await sleep(300);
  const [request, ...others] = await requests();
  assert.deepEqual(others, []);
  const tab = await panel.evaluate(async () => (await chrome.tabs.query({})).find(({ url }) => url.endsWith("/harbour")));
  assert.deepEqual({ ...request, at: 0 }, { kind: "tabs", tabId: tab.id, windowId: tab.windowId, at: 0 });
  assert.ok(start <= request.at && request.at <= Date.now());
  assert.deepEqual(await panel.evaluate(async () => Object.keys(await chrome.storage.session.get()).filter((key) => key.startsWith("request"))), []);
  await page.close();
});

test("shortcuts and the context menu ask for what they say", async () => {
  const page = await browser.visit(site.url("alfa/harbour"));
  await clear();
  const worker = browser.context.serviceWorkers().at(-1);
  const tabId = await worker.evaluate(async () => {
    const tab = (await chrome.tabs.query({})).find(({ url }) => url.endsWith("/harbour"));
    // As the browser does; without a gesture of the reader's the panel does not open.
    chrome.contextMenus.onClicked.dispatch({ menuItemId: "selection", selectionText: "for three weeks", editable: false }, tab);
    return tab.id;
  });
  await panel.waitForFunction(() => cerasum.requests.length === 1);
  for (const [event, what] of [["onCommand", "summarize-page"], ["onCommand", "summarize-selection"], ["onCommand", "unknown"], ["menu", "tabs"], ["menu", "page"]]) {
    const before = (await requests()).length;
    await worker.evaluate(async ([event, what]) => {
      const tab = (await chrome.tabs.query({})).find(({ url }) => url.endsWith("/harbour"));
      if (event === "menu") chrome.contextMenus.onClicked.dispatch({ menuItemId: what, editable: false }, tab);
      else chrome.commands.onCommand.dispatch(what, tab);
    }, [event, what]);
    if (what !== "unknown") await panel.waitForFunction((before) => cerasum.requests.length > before, before);
  }
  assert.deepEqual((await requests()).map(({ kind, text }) => [kind, text ?? ""]), [["selection", "for three weeks"], ["page", ""], ["selection", ""], ["tabs", ""], ["page", ""]]);
  assert.ok((await requests()).every((request) => request.tabId === tabId));
  // A selection in a frame of another site says whose it is. Other frames are asked: one of the same host may be sandboxed.
  const frames = [{ frameId: 5, frameUrl: "https://elsewhere.test/inner" }, { frameId: 5, frameUrl: "about:srcdoc" }, { frameId: 5, frameUrl: new URL("/inner", page.url()).href }, { frameId: 5 }, { frameId: 0 }];
  for (const frame of frames) {
    const before = (await requests()).length;
    await worker.evaluate(async (frame) => {
      const tab = (await chrome.tabs.query({})).find(({ url }) => url.endsWith("/harbour"));
      chrome.contextMenus.onClicked.dispatch({ menuItemId: "selection", selectionText: "for three weeks", ...frame, pageUrl: tab.url, editable: false }, tab);
    }, frame);
    await panel.waitForFunction((before) => cerasum.requests.length > before, before);
  }
  assert.deepEqual((await requests()).slice(-5).map(({ text, from }) => [text, from]), [
    ["for three weeks", "https://elsewhere.test/inner"], [undefined, undefined], [undefined, undefined], [undefined, undefined], ["for three weeks", undefined],
  ]);
  // What is selected in the page is read in full, with its paragraphs.
  await page.evaluate(() => getSelection().selectAllChildren(document.querySelector("article")));
  const selected = await panel.evaluate((id) => cerasum.readSelection(id), tabId);
  assert.ok(selected.text.includes(story.en[0]) && selected.text.includes(story.en[3]));
  assert.equal(selected.language, "en");
  await page.evaluate(() => getSelection().removeAllRanges());
  assert.equal(await panel.evaluate((id) => cerasum.readSelection(id).catch(({ reason }) => reason), tabId), "empty");
  await page.close();
});

test("a request waits for a panel that opens later; one that is old does not", async () => {
  const wait = async (at) => {
    await panel.evaluate(async (at) => {
      const { id } = await chrome.windows.getCurrent();
      globalThis.before = cerasum.requests.length;
      const tabId = (await chrome.tabs.getCurrent()).id;
      await chrome.storage.session.set({ [`request:${id + 1000}`]: { kind: "page", tabId, windowId: id + 1000, at } });
      return id;
    }, at);
    assert.equal(await panel.evaluate(() => cerasum.requests.length - before), 0, "that of another window is left alone");
    // As if it had been left before the panel opened.
    const other = await browser.open("manifest.json");
    await panel.goto("about:blank");
    await other.evaluate(async (at) => {
      const { id } = await chrome.windows.getCurrent();
      await chrome.storage.session.set({ [`request:${id}`]: { kind: "page", tabId: 7, windowId: id, at } });
    }, at).catch(() => undefined);
    await other.close();
    await panel.goto(`${browser.origin}/tests/harness/harness.html`);
    await panel.waitForFunction(() => "cerasum" in globalThis);
    await sleep(300);
  };
  await wait(Date.now());
  await panel.waitForFunction(() => cerasum.requests.length > 0);
  assert.deepEqual((await requests()).map(({ kind, tabId }) => [kind, tabId]), [["page", 7]]);
  await wait(Date.now() - 120_000);
  assert.deepEqual(await requests(), []);
});

test("it works on after the background script was stopped", async () => {
  const page = await browser.visit(site.url("alfa/harbour"));
  await clear();
  await stop();
  await browser.trigger(site.url("alfa/harbour"));
  await panel.waitForFunction(() => cerasum.requests.length > 0);
  await clear();
  // In the middle of reading, too.
  const { busy, release } = await visitHanging();
  const reading = read(panel, "/busy");
  await stop();
  release();
  assert.match((await reading).text, /Paragraph 39 stands/);
  await busy.close();
  await page.close();
});

test("a tab that is closed, or goes elsewhere, while it is read", async () => {
  for (const act of [(page) => page.close(), (page) => page.goto(site.url("bravo/news"))]) {
    const { busy, release } = await visitHanging();
    const reading = read(panel, "/busy");
    // The reading has found its tab before this is answered.
    await panel.evaluate(() => chrome.tabs.query({}));
    await act(busy);
    release();
    const { reason, text } = await reading;
    assert.equal(text, undefined);
    assert.equal(reason, "gone");
    await busy.close();
  }
});

again("reading can be cancelled", async () => {
  const { busy, release } = await visitHanging();
  const [outcome, took] = await panel.evaluate(async () => {
    const tab = (await chrome.tabs.query({})).find(({ url }) => url.endsWith("/busy"));
    const control = new AbortController();
    setTimeout(() => control.abort(new Error("enough")), 50);
    const began = performance.now();
    return cerasum.readTab(cerasum.describe(tab), { signal: control.signal }).then(() => ["read"], (error) => [error.message, performance.now() - began]);
  });
  assert.equal(outcome, "enough");
  within(took, 1000);
  release();
  await busy.close();
});

test("the list of tabs follows what happens to them", async () => {
  await panel.evaluate(async () => {
    globalThis.list = new cerasum.TabList();
    globalThis.changes = 0;
    list.addEventListener("change", () => changes++);
    await list.refresh();
  });
  const listed = (end) => panel.waitForFunction((end) => list.list.find(({ url }) => url.endsWith(end)), end).then((handle) => handle.jsonValue());
  const page = await browser.visit(site.url("delta/port"));
  await panel.waitForFunction(() => list.list.some(({ url, problem }) => url.endsWith("/port") && problem === undefined));
  const tab = await listed("/port");
  assert.equal(tab.title, "Le port de Nessel est fermé | The Site");
  assert.equal(tab.host, "delta.test");
  assert.match(tab.favicon, /^chrome-extension:\/\/[a-z]+\/_favicon\/\?pageUrl=http/);
  await page.goto(site.url("echo/porto"));
  await listed("/porto");
  await page.close();
  await panel.waitForFunction(() => !list.list.some(({ url }) => url.endsWith("/porto")));
  const changes = await panel.evaluate(() => changes);
  await panel.evaluate(() => list.refresh());
  assert.equal(await panel.evaluate(() => changes), changes, "what has not changed is not told");
});

again("many tabs, side by side, none taken for another", async () => {
  const many = count(10, 60);
  const opened = await panel.evaluate(async (urls) => {
    const made = [];
    for (const url of urls) made.push((await chrome.tabs.create({ url, active: false })).id);
    return made;
  }, Array.from({ length: many }, (_, i) => site.url(`host${i % 5}/tab${i}`)));
  await until(panel, async (ids) => (await Promise.all(ids.map((id) => chrome.tabs.get(id)))).every(({ status }) => status === "complete"), opened);
  const { results, took } = await panel.evaluate(async (ids) => {
    const began = performance.now();
    const results = await Promise.all(ids.map(async (id) => cerasum.readTab(cerasum.describe(await chrome.tabs.get(id)), { timeout: 15_000 }).catch((error) => ({ text: String(error) }))));
    return { results: results.map(({ text, title }) => ({ text, title })), took: performance.now() - began };
  }, opened);
  results.forEach(({ text, title }, i) => {
    assert.ok(text.includes(`what tab number ${i} says`), `${i}: ${text}`);
    assert.equal(title, `Tab ${i}`);
  });
  console.log(`# ${many} tabs read in ${Math.round(took)} ms`);
  await panel.evaluate((ids) => chrome.tabs.remove(ids), opened);
});

test("the side panel opens at the toolbar button", async () => {
  await panel.evaluate(() => chrome.sidePanel.setOptions({ enabled: true, path: "panel.html" }));
  const page = await browser.visit(site.url("bravo/news"));
  await browser.trigger(site.url("bravo/news"));
  await until(panel, async () => (await chrome.runtime.getContexts({ contextTypes: ["SIDE_PANEL"] })).length === 1);
  await page.close();
});

again("the extension has made no network request", () => {
  assert.deepEqual(browser.log, []);
});
