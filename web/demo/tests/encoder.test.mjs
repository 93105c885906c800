// The picker of the encoder: what is loaded when, what is said of it, and what
// happens where it fails.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { slow, test } from "../../common/tests/limits.mjs";
import { here, holding, launch, loadSample, open, quotes, serve, summarized, wider } from "./lib.mjs";

/** An export folder with a small model. */
let folder;
let server, browser;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  execFileSync("go", ["run", "./js/tests/testdata/encoders", folder], { cwd: here("../../..") });
  const model = join(folder, "tiny-encoder");
  mkdirSync(model);
  writeFileSync(join(model, "model.onnx"), readFileSync(join(folder, "static.onnx")));
  writeFileSync(join(model, "tokenizer.json"), readFileSync(join(folder, "tokenizer.json")));
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

const status = (page) => page.textContent("#status");
const ofEncoder = (requests) => requests.filter((url) => /\/(encoder|ort)\//.test(url));
const shown = (page, count) => page.waitForFunction((n) => document.querySelectorAll("#quotes .quote").length >= n, count);
const loading = (page) => page.waitForFunction(() => !document.getElementById("progress").hidden && document.getElementById("progress-label").textContent === "Loading the encoder");
const settled = (page) => page.waitForFunction(() => document.getElementById("quotes").getAttribute("aria-busy") === "false");

test("documents in one language are summarized without loading an encoder", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "en");
  assert.equal(await page.inputValue("#encoder"), "shipped");
  assert.doesNotMatch(await status(page), /encoder/);
  assert.deepEqual(ofEncoder(requests), []);
  assert.deepEqual(log, []);
  await context.close();
});

test("documents in several languages: words at once, then the encoder; its files come from here, once", async () => {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  const routes = { "**/encoder/model.onnx": async (route) => (await gate, route.continue()) };
  const { page, context, log, requests } = await open(browser, server.url, { routes });
  await page.click('[data-sample="mixed"]');
  await shown(page, 2);
  const instant = await quotes(page);
  assert.match(await status(page), /of 100 words/);
  assert.doesNotMatch(await status(page), /encoder/);
  await loading(page);
  assert.equal(await page.isDisabled("#copy"), false, "what is there can be carried away");
  release();
  await settled(page);
  assert.match(await status(page), /encoder: Built-in\)$/);
  assert.notDeepEqual(await quotes(page), instant);
  assert.equal(await page.isVisible("#fallback"), false);

  const count = ofEncoder(requests).length;
  assert.ok(count > 3);
  await summarized(page, () => page.fill("#budget-number", "60"));
  assert.match(await status(page), /of 60 words.*encoder: Built-in\)$/);
  assert.equal(ofEncoder(requests).length, count, "nothing is loaded a second time");
  assert.deepEqual(log, []);
  await context.close();
});

// Sentences of the mixed sample that say the same in another language. That the ship "sigue
// encallado" is not among them, as it adds that the strait is closed for the third day.
const translations = [
  ["The container ship Maren Astrid ran aground on the Skarv reef", "Контейнеровоз «Марен Астрид» (Maren Astrid) сел на риф Скарв"],
  ["Captain Henrik Solvang of the coastguard said that three tugs", "El jueves, con la marea alta, tres remolcadores", "В четверг, во время прилива, три буксира"],
  ["More than forty ships are waiting at both ends", "Más de cuarenta buques esperan a ambos lados"],
  ["Going round the islands takes two days longer", "Rodear las islas supone dos días más"],
  ["Divers found a crack eleven metres long", "Aucune fuite n'a été constatée jusqu'ici, mais les plongeurs"],
];

slow("a summary of documents in several languages does not say the same in two of them", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "mixed");
  for (const budget of [50, 100, 150, 200]) {
    if (budget !== 100) await summarized(page, () => page.fill("#budget-number", String(budget)));
    assert.match(await status(page), /encoder: Built-in\)$/);
    const found = await quotes(page);
    for (const group of translations) {
      const said = found.filter((quote) => group.some((beginning) => quote.startsWith(beginning)));
      assert.ok(said.length <= 1, `${budget} words: ${said.join("\n")}`);
    }
  }
  assert.deepEqual(log, []);
  await context.close();
});

