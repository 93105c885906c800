// The panel that proves what the page says of itself: what was loaded, what
// was sent; and what is kept for use without a network.

import assert from "node:assert/strict";
import { again, count, slow, test } from "../../common/tests/limits.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";
import { begin, loadSample, open, quotes, readClosely, serve, summarized, wider } from "./lib.mjs";

const { server, browser } = await begin();

const allowed = { serviceWorkers: "allow" };
const panel = "#privacy-panel";
const listed = (page) => page.$$eval(`${panel} tbody td:first-child`, (all) => all.map((one) => one.textContent));
const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
const another = async (page, name) => {
  await page.evaluate(() => (document.querySelector("details.samples").open = true));
  await loadSample(page, name);
};

test("the panel lists every file that was asked for, and quotes the rule as it stands", async () => {
  const { page, context, log, requests } = await open(browser, server.url, allowed);
  await controlled(page);
  requests.length = 0;
  await page.goto(`${server.url}?from=a#friend`);
  await loadSample(page, "mixed");
  await readClosely(page);
  await page.click("#privacy");
  await page.waitForFunction(() => /applies to the page’s workers/.test(document.querySelector("#privacy-panel ul")?.textContent));
  const text = await page.textContent(panel);
  assert.match(text, /Sent of your texts: 0 bytes\./);
  assert.match(text, /names a file of this page and carries nothing else/);
  assert.match(text, /The list shows all requests by the page and its workers/);
  assert.equal(await page.textContent(`${panel} code`), await page.getAttribute("meta[http-equiv]", "content"));
  const files = await listed(page);
  const [, count, size] = /Loaded: (\d+) files from \S+, ([\d.]+) MB\./.exec(text);
  assert.equal(Number(count), files.length);
  assert.ok(Number(size) > 23, "the program and the encoder");
  for (const want of ["./?from=a", "early.js", "encoder/encoder.onnx", "ort/ort.wasm.min.mjs"]) assert.ok(files.includes(want), `${want}: ${files}`);
  assert.ok(files.some((file) => /^assets\/cerasum-.*\.wasm$/.test(file)), "what a worker asks for is there as well");
  // All that the browser has asked for, as the test has seen it; an icon is no request of the page.
  const asked = new Set(requests.filter((url) => !/sw\.js|\.svg|\.png|webmanifest|\.ico/.test(url)).map((url) => url.slice(server.url.length).replace(/#.*/, "")));
  assert.deepEqual([...asked].filter((path) => !files.includes(path === "" || path.startsWith("?") ? `./${path}` : path)), []);
  assert.equal(await page.isVisible(`${panel} .odd`), false);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "privacy");

  // What does more than name a file is told.
  await page.evaluate(() => fetch("./NOTICES.txt?text=mine"));
  await page.click("#privacy");
  assert.match(await page.textContent(panel), /do more than name a file of this page: 1/);
  await page.click(`${panel} .files > summary`);
  assert.deepEqual(await page.$$eval(`${panel} .odd td:first-child`, (all) => all.map((one) => one.textContent)), ["NOTICES.txt?text=mine"]);
  assert.deepEqual(log, []);
  await page.evaluate(() => fetch("https://elsewhere.example/").catch(() => undefined));
  await page.waitForFunction(() => /blocked by the browser: 1/.test(document.getElementById("privacy-panel")?.textContent));
  await context.close();
});

again("a first visit: what workers load is counted, in the footer and in the panel", async () => {
  for (const serviceWorkers of ["allow", "block"].slice(0, count(1, 2))) {
    const { page, context, log, requests } = await open(browser, server.url, { serviceWorkers });
    await loadSample(page, "mixed");
    await readClosely(page);
    await page.waitForFunction(() => Number(/([\d.]+) MB/.exec(document.getElementById("loaded").textContent)?.[1]) > 23);
    await page.click("#loaded");
    await page.waitForSelector(`${panel} tbody tr`, { state: "attached" });
    const files = await listed(page);
    for (const want of ["assets/cerasum-", "encoder/encoder.onnx", "ort/ort.wasm.min.mjs"]) assert.ok(files.some((file) => file.startsWith(want)), `${want}: ${files}`);
    assert.deepEqual(new Set(files).size, files.length, "each once");
    const asked = new Set(requests.filter((url) => !/sw\.js|\.svg|\.png|webmanifest|\.ico/.test(url)).map((url) => url.slice(server.url.length) || "./"));
    assert.deepEqual([...asked].filter((path) => !files.includes(path)), []);
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement.id), "loaded");
    assert.deepEqual(log, []);
    await context.close();
  }
});

