// What goes wrong with a tab or with the summarizer, and what the reader does
// about it in the panel: sites that are not allowed yet, PDFs that the browser
// has not kept, an encoder that fails, too much text (panel-long.slow.mjs has more).

import assert from "node:assert/strict";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { slow, test } from "../../common/tests/limits.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";
import { sleep, variant } from "./lib.mjs";
import { sites, story } from "./pages.mjs";
import { marks, onlyFirst, quotes, settled, start, summarized, trigger } from "./panel-lib.mjs";

const folders = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const left = (panel) => panel.$$eval("#left-list li", (all) => all.map((one) => one.textContent));

test("“Allow this site”: asked for in the click; refused, nothing changes; allowed, its tab is in the summary", async () => {
  const folder = await variant((manifest) => ({ ...manifest, host_permissions: [] }));
  folders.push(folder);
  const init = `globalThis.asked = []; if (globalThis.chrome?.permissions) chrome.permissions.request = async (want) => {
    asked.push({ ...want, active: navigator.userActivation.isActive });
    return globalThis.grant ? await grant() : false;
  };`;
  const { panel, browser, server, visited, log, close } = await start(["alfa/harbour", "bravo/news"], { build: folder, init });
  // The browser's prompt cannot be answered here. The toolbar's button lets the extension into a tab just as well.
  const grant = async (place) => {
    await visited[place].bringToFront();
    await trigger(browser, panel, server.url(place));
    await panel.bringToFront();
    return true;
  };
  await grant("alfa/harbour");
  // Of that no event tells the panel.
  await panel.click("#scope-tabs");
  const bravo = [{ permissions: [], origins: ["http://bravo.test/*"], active: true }];
  await panel.waitForFunction(() => document.querySelector("#asks").textContent === "The browser will ask you for access to 1 site.");
  await summarized(panel);
  assert.deepEqual(await panel.evaluate(() => asked.splice(0)), bravo);
  assert.match(await panel.textContent("#refused"), /Sites without permission are left out/);
  const before = await quotes(panel);
  assert.ok(before.length > 0 && before.every((quote) => story.en.includes(quote)));
  assert.match((await left(panel)).join(), /cerasum does not have permission to read this site\. Allow this site$/);

  await panel.click("#tabs > summary");
  await panel.click(".tab-problem button");
  await panel.waitForFunction(() => asked.length === 1);
  await sleep(200);
  assert.deepEqual(await panel.evaluate(() => asked.splice(0)), bravo);
  assert.deepEqual(await quotes(panel), before);

  await panel.exposeFunction("grant", () => grant("bravo/news"));
  await panel.click("#left-title");
  await summarized(panel, () => panel.click("#left-list button"));
  assert.deepEqual(await panel.evaluate(() => asked.splice(0)), bravo);
  assert.match(await panel.textContent("#made"), /of 2 tabs/);
  assert.equal(await panel.isVisible("#left"), false);
  assert.equal(await panel.locator(".tab-problem").count(), 0);
  assert.deepEqual(log, []);
  await close();
});

const report = makePDF([column(["The report on the harbour of Nessel says that the", "stones of the pier weigh ninety tons. Nobody knows", "who is to pay for the work of the divers and the crane."])]);
const long = makePDF(Array.from({ length: 800 }, (_, n) => column(Array.from({ length: 40 }, (_, i) => `Line ${i} of page ${n} says what no other line says.`))));
const pdf = (body, caching) => ({ type: "application/pdf", body, headers: { "cache-control": caching } });

test("“Load the PDF again”: its site is asked once, at the reader's word, and the summary has it", async () => {
  const { panel, server, log, close } = await start(["alfa/harbour", "bravo/report.pdf"], { pages: { ...sites, "bravo/report.pdf": pdf(report, "no-store") } });
  await panel.click('[data-words="250"]');
  const before = server.requests.length;
  await summarized(panel);
  assert.equal(server.requests.length, before);
  assert.match((await left(panel)).join(), /no longer in the browser’s cache.*Load the PDF again$/);
  await panel.click("#left-title");
  await summarized(panel, () => panel.click("#left-list button"));
  assert.deepEqual(server.requests.slice(before).map((asked) => asked.split(" ")[0]), ["bravo/report.pdf"]);
  assert.match((await quotes(panel)).join(" "), /ninety tons/);
  assert.equal(await panel.isVisible("#left"), false);
  // The word was for once.
  await summarized(panel);
  assert.equal(server.requests.length, before + 1);
  assert.deepEqual(log, []);
  await close();
});

