// Chromium, driven by Playwright.

import { chromium } from "playwright-core";
import { browserArguments } from "../browser-arguments.mjs";
import { find } from "../browsers.mjs";

/** The driver of one page of Playwright's. */
export const tab = (page, close) => {
  page.setDefaultTimeout(60_000);
  return {
    goto: (url) => page.goto(url),
    run: (expression) => page.evaluate(expression),
    click: (selector) => page.locator(selector).first().click(),
    keys: (keys) => page.keyboard.press(keys),
    files: (selector, paths) => page.setInputFiles(selector, paths),
    screenshot: (path) => page.screenshot({ path }),
    close,
  };
};

/** A browser; `open` gives a tab. */
export async function launch() {
  const browser = await chromium.launch({ executablePath: find("chromium"), args: browserArguments() });
  return {
    version: browser.version(),
    async open(viewport) {
      const context = await browser.newContext({ viewport });
      return tab(await context.newPage(), () => context.close());
    },
    close: () => browser.close(),
  };
}