test("the wait for the encoder can be cancelled, and the summary of words stays", async () => {
  const routes = { "**/encoder/model.onnx": () => {} };
  const { page, context, log } = await open(browser, server.url, { routes });
  await page.click('[data-sample="mixed"]');
  await shown(page, 2);
  await loading(page);
  const instant = await quotes(page);
  await page.click("#cancel");
  await settled(page);
  assert.deepEqual(await quotes(page), instant);
  assert.equal(await page.isVisible("#progress"), false);
  assert.match(await status(page), /of 100 words/);
  assert.deepEqual(log, []);
  await context.close();
});

slow("cancelled when the encoder is done, the summary of words stays as well", async () => {
  const { page, context, log } = await open(browser, server.url, { init: holding });
  // The second summary is the better one.
  await page.evaluate(() => {
    let n = 0;
    window.holds = ({ kind }) => kind === "summarize" && ++n === 2;
  });
  await page.click('[data-sample="mixed"]');
  await shown(page, 2);
  const instant = await quotes(page);
  await page.waitForFunction(() => window.held.length === 1);
  await page.click("#cancel");
  await page.evaluate(() => window.release());
  await page.waitForTimeout(1000);
  assert.deepEqual(await quotes(page), instant);
  assert.equal(await page.isVisible("#progress"), false);
  assert.doesNotMatch(await status(page), /encoder/);
  assert.deepEqual(log, []);
  await context.close();
});

for (const [name, handler, message] of [
  ["malformed", (route) => route.fulfill({ body: "no model at all" }), /model\.onnx/],
  ["cut off", (route) => route.abort(), /model\.onnx cannot be loaded/],
]) {
  (name === "malformed" ? test : slow)(`a model that is ${name}: words alone decide, and the page says so`, async () => {
    const { page, context } = await open(browser, server.url, { routes: { "**/encoder/model.onnx": handler } });
    await loadSample(page, "mixed");
    assert.match(await page.textContent("#fallback"), /compares words only/);
    assert.match(await page.textContent("#fallback"), message);
    assert.match(await status(page), /words compared, not meanings$/);
    const plain = await quotes(page);
    if (name === "cut off") return context.close();
    await summarized(page, () => page.selectOption("#encoder", "none"));
    assert.equal(await page.isVisible("#fallback"), false);
    assert.deepEqual(await quotes(page), plain);
    await summarized(page, () => page.selectOption("#encoder", "shipped"));

    // A method that cannot do without gives way to the automatic one.
    await summarized(page, () => page.selectOption("#method", "hybrid"));
    assert.match(await page.textContent("#fallback"), /“Hybrid” could not be used; this is the automatic summary\. The encoder cannot start: .*model\.onnx/);
    assert.deepEqual(await quotes(page), plain);

    // What was broken is tried again.
    await context.unroute("**/encoder/model.onnx");
    await summarized(page, () => page.selectOption("#method", "auto"));
    assert.match(await status(page), /encoder: Built-in\)$/);
    assert.equal(await page.isVisible("#fallback"), false);
    await context.close();
  });
}

test("without an encoder, the methods that need one cannot be chosen", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "mixed");
  await summarized(page, () => page.selectOption("#method", "hybrid"));
  assert.match(await status(page), /encoder: Built-in\)$/);
  await summarized(page, () => page.selectOption("#encoder", "none"));
  assert.equal(await page.inputValue("#method"), "auto");
  assert.doesNotMatch(await status(page), /encoder/);
  const disabled = await page.$$eval("#method option:disabled", (all) => all.map((one) => one.textContent));
  assert.ok(disabled.includes("Hybrid (requires an encoder)"), disabled.join());
  assert.ok(requests.every((url) => url.startsWith(server.url)));
  assert.deepEqual(log, []);
  await context.close();
});

