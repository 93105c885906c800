// Runs scenarios in one engine as tests. A failure names engine, scenario and screenshot.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { missing } from "../browsers.mjs";
import { engines } from "./engines.mjs";
import { reason } from "./limits.mjs";
import { Page } from "./page.mjs";

const screenshots = fileURLToPath(new URL("../out/screenshots/engines", import.meta.url));

/** The path of a screenshot, or why there is none. */
async function screenshot(page, name) {
  if (!page) return "none: no page was opened";
  mkdirSync(screenshots, { recursive: true });
  const path = join(screenshots, `${name.replace(/\W+/g, "-").slice(0, 69)}.png`);
  return page.screenshot(path).then(() => path, (problem) => `none: ${problem.message}`);
}

export function run(engine, scenarios) {
  const { title, launch } = engines[engine];
  const lacks = missing(engine);
  if (lacks) return void test(`${title}: ${scenarios.length} scenarios`, { skip: lacks });

  let browser;
  after(() => browser?.close());
  for (const { name, needs, own = false, viewport = { width: 1280, height: 800 }, act } of scenarios) {
    test(`${title}: ${name}`, { skip: reason(engine, needs) ?? false }, async (t) => {
      const context = { engine, t };
      try {
        // A scenario that starts a browser of its own sets context.page.
        if (!own) {
          if (!browser) {
            browser = await launch();
            t.diagnostic(`${title} ${browser.version}`);
          }
          context.page = new Page(await browser.open(viewport));
        }
        await act(context.page, context);
      } catch (error) {
        throw new Error(`${title}: ${name}: ${error.message}\nscreenshot: ${await screenshot(context.page, `${engine}-${name}`)}`, { cause: undefined });
      } finally {
        if (!own) await context.page?.close();
        await context.after?.();
      }
    });
  }
}
