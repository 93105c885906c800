// What the page keeps: nothing, unless the reader asks for it, but for the options
// of the summary, which a tab remembers until it is closed.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { again, count, slow, test } from "../../common/tests/limits.mjs";
import { eventually, until } from "../../common/tests/until.mjs";
import { begin, loadSample, open, paste, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const titles = (page) => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
/** All that a page can leave behind, but for the program itself. */
const left = (page) => page.evaluate(async () => ({
  local: Object.keys(localStorage).sort(),
  session: Object.keys(sessionStorage),
  databases: (await indexedDB.databases()).map(({ name }) => name),
  caches: (await caches.keys()).filter((name) => !/^cerasum http\S+ (program|later) /.test(name)),
  cookies: document.cookie,
}));
const nothing = { local: [], session: [], databases: [], caches: [], cookies: "" };
/** The records of the database. */
const records = (page) => page.evaluate(() => new Promise((resolve, reject) => {
  const request = indexedDB.open("cerasum-kept");
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction("documents").objectStore("documents").getAll();
    all.onsuccess = () => (request.result.close(), resolve(all.result.map(({ title }) => title).sort()));
  };
}));
/** Waits until the settings that are kept are as wanted. */
const keptSettings = (page, holds) => eventually(async () => holds(await page.evaluate(() => new Promise((resolve, reject) => {
  const request = indexedDB.open("cerasum-kept");
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const now = request.result.transaction("session").objectStore("session").get("now");
    now.onsuccess = () => (request.result.close(), resolve(now.result?.settings ?? {}));
  };
}))), holds);
const turn = async (page, on) => {
  await page.click("#privacy");
  await page.setChecked("#keep", on);
  await page.waitForFunction((on) => document.getElementById("keep-more").textContent.startsWith(on ? "Stored on this device" : "While this is off"), on);
  if (!on) await until(page, async () => (await indexedDB.databases()).length === 0);
  await page.keyboard.press("Escape");
};
const kept = async (page, count) => {
  for (let i = 0; i < 1200; i++) {
    if ((await records(page)).length === count) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`${await records(page)} are kept, not ${count}`);
};

test("nothing is stored unless the reader asks: documents, settings, colours, language; the tab remembers method, order and licence", async () => {
  const { page, context, log } = await open(browser, server.url, { serviceWorkers: "allow" });
  // From a version that kept it unasked.
  await page.evaluate(() => localStorage.setItem("cerasum-theme", "dark"));
  await page.reload();
  assert.equal(await page.getAttribute("html", "data-theme"), null);
  await loadSample(page, "mixed");
  await page.click("#theme");
  await page.selectOption("#language", "fr");
  await page.waitForFunction(() => document.documentElement.lang === "fr");
  await summarized(page, () => page.fill("#budget-number", "60"));
  await page.waitForTimeout(600);
  assert.deepEqual(await left(page), nothing);

  const options = () => page.evaluate(() => ({
    method: document.getElementById("method").value,
    order: document.querySelector('input[name="order"]:checked').value,
    ...(document.getElementById("any-licence").checked && { licence: "any" }),
  }));
  const become = (want) => eventually(async () => isDeepStrictEqual(await options(), want), JSON.stringify(want));
  const usual = await options();
  const chosen = { method: "lexrank", order: "rank", licence: "any" };
  await page.fill("#question", "Who left?");
  await page.check('input[name="view"][value="text"]');
  await page.check('input[name="order"][value="rank"]');
  await page.check("#any-licence");
  await page.selectOption("#method", "lexrank");
  assert.deepEqual(await options(), chosen);
  assert.deepEqual(await left(page), { ...nothing, session: ["cerasum-options"] });
  assert.deepEqual(JSON.parse(await page.evaluate(() => sessionStorage.getItem("cerasum-options"))), chosen);
  await page.reload();
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.equal(await page.isVisible(".hero"), true);
  await become(chosen);
  assert.equal(await page.inputValue("#question"), "");
  // What is stored is checked.
  await page.evaluate((chosen) => sessionStorage.setItem("cerasum-options", JSON.stringify({ ...chosen, licence: "mine" })), chosen);
  await page.reload();
  await page.waitForSelector("#method option[value=lexrank]", { state: "attached" });
  await become(usual);

  const other = await context.newPage();
  await other.goto(server.url);
  assert.deepEqual(await left(other), nothing);
  assert.deepEqual(log, []);
  await context.close();
});

