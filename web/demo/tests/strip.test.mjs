// The heat strips: what their cells show, where they lead, and the weights of
// the methods that want some.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { createCore } from "cerasum";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, here, loadSample, open, paste, quotes, readClosely, serve, summarized } from "./lib.mjs";

const sample = (name) => JSON.parse(readFileSync(here(`../samples/${name}.json`), "utf8")).documents;

const { server, browser } = await begin();
const core = createCore();
after(() => core.destroy());

const drawn = (page, count = 1) => page.waitForFunction((n) => document.querySelectorAll("#document-list .strip:has(.cell)").length >= n, count);

/** What the strips show, document by document. */
const strips = (page) => page.$$eval("#document-list .strip", (all) => all.map((strip) => ({
  now: strip.getAttribute("aria-valuenow"),
  most: strip.getAttribute("aria-valuemax"),
  label: strip.getAttribute("aria-label"),
  said: strip.getAttribute("aria-valuetext"),
  about: document.getElementById(strip.getAttribute("aria-describedby"))?.textContent,
  cells: [...strip.children].map((cell) => ({
    tone: Number(cell.style.getPropertyValue("--tone")),
    colour: getComputedStyle(cell).backgroundColor,
    width: cell.getBoundingClientRect().width,
    quoted: cell.classList.contains("quoted"),
  })),
})));

const active = (page) => page.$$eval("#reader-text mark.active", (all) => all.map((one) => one.textContent));
const legend = (page) => page.textContent("#legend-text");

test("a cell a sentence: as wide as it is long, coloured by its weight, underlined where it is quoted", async () => {
  const documents = sample("en");
  const { documents: split } = await core.open(documents);
  const summary = await core.summarize(documents, { budget: { words: 100 } });
  const N = summary.documents.reduce((n, one) => n + one.sentences, 0);
  const { page, context, log } = await open(browser, server.url);
  assert.equal(await page.isVisible("#legend"), false);
  await loadSample(page, "en");
  await drawn(page, documents.length);
  const found = await strips(page);
  assert.equal(found.length, documents.length);
  found.forEach(({ cells, most, label, about }, d) => {
    const { attention } = summary.documents[d];
    const { sentences } = split[d];
    assert.equal(cells.length, sentences.length);
    assert.equal(most, String(sentences.length));
    assert.equal(label, `Sentences of “${documents[d].title}” and their weights`);
    const lengths = sentences.map(({ start, end }) => end - start);
    const [wide, all] = [cells.reduce((n, { width }) => n + width, 0), lengths.reduce((a, b) => a + b)];
    cells.forEach(({ tone, width, quoted }, s) => {
      assert.ok(Math.abs(width / wide - lengths[s] / all) < 0.005, `document ${d}, sentence ${s}: ${width} px of ${wide}, ${lengths[s]} characters of ${all}`);
      const weight = attention[s] * N;
      assert.ok(Math.abs(tone - weight ** 2 / (weight ** 2 + 1)) < 1e-3, `document ${d}, sentence ${s}: ${tone} for ${weight} times the average`);
      assert.equal(quoted, summary.sentences.some((q) => q.document === d && q.sentence === s));
    });
    assert.ok(new Set(cells.map(({ colour }) => colour)).size > 3);
    const strongest = attention.indexOf(Math.max(...attention)) + 1;
    assert.match(about, new RegExp(`^Highest weights \\(average 1\\): ${strongest} \\(\\d`));
    const own = summary.sentences.filter((q) => q.document === d).map((q) => q.sentence + 1);
    const listed = new Intl.ListFormat("en", { type: "conjunction" }).format(own.map(String));
    assert.ok(about.includes(own.length > 0 ? ` Quoted: ${listed}. ` : " None quoted. "), about);
  });
  assert.match(await legend(page), /^Each cell is a sentence: the stronger its colour, the more/);
  assert.deepEqual(log, []);
  await context.close();
});