test("without a service worker the panel says what it cannot see", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await page.click("#privacy");
  await page.waitForFunction(() => /cannot open it offline/.test(document.getElementById("privacy-panel")?.textContent));
  assert.match(await page.textContent(panel), /those of its workers that the browser reports/);
  assert.equal(await page.isVisible("#offline-get"), false);
  assert.deepEqual(log, []);
  await context.close();
});

test("a page that may ask others says so, and lists whom it asked", async () => {
  const origin = "http://news.example";
  const wide = await serve({ folder: wider, connect: origin });
  const answer = { contentType: "text/plain", headers: { "access-control-allow-origin": "*" }, body: "The ferry was late. Nobody on the quay knew why." };
  const { page, context } = await open(browser, wide.url, { routes: { [`${origin}/**`]: (route) => route.fulfill(answer) } });
  try {
    assert.equal((await page.textContent("#privacy")).trim(), "Your texts stay on this page");
    await page.evaluate((url) => fetch(url), `${origin}/ferry.txt`);
    await page.click("#privacy");
    const text = await page.textContent(panel);
    assert.ok(text.includes(`also contact ${origin}`), text);
    assert.doesNotMatch(text, /any other address/);
    assert.match(text, /Loaded from elsewhere at your request: 1 file from news\.example/);
    assert.ok((await listed(page)).includes(`${origin}/ferry.txt`));
  } finally {
    await context.close();
    await wide.close();
  }
});

slow("all kept: with the network cut and the server gone everything works, PDF and methods with weights too", async () => {
  const own = await serve({ prefix: "/some/folder/" });
  const { page, context, log } = await open(browser, own.url, allowed);
  await controlled(page);
  await page.click("#privacy");
  await page.waitForSelector("#offline-get");
  assert.match(await page.textContent("#offline-get"), /Store all of these for offline use \([\d.]+ MB\)/);
  assert.equal(await page.isVisible("#offline-delete"), false);
  await page.click("#offline-get");
  await page.waitForSelector("#offline-delete", { timeout: 60_000 });
  assert.match(await page.textContent(panel), /weights of all methods and the files for PDFs are stored/);
  assert.match(await page.textContent("#closely-get"), /\(3\d MB\)/);
  await page.click("#closely-get");
  await page.waitForSelector("#closely-delete", { timeout: 60_000 });
  await page.check("#closely-switch");
  await page.keyboard.press("Escape");
  await own.close();
  await context.setOffline(true);
  await page.reload();
  await loadSample(page, "en");
  const found = await quotes(page);
  assert.ok(found.length > 1);
  await another(page, "mixed");
  await page.waitForFunction(() => /read closely$/.test(document.getElementById("status").textContent));
  for (const method of ["bs+gs", "cera", "cerai"]) {
    await summarized(page, () => page.selectOption("#method", method));
    assert.match(await page.textContent("#status"), /read closely/, method);
    if (method.startsWith("cera")) assert.match(await page.textContent("#status"), /weights: /, method);
  }
  await page.selectOption("#language", "fr");
  await page.waitForFunction(() => document.documentElement.lang === "fr");
  await page.selectOption("#language", "en");
  const before = await page.locator("#document-list > li").count();
  await page.setInputFiles("#files", [{ name: "ferry.pdf", mimeType: "application/pdf", buffer: makePDF([column(["The ferry was late again today, as on every other day of that long winter."]), [{ text: "船は遅れた。", y: 60, japanese: true }, ...column(["Nobody on the quay knew why it was late, and nobody asked the captain."], { y: 90 })]]) }]);
  await page.waitForFunction((n) => document.querySelectorAll("#document-list > li").length === n, before + 1);
  assert.deepEqual(log, []);

  // And deleted again.
  await page.click("#privacy");
  await page.click("#closely-delete");
  await page.waitForSelector("#closely-get");
  await page.click("#offline-delete");
  await page.waitForSelector("#offline-get");
  assert.equal(await page.evaluate(async () => (await (await caches.open((await caches.keys()).find((name) => name.endsWith(" later")))).keys()).length), 0);
  await page.click("#offline-get");
  await page.waitForFunction(() => /could not be loaded/.test(document.getElementById("privacy-panel")?.textContent));
  await context.close();
});

test("storing files can be cancelled", async () => {
  const own = await serve();
  const { page, context } = await open(browser, own.url, allowed);
  await controlled(page);
  const client = await context.newCDPSession(page);
  await page.click("#privacy");
  await page.waitForSelector("#closely-get");
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 200, downloadThroughput: 2e6, uploadThroughput: -1 });
  await page.click("#closely-get");
  await page.waitForSelector("#closely-stop");
  await page.click("#closely-stop");
  await page.waitForSelector("#closely-get");
  assert.equal(await page.evaluate(() => document.activeElement.id), "closely-get");
  assert.doesNotMatch(await page.textContent(panel), /could not be loaded|no storage space/);
  await context.close();
  await own.close();
});
