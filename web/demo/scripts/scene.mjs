// What docs/screenshot.png and docs/screenshot-dark.png show: a question to the English sample.

import { loadSample, open, summarized } from "../tests/lib.mjs";

/** The pictures, and the colour scheme of each. */
export const pictures = [["screenshot", "light"], ["screenshot-dark", "dark"]];

/** The elements that are shown: not the foot, whose figures depend on the build. */
export const elements = "body, body > :not(.foot), body > :not(.foot) *";

const WIDTH = 1360;

export async function scene(browser, url) {
  const { page } = await open(browser, url, { viewport: { width: WIDTH, height: 800 }, deviceScaleFactor: 2, options: false });
  await loadSample(page, "en");
  await summarized(page, () => page.fill("#question", "Why were the repairs postponed?"));
  await page.click("#quotes .quote:nth-child(2) .quote-link");
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
  // As high as the longest column, without most of the space below it.
  const more = await page.$$eval(".column", (columns) => Math.max(...columns.map((column) => column.scrollHeight - column.clientHeight)));
  await page.setViewportSize({ width: WIDTH, height: 800 + more - 48 });
  return page;
}
