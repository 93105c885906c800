// PDF files: what is read of them, and what is said of those that hold no text.

import assert from "node:assert/strict";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, open, quotes, summarized } from "./lib.mjs";
import { gazette, hidden, recognized } from "../../common/tests/pdf-pages.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";

const { server, browser } = await begin();

const file = (name, buffer) => ({ name, mimeType: "application/pdf", buffer });
const choose = (page, ...files) => summarized(page, () => page.setInputFiles("#files", files));
const titles = (page) => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
const shown = async (page, i = 1) => {
  await page.click(`#document-list > li:nth-child(${i}) .doc-open`);
  return page.textContent("#reader-text");
};

test("running text: words whole again, paragraphs, no running heads, no marks across the page", async () => {
  const { page, context, log, requests } = await open(browser, server.url);
  assert.ok(!requests.some((url) => /pdf/.test(url)), "the reader of PDF loads when it is needed");
  await choose(page, file("gazette.pdf", makePDF(gazette, { title: "gazette-17.indd" })));
  assert.deepEqual(await titles(page), ["The harbour of Nessel is closed"]);
  assert.equal(await shown(page), [
    "Divers are to clear the channel of stones, the administration of Nessel said. A well-known captain called it well-meant. The captain of the Anne-Marie waits with her ships of the year 2024-25 and says nothing.",
    "Fishermen ask for help. They may use the pier of Ost until the harbour opens, and the sentence goes on to the next page without a stop. It ends here.",
    "The left column begins here and it goes on to the top of the right one. That is all of it.",
    "• The first of a list.\n• The second of it.",
    "東京の港は三週間閉鎖される。",
    "The last page is short.",
  ].join("\n\n"));
  assert.ok((await quotes(page)).length > 1);
  assert.deepEqual(log, []);
  await context.close();
});

slow("what a browser prints: letters by their shapes, justified lines, soft hyphens, several pages", async () => {
  const press = await browser.newContext();
  const sheet = await press.newPage();
  const letters = "abcdefghijklmnopqrstuvwxyzäöüå";
  const story = (n) => `The ship ${[...letters].slice(n, n + 3).join("").padEnd(5, letters[n])} waits; the extra&shy;ordinary harbour adminis&shy;tration of Nessel announced investi&shy;gation number ${n} into inter&shy;national navi&shy;gation. Рыбаки Несселя ждут открытия гавани № ${n}.`;
  await sheet.setContent(`<html><head><title>Tides of Nessel</title><style>body { font: 12pt serif; text-align: justify; width: 9cm }</style></head><body>${Array.from({ length: 30 }, (_, i) => `<p>${story(i)}</p>`).join("")}</body></html>`);
  const printed = await sheet.pdf({
    format: "A5", displayHeaderFooter: true, headerTemplate: '<span style="font-size: 8px; margin: auto">Yearbook of the coast</span>',
    footerTemplate: '<span style="font-size: 8px; margin: auto">page <span class="pageNumber"></span> of <span class="totalPages"></span></span>',
    margin: { top: "2cm", bottom: "2cm", left: "2cm", right: "2cm" },
  });
  await press.close();
  const { page, context, log } = await open(browser, server.url);
  await choose(page, file("tides.pdf", printed));
  assert.deepEqual(await titles(page), ["Tides of Nessel"]);
  const wanted = Array.from({ length: 30 }, (_, i) => story(i).replaceAll("&shy;", ""));
  assert.deepEqual((await shown(page)).split("\n\n"), wanted);
  assert.deepEqual(log, []);
  await context.close();
});

test("hidden text is left out: invisible, without opacity, in the colour of what is behind it", async () => {
  const { page, context, log } = await open(browser, server.url);
  await choose(page, file("hidden.pdf", makePDF(hidden)));
  const text = await shown(page);
  assert.doesNotMatch(text, /secret/);
  for (const seen of ["is open again. Everybody is glad of it.", "on blue can be seen", "on a picture can be seen", "Outlined letters can be seen", "Grey letters can be seen", "everybody can see"]) assert.ok(text.includes(seen), `${seen}: ${text}`);
  assert.deepEqual(log, []);
  await context.close();
});

