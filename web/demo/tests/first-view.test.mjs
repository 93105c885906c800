// What a stranger sees: the summary at once, on a phone, a tablet and a desk. The
// pictures are left in build/out/screenshots.

import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, here, loadSample, open, paste, site, summarized, textFile } from "./lib.mjs";

const { server, browser } = await begin();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = here("../../../build/out/screenshots");
await mkdir(shots, { recursive: true });

const sizes = { phone: [390, 844], tablet: [768, 1024], small: [1024, 768], large: [1440, 900] };
/** Those of make test. */
const quick = ["phone dark"];

const harbour = ["The harbour of Nessel was closed on Monday after the storm. Forty ships wait outside it. Divers look for the lost anchor.", "Repairs of the pier in Nessel will take three weeks, the port authority said. The fishermen use the pier of Ost meanwhile."];
const files = harbour.map((text, i) => textFile(`report ${i + 1}.txt`, text));

/** Whether the whole of the first quote can be seen. */
const inView = (page, selector = "#quotes > li:first-child .quote-text") => page.$eval(selector, (one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

for (const [name, [width, height]] of Object.entries(sizes)) {
  for (const colorScheme of ["light", "dark"]) {
    (quick.includes(`${name} ${colorScheme}`) ? test : slow)(`${name}, ${width} × ${height}, ${colorScheme}: after a sample the first quote is in view`, async () => {
      const { page, context, log } = await open(browser, server.url, { viewport: { width, height }, colorScheme, bypassCSP: true, options: false });
      await loadSample(page, "en");
      assert.ok(await inView(page), "the first quote is not in view");
      await page.screenshot({ path: `${shots}/first-${name}-${colorScheme}.png` });
      assert.equal(await page.isVisible("#method"), false, "what few readers change is folded away");
      await summarized(page, () => page.fill("#question", "Who left their homes?"));
      await page.screenshot({ path: `${shots}/question-${name}-${colorScheme}.png` });
      await page.click("#quotes > li:first-child .in-context");
      await page.screenshot({ path: `${shots}/context-${name}-${colorScheme}.png`, fullPage: width < 1088 });
      await page.check('input[name="view"][value="text"]');
      assert.ok(await inView(page, ".prose-text"));
      await page.screenshot({ path: `${shots}/text-${name}-${colorScheme}.png` });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`), []);
      const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(inner <= outer, `${inner} px wide in a window of ${outer}`);
      assert.deepEqual(log, []);
      await context.close();
    });
  }
}

test("on a phone, in German and with a choice of languages: the first quote is in view, and nothing is too wide", async () => {
  const [width, height] = sizes.phone;
  const { page, context, log } = await open(browser, server.url, { viewport: { width, height }, locale: "de-DE", options: false });
  await page.waitForSelector("html:not([data-waiting])");
  await loadSample(page, "mixed");
  assert.ok(await page.isVisible("#whose"));
  assert.ok(await inView(page), "the first quote is not in view");
  await page.screenshot({ path: `${shots}/first-phone-de.png` });
  await page.click("#options > summary");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
  assert.deepEqual(log, []);
  await context.close();
});

test("on a phone the summary is in view after files and after a paste", async () => {
  const [width, height] = sizes.phone;
  for (const add of [
    (page) => page.setInputFiles("#files", files),
    (page) => page.evaluate((text) => {
      const carried = new DataTransfer();
      carried.setData("text/plain", text);
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true }));
    }, harbour[0]),
    (page) => paste(page, harbour[0]),
  ]) {
    const { page, context, log } = await open(browser, server.url, { viewport: { width, height }, options: false });
    await page.evaluate(() => scrollTo(0, 400));
    await summarized(page, () => add(page));
    assert.ok(await inView(page));
    assert.deepEqual(log, []);
    await context.close();
  }
});

test("one document: its title is not repeated under each quote", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", files.slice(0, 1)));
  assert.equal(await page.locator("#quotes .quote-source").count(), 0);
  await summarized(page, () => page.setInputFiles("#files", files.slice(1)));
  assert.notEqual(await page.locator("#quotes .quote-source").count(), 0);
  assert.deepEqual(log, []);
  await context.close();
});

test("the columns are in the order of the eye for the keyboard too, also when the window changes", async () => {
  const { page, context, log } = await open(browser, server.url, { viewport: { width: 1440, height: 900 } });
  await loadSample(page, "en");
  const order = () => page.$$eval("#workspace > section", (all) => all.map(({ id }) => id));
  assert.deepEqual(await order(), ["documents", "summary", "reader"]);
  await page.focus("#clear");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForFunction(() => document.querySelector("#workspace > section").id === "summary");
  assert.deepEqual(await order(), ["summary", "documents", "reader"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "clear");
  assert.deepEqual(log, []);
  await context.close();
});

// Those that index.html names. workspace.ts and the core, which they import then, do not count.
test("the scripts of the first view have at most 40 kB with gzip", async (t) => {
  const html = await readFile(`${site}/index.html`, "utf8");
  const scripts = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, path]) => path);
  assert.ok(scripts.length > 1, html);
  const sizes = await Promise.all(scripts.map(async (path) => gzipSync(await readFile(`${site}/${path}`), { level: 9 }).length));
  const all = sizes.reduce((a, b) => a + b);
  t.diagnostic(`${scripts.length} scripts: ${all} bytes`);
  assert.ok(all <= 40_000, `${all} bytes`);
});
