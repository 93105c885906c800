// Makes the icons of the installed page from favicon.svg: `npm run icons -w web/demo`.

import { readFile, writeFile } from "node:fs/promises";
import { here, launch } from "../tests/lib.mjs";
import { shrink } from "./png.mjs";

/** The side of each icon in pixels, and the share that the picture fills: systems may crop a fifth of a maskable icon. */
const icons = { "icon-192": [192, 0.8], "icon-512": [512, 0.8], "icon-maskable-512": [512, 0.6], "icon-apple-180": [180, 0.74] };

const picture = `data:image/svg+xml;base64,${(await readFile(here("../public/favicon.svg"))).toString("base64")}`;
const browser = await launch();
try {
  for (const [name, [side, share]] of Object.entries(icons)) {
    const page = await browser.newPage({ viewport: { width: side, height: side } });
    await page.setContent(`<body style="margin:0;height:100vh;display:grid;place-items:center;background:#f6f3ec"><img src="${picture}" width="${Math.round(side * share)}">`);
    await page.waitForFunction(() => document.images[0].complete);
    const png = shrink(await page.screenshot());
    await writeFile(here(`../public/${name}.png`), png);
    console.log(`public/${name}.png: ${png.length} bytes`);
    await page.close();
  }
} finally {
  await browser.close();
}