test("a click on a cell leads to the sentence in its document; a quoted one to its quote as well", async () => {
  const documents = sample("fr");
  const { documents: split } = await core.open(documents);
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "fr");
  await drawn(page, documents.length);
  const found = await strips(page);
  for (const [d, { sentences }] of split.entries()) {
    for (const s of [0, 4, sentences.length - 1]) {
      const text = documents[d].text.slice(sentences[s].start, sentences[s].end);
      await page.click(`#document-list > li:nth-child(${d + 1}) .cell:nth-child(${s + 1})`);
      assert.deepEqual(await active(page), [text]);
      assert.equal(await page.textContent("#reader-name"), documents[d].title);
      assert.equal(await page.textContent("#reader-text"), documents[d].text);
      assert.equal(await page.evaluate(() => document.activeElement.textContent), text, "the focus has moved to it");
      assert.deepEqual(await page.$$eval(".strip.shown .here", (all) => all.map((one) => [...one.parentElement.children].indexOf(one))), [s]);
      const current = await page.$$eval("#quotes .current .quote-text", (all) => all.map((one) => one.textContent));
      assert.deepEqual(current, found[d].cells[s].quoted ? [text] : []);
      const box = await page.locator("mark.active").first().boundingBox();
      assert.ok(box.y > 0 && box.y < 800, "it is in sight");
    }
  }
  // From the quote to the cell.
  await page.click("#quotes > li:last-child .quote-link");
  const at = await page.$eval(".strip.shown .here", (one) => [...document.querySelectorAll(".strip")].indexOf(one.parentElement));
  assert.ok(found[at].cells.some(({ quoted }) => quoted));
  assert.deepEqual(log, []);
  await context.close();
});

slow("by keyboard and to screen readers: one stop a document, arrows over the sentences, Enter", async () => {
  const documents = sample("en");
  const { documents: [{ sentences }] } = await core.open(documents);
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await drawn(page, documents.length);
  await page.focus("#document-list > li:first-child .remove");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "slider");
  await page.keyboard.press("End");
  assert.equal((await strips(page))[0].now, String(sentences.length));
  await page.keyboard.press("ArrowRight");
  assert.equal((await strips(page))[0].now, String(sentences.length), "there is no further one");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  const [{ now, said }] = await strips(page);
  const text = documents[0].text.slice(sentences[2].start, sentences[2].end);
  assert.equal(now, "3");
  assert.match(said, /^Sentence 3 of 12, \d(\.\d+)? times the average weight(, quoted)?: /);
  assert.ok(said.endsWith(text.slice(0, 150).trimEnd()) || said.includes(text.slice(0, 150)), said);
  await page.keyboard.press("PageDown");
  assert.equal((await strips(page))[0].now, "1");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.deepEqual(await active(page), [text]);
  await page.focus("#document-list > li:first-child .remove");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "doc-open", "the next document");
  assert.deepEqual(log, []);
  await context.close();
});

slow("a method that weighs all sentences alike, and one that weighs none, are told from the others", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await drawn(page);
  const weighed = await strips(page);
  await summarized(page, () => page.selectOption("#method", "mean"));
  assert.match(await legend(page), /weights all sentences equally/);
  assert.deepEqual(new Set((await strips(page)).flatMap(({ cells }) => cells.map(({ tone }) => tone))), new Set([0.5]));
  assert.equal(await page.isVisible("#legend .ramp"), false);
  await summarized(page, () => page.selectOption("#method", "lead"));
  assert.match(await legend(page), /This method assigns no weights/);
  const none = await strips(page);
  assert.deepEqual(new Set(none.flatMap(({ cells }) => cells.map(({ tone }) => tone))), new Set([0]));
  assert.ok(none[0].cells[0].quoted);
  assert.doesNotMatch(none[0].said, /average/);
  assert.doesNotMatch(none[0].about, /strongest/);
  assert.equal(await page.isVisible("#legend .ramp"), false);
  await summarized(page, () => page.selectOption("#method", "auto"));
  assert.equal(await page.isVisible("#legend .ramp"), true);
  assert.deepEqual((await strips(page)).map(({ cells }) => cells.map(({ tone }) => tone)), weighed.map(({ cells }) => cells.map(({ tone }) => tone)));
  assert.deepEqual(log, []);
  await context.close();
});

