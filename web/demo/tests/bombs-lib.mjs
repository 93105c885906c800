// Reads bombs in the page and with the command line program.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { here, open } from "./lib.mjs";

const program = process.env.CERASUM || here("../../../build/out/bin/cerasum");

/** Ends the trace of a browser: the task of a page's main thread that took the most processor time, in milliseconds. What else the machine does does not count. */
async function longestTask(browser) {
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const main = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(thread));
  return traceEvents.reduce((most, event) => (event.name === "RunTask" && event.tdur && main.has(thread(event)) ? Math.max(most, event.tdur / 1000) : most), 0);
}

/** What becomes of a file in a page of its own, until its summary is shown, or for 20 s if it is traced: { told, taken, log }, and if it is traced, longest; in milliseconds. */
export async function inPage(browser, url, { name, content }, { traced = false } = {}) {
  const { page, context, log } = await open(browser, url);
  // What starts with the page is not the file's.
  if (traced) await page.waitForTimeout(300);
  // By its path: the page would be busy with what the test hands it.
  const folder = mkdtempSync(join(tmpdir(), "bombs-"));
  const path = join(folder, name);
  writeFileSync(path, content);
  if (traced) await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  const start = performance.now();
  await page.setInputFiles("#files", path);
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length > 0 || !document.getElementById("file-problems").hidden);
  const taken = performance.now() - start;
  // The summary of a large text takes its time, in a Worker of its own.
  const isShown = () => document.querySelectorAll("#document-list > li").length === 0 || !document.getElementById("problem").hidden || (document.getElementById("quotes").childElementCount > 0 && document.getElementById("quotes").ariaBusy === "false");
  if (traced) await page.waitForFunction(isShown, undefined, { timeout: 20_000 }).then(() => page.waitForTimeout(200), () => undefined);
  else await page.waitForFunction(isShown);
  const longest = traced ? await longestTask(browser) : undefined;
  const told = await page.evaluate(() => document.querySelector("#file-problems li")?.textContent ?? "");
  await context.close();
  rmSync(folder, { recursive: true, force: true });
  return { told, taken, longest, log };
}

/** What becomes of files in the program, one after the other: { name, code, error, taken }. */
export async function inProgram(files, timeout) {
  const folder = mkdtempSync(join(tmpdir(), "bombs-"));
  const results = [];
  try {
    for (const { name, content } of files) {
      const path = join(folder, name);
      writeFileSync(path, content);
      const start = performance.now();
      const child = spawn(program, ["summarize", "--method", "instant", path], { stdio: ["ignore", "ignore", "pipe"], timeout });
      let error = "";
      child.stderr.on("data", (data) => (error += String(data).slice(0, 2000)));
      const code = await new Promise((resolve) => child.on("close", resolve));
      results.push({ name, code, error, taken: performance.now() - start });
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}
