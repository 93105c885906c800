// For everybody: keyboard alone, screen readers (axe-core), narrow windows,
// light and dark. Leaves screenshots in build/out/screenshots.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { here, launch, loadSample, open, quotes, serve, summarized } from "./lib.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = here("../../../build/out/screenshots");

let server, wider, folder, browser;
before(async () => {
  server = await serve();
  // A page that offers encoders of a hub and documents by their addresses.
  folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  execFileSync("npx", ["vite", "build", "--logLevel", "error", "--outDir", folder], {
    cwd: here(".."), env: { ...process.env, CERASUM_HUB: "./hub", CERASUM_ELSEWHERE: "https:" }, stdio: "pipe",
  });
  wider = await serve({ folder, connect: "https:" });
  browser = await launch();
  await mkdir(shots, { recursive: true });
});
after(async () => {
  await browser?.close();
  await server?.close();
  await wider?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const never = () => new Promise(() => {});

/** The states that the page can be in, each reached anew. */
const views = {
  empty: async () => {},
  pasting: async (page) => {
    await page.click("#paste-open");
    await page.click("#paste button[type=submit]");
  },
  summary: async (page) => {
    await loadSample(page, "en");
    await summarized(page, () => page.fill("#budget-number", "200"));
  },
  source: async (page) => {
    await loadSample(page, "mixed");
    await page.click("#quotes > li:nth-child(2) .quote-link");
  },
  sentence: async (page) => {
    await loadSample(page, "fr");
    await page.click("#document-list > li:nth-child(2) .cell:nth-child(3)");
  },
  alike: async (page) => {
    await loadSample(page, "pt");
    await summarized(page, () => page.selectOption("#method", "mean"));
    await page.focus("#document-list > li:nth-child(1) .strip");
  },
  editing: async (page) => {
    await loadSample(page, "tr");
    await page.click("#edit");
    await page.fill("#budget-number", "3");
    await page.press("#budget-number", "Tab");
  },
  compare: async (page) => {
    await loadSample(page, "en");
    await page.click("#compare-open");
    await page.waitForFunction(() => document.querySelectorAll("#compare .quote").length > 2 && !document.querySelector("#compare [aria-busy]"));
    await page.click("#compare .measure summary");
    await page.fill("#compare-reference", "The sea wall at Harrow Bay broke in a storm. 1,200 people left their homes.");
    await page.waitForSelector("#compare .scores");
  },
  map: async (page) => {
    await loadSample(page, "fr");
    await summarized(page, () => page.selectOption("#budget-unit", "characters"));
    await page.click("#map-section > summary");
    await page.waitForSelector(".map .dot");
    await page.click(".map-words > summary");
    await page.focus(".map");
    await page.keyboard.press("PageDown");
  },
  privacy: async (page) => {
    await loadSample(page, "en");
    await page.click("#privacy");
    await page.check("#keep");
    await page.click("#privacy-panel .files > summary");
  },
  menu: async (page) => {
    await loadSample(page, "pt");
    await page.click("#more > summary");
  },
  problems: async (page) => {
    await loadSample(page, "es");
    await page.setInputFiles("#files", [{ name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) }]);
    await page.waitForSelector("#file-problems:not([hidden])");
    await page.click("#document-list > li:nth-child(1) .remove");
    await page.waitForSelector("#undo");
  },
  print: async (page) => {
    await loadSample(page, "mixed");
    await page.emulateMedia({ media: "print" });
  },
  refining: async (page) => {
    await page.route("**/encoder/model.onnx", never);
    await page.evaluate(() => document.querySelector('[data-sample="mixed"]').click());
    await page.waitForSelector("#progress:not([hidden])");
  },
};
/** Those of a page that may ask others. */
const widerViews = {
  addresses: async (page) => {
    await page.fill("#address-url", "not an address");
    await page.press("#address-url", "Enter");
    await page.waitForSelector("#file-problems li");
  },
  fetching: async (page) => {
    await page.route("https://news.example/**", never);
    await page.fill("#address-url", "https://news.example/one");
    await page.press("#address-url", "Enter");
    await page.waitForSelector("#address-stop:not([hidden])");
  },
  "encoder to get": async (page) => {
    await loadSample(page, "mixed");
    await summarized(page, () => page.selectOption("#encoder", known));
  },
  "encoder coming": async (page) => {
    await page.route("**/hub/**", never);
    await loadSample(page, "mixed");
    await summarized(page, () => page.selectOption("#encoder", known));
    await page.click("#encoder-get");
    await page.waitForSelector("#encoder-stop:not([hidden])");
  },
  "encoder refused": async (page) => {
    await page.route("**/hub/**", (route) => route.fulfill({ status: 403 }));
    await loadSample(page, "mixed");
    await summarized(page, () => page.selectOption("#encoder", known));
    await page.click("#encoder-get");
    await page.waitForFunction(() => /403/.test(document.getElementById("encoder-more").textContent));
  },
  "privacy of a wider page": async (page) => {
    await loadSample(page, "en");
    await page.click("#privacy");
  },
};
const known = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2";
const sizes = { wide: { width: 1280, height: 800 }, middle: { width: 900, height: 1000 }, narrow: { width: 320, height: 720 } };

for (const colorScheme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries(sizes)) {
    test(`axe-core finds nothing: ${colorScheme}, ${size}`, async () => {
      for (const [name, reach] of [...Object.entries(views), ...Object.entries(widerViews)]) {
        // The policy is lifted for this test alone, to let axe-core in.
        const { page, context, log } = await open(browser, (name in views ? server : wider).url, { viewport, colorScheme, bypassCSP: true });
        await reach(page);
        await page.evaluate(axe);
        // On paper the page's name, which is its first heading, is left out.
        const rules = { "target-size": { enabled: true }, "page-has-heading-one": { enabled: name !== "print" } };
        const { violations } = await page.evaluate((rules) => window.axe.run(document, { resultTypes: ["violations"], rules }), rules);
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
        assert.deepEqual(told, [], name);
        const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        assert.ok(inner <= outer, `${name}: ${inner} px wide in a window of ${outer}`);
        await page.screenshot({ path: `${shots}/${name}-${size}-${colorScheme}.png`, fullPage: size !== "wide" });
        assert.deepEqual(log.filter((line) => !/403|news\.example/.test(line)), []);
        await context.close();
      }
    });
  }
}