test("asked for, documents, settings, colours and language are there at the next visit; turned off, all is deleted at once", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await page.click("#theme");
  const theme = await page.getAttribute("html", "data-theme");
  await turn(page, true);
  await summarized(page, () => paste(page, "The ferry was late. Nobody on the quay knew why.", "Ferry"));
  await summarized(page, () => page.click("#document-list > li:nth-child(1) .remove"));
  await summarized(page, () => page.check('input[name="order"][value="rank"]'));
  await summarized(page, () => page.selectOption("#method", "lexrank"));
  await summarized(page, () => page.fill("#budget-number", "60"));
  const before = [await titles(page), await quotes(page)];
  await kept(page, 4);
  await keptSettings(page, ({ method, budget, order }) => method === "lexrank" && budget?.words === 60 && order === "rank");
  await page.close();

  const next = await context.newPage();
  await next.goto(server.url);
  await next.waitForFunction(() => /Restored from your last visit: 4 documents\./.test(document.getElementById("toast").textContent));
  await next.waitForFunction(() => document.querySelectorAll("#quotes .quote").length > 0 && document.getElementById("quotes").getAttribute("aria-busy") === "false");
  assert.deepEqual([await titles(next), await quotes(next)], before);
  assert.equal(await next.inputValue("#method"), "lexrank");
  assert.equal(await next.isChecked('input[name="order"][value="rank"]'), true);
  assert.equal(await next.getAttribute("html", "data-theme"), theme);
  await next.selectOption("#language", "pt");
  await next.waitForFunction(() => document.documentElement.lang === "pt");
  await next.reload();
  await next.waitForFunction(() => document.documentElement.lang === "pt" && document.querySelectorAll("#document-list > li").length === 4);
  await next.selectOption("#language", "en");
  await next.waitForFunction(() => document.documentElement.lang === "en");
  await turn(next, false);
  assert.deepEqual(await left(next), nothing);
  // What is on the page stays there, and is not kept any more.
  assert.equal((await titles(next)).length, 4);
  await next.click("#document-list > li:nth-child(1) .remove");
  await next.waitForTimeout(600);
  assert.deepEqual(await left(next), nothing);
  assert.deepEqual(log, []);
  await context.close();
});

slow("stored settings that are invalid are reset; the documents are restored", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await turn(page, true);
  await kept(page, 4);
  await page.selectOption("#method", "lexrank");
  await keptSettings(page, ({ method }) => method === "lexrank");
  await page.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open("cerasum-kept");
    request.onsuccess = () => {
      const transaction = request.result.transaction("session", "readwrite");
      const store = transaction.objectStore("session");
      store.get("now").onsuccess = ({ target: { result } }) => store.put({ ...result, settings: { ...result.settings, budget: "many" } }, "now");
      transaction.oncomplete = () => (request.result.close(), resolve());
    };
  }));
  await page.close();

  const next = await context.newPage();
  await next.goto(server.url);
  await next.waitForFunction(() => /Restored from your last visit: 4 documents\. The stored settings could not be read and have been reset\./.test(document.getElementById("toast").textContent));
  assert.equal((await titles(next)).length, 4);
  assert.equal(await next.inputValue("#method"), "auto");
  await next.click("#privacy");
  assert.match(await next.textContent("#keep-more"), /^Stored on this device/);
  // They are replaced at once.
  await keptSettings(next, ({ budget }) => typeof budget === "object");
  await next.reload();
  await next.waitForFunction(() => /Restored from your last visit: 4 documents\.$/.test(document.getElementById("toast").textContent.trim()));
  assert.deepEqual(log, []);
  await context.close();
});

