// Makes docs/screenshot.png and docs/screenshot-dark.png: `make screenshot`.

import { launch, serve } from "../tests/lib.mjs";
import { shown, write } from "./pictures.mjs";
import { elements, pictures, scene } from "./scene.mjs";

const server = await serve();
const browser = await launch();
try {
  const page = await scene(browser, server.url);
  for (const [name, colorScheme] of pictures) {
    await page.emulateMedia({ colorScheme });
    const foot = await page.locator(".foot").boundingBox();
    await write(name, await page.screenshot({ clip: { x: 0, y: 0, width: foot.width, height: foot.y } }), await shown(page, elements));
  }
} finally {
  await browser.close();
  await server.close();
}
