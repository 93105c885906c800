// The panel for everybody: axe-core in every state, in narrow and wide panels,
// light and dark; the keyboard alone. make test-slow has all colours and widths,
// and leaves screenshots in build/out/screenshots.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { again, count, test } from "../../common/tests/limits.mjs";
import { here, sleep } from "./lib.mjs";
import { article, sites } from "./pages.mjs";
import { freshPanel, quotes, settled, start, summarized } from "./panel-lib.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = here("../../../build/out/screenshots");

const bread = article("en", "How to bake sourdough bread at home, and what to do when the loaf comes out flat", [
  "Feed your starter the evening before and let it rise in a warm place until it bubbles.",
  "Mix flour, water and salt, and fold the dough every half hour, four times in all.",
]);
const login = "<title>Sign in</title><form><input name=user><input type=password></form>";

let all;
before(async () => {
  await mkdir(shots, { recursive: true });
  all = await start([...Object.keys(sites), "alfa/bread", "bravo/login"], { pages: { ...sites, "alfa/bread": bread, "bravo/login": login } });
  // One that sleeps.
  await all.panel.evaluate(async () => chrome.tabs.discard((await chrome.tabs.query({ url: "http://charlie.test/*" }))[0].id));
  await all.panel.close();
});
after(() => all?.server.close());

/** The states that the panel can be in, each reached from the one before. */
const views = {
  list: async () => {},
  summary: async (panel) => {
    await summarized(panel);
    await panel.locator("#coverage-list .only-fold summary").first().click();
    await panel.waitForFunction(() => !/Looking/.test(document.querySelector(".only-body")?.textContent ?? "Looking"));
  },
  groups: async (panel) => {
    await panel.click("#tabs > summary");
    await panel.click("#left-title");
    await panel.click("#controls .fold > summary");
  },
  drawer: async (panel) => {
    await panel.click("#menu");
    if (!(await panel.isChecked("#history-keep"))) await panel.check("#history-keep");
    await panel.waitForSelector(".kept");
    await panel.click("#history-keep");
  },
  page: async (panel) => {
    await panel.click("#history-stop");
    await panel.click("#drawer-close");
    await panel.click("#scope-page");
  },
  problem: async (panel) => {
    await panel.click("#scope-selection");
    await panel.click("#summarize");
    await panel.waitForSelector("#problem:not([hidden])");
  },
};

const looks = [["light", 320], ["dark", 480], ["dark", 320], ["light", 480]];
for (const [colorScheme, width] of looks.slice(0, count(1, 4))) {
  again(`no violations at ${width} px, ${colorScheme}`, async (t) => {
    const panel = await freshPanel(all.browser, { width, height: 760, colorScheme });
    t.after(() => panel.close());
    for (const [name, reach] of Object.entries(views)) {
      await reach(panel);
      await settled(panel);
      await panel.evaluate(axe);
      const { violations } = await panel.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`), [], name);
      const [inner, outer] = await panel.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(inner <= outer, `${name}: ${inner} px wide in a panel of ${outer}`);
      if (process.env.CERASUM_SLOW) await panel.screenshot({ path: `${shots}/panel-${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  });
}

test("the first view explains itself, without violations", async () => {
  const bare = await start([], { build: "chromium", width: 320 });
  await bare.panel.evaluate(axe);
  const { violations } = await bare.panel.evaluate(() => globalThis.axe.run(document));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join("; ")}`), []);
  await bare.close();
});

test("the keyboard alone: tick, length, summarize, sentence, what one tab says, history", async () => {
  const panel = await freshPanel(all.browser);
  const tabTo = async (selector, key = "Tab") => {
    for (let i = 0; i < 80; i++) {
      await panel.keyboard.press(key);
      if (await panel.evaluate((s) => document.activeElement.matches(s), selector)) {
        assert.notEqual(await panel.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none", `the focus on ${selector} cannot be seen`);
        return;
      }
    }
    assert.fail(`${selector} cannot be reached with ${key}; the focus is on ${await panel.evaluate(() => document.activeElement.outerHTML.slice(0, 200))}`);
  };
  await tabTo("#tabs .tab:nth-child(2) input");
  await panel.keyboard.press("Space");
  assert.ok(await panel.evaluate(() => document.activeElement.matches(".tab:nth-child(2) input") && !document.activeElement.checked), "the focus stays where it was");
  await tabTo("#words");
  await panel.keyboard.press("ArrowRight");
  assert.equal(await panel.textContent("#words-said"), "105 words");
  await tabTo("#summarize");
  await summarized(panel, () => panel.keyboard.press("Enter"));
  const found = await quotes(panel);
  assert.ok(found.length > 1);
  await tabTo("#only-0");
  await panel.keyboard.press("Enter");
  await panel.waitForSelector(".only-body");
  await tabTo("#quote-0", "Shift+Tab");
  await panel.keyboard.press("Enter");
  await panel.waitForSelector("#toast p");
  await panel.bringToFront();
  await tabTo("#menu", "Shift+Tab");
  await panel.keyboard.press("Enter");
  assert.equal(await panel.evaluate(() => document.activeElement.id), "drawer");
  await panel.keyboard.press("Escape");
  assert.equal(await panel.evaluate(() => document.activeElement.id), "menu");
  await sleep(100);
  assert.deepEqual(all.log, []);
  await panel.close();
});
