// The pictures of the page in the documentation show what the page shows.

import { before, test } from "node:test";
import { same, shown } from "../scripts/pictures.mjs";
import { elements, pictures, scene } from "../scripts/scene.mjs";
import { begin } from "./lib.mjs";

const { server, browser } = await begin();
let page;
before(async () => (page = await scene(browser, server.url)));

for (const [name, colorScheme] of pictures) {
  test(`docs/${name}.png shows the page as it is`, async () => {
    await page.emulateMedia({ colorScheme });
    await same(name, await shown(page, elements));
  });
}
