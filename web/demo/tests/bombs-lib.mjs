// Reads bombs in the page and with the command line program.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { here, open } from "./lib.mjs";

const program = process.env.CERASUM || here("../../../build/out/bin/cerasum");

/** Runs in the page before all: the longest task of its main thread. */
function observe() {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask", buffered: false });
}

/** What becomes of a file in a page of its own: { told, taken, longest }, in milliseconds. */
export async function inPage(browser, url, { name, content }) {
  const { page, context, log } = await open(browser, url, { init: observe });
  // What starts with the page is not the file's.
  await page.waitForFunction(() => document.readyState === "complete");
  await page.waitForTimeout(300);
  await page.evaluate(() => (window.longest = 0));
  // By its path: the page would be busy with what the test hands it.
  const folder = mkdtempSync(join(tmpdir(), "bombs-"));
  const path = join(folder, name);
  writeFileSync(path, content);
  const start = performance.now();
  await page.setInputFiles("#files", path);
  await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length > 0 || !document.getElementById("file-problems").hidden);
  const taken = performance.now() - start;
  await page.waitForTimeout(200);
  const [told, longest] = await page.evaluate(() => [document.querySelector("#file-problems li")?.textContent ?? "", window.longest]);
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
