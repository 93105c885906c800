// What the tests of the panel share.

import { after } from "node:test";
import { until } from "../../common/tests/until.mjs";
import { launch, serve } from "./lib.mjs";
import { sites } from "./pages.mjs";

/** The browser of all tests of a file that need no other. */
let shared;
after(() => shared?.close());

/**
 * A browser with the sites' pages open in tabs, in their order, and the panel in
 * a tab of its own. The tests of a file share one, each with tabs and a session of
 * its own, unless they need another build or profile. `init` runs in the panel first.
 */
export async function start(places = Object.keys(sites), { pages = sites, build, profile, ...view } = {}) {
  const server = await serve(pages);
  const own = build !== undefined || profile !== undefined;
  const browser = own ? await launch(build, { profile }) : (shared ??= await launch());
  browser.log.length = 0;
  const before = browser.context.pages();
  const visited = {};
  for (const place of places) visited[place] = await browser.visit(server.url(place));
  const panel = await openPanel(browser, view);
  for (const page of before) await page.close();
  await panel.waitForFunction((n) => document.querySelectorAll(".tab").length <= n, places.length);
  // Playwright does not wait for a PDF.
  await until(panel, async () => (await chrome.tabs.query({})).every(({ status }) => status !== "loading"));
  return {
    server, browser, panel, visited, log: browser.log,
    async close() {
      if (own) await browser.close();
      else await clear(browser);
      await server.close();
    },
  };
}

/** Presses the toolbar's button in a page, and waits until a panel has taken the request for "Open tabs" that follows. */
export async function trigger(browser, panel, url) {
  await panel.evaluate(() => {
    globalThis.taken = false;
    chrome.storage.session.onChanged.addListener(function look(changes) {
      if (!Object.entries(changes).some(([key, { newValue }]) => key.startsWith("request:") && newValue === undefined)) return;
      chrome.storage.session.onChanged.removeListener(look);
      globalThis.taken = true;
    });
  });
  await browser.trigger(url);
  await panel.waitForFunction(() => globalThis.taken);
}

/** Leaves of a browser what it had at first: one tab, nothing stored. */
async function clear(browser) {
  const pages = browser.context.pages();
  const page = await browser.open();
  for (const other of pages) await other.close();
  await page.evaluate(async () => {
    const { id } = await chrome.tabs.getCurrent();
    await chrome.tabs.remove((await chrome.tabs.query({})).map((tab) => tab.id).filter((other) => other !== id));
    await Promise.all([chrome.storage.session.clear(), chrome.storage.local.clear()]);
  });
}

export async function openPanel(browser, { width = 400, height = 800, colorScheme = "light", init } = {}) {
  const panel = await browser.open("panel.html", { init });
  await panel.setViewportSize({ width, height });
  await panel.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await panel.waitForSelector("html:not(.waiting)");
  return panel;
}

/** The panel as at first, whatever the last one has left in the session. */
export async function freshPanel(browser, view) {
  const page = await browser.open();
  await page.evaluate(() => chrome.storage.session.clear());
  await page.close();
  return openPanel(browser, view);
}

/** Does something and waits for the summary, with all that is looked for afterwards. */
export async function summarized(panel, act = () => panel.click("#summarize")) {
  await panel.evaluate(() => {
    const quotes = document.getElementById("quotes");
    window.begun = false;
    new MutationObserver((_, observer) => {
      if (quotes.getAttribute("aria-busy") === "true") (observer.disconnect(), window.begun = true);
    }).observe(quotes, { attributes: true });
  });
  await act();
  await panel.waitForFunction(() => window.begun);
  await settled(panel);
}

export const settled = (panel) => panel.waitForFunction(() => document.querySelector("#quotes").getAttribute("aria-busy") === "false");

export const quotes = (panel) => panel.$$eval("#quotes .quote-text", (all) => all.map((one) => one.textContent));
export const titles = (panel) => panel.$$eval(".tab-title", (all) => all.map((one) => one.textContent));
export const toast = (panel) => panel.waitForSelector("#toast p").then((p) => p.textContent());
/** What is on disk. */
export const onDisk = (panel) => panel.evaluate(() => chrome.storage.local.get());
/** How many quotes are marked as what one tab alone says. */
export const marks = (panel) => panel.locator(".quote .only").count();
/** What is said when "Only this tab says" of the first tab is unfolded. */
export async function onlyFirst(panel) {
  await panel.locator("#coverage-list summary").first().click();
  await panel.waitForFunction(() => !/^(Looking…)?$/.test(document.querySelector(".only-body")?.textContent ?? ""));
  return panel.textContent(".only-body");
}
