// Draws icons/ from the page's icon: stores and toolbars require PNG.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const svg = readFileSync(here("../../demo/public/favicon.svg"), "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });
for (const size of [16, 32, 48, 128]) {
  // Stores require a margin around the large icon.
  const drawn = size === 128 ? 96 : size;
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0;display:grid;place-items:center;height:100vh}svg{width:${drawn}px;height:${drawn}px}</style>${svg}`);
  await page.screenshot({ path: here(`../icons/${size}.png`), omitBackground: true });
  await page.close();
}
await browser.close();
