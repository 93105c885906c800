// The page, end to end.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { serve } from "../../../web/demo/tests/lib.mjs";
import { column, makePDF } from "../../../web/common/tests/pdf.mjs";
import { quoted, samples } from "./reference.mjs";

const first = readFileSync(new URL("watch.js", import.meta.url), "utf8");

/** A scenario with the page opened; it ends with nothing in the page's log, unless it may have `faults`. */
export const scenario = (name, act, { options, faults = false, ...more } = {}) => ({
  name, ...more,
  async act(page, context) {
    // Requests for files that match `context.broken` fail.
    const server = await serve({ first, broken: (path) => context.broken?.test(path), ...options });
    try {
      await page.goto(server.url);
      // Until all of the page is there, its parts still move.
      await page.until(() => document.querySelector("[data-sample]") && document.getElementById("loaded").textContent !== "");
      context.server = server;
      await act(page, context);
      if (!faults) assert.deepEqual(await page.evaluate(() => window.log ?? []), []);
    } finally {
      await server.close();
    }
  },
});

export const quotes = (page) => page.texts("#quotes .quote-text");

/** Does something and waits for the summary that follows. */
export async function summarized(page, act) {
  await page.evaluate(() => {
    const quotes = document.getElementById("quotes");
    window.filled = false;
    new MutationObserver((_, observer) => {
      if (quotes.childElementCount === 0 || quotes.getAttribute("aria-busy") !== "false") return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => (window.filled = true))));
    }).observe(quotes, { childList: true, attributes: true, attributeFilter: ["aria-busy"] });
  });
  await act();
  await page.until(() => window.filled);
}

/** A sample in place of what is there. */
export async function sample(page, name) {
  if (await page.evaluate(() => document.querySelectorAll("#document-list > li").length > 0)) await page.click("#clear");
  await page.evaluate(() => (document.querySelector("details.samples").open = true));
  await summarized(page, () => page.click(`[data-sample="${name}"]`));
}

/** A sample has the sentences that the program quotes of it without close reading, for which the page asks first. */
async function asTheProgram(page, name) {
  await sample(page, name);
  assert.deepEqual(await quotes(page), await quoted(samples[name]), name);
}

const harbour = [
  { name: "gazette.txt", content: "The harbour of Nessel was closed on Monday after the storm. Forty ships wait outside it. Divers look for the lost anchor of the ferry. The town council meets on Friday." },
  { name: "courier.md", content: "# The pier\n\nThe repair of the east pier in Nessel will cost four million euros, the port authority said. The fishermen use the pier of Ost meanwhile. Their catch is smaller than in other years." },
  { name: "letter.html", content: "<title>A letter</title><article><p>Anna Brandt, who owns the ferry, said that the insurance would pay for the anchor. She expects to sail again within three weeks. Tourists were taken home by bus.</p></article>" },
];

export const quick = [
  scenario("files, a question, the source; copied, printed, saved and opened again", async (page) => {
    await summarized(page, () => page.files("#files", harbour));
    assert.equal(await page.count("#document-list > li"), 3);
    await summarized(page, () => page.fill("#question", "What does the repair of the pier cost?"));
    await page.until(() => document.querySelector("#quotes mark.asked") && document.getElementById("quotes").getAttribute("aria-busy") === "false");
    const found = await quotes(page);
    const at = found.findIndex((text) => text.includes("four million euros")) + 1;
    assert.ok(at > 0, found.join("\n"));
    assert.deepEqual(await page.texts(`#quotes > li:nth-child(${at}) mark.asked`), ["repair", "pier", "cost"]);

    await page.click(`#quotes > li:nth-child(${at}) .quote-link`);
    assert.deepEqual(await page.texts("#reader-text mark.active"), [found[at - 1]]);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), found[at - 1], "the focus is on the sentence");
    await page.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.querySelector(".quote-text")?.textContent), found[at - 1], "and goes back");

    await page.click("#copy");
    await page.until(() => document.getElementById("copy-label").textContent === "Copied");
    const [copied] = await page.evaluate(() => window.copied);
    assert.match(copied, /^Question: What does the repair of the pier cost\?\n\n/);
    assert.match(copied, /will cost four million euros, the port authority said\. \[2\]/);

    await page.click("#more > summary");
    await page.click("#print");
    assert.deepEqual(await page.evaluate(() => [window.printed, document.getElementById("print-question").textContent.includes("repair of the pier")]), [1, true]);

    await page.click("#more > summary");
    await page.click("#save-all");
    await page.until(() => window.saved.length === 1);
    const [{ name, text }] = await page.evaluate(() => window.saved);
    assert.match(name, /\.cerasum\.json$/);
    await page.click("#clear");
    await summarized(page, () => page.files("#files", [{ name, content: text }]));
    assert.deepEqual(await quotes(page), found);
  }),

  scenario("a sample by the default method: the program's sentences", (page) => asTheProgram(page, "en")),
];

