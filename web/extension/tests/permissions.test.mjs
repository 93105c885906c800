// What the shipped manifest asks for, when, and what a refusal and giving back do.

import assert from "node:assert/strict";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "../../common/tests/until.mjs";
import { built, launch, serve } from "./lib.mjs";
import { sites, story } from "./pages.mjs";

const manifest = async (build) => JSON.parse(await readFile(join(built, build, "manifest.json"), "utf8"));

test("no more is asked for than agreed, and nothing of any site up front", async () => {
  const [chromium, firefox, granted] = await Promise.all([manifest("chromium"), manifest("firefox"), manifest("test")]);
  const most = ["activeTab", "scripting", "storage", "sidePanel", "contextMenus", "offscreen", "favicon"];
  for (const one of [chromium, firefox]) {
    assert.deepEqual(one.permissions.filter((name) => !most.includes(name)), []);
    assert.equal(one.host_permissions, undefined);
    assert.equal(one.content_scripts, undefined);
    assert.equal(one.externally_connectable, undefined);
    assert.equal(one.web_accessible_resources, undefined);
    assert.deepEqual(one.optional_permissions, ["tabs"]);
    const policy = one.content_security_policy.extension_pages;
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/);
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types cerasum$/);
    assert.match(policy, /connect-src 'self';/);
    assert.doesNotMatch(policy, /'unsafe-eval'|unsafe-inline|https?:|\*/);
  }
  const project = (await readFile(new URL("../../../core/VERSION", import.meta.url), "utf8")).trim();
  assert.deepEqual([chromium.version, firefox.version], Array(2).fill(project.replace(/[-+].*/, "")));
  assert.equal(chromium.version_name ?? chromium.version, project);
  // The tests' own differs in what it has been granted, and in nothing else.
  const { host_permissions, permissions, ...rest } = granted;
  const { permissions: shipped, ...own } = chromium;
  assert.deepEqual(rest, own);
  assert.deepEqual(permissions, [...shipped, "tabs"]);
  assert.deepEqual(host_permissions, ["http://*.test/*"]);
});