slow("two tabs: neither writes over what the other has kept, and says so", async () => {
  const { page: first, context } = await open(browser, server.url);
  await loadSample(first, "en");
  await turn(first, true);
  await kept(first, 4);
  const second = await context.newPage();
  await second.goto(server.url);
  await second.waitForFunction(() => document.querySelectorAll("#document-list > li").length === 4);
  await paste(second, "The ferry was late. Nobody on the quay knew why.", "Ferry");
  await kept(second, 5);
  // The first one knows nothing of the ferry.
  await first.click("#document-list > li:nth-child(1) .remove");
  await first.waitForFunction(() => /Another tab of this page has saved other documents/.test(document.getElementById("toast").textContent));
  assert.ok((await records(first)).includes("Ferry"));
  assert.equal((await records(first)).length, 5);
  // Unless the reader wants it.
  await first.click("#privacy");
  assert.match(await first.textContent("#keep-more"), /Another tab/);
  await first.click("#keep-here");
  await kept(first, 3);
  await second.click("#document-list > li:nth-child(4) .remove");
  await second.waitForFunction(() => /Another tab of this page has saved other documents/.test(document.getElementById("toast").textContent));
  await kept(second, 3);
  // Off in one is off in the other.
  await first.uncheck("#keep");
  await until(first, async () => (await indexedDB.databases()).length === 0);
  await second.click("#document-list > li:nth-child(1) .remove");
  await second.waitForTimeout(600);
  assert.deepEqual(await left(second), nothing);
  await second.click("#privacy");
  assert.equal(await second.isChecked("#keep"), false);
  await context.close();
});

for (const [what, denied] of Object.entries({
  localStorage: () => ["localStorage", "sessionStorage"].forEach((name) => Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })),
  IndexedDB: () => { IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); }; },
})) {
  (what === "IndexedDB" ? test : slow)(`${what} is denied: a plain word, and the page goes on`, async () => {
    const { page, context, log } = await open(browser, "about:blank");
    await context.addInitScript(denied);
    await page.goto(server.url);
    await loadSample(page, "en");
    await page.click("#privacy");
    await page.click("#keep");
    await page.waitForFunction(() => /does not allow the page to store data/.test(document.getElementById("keep-more").textContent));
    assert.equal(await page.isChecked("#keep"), false);
    await page.keyboard.press("Escape");
    await summarized(page, () => page.fill("#budget-number", "60"));
    await page.click("#theme");
    assert.deepEqual(log.filter((line) => !line.startsWith("request to")), []);
    await context.close();
  });
}

again(`no room: what was kept stays, the page says so and goes on; ${count("400 kB", "20 MB")} are kept where there is room`, async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await turn(page, true);
  await kept(page, 4);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    window.room = () => (IDBObjectStore.prototype.put = put);
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given);
      // As Chromium ends a transaction for which there is no room.
      const { transaction } = this;
      Object.defineProperty(transaction, "error", { value: new DOMException("full", "QuotaExceededError") });
      request.onsuccess = () => transaction.abort();
      return request;
    };
  });
  await page.click("#document-list > li:nth-child(1) .remove");
  await page.waitForFunction(() => /out of storage space/.test(document.getElementById("toast").textContent));
  assert.equal((await records(page)).length, 4);
  await page.evaluate(() => window.room());
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  const long = join(folder, "long.txt");
  writeFileSync(long, `${"ferry ".repeat(3300)}was late again today. `.repeat(count(20, 1000)));
  await page.setInputFiles("#files", long);
  for (let i = 0; i < 600 && !(await records(page)).includes("long"); i++) await page.waitForTimeout(100);
  assert.equal((await records(page)).length, 4);
  assert.ok((await records(page)).includes("long"));
  rmSync(folder, { recursive: true });
  assert.deepEqual(log, []);
  await context.close();
});