/** Adds texts through the form: [title, text]. */
async function paste(page, ...texts) {
  for (const [title, text] of texts) {
    if (await page.evaluate(() => document.getElementById("paste").hidden)) await page.click("#paste-open");
    await page.fill("#paste-title", title);
    await page.fill("#paste-text", text);
    await summarized(page, () => page.click("#paste button[type=submit]"));
  }
}

export const shown = async (page, i = 1) => {
  await page.click(`#document-list > li:nth-child(${i}) .doc-open`);
  return page.text("#reader-text");
};

const pdf = makePDF([column(["Divers are to clear the channel of stones, the adminis-", "tration of Nessel said. Fishermen may use the pier of Ost."])]);
const hidden = JSON.parse(readFileSync(new URL("../../../cmd/cerasum/internal/ingest/testdata/hidden.json", import.meta.url), "utf8"));

export const slow = [
  scenario("every sample by the default method: the program's sentences", async (page) => {
    for (const name of Object.keys(samples)) await asTheProgram(page, name);
  }),

  scenario("dropped files are read like chosen ones", async (page) => {
    await summarized(page, () => page.evaluate((files) => {
      const data = new DataTransfer();
      for (const { name, content } of files) data.items.add(new File([content], name));
      for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, harbour));
    assert.deepEqual(await page.texts("#document-list .doc-title"), ["The pier", "gazette", "A letter"]);
  }),

  scenario("a text pasted anywhere in the page", async (page) => {
    await summarized(page, () => page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "The ferry was late. Nobody on the quay knew why.");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }));
    assert.deepEqual(await quotes(page), ["The ferry was late.", "Nobody on the quay knew why."]);
  }, { needs: ["paste"] }),

  scenario("hidden text is not read", async (page) => {
    // The cases that are a paragraph alone: others would change what comes after them.
    const cases = hidden.filter(({ html }) => /^<p style="[^"]*">secret<\/p>$/.test(html));
    const [seen, unseen] = [true, false].map((wanted) => cases.filter(({ seen }) => seen === wanted));
    assert.ok(seen.length > 20 && unseen.length > 50);
    const file = (name, cases) => ({ name, content: `<!doctype html><title>${name}</title>${cases.map(({ html }, i) => html.replace("secret", `secret ${i} secret`)).join("\n")}<p>The river rose.</p>` });
    await summarized(page, () => page.files("#files", [file("unseen.html", unseen), file("seen.html", seen)]));
    const read = async (i) => [...(await shown(page, i)).matchAll(/secret (\d+) secret/g)].map(([, n]) => Number(n));
    assert.deepEqual((await read(1)).map((n) => unseen[n].name), []);
    assert.deepEqual(await read(2), [...seen.keys()]);
  }),

  scenario("a PDF: hyphenated words are joined; a PDF reader that failed to load is loaded with the next file", async (page, context) => {
    context.broken = /\/pdf-[^/]*\.js$/;
    await page.files("#files", [{ name: "one.pdf", content: pdf }]);
    await page.until(() => /could not be loaded/.test(document.getElementById("file-problems").textContent));
    context.broken = undefined;
    await summarized(page, () => page.files("#files", [{ name: "one.pdf", content: pdf }]));
    assert.equal(await shown(page), "Divers are to clear the channel of stones, the administration of Nessel said. Fishermen may use the pier of Ost.");
  }, { faults: true }),

  scenario("a sample, a language or a tool that failed to load is loaded at the next try", async (page, context) => {
    context.broken = /\/(?:ru|fr|panel)-[^/]*\.js$/;
    await page.click('[data-sample="ru"]');
    await page.until(() => /sample could not be loaded/.test(document.getElementById("toast").textContent));
    await page.fill("#language", "fr");
    await page.until(() => document.getElementById("language").value === "en");
    await page.click("#privacy");
    await page.until(() => /part of the page could not be loaded/.test(document.getElementById("toast").textContent));
    context.broken = undefined;
    await summarized(page, () => page.click('[data-sample="ru"]'));
    await page.fill("#language", "fr");
    await page.until(() => document.documentElement.lang === "fr");
    await page.click("#privacy");
    await page.until(() => document.querySelector("dialog[open]"));
  }, { faults: true }),

  scenario("every language of the page", async (page) => {
    await sample(page, "en");
    for (const [language, title] of Object.entries({ es: "Resumen", fr: "Résumé", pt: "Resumo", en: "Summary" })) {
      await page.fill("#language", language);
      await page.until((title) => document.getElementById("summary-title").textContent === title, title);
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    }
  }),

  scenario("disagreements are listed, with links to the sentences", async (page) => {
    await paste(
      page,
      ["Ferry runs aground", "A ferry ran aground off Nessel on Monday evening. In all 14 people were injured in the accident. The captain had left the bridge."],
      ["Ferry off Nessel", "The ferry ran aground off Nessel on Monday evening. In all 16 people were injured in the accident. Divers look for the rudder."],
    );
    await page.until(() => document.querySelectorAll("#disagreement-list > li").length > 0);
    const listed = (await page.text("#disagreement-list > li")).replace(/\s+/g, " ");
    assert.match(listed, /14.*16/);
    await page.click("#disagreement-0-1-0");
    assert.match(await page.evaluate(() => document.activeElement.textContent), /16 people were injured/);
  }),

  scenario("quoted and similar sentences are underlined in the source", async (page) => {
    await sample(page, "en");
    await summarized(page, () => page.fill("#budget-number", "200"));
    await page.click("#quotes > li:first-child .quote-link");
    assert.deepEqual(await page.style("#reader-text mark:not(.similar, .shown) a", "text-decoration-line", "text-decoration-style", "text-decoration-thickness"), ["underline", "solid", "1px"]);
    await page.click("#quotes .others .chip");
    assert.deepEqual(await page.style("#reader-text mark.similar a", "text-decoration-line", "text-decoration-style", "text-decoration-thickness"), ["underline", "dotted", "1.5px"]);
  }),

  scenario("the choices of order are on one line with their label", async (page) => {
    await sample(page, "en");
    await page.evaluate(() => (document.getElementById("options").open = true));
    const [name, first] = await page.evaluate(() => ["#order-label", ".order label"].map((one) => document.querySelector(one).getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2));
    assert.ok(Math.abs(name - first) < 4, `the name at ${name}, the first order at ${first}`);
  }),

  scenario("close reading: nothing is loaded before the click; after a reload, with the server gone, the isolated page does it again", async (page, { server }) => {
    await page.until(() => navigator.serviceWorker.controller?.state === "activated");
    await sample(page, "mixed");
    const loaded = async () => (await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name))).filter((url) => !url.startsWith(server.url) || /\/(encoder|ort)\//.test(url));
    assert.deepEqual(await loaded(), []);
    const isRead = () => page.until(() => /read closely/.test(document.getElementById("status").textContent));
    await page.click("#closely-read");
    await isRead();
    const found = await quotes(page);
    await page.until(async () => (await Promise.all(["encoder/encoder.onnx", "ort/ort-wasm-simd-threaded.wasm"].map((file) => caches.match(new URL(file, document.baseURI))))).every(Boolean));
    await server.close();
    await page.goto(server.url);
    await page.until(() => document.querySelector("[data-sample]") && document.getElementById("loaded").textContent !== "");
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    await page.click('[data-sample="mixed"]');
    await isRead();
    assert.deepEqual(await quotes(page), found);
  }, { options: { first: undefined } }),

  scenario("offline: the page works after a first visit", async (page, { server }) => {
    await page.until(() => navigator.serviceWorker.controller?.state === "activated");
    await sample(page, "en");
    const found = await quotes(page);
    await server.close();
    await page.goto(server.url);
    await page.until(() => document.querySelector("[data-sample]") && document.getElementById("loaded").textContent !== "");
    await sample(page, "en");
    assert.deepEqual(await quotes(page), found);
    await page.fill("#language", "pt");
    await page.until(() => document.documentElement.lang === "pt");
    await summarized(page, () => page.files("#files", [{ name: "one.pdf", content: pdf }]));
    await page.until(() => document.querySelectorAll("#document-list > li").length === 4 || document.querySelectorAll("#document-list .doc-title").length > 3);
  }, { options: { first: undefined } }),
];
