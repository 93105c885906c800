// Makes the pictures for the stores, 1280 × 800, in every language of the panel: a
// page with the panel next to it. `npm run screenshots -w web/extension` writes them
// to build/out/screenshots/store, and with --docs only docs/panel.png and
// docs/panel-dark.png, in English.

import { mkdir, writeFile } from "node:fs/promises";
import { here, launch, serve } from "../tests/lib.mjs";
import { freshPanel, settled, summarized } from "../tests/panel-lib.mjs";
import { LIMIT, shrink } from "../../demo/scripts/png.mjs";
import { stories } from "./store-pages.mjs";

const forDocs = process.argv.includes("--docs");
const out = here(forDocs ? "../../../docs" : "../../../build/out/screenshots/store");
/** The languages and the pictures of each: name, colour scheme, what is shown. */
const wanted = forDocs ? { en: stories.en } : stories;
const pictures = forDocs
  ? [["panel.png", "light", summary], ["panel-dark.png", "dark", summary]]
  : [["summary.png", "light", summary], ["tabs.png", "light", tabs], ["dark.png", "dark", summary]];
const [WIDTH, HEIGHT, PANEL] = [1280, 800, 400];
await mkdir(out, { recursive: true });

for (const [language, { locale, pages, quoted }] of Object.entries(wanted)) {
  const server = await serve(pages);
  const browser = await launch("test");
  try {
    await browser.context.addInitScript((languages) => Object.defineProperty(navigator, "languages", { get: () => languages }), [locale]);
    const [blank] = browser.context.pages();
    const visited = [];
    for (const place of Object.keys(pages)) visited.push(await browser.visit(server.url(place)));
    await blank.close();
    for (const [name, colorScheme, reach] of pictures) {
      const panel = await freshPanel(browser, { width: PANEL, height: HEIGHT, colorScheme });
      await reach(panel);
      const page = visited[quoted];
      await page.setViewportSize({ width: WIDTH - PANEL, height: HEIGHT });
      await page.emulateMedia({ colorScheme });
      let picture = await together(browser, await page.screenshot(), await panel.screenshot());
      if (forDocs) {
        picture = shrink(picture);
        if (picture.length > LIMIT) throw new Error(`${name} has ${picture.length} bytes, more than ${LIMIT}`);
      }
      const file = forDocs ? name : `${language}-${name}`;
      await writeFile(`${out}/${file}`, picture);
      console.log(`${file}: ${picture.length} bytes`);
      await panel.close();
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The summary, with a sentence of it marked in its page. */
async function summary(panel) {
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
async function tabs(panel) {
  await panel.click("#group");
  await panel.waitForSelector(".group-head");
  await settled(panel);
  await panel.evaluate(() => document.activeElement.blur());
  await panel.mouse.move(0, 0);
}

async function together(browser, left, right) {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  const source = (png) => `data:image/png;base64,${png.toString("base64")}`;
  await page.setContent(`<body style="margin:0;display:flex"><img src="${source(left)}" style="display:block"><img src="${source(right)}" style="display:block;box-shadow:0 0 24px rgb(0 0 0/.25)">`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = await page.screenshot();
  await page.close();
  return picture;
}
