// Makes docs/screenshot.png from the English sample: `npm run screenshot -w web/demo`.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { here, launch, loadSample, open, serve, summarized } from "../tests/lib.mjs";
import { shrink } from "./png.mjs";

const LIMIT = 200_000;
const file = here("../../../docs/screenshot.png");

const server = await serve();
const browser = await launch();
try {
  const { page } = await open(browser, server.url, { viewport: { width: 1280, height: 800 }, colorScheme: "light", options: false });
  await loadSample(page, "en");
  await summarized(page, () => page.fill("#question", "Why did the sea wall break?"));
  await page.click("#quotes .quote:nth-child(2) .quote-link");
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
  await mkdir(dirname(file), { recursive: true });
  const picture = shrink(await page.screenshot());
  if (picture.length > LIMIT) throw new Error(`the picture has ${picture.length} bytes, more than ${LIMIT}`);
  await writeFile(file, picture);
  console.log(`docs/screenshot.png: ${picture.length} bytes`);
} finally {
  await browser.close();
  await server.close();
}
