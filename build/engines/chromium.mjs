// Chromium, driven by Playwright.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { browserArguments } from "../browser-arguments.mjs";

const path = () => process.env.CHROMIUM || execFileSync(process.execPath, [fileURLToPath(new URL("../chromium.mjs", import.meta.url))], { encoding: "utf8" }).trim();

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
  const browser = await chromium.launch({ executablePath: path(), args: browserArguments() });
  return {
    version: browser.version(),
    async open(viewport) {
      const context = await browser.newContext({ viewport });
      return tab(await context.newPage(), () => context.close());
    },
    close: () => browser.close(),
  };
}