test("the invisible text of a scan is read: it is that of the picture", async () => {
  const scan = makePDF(recognized);
  const { page, context } = await open(browser, server.url);
  await choose(page, file("scan.pdf", scan));
  assert.equal(await shown(page), "The harbour of Nessel is open again.");
  await context.close();
});

test("locked, scanned, unreadable and broken files are refused, each for its reason; the next one is read", async () => {
  const { page, context, log } = await open(browser, server.url);
  const good = makePDF([column(["The harbour of Nessel is open again.", "Everybody is glad of it."])]);
  await choose(
    page,
    file("locked.pdf", makePDF(gazette, { locked: true })),
    file("scan.pdf", makePDF([[], [], []])),
    file("stamped.pdf", makePDF(Array.from({ length: 5 }, (_, i) => [{ text: `Scan ${i}`, y: 300 }]))),
    file("signs.pdf", makePDF([[{ text: "\ue001\ue002\ue003 \ue004\ue005\ue006", y: 60, japanese: true }]])),
    file("broken.pdf", Buffer.from("%PDF-1.7\n%âãÏÓ\nnothing of it is true")),
    file("cut.pdf", good.subarray(0, 200)),
    file("good.pdf", good),
  );
  assert.deepEqual(await titles(page), ["good"]);
  assert.equal(await shown(page), "The harbour of Nessel is open again. Everybody is glad of it.");
  const problems = await page.$$eval("#file-problems li", (all) => all.map((one) => one.textContent));
  const scanned = "scanned PDF: no text; the pages are images (run text recognition, OCR, on it first)";
  assert.deepEqual(problems, [
    "locked.pdf: password-protected PDF",
    `scan.pdf: ${scanned}`,
    `stamped.pdf: ${scanned}`,
    "signs.pdf: PDF text cannot be extracted: its fonts lack a character map",
    "broken.pdf: damaged PDF",
    "cut.pdf: damaged PDF",
  ]);
  assert.deepEqual(log, []);
  await context.close();
});

slow("a PDF whose reading is cancelled: its worker ends at once, and the next file is read", async () => {
  const { page, context, log } = await open(browser, server.url);
  const long = makePDF(Array.from({ length: 4000 }, (_, n) => column(Array.from({ length: 40 }, (_, i) => `Line ${i} of page ${n} says what no other line says.`))));
  const readers = () => page.workers().filter((worker) => /reading-worker/.test(worker.url())).length;
  await page.setInputFiles("#files", [file("long.pdf", long)]);
  await page.waitForSelector("#stop");
  while (readers() === 0) await page.waitForTimeout(10);
  const ended = page.workers().find((worker) => /reading-worker/.test(worker.url())).waitForEvent("close");
  await page.click("#stop");
  await ended;
  assert.equal(readers(), 0);
  assert.match(await page.textContent("#toast"), /Cancelled/);
  await choose(page, file("one.pdf", makePDF([column(["The harbour of Nessel is open again."])])));
  assert.deepEqual(await titles(page), ["one"]);
  assert.deepEqual(log, []);
  await context.close();
});

slow("a PDF reader that fails to load is reported, and loaded with the next file", async () => {
  const { page, context } = await open(browser, server.url, { routes: { "**/pdf*.js": (route) => route.abort() } });
  const one = file("one.pdf", makePDF([column(["The harbour of Nessel is open again."])]));
  await page.setInputFiles("#files", [one]);
  await page.waitForSelector("#file-problems:not([hidden])");
  assert.match(await page.textContent("#file-problems"), /one\.pdf: the PDF reader could not be loaded/);
  await context.unroute("**/pdf*.js");
  await choose(page, one);
  assert.deepEqual(await titles(page), ["one"]);
  await context.close();
});