slow("an encoder from a folder of the disk; a folder that is none is named", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "mixed");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.selectOption("#encoder", "folder")]);
  assert.match(await status(page), /encoder: Built-in\)$/, "until there is another");
  await summarized(page, () => chooser.setFiles(join(folder, "tiny-encoder")));
  assert.match(await status(page), /encoder: tiny-encoder\)$/);
  assert.match(await page.textContent("#encoder-more"), /Folder tiny-encoder/);

  const [other] = await Promise.all([page.waitForEvent("filechooser"), page.click("#encoder-folder")]);
  mkdirSync(join(folder, "empty-encoder"), { recursive: true });
  writeFileSync(join(folder, "empty-encoder", "tokenizer.json"), "{}");
  await summarized(page, () => other.setFiles(join(folder, "empty-encoder")));
  assert.match(await page.textContent("#encoder-more"), /model\.onnx/);
  assert.doesNotMatch(await status(page), /encoder/);
  assert.deepEqual(log, []);
  await context.close();
});

test("the page offers no download that its policy would refuse", async () => {
  const { page, context } = await open(browser, server.url);
  await page.waitForFunction(() => document.querySelectorAll("#encoder option").length > 1);
  assert.deepEqual(await page.$$eval("#encoder option", (all) => all.map((one) => one.value)), ["shipped", "none", "folder"]);
  await context.close();
});

describe("a page that was built with a hub", () => {
  const id = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2";
  let hubServer;
  before(async () => {
    hubServer = await serve({ folder: wider });
  });
  after(() => hubServer?.close());

  /** Answers for the hub; `gate` holds the model back. */
  const files = (gate) => async (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1);
    if (name === "model.onnx") await gate;
    const path = join(folder, "tiny-encoder", name);
    if (name === "model.onnx" || name === "tokenizer.json") return route.fulfill({ body: readFileSync(path), contentType: "application/octet-stream" }).catch(() => {});
    return route.fulfill({ status: 404 });
  };

  test("known models: downloaded with progress, cancelled, kept, used offline, deleted", async () => {
    let release;
    const gate = new Promise((resolve) => (release = resolve));
    const { page, context } = await open(browser, hubServer.url, { routes: { "**/hub/**": files(gate) } });
    await loadSample(page, "mixed");
    const options = await page.$$eval("#encoder option", (all) => all.map((one) => one.textContent));
    assert.ok(options.some((one) => /^multilingual-minilm, 470 MB$/.test(one)), options.join());

    await summarized(page, () => page.selectOption("#encoder", id));
    assert.match(await page.textContent("#encoder-more"), /Apache-2\.0\. Not downloaded\.$/);
    assert.doesNotMatch(await status(page), /encoder/);
    await page.click("#encoder-get");
    await page.waitForSelector("#encoder-stop:not([hidden])");
    assert.equal(await page.isVisible("#encoder-bar"), true);
    await page.click("#encoder-stop");
    await page.waitForSelector("#encoder-get:not([hidden])");
    assert.equal(await page.isVisible("#encoder-bar"), false);

    release();
    await summarized(page, () => page.click("#encoder-get"));
    assert.match(await status(page), /encoder: multilingual-minilm\)$/);
    assert.match(await page.textContent("#encoder-more"), /Stored in this browser\.$/);

    // Another visit, without the hub.
    await context.unroute("**/hub/**");
    await context.route("**/hub/**", (route) => route.abort());
    await page.reload();
    await loadSample(page, "mixed");
    await summarized(page, () => page.selectOption("#encoder", id));
    assert.match(await status(page), /encoder: multilingual-minilm\)$/);
    assert.match(await page.textContent("#encoder-delete"), /^Delete \d/);
    const kept = () => page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))).flat().filter((url) => url.includes("model.onnx")).length);
    assert.equal(await kept(), 1);
    await summarized(page, () => page.click("#encoder-delete"));
    assert.equal(await kept(), 0, "the browser's storage is given back");
    assert.doesNotMatch(await status(page), /encoder/);
    assert.match(await page.textContent("#encoder-more"), /Not downloaded\.$/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "encoder-get");
    await context.close();
  });

  slow("a download that fails is told of, with the file", async () => {
    const { page, context } = await open(browser, hubServer.url, { routes: { "**/hub/**": (route) => route.fulfill({ status: 403 }) } });
    await loadSample(page, "mixed");
    await summarized(page, () => page.selectOption("#encoder", id));
    await page.click("#encoder-get");
    await page.waitForFunction(() => /modules\.json.*403/.test(document.getElementById("encoder-more").textContent));
    assert.equal(await page.isVisible("#encoder-get"), true);
    await context.close();
  });
});
