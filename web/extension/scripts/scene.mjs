// What the pictures of the panel show: a page of store-pages.mjs, and the panel next to it.

import { launch, serve } from "../tests/lib.mjs";
import { freshPanel, settled, summarized } from "../tests/panel-lib.mjs";
import { stories } from "./store-pages.mjs";

/** The pictures of the documentation, and the colour scheme of each. */
export const pictures = [["panel", "light"], ["panel-dark", "dark"]];

/** The elements of the panel that these show. Not its body, whose font in an extension is that of the system. */
export const elements = "#summary, #summary *";

export const [WIDTH, HEIGHT, PANEL] = [1280, 800, 400];

/** A browser with the pages of a language in tabs; `front` is the one that is quoted. */
export async function stage(language, options) {
  const { locale, pages, quoted } = stories[language];
  const server = await serve(pages);
  const browser = await launch("test", options);
  await browser.context.addInitScript((languages) => Object.defineProperty(navigator, "languages", { get: () => languages }), [locale]);
  const [blank] = browser.context.pages();
  const visited = [];
  for (const place of Object.keys(pages)) visited.push(await browser.visit(server.url(place)));
  await blank.close();
  return {
    browser, front: visited[quoted],
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** What the pictures of the documentation show: a short summary, all of it; `height` is that of the picture. */
export async function scene() {
  const { browser, front, close } = await stage("en", { deviceScaleFactor: 2 });
  const panel = await freshPanel(browser, { width: PANEL, height: HEIGHT });
  await panel.click('[data-words="50"]');
  await summary(panel);
  const height = Math.ceil(await panel.$eval("#summary", (summary) => summary.getBoundingClientRect().height)) + 12;
  await panel.setViewportSize({ width: PANEL, height });
  await panel.evaluate(() => document.getElementById("summary").scrollIntoView({ block: "center" }));
  await front.setViewportSize({ width: WIDTH - PANEL, height });
  return { browser, front, panel, height, close };
}

/** The summary, with a sentence of it marked in its page. */
export async function summary(panel) {
  await panel.locator(".tab input").last().uncheck();
  await summarized(panel);
  await panel.locator(".quote").filter({ has: panel.locator(".chip", { hasText: "2" }) }).first().locator(".quote-link").click();
  await panel.waitForSelector("#toast p");
  await panel.evaluate(() => {
    document.getElementById("toast").replaceChildren();
    document.getElementById("summary").scrollIntoView();
    document.activeElement.blur();
  });
  await panel.mouse.move(0, 0);
}

/** The list, grouped. */
export async function tabs(panel) {
  await panel.click("#group");
  await panel.waitForSelector(".group-head");
  await settled(panel);
  await panel.evaluate(() => document.activeElement.blur());
  await panel.mouse.move(0, 0);
}

/** A page and the panel in one picture. */
export async function together(browser, front, panel, height = HEIGHT) {
  await front.setViewportSize({ width: WIDTH - PANEL, height });
  const source = async (page) => `data:image/png;base64,${(await page.screenshot()).toString("base64")}`;
  const [left, right] = [await source(front), await source(panel)];
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: WIDTH, height });
  await page.setContent(`<body style="margin:0;display:flex"><img src="${left}" width="${WIDTH - PANEL}"><img src="${right}" width="${PANEL}" style="box-shadow:0 0 24px rgb(0 0 0/.25)">`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = await page.screenshot();
  await page.close();
  return picture;
}