test("the strip follows the text: other sentences after a change, none while they are not known", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => paste(page, "The harbour of Nessel is closed. Ships wait outside it. Nobody knows for how long.", "Harbour"));
  await drawn(page);
  assert.equal((await strips(page))[0].cells.length, 3);
  await page.click("#edit");
  await summarized(page, () => page.fill("#edit-text", "The harbour of Nessel is open again. Ships come in."));
  await drawn(page);
  assert.equal((await strips(page))[0].cells.length, 2);
  await page.fill("#edit-title", "Port");
  await page.waitForFunction(() => /“Port”/.test(document.querySelector(".strip").getAttribute("aria-label")));
  await page.click("#clear");
  assert.equal(await page.isVisible("#legend"), false);
  assert.deepEqual(log, []);
  await context.close();
});

slow("ten thousand sentences share cells, and all can be reached", async () => {
  const { page, context, log } = await open(browser, server.url);
  context.setDefaultTimeout(60_000);
  const places = ["harbour", "market", "bridge", "school", "mill"];
  const text = Array.from({ length: 10_000 }, (_, i) => `On day ${i} the ${places[i % 5]} of Nessel cost ${(i * 7919) % 5000} crowns.`).join("\n");
  await summarized(page, () => page.setInputFiles("#files", [{ name: "chronicle.txt", mimeType: "text/plain", buffer: Buffer.from(text) }]));
  await drawn(page);
  const [{ cells, most }] = await strips(page);
  assert.equal(most, "10000");
  assert.ok(cells.length > 100 && cells.length <= 120, `${cells.length} cells`);
  assert.ok(cells.every(({ width }) => width >= 1), cells.map(({ width }) => width.toFixed(1)).join(" "));
  assert.ok(cells.some(({ quoted }) => quoted));
  // A cell of many leads to the quoted one among them.
  const { x, y, width, height } = await page.locator("#document-list .cell.quoted").first().boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  const [shown] = await active(page);
  assert.ok((await quotes(page)).includes(shown), shown);
  await page.focus(".strip");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.deepEqual(await active(page), [text.slice(text.lastIndexOf("\n") + 1)]);
  assert.deepEqual(log, []);
  await context.close();
});

