// What the tests of the panel share.

import { launch, serve } from "./lib.mjs";
import { sites } from "./pages.mjs";

/** The browser with the sites' pages open in tabs, in their order, and the panel in a tab of its own. */
export async function start(places = Object.keys(sites), { pages = sites, build = "test", profile, init, ...view } = {}) {
  const server = await serve(pages);
  const browser = await launch(build, { profile });
  if (init) await browser.context.addInitScript(init);
  const [first] = browser.context.pages();
  const visited = {};
  for (const place of places) visited[place] = await browser.visit(server.url(place));
  const panel = await openPanel(browser, view);
  await first.close();
  await panel.waitForFunction((n) => document.querySelectorAll(".tab").length <= n, places.length);
  return {
    server, browser, panel, visited, log: browser.log,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

export async function openPanel(browser, { width = 400, height = 800, colorScheme = "light" } = {}) {
  const panel = await browser.open("panel.html");
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
