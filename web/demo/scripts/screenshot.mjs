// Makes docs/screenshot.png and docs/screenshot-dark.png from the English sample:
// `npm run screenshot -w web/demo`.

import { writeFile } from "node:fs/promises";
import { here, launch, loadSample, open, serve, summarized } from "../tests/lib.mjs";
import { LIMIT, shrink } from "./png.mjs";

const server = await serve();
const browser = await launch();
try {
  for (const [name, colorScheme] of [["screenshot", "light"], ["screenshot-dark", "dark"]]) {
    const { page, context } = await open(browser, server.url, { viewport: { width: 1280, height: 800 }, colorScheme, options: false });
    await loadSample(page, "en");
    await summarized(page, () => page.fill("#question", "Why were the repairs postponed?"));
    await page.click("#quotes .quote:nth-child(2) .quote-link");
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.activeElement.blur());
    const picture = shrink(await page.screenshot());
    if (picture.length > LIMIT) throw new Error(`${name}.png has ${picture.length} bytes, more than ${LIMIT}`);
    await writeFile(here(`../../../docs/${name}.png`), picture);
    console.log(`docs/${name}.png: ${picture.length} bytes`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
