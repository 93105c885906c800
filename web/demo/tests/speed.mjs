// How long a reader waits, told by the page's own clock: from the navigation,
// or from what the reader did, until a frame with the summary has been painted.

import { readFile } from "node:fs/promises";
import { here, launch, serve } from "./lib.mjs";

/** Ten articles of 40 sentences. */
export const sample = "en-long";
export const articles = JSON.parse(await readFile(here(`../samples/${sample}.json`), "utf8")).documents;

/** A file that opens the articles with a method of the reader's choice. */
const session = (method) =>
  JSON.stringify({ cerasum: 1, documents: articles, settings: { budget: { words: 100 }, order: "document", method } });

/**
 * Runs in the page, before anything else does. `speed.after(act)` gives the milliseconds
 * from `act` to its summary, of which `speed.first` are those of the first. `speed.core`
 * are those that the core itself took for the last one.
 */
function watch() {
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        if (data?.kind === "summary") speed.core = data.summary.timings.select;
      });
    }
  };
  /** When the next summary is whole and painted. */
  const shown = () => new Promise((resolve) => {
    let under = false;
    new MutationObserver((_, observer) => {
      const quotes = document.getElementById("quotes");
      const busy = quotes?.getAttribute("aria-busy") === "true";
      under ||= busy;
      if (!under || busy || quotes.childElementCount === 0) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(undefined);
      });
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-busy"] });
  });
  globalThis.speed = {
    /** Does something as soon as the page takes documents. */
    opened: (act) => {
      speed.first = shown();
      new MutationObserver((_, observer) => {
        if (!document.querySelector("[data-sample]")) return;
        observer.disconnect();
        act();
      }).observe(document, { subtree: true, childList: true });
    },
    async after(act) {
      const begun = performance.now();
      const end = shown();
      act();
      return (await end) - begun;
    },
    quotes: () => [...document.querySelectorAll("#quotes .quote-text")].map((one) => one.textContent),
  };
}

/** Ways to open the articles. */
const ways = {
  sample: (name) => speed.opened(() => document.querySelector(`[data-sample="${name}"]`).click()),
  session: (content) => speed.opened(() => {
    const carried = new DataTransfer();
    carried.items.add(new File([content], "articles.cerasum.json", { type: "application/json" }));
    const input = document.getElementById("files");
    input.files = carried.files;
    input.dispatchEvent(new Event("change"));
  }),
};

/** Chromium and the site, which serve takes from the options. */
export async function start(options) {
  const server = await serve(options);
  const browser = await launch();
  return {
    version: browser.version(),
    /**
     * A page in a context of its own, where no file and no compiled code is
     * cached, that is given the articles as soon as it can take them. `first`:
     * milliseconds from the navigation to the summary. `routes` are set up first.
     */
    async cold(method, routes = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: "block" });
      context.setDefaultTimeout(30_000);
      for (const [pattern, handler] of Object.entries(routes)) await context.route(pattern, handler);
      await context.addInitScript(watch);
      await (method === "auto" ? context.addInitScript(ways.sample, sample) : context.addInitScript(ways.session, session(method)));
      const page = await context.newPage();
      await page.goto(server.url, { waitUntil: "commit" });
      const first = await page.evaluate(() => speed.first);
      return { page, first, close: () => context.close() };
    },
    async stop() {
      await browser.close();
      await server.close();
    },
  };
}

/** What a reader does to articles on the page: from it to the summary, milliseconds. */
export const acts = {
  "another method": (page) => page.evaluate(() => speed.after(() => {
    const method = document.getElementById("method");
    method.value = method.value === "auto" ? "instant" : "auto";
    method.dispatchEvent(new Event("change"));
  })),
  "another length": (page) => page.evaluate(() => speed.after(() => {
    const range = document.getElementById("budget");
    range.value = range.value === "100" ? "150" : "100";
    range.dispatchEvent(new Event("input"));
  })),
  "all articles anew": (page) => page.evaluate((name) => speed.after(() => document.querySelector(`[data-sample="${name}"]`).click()), sample),
};

/** The median, the least, and all in their order. */
export const show = (all) => `${[...all].sort((a, b) => a - b)[all.length >> 1].toFixed(0)} ms, at best ${Math.min(...all).toFixed(0)} (${all.map((x) => x.toFixed(0)).join(", ")})`;