test("no code that is made of strings, none from elsewhere", async () => {
  const files = (await readdir(join(built, "chromium"), { recursive: true })).filter((name) => /\.(m?js|html)$/.test(name));
  assert.ok(files.length > 8);
  for (const name of files) {
    const code = await readFile(join(built, "chromium", name), "utf8");
    assert.doesNotMatch(code, /[^.\w$]eval\(|\bFunction\(["'`]|import\(["'`]https?:|importScripts\(["'`]https?:|<script[^>]*src="?https?:/, name);
  }
  assert.deepEqual(await readFile(join(built, "chromium/page/extract.js"), "utf8"), await readFile(join(built, "firefox/page/extract.js"), "utf8"));
});

test("the encoder and its runtime are in the package, no file is larger than 25 MiB, and Chromium's pages are isolated for its threads", async () => {
  for (const build of ["chromium", "firefox"]) {
    const files = await readdir(join(built, build), { recursive: true });
    assert.deepEqual(files.filter((name) => /^(encoder|ort)[\\/]/.test(name)).map((name) => name.replaceAll("\\", "/")).sort(), [
      "encoder/encoder.onnx", "encoder/vocabulary.bin", "ort/ort-wasm-simd-threaded.mjs", "ort/ort-wasm-simd-threaded.wasm", "ort/ort.wasm.min.mjs",
    ]);
    for (const name of files) assert.ok((await stat(join(built, build, name))).size <= 25 << 20, name);
    assert.match(await readFile(join(built, build, "NOTICES.txt"), "utf8"), /^onnxruntime-web$/m);
    const { cross_origin_embedder_policy: embedder, cross_origin_opener_policy: opener } = JSON.parse(await readFile(join(built, build, "manifest.json"), "utf8"));
    assert.deepEqual([embedder?.value, opener?.value], build === "chromium" ? ["require-corp", "same-origin"] : [undefined, undefined]);
  }
  assert.equal(await panel.evaluate(() => crossOriginIsolated), true);
});

// The page for tests is not shipped: the shipped manifest gets it in a copy.
let site, browser, panel;
before(async () => {
  site = await serve(sites);
  browser = await launch("test", { manifest: await manifest("chromium") });
  panel = await browser.open();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Puts the browser's prompt, which nobody can answer here, in the hands of the test. */
const answer = (reply) =>
  panel.evaluate((reply) => {
    globalThis.asked = [];
    chrome.permissions.request = async (want) => {
      asked.push({ want, gesture: navigator.userActivation.isActive });
      if (reply === "throw") throw new Error("This function must be called during a user gesture");
      return reply;
    };
  }, reply);

const asked = () => panel.evaluate(() => asked);

test("without a permission there are tabs, but no titles and no addresses", async () => {
  await browser.visit(site.url("alfa/harbour"));
  await browser.visit(site.url("bravo/news"));
  const { list, titles } = await panel.evaluate(async () => {
    const list = new cerasum.TabList();
    await list.refresh();
    return { list: list.list, titles: list.titles };
  });
  assert.equal(titles, false);
  assert.equal(list.filter(({ url, title, host, favicon }) => url === "" && title === "" && host === "" && favicon === undefined).length >= 2, true);
  const reasons = await panel.evaluate(async (list) => Promise.all(list.filter(({ url }) => url === "").map((tab) => cerasum.readTab(tab).catch(({ reason }) => reason))), list);
  assert.ok(reasons.length >= 2 && reasons.every((reason) => reason === "permission" || reason === "restricted"), String(reasons));
  assert.deepEqual(await panel.evaluate(() => cerasum.granted()), { titles: false, origins: [] });
});

test("what is asked for: titles, then the sites of the tabs, each once, in one prompt", async () => {
  await answer(true);
  const info = (url) => ({ id: 999_999, windowId: 1, index: 0, title: "", url, host: "", favicon: undefined, active: false, problem: undefined });
  const origins = await panel.evaluate((list) => cerasum.missing(list), [
    "http://alfa.test:8080/a?b#c", "http://alfa.test:9090/b", "https://bravo.test/", "chrome://version/", "file:///a.html", "https://chromewebstore.google.com/x", "",
  ].map(info));
  // Tabs that have gone are not asked for; those that are there are.
  assert.deepEqual(origins, []);
  const found = await panel.evaluate(async (urls) => {
    const [one, two] = (await chrome.tabs.query({})).slice(1);
    const info = (url, { id }) => ({ id, url });
    return cerasum.missing([info(urls[0], one), info(urls[1], two), info(urls[0], one)]);
  }, [site.url("alfa/harbour"), site.url("bravo/news")]);
  assert.deepEqual(found.sort(), ["http://alfa.test/*", "http://bravo.test/*"]);
  await panel.evaluate(() => document.body.append(Object.assign(document.createElement("button"), { id: "ask", textContent: "ask" })));
  await panel.evaluate((origins) => document.getElementById("ask").addEventListener("click", () => { globalThis.answered = cerasum.ask({ titles: true, origins }); }), found);
  await panel.click("#ask");
  assert.equal(await panel.evaluate(() => answered), true);
  assert.deepEqual(await asked(), [{ want: { permissions: ["tabs"], origins: found }, gesture: true }]);
});

test("a refusal is an answer", async () => {
  await answer(false);
  assert.equal(await panel.evaluate(() => cerasum.ask({ origins: ["http://alfa.test/*"] })), false);
  await answer("throw");
  assert.equal(await panel.evaluate(() => cerasum.ask({ titles: true })), false);
  assert.equal(await panel.evaluate(() => cerasum.ask({})), true);
  assert.equal((await asked()).length, 1, "nothing is asked for nothing");
});

test("the toolbar button lets it into that tab alone", async () => {
  const page = await browser.visit(site.url("alfa/harbour"));
  await browser.trigger(site.url("alfa/harbour"));
  await until(panel, async () => (await chrome.tabs.query({})).some(({ url }) => url?.endsWith("/harbour")));
  const result = await panel.evaluate(async () => {
    const tab = (await chrome.tabs.query({})).findLast(({ url }) => url?.endsWith("/harbour"));
    if (!tab) return undefined;
    return { missing: await cerasum.missing([cerasum.describe(tab)]), read: await cerasum.readTab(cerasum.describe(tab)).catch(({ reason }) => reason), origins: (await cerasum.granted()).origins };
  });
  assert.ok(result, "the tab's address can be seen");
  assert.deepEqual(result.missing, []);
  assert.deepEqual(result.origins, []);
  assert.ok(result.read.text.includes(story.en[0]));
  // Elsewhere it is out again.
  await page.goto(site.url("bravo/news"));
  assert.equal(await panel.evaluate(async () => (await chrome.tabs.query({})).some(({ url }) => url?.endsWith("/news"))), false);
  await page.close();
});

test("what was granted can be given back, one by one or all", async () => {
  // Granted by policy of the test's manifest: a browser keeps these; what can be given back is what was granted later.
  await panel.evaluate(() => {
    globalThis.removed = [];
    globalThis.held = { permissions: ["tabs", "storage"], origins: ["http://alfa.test/*", "http://bravo.test/*"] };
    chrome.permissions.getAll = async () => held;
    chrome.permissions.remove = async (what) => {
      removed.push(what);
      if (what.origins?.includes("http://alfa.test/*")) throw new Error("You cannot remove required permissions.");
      return true;
    };
  });
  assert.deepEqual(await panel.evaluate(() => cerasum.granted()), { titles: true, origins: ["http://alfa.test/*", "http://bravo.test/*"] });
  await panel.evaluate(() => cerasum.giveBack());
  assert.deepEqual(await panel.evaluate(() => removed.splice(0)), [{ origins: ["http://alfa.test/*"] }, { origins: ["http://bravo.test/*"] }, { permissions: ["tabs"] }]);
  await panel.evaluate(() => cerasum.giveBack({ origins: ["http://bravo.test/*"] }));
  assert.deepEqual(await panel.evaluate(() => removed), [{ origins: ["http://bravo.test/*"] }]);
});

test("the extension has made no network request", () => {
  assert.deepEqual(browser.log, []);
});
