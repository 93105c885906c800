// Checks the page, in every state that it can be in, with axe-core. In make test the
// states that show the most, each once; in make test-slow all in all colours and sizes,
// with screenshots in build/out/screenshots.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { change, disagree } from "./disagreeing.mjs";
import { here, launch, loadSample, open, serve, slowly, some, summarized, textFile, wider } from "./lib.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = here("../../../build/out/screenshots");

let server, widerServer, browser;
before(async () => {
  server = await serve();
  widerServer = await serve({ folder: wider, connect: "http:" });
  browser = await launch();
  await mkdir(shots, { recursive: true });
});
after(async () => {
  await browser?.close();
  await server?.close();
  await widerServer?.close();
});

const never = () => new Promise(() => {});
const arabic = "أعلنت سلطات ميناء نسيل إغلاق الرصيف الشرقي بعد العاصفة. وقال مدير الميناء إن الإصلاح سيستغرق ثلاثة أسابيع. وتنتظر أربعون سفينة خارج الميناء.";
const japanese = "ネッセル港の東埠頭は嵐の後に閉鎖された。港長によると修理には三週間かかる。四十隻の船が港の外で待っている。";

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
  disagreements: async (page) => {
    await page.addInitScript(change);
    await page.reload();
    await disagree(page);
  },
  question: async (page) => {
    await loadSample(page, "fr");
    await summarized(page, () => page.fill("#question", "Qui a trouvé la mosaïque ?"));
    await page.click("#quotes > li:last-child .in-context");
  },
  text: async (page) => {
    await loadSample(page, "mixed");
    await summarized(page, () => page.selectOption("#budget-unit", "characters"));
    await page.check('input[name="view"][value="text"]');
    await page.click(".ref");
    // Buttons that the head covers after scrolling would count as too small.
    await page.evaluate(() => { for (const one of document.querySelectorAll("main, main *")) one.scrollTop = 0; });
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
    await page.route("**/encoder/encoder.onnx", never);
    await loadSample(page, "mixed");
    await page.click("#closely-read");
    await page.waitForSelector("#progress:not([hidden])");
  },
  "close reading": (page) => loadSample(page, "mixed"),
  "close reading that failed": async (page) => {
    await page.route("**/encoder/encoder.onnx", (route) => route.fulfill({ status: 403 }));
    await loadSample(page, "mixed");
    await summarized(page, () => page.click("#closely-read"));
    await page.waitForSelector("#closely.failed");
  },
  thirty: (page) => summarized(page, () => page.setInputFiles("#files", some(30))),
  scripts: async (page) => {
    await summarized(page, () => page.setInputFiles("#files", [textFile("ميناء.txt", arabic), textFile("港.txt", japanese), textFile("pier.txt", "The east pier of Nessel was closed. The repair takes three weeks.")]));
    await page.click("#quotes > li:first-child .quote-link");
  },
  one: (page) => summarized(page, () => page.setInputFiles("#files", [textFile("one.txt", "The harbour of Nessel is closed.")])),
  reading: async (page) => {
    await loadSample(page, "en");
    await slowly(page);
    await page.setInputFiles("#files", some(9));
    await page.waitForSelector(".toast-work");
  },
  pointing: async (page) => {
    await loadSample(page, "en");
    await page.hover("#quotes > li:first-child .quote-text");
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
    await page.route("http://news.example/**", never);
    await page.fill("#address-url", "http://news.example/one");
    await page.press("#address-url", "Enter");
    await page.waitForSelector("#address-stop:not([hidden])");
  },
  "privacy of a wider page": async (page) => {
    await loadSample(page, "en");
    await page.click("#privacy");
  },
};
const sizes = { wide: { width: 1280, height: 800 }, middle: { width: 900, height: 1000 }, narrow: { width: 320, height: 720 } };
const colorSchemes = ["light", "dark"];

const all = [...Object.keys(views), ...Object.keys(widerViews)];
const slow = Boolean(process.env.CERASUM_SLOW);
/** Those of make test. */
const few = ["pasting", "source", "compare", "privacy"];
const combinations = slow
  ? colorSchemes.flatMap((scheme) => Object.keys(sizes).map((size) => [scheme, size, all]))
  : [["light", "wide", few.filter((_, i) => i % 2 === 0)], ["dark", "narrow", few.filter((_, i) => i % 2 === 1)]];

for (const [colorScheme, size, names] of combinations) {
  test(`axe-core finds nothing: ${colorScheme}, ${size}`, async () => {
    for (const name of names) {
      // The policy is lifted for this test alone, to let axe-core in.
      const { page, context, log } = await open(browser, (name in views ? server : widerServer).url, { viewport: sizes[size], colorScheme, bypassCSP: true });
      await (views[name] ?? widerViews[name])(page);
      await page.evaluate(axe);
      // On paper the page's name, which is its first heading, is left out.
      const rules = { "target-size": { enabled: true }, "page-has-heading-one": { enabled: name !== "print" } };
      const { violations } = await page.evaluate((rules) => window.axe.run(document, { resultTypes: ["violations"], rules }), rules);
      const problems = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
      assert.deepEqual(problems, [], name);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(inner <= outer, `${name}: ${inner} px wide in a window of ${outer}`);
      if (slow) await page.screenshot({ path: `${shots}/${name}-${size}-${colorScheme}.png`, fullPage: size !== "wide" });
      assert.deepEqual(log.filter((line) => !/403|news\.example/.test(line)), []);
      await context.close();
    }
  });
}