describe("a page that was built with weights", () => {
  const name = "cerai-test";
  let folder, own;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "cerasum-"));
    const files = ["config.json", "model.safetensors"].map((file) => ({ path: `${name}/${file}`, bytes: 1, sha256: "" }));
    const encoder = JSON.parse(readFileSync(here("../../../models/encoder/config.json"), "utf8"));
    mkdirSync(join(folder, "models", name), { recursive: true });
    writeFileSync(join(folder, "models/manifest.json"), JSON.stringify({
      weights: [{ name, method: "cerai", encoder: encoder.name, dimensions: encoder.dimensions, licence: "for research", free: false, corpora: [], files }],
    }));
    writeFileSync(join(folder, "models", name, "config.json"), JSON.stringify({ dimensions: encoder.dimensions, positions: 4, interpolation: true, encoder: encoder.name }));
    writeFileSync(join(folder, "models", name, "model.safetensors"), tensors(encoder.dimensions, 4));
    const site = join(folder, "site");
    execFileSync("npx", ["vite", "build", "--logLevel", "error", "--outDir", site], { cwd: here(".."), env: { ...process.env, CERASUM_WEIGHTS: join(folder, "models") } });
    own = await serve({ folder: site });
  });
  after(async () => {
    await own?.close();
    rmSync(folder, { recursive: true });
  });

  /** Numbers that are no training's, but the same every time. */
  function tensors(D, P) {
    const shapes = {
      "input_norm.gain": [D], "input_norm.bias": [D], "position_embeddings": [P + 1, D],
      "attention.hidden.weight": [D, 2 * D], "attention.hidden.bias": [D], "attention.output.weight": [1, D], "attention.output.bias": [1],
      "output_norm.gain": [D], "output_norm.bias": [D], "output.weight": [D, D], "output.bias": [D],
      "interpolation.hidden.weight": [D, 2 * D], "interpolation.hidden.bias": [D], "interpolation.output.weight": [D, D], "interpolation.output.bias": [D],
    };
    const header = {};
    let at = 0;
    for (const [tensor, shape] of Object.entries(shapes)) {
      const bytes = 4 * shape.reduce((a, b) => a * b);
      header[tensor] = { dtype: "F32", shape, data_offsets: [at, at + bytes] };
      at += bytes;
    }
    const numbers = Float32Array.from({ length: at / 4 }, (_, i) => Math.sin(i * 12.9898) / 4);
    const head = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(head.length));
    return Buffer.concat([length, head, Buffer.from(numbers.buffer)]);
  }

  const options = (page) => page.$$eval("#method option", (all) => Object.fromEntries(all.map((one) => [one.value, `${one.textContent}${one.disabled ? " -" : ""}`])));

  test("CeRAI loads them when it is chosen, and shows what it attends to", async () => {
    const { page, context, log, requests } = await open(browser, own.url);
    const asked = () => requests.filter((url) => url.includes("/weights/")).map((url) => url.slice(url.indexOf("/weights/"))).sort();
    await loadSample(page, "en");
    await drawn(page);
    assert.deepEqual(asked(), []);
    const before = await strips(page);
    await summarized(page, () => page.check("#any-licence"));
    await summarized(page, () => page.selectOption("#method", "cerai"));
    await readClosely(page);
    assert.match(await page.textContent("#status"), / · read closely · weights: cerai-test$/);
    assert.match(await page.textContent("#method-more"), /Weights: cerai-test \(for research\)\.$/);
    assert.deepEqual(asked(), [`/weights/${name}/config.json`, `/weights/${name}/model.safetensors`, "/weights/manifest.json"]);
    const after = await strips(page);
    assert.notDeepEqual(after.map(({ cells }) => cells.map(({ tone }) => tone)), before.map(({ cells }) => cells.map(({ tone }) => tone)));
    assert.match(await legend(page), /the stronger its colour/);
    await summarized(page, () => page.fill("#budget-number", "60"));
    assert.equal(asked().length, 3, "nothing is loaded a second time");
    // The attention is of the documents, not of the length.
    assert.deepEqual((await strips(page)).map(({ cells }) => cells.map(({ tone }) => tone)), after.map(({ cells }) => cells.map(({ tone }) => tone)));
    assert.deepEqual(log, []);
    await context.close();
  });

  slow("what it has no weights for cannot be chosen, and says why", async () => {
    const { page, context, log } = await open(browser, own.url);
    await loadSample(page, "en");
    let found = await options(page);
    assert.equal(found.cera, "CeRA (not available on this page) -");
    assert.equal(found.cerai, "CeRAI (not freely licensed) -");
    await summarized(page, () => page.check("#any-licence"));
    found = await options(page);
    assert.equal(found.cera, "CeRA (not available on this page) -");
    assert.equal(found.cerai, "CeRAI");
    await summarized(page, () => page.selectOption("#method", "cerai"));
    await summarized(page, () => page.uncheck("#any-licence"));
    assert.equal(await page.inputValue("#method"), "auto");
    assert.ok(!found.salience.endsWith(" -"));
    assert.deepEqual(log, []);
    await context.close();
  });

  slow("weights that cannot be used: the automatic summary, and the page says why", async () => {
    const routes = { "**/model.safetensors": (route) => route.fulfill({ body: "no tensors at all" }) };
    const { page, context, log } = await open(browser, own.url, { routes });
    await loadSample(page, "en");
    await summarized(page, () => page.check("#any-licence"));
    const automatic = await quotes(page);
    await summarized(page, () => page.selectOption("#method", "cerai"));
    await summarized(page, () => page.click("#closely-read"));
    assert.match(await page.textContent("#fallback"), /^“CeRAI” could not be used; this is the automatic summary\. Weights cerai-test: model\.safetensors: /);
    assert.deepEqual(await quotes(page), automatic);
    await context.unroute("**/model.safetensors");
    await summarized(page, () => page.fill("#budget-number", "90"));
    assert.match(await page.textContent("#status"), /weights: cerai-test$/);
    assert.equal(await page.isVisible("#fallback"), false);
    assert.deepEqual(log, []);
    await context.close();
  });
});
