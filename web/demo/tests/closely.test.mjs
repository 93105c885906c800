// Close reading: when it is offered, what is loaded when, what replaces the summary, and
// what happens where it fails.

import assert from "node:assert/strict";
import { slow, test, timed, within } from "../../common/tests/limits.mjs";
import { begin, holding, loadSample, open, paste, quotes, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const FILES = ["encoder/encoder.onnx", "encoder/vocabulary.bin", "ort/ort-wasm-simd-threaded.mjs", "ort/ort-wasm-simd-threaded.wasm", "ort/ort.wasm.min.mjs"];
const status = (page) => page.textContent("#status");
const ofEncoder = (requests) => requests.filter((url) => /\/(encoder|ort)\//.test(url)).map((url) => url.slice(server.url.length));
const loading = (page) => page.waitForFunction(() => !document.getElementById("progress").hidden && document.getElementById("progress-label").textContent === "Loading for close reading");
const settled = (page) => page.waitForFunction(() => document.getElementById("quotes").getAttribute("aria-busy") === "false");
const read = (page) => summarized(page, () => page.click("#closely-read"));
const line = async (page) => (await page.isVisible("#closely") ? page.innerText("#closely") : "");
/** Keeps encoder.onnx back until `release` is called. */
function held() {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  return { release: () => release(), routes: { "**/encoder/encoder.onnx": async (route) => (await gate, route.continue().catch(() => undefined)) } };
}

test("documents in one language: nothing is offered, nothing loaded", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "en");
  assert.equal(await line(page), "");
  assert.doesNotMatch(await status(page), /closely/);
  assert.deepEqual(ofEncoder(requests), []);
  assert.deepEqual(log, []);
  await context.close();
});

test("documents in several languages: offered below the summary; nothing is loaded before the click, and each file once", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "mixed");
  const instant = await quotes(page);
  assert.match(await page.textContent("#closely-read"), /^Read closely \(\d\d MB/);
  assert.doesNotMatch(await line(page), /data connection/);
  assert.doesNotMatch(await status(page), /closely/);
  await summarized(page, () => page.fill("#budget-number", "60"));
  await summarized(page, () => page.fill("#budget-number", "100"));
  await page.click("#privacy");
  await page.click("#privacy-panel .icon");
  assert.deepEqual(ofEncoder(requests), [], "before the click");

  await read(page);
  assert.match(await status(page), / · read closely$/);
  assert.equal(await line(page), "");
  assert.equal(await page.isVisible("#fallback"), false);
  assert.notDeepEqual(await quotes(page), instant);
  assert.deepEqual(ofEncoder(requests).sort(), FILES);
  await summarized(page, () => page.fill("#budget-number", "60"));
  assert.match(await status(page), /of 60 words.* · read closely$/);
  assert.equal(ofEncoder(requests).length, FILES.length);
  assert.deepEqual(log, []);
  await context.close();
});

test("a metered connection is named", async () => {
  for (const connection of [{ saveData: true }, { type: "cellular" }]) {
    const { page, context } = await open(browser, server.url, { init: `Object.defineProperty(navigator, "connection", { value: ${JSON.stringify(connection)} })` });
    await loadSample(page, "mixed");
    assert.match(await line(page), /This will use your data connection\./);
    await context.close();
  }
});

test("the summary without it stays while it loads; cancelled, it is offered again, and nothing more is loaded", async () => {
  const { routes, release } = held();
  const { page, context, log } = await open(browser, server.url, { routes });
  await loadSample(page, "mixed");
  const instant = await quotes(page);
  await page.click("#closely-read");
  await loading(page);
  assert.deepEqual(await quotes(page), instant);
  assert.equal(await page.isDisabled("#copy"), false, "what is there can be carried away");
  assert.equal(await line(page), "");
  const worker = page.workers().find((one) => /encoder-worker/.test(one.url()));
  const ended = worker.waitForEvent("close");
  await page.click("#cancel");
  await settled(page);
  await ended;
  assert.deepEqual(await quotes(page), instant);
  assert.equal(await page.isVisible("#progress"), false);
  // Other settings do not begin it again.
  await summarized(page, () => page.fill("#budget-number", "60"));
  await summarized(page, () => page.fill("#budget-number", "100"));
  assert.equal(page.workers().filter((one) => /encoder-worker/.test(one.url())).length, 0);
  release();
  await read(page);
  assert.match(await status(page), /read closely$/);
  assert.deepEqual(log.filter((entry) => !/ERR_FAILED|ERR_ABORTED/.test(entry)), []);
  await context.close();
});

