// Makes the pictures for the stores, 1280 × 800, in every language of the panel: a
// page with the panel next to it. `npm run screenshots -w web/extension` writes them
// to build/out/screenshots/store. With --docs it makes docs/panel.png and
// docs/panel-dark.png instead, in English.

import { mkdir, writeFile } from "node:fs/promises";
import { here } from "../tests/lib.mjs";
import { freshPanel } from "../tests/panel-lib.mjs";
import { shown, write } from "../../demo/scripts/pictures.mjs";
import { elements, HEIGHT, PANEL, pictures, scene, stage, summary, tabs, together } from "./scene.mjs";
import { stories } from "./store-pages.mjs";

if (process.argv.includes("--docs")) await forDocs();
else await forStores();

async function forDocs() {
  const { browser, front, panel, height, close } = await scene();
  try {
    for (const [name, colorScheme] of pictures) {
      for (const page of [front, panel]) await page.emulateMedia({ colorScheme });
      await write(name, await together(browser, front, panel, height), [...(await shown(front)), ...(await shown(panel, elements))]);
    }
  } finally {
    await close();
  }
}

async function forStores() {
  const out = here("../../../build/out/screenshots/store");
  await mkdir(out, { recursive: true });
  for (const language of Object.keys(stories)) {
    const { browser, front, close } = await stage(language);
    try {
      for (const [name, colorScheme, reach] of [["summary", "light", summary], ["tabs", "light", tabs], ["dark", "dark", summary]]) {
        const panel = await freshPanel(browser, { width: PANEL, height: HEIGHT, colorScheme });
        await reach(panel);
        await front.emulateMedia({ colorScheme });
        const picture = await together(browser, front, panel);
        await writeFile(`${out}/${language}-${name}.png`, picture);
        console.log(`${language}-${name}.png: ${picture.length} bytes`);
        await panel.close();
      }
    } finally {
      await close();
    }
  }
}