slow("a PDF in Firefox, which lets no script into its viewer: the panel says what it is, and what to do", async () => {
  const init = `if (globalThis.chrome?.scripting) {
    const run = chrome.scripting.executeScript;
    chrome.scripting.executeScript = async (job) => {
      const { url } = await chrome.tabs.get(job.target.tabId);
      if (url.endsWith(".pdf")) throw new Error("Missing host permission for the tab");
      return run.call(chrome.scripting, job);
    };
  }`;
  const { panel, log, close } = await start(["alfa/harbour", "bravo/report.pdf"], { pages: { ...sites, "bravo/report.pdf": pdf(report, "no-store") }, init });
  await summarized(panel);
  assert.match((await left(panel)).join(), /This is a PDF, which Firefox does not let extensions read\. Save the file, then open it in the cerasum page or program\.\s*$/);
  assert.deepEqual(log, []);
  await close();
});

slow("cancelled while it reads a long PDF: its worker ends at once", async () => {
  const { panel, log, close } = await start(["alfa/harbour", "bravo/long.pdf"], { pages: { ...sites, "bravo/long.pdf": pdf(long, "max-age=3600") } });
  const reader = panel.waitForEvent("worker", (worker) => /pdf/.test(worker.url()));
  await panel.click("#summarize");
  const ended = (await reader).waitForEvent("close");
  await panel.click("#cancel");
  await ended;
  assert.equal(await panel.textContent("#made"), "Cancelled; there is no summary.");
  assert.equal(panel.workers().filter((worker) => /pdf/.test(worker.url())).length, 0);
  assert.deepEqual(log, []);
  await close();
});

slow("an encoder that fails: words decide, what could not be compared is said, and methods that need it say why", async () => {
  const folder = await variant((manifest) => manifest);
  folders.push(folder);
  await writeFile(join(folder, "encoder/encoder.onnx"), "no model");
  const { panel, log, close } = await start(["alfa/harbour", "bravo/news", "charlie/puerto"], { build: folder });
  await summarized(panel);
  assert.ok((await quotes(panel)).length >= 1);
  assert.equal(await panel.textContent("#fallback"), "The language model could not be used; this summary compares words only.");
  assert.equal(await panel.textContent("#unlooked"), "Sentences found in only one tab are not marked: the language model could not be used.");
  assert.equal(await marks(panel), 0);
  assert.equal(await onlyFirst(panel), "The language model could not be used, so the sentences could not be compared.");

  await panel.click("#controls .fold > summary");
  await panel.selectOption("#method", "multilingual");
  await panel.waitForSelector("#problem:not([hidden])");
  assert.match(await panel.textContent("#problem"), /^Summarizing failed: .*encoder\.onnx/);

  // In one language nothing was wanted of it but the comparison.
  await panel.selectOption("#method", "auto");
  await settled(panel);
  await panel.click("#tabs > summary");
  await panel.click(".tab:nth-child(3) input");
  await summarized(panel);
  assert.equal(await panel.isVisible("#fallback"), false);
  assert.equal(await panel.isVisible("#problem"), false);
  assert.match(await panel.textContent("#unlooked"), /language model could not be used/);
  assert.deepEqual(log, []);
  await close();
});

slow("more text than the best method has the memory for: the quickest makes the summary, and the panel says so", async () => {
  const folder = await variant((manifest) => manifest);
  folders.push(folder);
  const core = join(folder, "assets", (await readdir(join(folder, "assets"))).find((name) => /^worker-.*\.js$/.test(name)));
  await writeFile(core, `addEventListener("message", (event) => {
    if (event.data.kind !== "summarize" || event.data.options.method !== "auto") return;
    event.stopImmediatePropagation();
    postMessage({ kind: "crashed", message: "fatal error: out of memory" });
  });\n${await readFile(core, "utf8")}`);
  const { panel, log, close } = await start(["alfa/harbour", "bravo/news"], { build: folder });
  await summarized(panel);
  assert.ok((await quotes(panel)).length > 1);
  assert.equal(await panel.textContent("#fallback"), "There is too much text for the best method; this summary was made with the fastest.");
  assert.equal(await panel.isVisible("#unlooked"), false);
  assert.deepEqual(log, []);
  await close();
});