timed("progress in sentences; cancelled within 200 ms, and the summary of words stays", async () => {
  const { page, context, log } = await open(browser, server.url);
  const text = Array.from({ length: 1500 }, (_, i) => `On day ${i} the harbour master of Nessel counted ${i * 7} ships and wrote their names into book ${i % 12}.`).join(" ");
  await summarized(page, () => paste(page, text));
  await summarized(page, () => paste(page, "El puerto de Nessel sigue cerrado por tercer día. Los barcos esperan fuera desde el lunes por la noche."));
  await page.click("#closely-read");
  await page.waitForFunction(() => /^Reading closely: [1-9][\d,]* of [\d,]+ sentences$/.test(document.getElementById("progress-label").textContent));
  const found = await quotes(page);
  const took = await page.evaluate(async () => {
    const begun = performance.now();
    document.getElementById("cancel").click();
    while (document.getElementById("quotes").getAttribute("aria-busy") !== "false") await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - begun;
  });
  within(took, 200);
  assert.deepEqual(await quotes(page), found);
  assert.match(await page.textContent("#closely-read"), /^Read closely/);
  assert.deepEqual(log, []);
  await context.close();
});

slow("cancelled when the encoder is done, the summary of words stays as well", async () => {
  const { page, context, log } = await open(browser, server.url, { init: holding });
  await loadSample(page, "mixed");
  const instant = await quotes(page);
  // The summary at once, then the better one.
  await page.evaluate(() => {
    let n = 0;
    window.holds = ({ kind }) => kind === "summarize" && ++n === 2;
  });
  await page.click("#closely-read");
  await page.waitForFunction(() => window.held.length === 1);
  await page.click("#cancel");
  await page.evaluate(() => window.release());
  await page.waitForTimeout(1000);
  assert.deepEqual(await quotes(page), instant);
  assert.equal(await page.isVisible("#progress"), false);
  assert.doesNotMatch(await status(page), /closely/);
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
  await read(page);
  for (const budget of [50, 100, 150, 200]) {
    if (budget !== 100) await summarized(page, () => page.fill("#budget-number", String(budget)));
    assert.match(await status(page), /read closely$/);
    const found = await quotes(page);
    for (const group of translations) {
      const said = found.filter((quote) => group.some((beginning) => quote.startsWith(beginning)));
      assert.ok(said.length <= 1, `${budget} words: ${said.join("\n")}`);
    }
  }
  assert.deepEqual(log, []);
  await context.close();
});

for (const [name, act] of Object.entries({
  "has scrolled into it": (page) => page.evaluate(() => document.querySelector("#quotes > :last-child").scrollIntoView()),
  "has opened a quote": (page) => page.click("#quotes .in-context"),
  "looks at its source": (page) => page.click("#quotes .quote-link"),
  "has selected a part of it": (page) => page.evaluate(() => getSelection().selectAllChildren(document.querySelector("#quotes .quote-text"))),
})) {
  (name.startsWith("has opened") ? test : slow)(`a reader who ${name} keeps the summary, and a button shows the better one`, async () => {
    const { routes, release } = held();
    const { page, context, log } = await open(browser, server.url, { routes, viewport: { width: 1280, height: 500 } });
    await loadSample(page, "mixed");
    await summarized(page, () => page.fill("#budget-number", "200"));
    await page.click("#closely-read");
    await loading(page);
    const before = await quotes(page);
    await act(page);
    release();
    await page.waitForFunction(() => document.getElementById("closely-said").textContent !== "");
    assert.match(await line(page), /^A better summary is ready\.\s+Show it$/);
    assert.deepEqual(await quotes(page), before);
    assert.doesNotMatch(await status(page), /closely/);
    await page.click("#closely-read");
    assert.match(await status(page), /read closely$/);
    assert.notDeepEqual(await quotes(page), before);
    assert.equal(await line(page), "");
    assert.deepEqual(log, []);
    await context.close();
  });
}

test("the same sentences: nothing but the remark, even if a quote is open", async () => {
  const { routes, release } = held();
  const { page, context, log } = await open(browser, server.url, { routes });
  await summarized(page, () => paste(page, "The ferry was late on Monday because of the storm."));
  await summarized(page, () => paste(page, "La biblioteca municipal abrirá una sala de lectura para niños en otoño."));
  await page.selectOption("#budget-unit", "sentences");
  await summarized(page, () => page.fill("#budget-number", "1"));
  await page.click("#closely-read");
  await loading(page);
  await page.click("#quotes .in-context");
  release();
  await page.waitForFunction(() => /read closely$/.test(document.getElementById("status").textContent));
  assert.equal(await line(page), "");
  assert.equal(await page.isVisible("#quotes .open"), true);
  assert.deepEqual(log, []);
  await context.close();
});

