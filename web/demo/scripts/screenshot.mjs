// Makes docs/screenshot.png from the English sample: `npm run screenshot -w web/demo`.

import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { here, launch, loadSample, open, serve } from "../tests/lib.mjs";

const LIMIT = 200_000;
const file = here("../../../docs/screenshot.png");

const server = await serve();
const browser = await launch();
try {
  const { page } = await open(browser, server.url, { viewport: { width: 1280, height: 760 }, colorScheme: "light" });
  await loadSample(page, "en");
  await page.click("#quotes .quote:nth-child(2) .quote-link");
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
  await mkdir(dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  const { size } = await stat(file);
  if (size > LIMIT) throw new Error(`${file} has ${size} bytes, more than ${LIMIT}`);
  console.log(`${file}: ${size} bytes`);
} finally {
  await browser.close();
  await server.close();
}
