// Time from dropping documents in two languages on the page to their summary with the
// shipped encoder, in all engines:
//
//   node build/engines/bench.mjs [--runs 5] [--engines chromium,firefox,webkit] [SITE...]
//
// SITE are folders of built pages, by default build/out/site. They take turns, each run in a
// new browser context, so that whatever else the machine does slows all of them alike.

import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve, site } from "../../web/demo/tests/lib.mjs";
import { missing } from "../browsers.mjs";
import { engines } from "./engines.mjs";
import { Page } from "./page.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "5" }, engines: { type: "string", default: Object.keys(engines).join() } },
});
const sites = (positionals.length > 0 ? positionals : [site]).map((folder) => resolve(folder));
const sample = JSON.parse(readFileSync(fileURLToPath(new URL("../../web/demo/samples/mixed.json", import.meta.url)), "utf8"));
const files = sample.documents.slice(0, 2).map(({ text }, i) => ({ name: `${i + 1}.txt`, content: text }));

const sorted = (list) => [...list].sort((a, b) => a - b);
const median = (list) => sorted(list)[list.length >> 1];
const show = (list) => `${Math.round(median(list))} (${Math.round(Math.min(...list))}–${Math.round(Math.max(...list))})`.padStart(20);

/** Milliseconds from the drop to the first summary, and to the one with the encoder. */
async function once(browser, folder) {
  const server = await serve({ folder });
  const page = new Page(await browser.open({ width: 1280, height: 800 }));
  try {
    await page.goto(server.url);
    await page.until(() => document.querySelector("[data-sample]") && document.getElementById("loaded").textContent !== "");
    // The core has started, as it has when a reader comes to choose files.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 3000)));
    return await page.evaluate((files) => new Promise((done) => {
      const begun = performance.now();
      const found = {};
      const watch = setInterval(() => {
        if (document.querySelector("#quotes .quote-text")) found.first ??= performance.now() - begun;
        if (!/encoder: Built-in/.test(document.getElementById("status").textContent) && performance.now() - begun < 60_000) return;
        clearInterval(watch);
        done({ ...found, whole: performance.now() - begun });
      }, 10);
      const data = new DataTransfer();
      for (const { name, content } of files) data.items.add(new File([content], name));
      for (const type of ["dragenter", "dragover", "drop"]) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }), files);
  } finally {
    await page.close();
    await server.close();
  }
}

for (const name of values.engines.split(",")) {
  const { title, launch } = engines[name];
  if (missing(name)) {
    console.log(`${title}: ${missing(name)}`);
    continue;
  }
  const browser = await launch();
  const all = sites.map(() => ({ first: [], whole: [] }));
  for (let run = 0; run < Number(values.runs); run++) {
    // In turn first and last.
    for (const i of sites.keys()) {
      const at = run % 2 === 0 ? i : sites.length - 1 - i;
      const { first, whole } = await once(browser, sites[at]);
      all[at].first.push(first);
      all[at].whole.push(whole);
    }
  }
  for (const [i, { first, whole }] of all.entries()) {
    const ratios = all[0].whole.map((base, run) => whole[run] / base);
    console.log(`${title} ${browser.version}, ${basename(dirname(sites[i]))}/${basename(sites[i])}: first summary ${show(first)} ms, with the encoder ${show(whole)} ms${i > 0 ? `, × ${median(ratios).toFixed(2)} of the first site` : ""}`);
  }
  await browser.close();
}