test("who does not want it is not asked again, after a reload neither; the panel changes the answer", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "mixed");
  await page.click("#closely-no");
  assert.equal(await line(page), "");
  assert.equal(await page.evaluate(() => document.activeElement.id), "summary-title");
  await page.reload();
  await loadSample(page, "mixed");
  assert.equal(await line(page), "");

  // A method that cannot do without asks nevertheless.
  await summarized(page, () => page.selectOption("#method", "hybrid"));
  assert.match(await page.textContent("#fallback"), /“Hybrid” has to read closely; this is the automatic summary\./);
  assert.match(await line(page), /^Read closely/);
  await summarized(page, () => page.selectOption("#method", "auto"));
  assert.equal(await line(page), "");
  assert.deepEqual(ofEncoder(requests), []);

  await page.click("#privacy");
  assert.equal(await page.isChecked("#closely-switch"), false);
  assert.match(await page.textContent("#closely-files"), /encoder\/encoder\.onnx, 2\d MB/);
  await summarized(page, () => page.check("#closely-switch"));
  assert.match(await status(page), /read closely$/);
  await summarized(page, () => page.uncheck("#closely-switch"));
  assert.doesNotMatch(await status(page), /closely/);
  assert.equal(page.workers().filter((one) => /encoder-worker/.test(one.url())).length, 0, "the memory is given back");
  assert.deepEqual(log, []);
  await context.close();
});

test("agreed, but the files are not stored: the next visit asks again, and loads nothing", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "mixed");
  await read(page);
  requests.length = 0;
  await page.reload();
  await loadSample(page, "mixed");
  assert.match(await line(page), /^Read closely/);
  assert.equal(await page.isVisible("#closely-no"), false);
  assert.deepEqual(ofEncoder(requests), []);
  assert.deepEqual(log, []);
  await context.close();
});

for (const [name, file, handler, message] of [
  ["damaged", "encoder/encoder.onnx", (route) => route.fulfill({ body: "no model at all" }), /encoder\.onnx/],
  ["missing", "encoder/vocabulary.bin", (route) => route.fulfill({ status: 404 }), /vocabulary\.bin cannot be loaded/],
  ["blocked", "ort/ort-wasm-simd-threaded.wasm", (route) => route.abort(), /ort-wasm-simd-threaded\.wasm/],
]) {
  (name === "damaged" ? test : slow)(`a file that is ${name}: the page says which, keeps the summary of words, and tries again`, async () => {
    const { page, context } = await open(browser, server.url, { routes: { [`**/${file}`]: handler } });
    await loadSample(page, "mixed");
    const plain = await quotes(page);
    await read(page);
    assert.match(await page.textContent("#closely-said"), /^This summary compares words only: the documents could not be read closely\. /);
    assert.match(await page.textContent("#closely-said"), message);
    assert.deepEqual(await quotes(page), plain);
    assert.equal(await page.textContent("#closely-read"), "Try again");

    // A method that cannot do without gives way to the automatic one.
    await summarized(page, () => page.selectOption("#method", "hybrid"));
    assert.match(await page.textContent("#fallback"), /“Hybrid” has to read closely; this is the automatic summary\./);
    assert.match(await page.textContent("#closely-said"), message);
    await summarized(page, () => page.selectOption("#method", "auto"));

    await context.unroute(`**/${file}`);
    await read(page);
    assert.match(await status(page), /read closely$/);
    assert.equal(await line(page), "");
    await context.close();
  });
}

test("a question in one language: offered; the question is read, too, and another one needs no loading", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  await loadSample(page, "en");
  assert.equal(await line(page), "");
  await summarized(page, () => page.fill("#question", "Who is responsible for the wall?"));
  assert.match(await line(page), /^Read closely/);
  await read(page);
  assert.match(await status(page), / · read closely$/);
  const loaded = ofEncoder(requests).length;
  await summarized(page, () => page.fill("#question", "How many people were hurt?"));
  assert.match(await status(page), / · read closely$/);
  await summarized(page, () => page.fill("#question", ""));
  assert.doesNotMatch(await status(page), /closely/);
  assert.equal(await line(page), "");
  assert.equal(ofEncoder(requests).length, loaded);
  assert.deepEqual(log, []);
  await context.close();
});
