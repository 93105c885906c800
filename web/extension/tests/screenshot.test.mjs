// The pictures of the panel in the documentation show what the panel shows.

import { after, before, test } from "node:test";
import { same, shown } from "../../demo/scripts/pictures.mjs";
import { elements, pictures, scene } from "../scripts/scene.mjs";

let at;
before(async () => (at = await scene()));
after(() => at?.close());

for (const [name, colorScheme] of pictures) {
  test(`docs/${name}.png shows the panel as it is`, async () => {
    for (const page of [at.front, at.panel]) await page.emulateMedia({ colorScheme });
    await same(name, [...(await shown(at.front)), ...(await shown(at.panel, elements))]);
  });
}