test("the keyboard alone: sample, length, order, method, sentence, source and back", async () => {
  const { page, context, log } = await open(browser, server.url);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.dataset.sample);
  const tabTo = async (selector, key = "Tab") => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press(key);
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) {
        const visible = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(visible, "none", `the focus on ${selector} cannot be seen`);
        return;
      }
    }
    assert.fail(`${selector} cannot be reached with ${key}; the focus is on ${await focused()}`);
  };
  await tabTo('[data-sample="es"]');
  await summarized(page, () => page.keyboard.press("Enter"));
  assert.equal(await focused(), "summary-title");
  await tabTo("#budget");
  await summarized(page, () => page.keyboard.press("ArrowRight"));
  assert.equal(await page.inputValue("#budget-number"), "101");
  await tabTo('input[name="order"]');
  await summarized(page, () => page.keyboard.press("ArrowDown"));
  await tabTo("#method");
  await summarized(page, () => page.keyboard.press("ArrowDown"));
  assert.notEqual(await page.inputValue("#method"), "auto");
  const found = await quotes(page);
  await tabTo("#quotes > li:first-child .quote-link");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), found[0]);
  assert.equal(await page.locator("mark.active").textContent(), found[0]);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".quote-text").textContent), found[0]);
  await tabTo("#document-list > li:first-child .remove", "Shift+Tab");
  await summarized(page, () => page.keyboard.press("Enter"));
  await tabTo("#undo");
  await summarized(page, () => page.keyboard.press("Enter"));
  assert.equal(await focused(), "documents-title");
  assert.equal(await page.locator("#document-list > li").count(), 3);
  assert.deepEqual(log, []);
  await context.close();
});

test("a focused quote keeps the focus when the summary is made anew", async () => {
  const { page, context, log } = await open(browser, server.url);
  await loadSample(page, "en");
  await page.focus("#quotes > li:first-child .quote-link");
  const id = await page.evaluate(() => document.activeElement.id);
  await summarized(page, () => page.evaluate(() => {
    const range = document.getElementById("budget");
    range.value = "400";
    range.dispatchEvent(new Event("input"));
  }));
  const now = await page.evaluate(() => document.activeElement.id);
  const still = await page.locator(`#${id}`).count();
  assert.equal(now, still ? id : "summary-title");
  assert.deepEqual(log, []);
  await context.close();
});

test("light and dark: the system's choice, then the reader's, kept for the next visit if they ask for it", async () => {
  const { page, context, log } = await open(browser, server.url, { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "true");
  await page.click("#theme");
  const light = await ground();
  assert.notEqual(light, dark);
  assert.equal(await page.getAttribute("#theme", "aria-pressed"), "false");
  await page.click("#privacy");
  await page.click("#keep");
  await page.waitForFunction(() => localStorage.getItem("cerasum-theme") === "light");
  await page.reload();
  assert.equal(await ground(), light);
  assert.deepEqual(log, []);
  await context.close();
});

test("nothing on the page moves while it loads", async () => {
  const { page, context } = await open(browser, server.url);
  const shift = await page.evaluate(
    () => new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(sum), 500);
    }),
  );
  assert.ok(shift < 0.01, `layout shift ${shift}`);
  await context.close();
});

test("languages are marked, so that a screen reader pronounces them", async () => {
  const { page, context } = await open(browser, server.url);
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await loadSample(page, "ru");
  assert.deepEqual(new Set(await page.$$eval("#quotes .quote-text", (all) => all.map((one) => one.lang))), new Set(["ru"]));
  assert.equal(await page.getAttribute("#reader-text", "lang"), "ru");
  assert.equal(await page.getAttribute("#document-list .doc-title", "lang"), "ru");
  await context.close();
});
