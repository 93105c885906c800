// Chromium and a server of js/dist, for measurements in a page.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const dist = here("../dist");
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

/**
 * Starts both. `folders` are served in addition to the library:
 * { "/models/": path }; `isolated` makes the pages cross-origin isolated. fresh() returns a page in a new context without any
 * cached files or compiled code.
 */
export async function start(folders = {}, { isolated = false } = {}) {
  const server = createServer((request, response) => {
    const pathname = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const prefix = Object.keys(folders).find((one) => pathname.startsWith(one));
    response.setHeader("content-security-policy", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
    response.setHeader("cache-control", "no-store");
    if (isolated) response.setHeader("cross-origin-opener-policy", "same-origin").setHeader("cross-origin-embedder-policy", "require-corp");
    response.setHeader("content-type", types[extname(pathname) || ".html"] ?? "application/octet-stream");
    try {
      response.end(pathname === "/" ? "<title>bench</title>" : readFileSync(prefix ? join(folders[prefix], pathname.slice(prefix.length)) : join(dist, pathname)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });
  return {
    version: browser.version(),
    async fresh() {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      return page;
    },
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

export const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
/** The median and its values. */
export const show = (all) => `${median(all).toFixed(0)} ms (${all.map((x) => x.toFixed(0)).join(", ")})`;
