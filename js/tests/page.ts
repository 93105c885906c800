// Chromium, and a server that hands it the library under the strict content
// security policy.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, chromium, type LaunchOptions, type Page } from "playwright-core";
import { browserArguments } from "../../build/browser-arguments.mjs";
import { root } from "./support.js";

export const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

export const types: Record<string, string> = {
  ".html": "text/html",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

export async function launch(options: LaunchOptions = {}): Promise<Browser> {
  // Not a reason to skip: a run without the browser would look like a pass.
  assert.ok(existsSync(executablePath), `there is no ${executablePath}: install Chromium or set CHROMIUM to its path`);
  return chromium.launch({ ...options, executablePath, args: browserArguments() });
}

/** An empty page that may import "/dist/index.js", and files of its own; `asked` are the paths that were asked for. */
export async function openPage(files: Record<string, string> = {}): Promise<{ page: Page; asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(root, "js", pathname);
    asked.push(pathname);
    response.setHeader("content-security-policy", policy);
    response.setHeader("content-type", types[extname(pathname) || ".html"] ?? "application/octet-stream");
    if (pathname === "/") response.end("<!doctype html><title>cerasum</title>");
    else if (files[pathname] !== undefined) response.end(files[pathname]);
    else if (pathname.startsWith("/dist/") && existsSync(path)) response.end(readFileSync(path));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    page,
    asked,
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
