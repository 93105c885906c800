// What the tests of the page share: a static server as strict as a careful
// host's, and a browser that records everything it asks for.

import { once } from "node:events";
import { access, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { browserArguments } from "../../../build/browser-arguments.mjs";

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const site = process.env.CERASUM_SITE || here("../../../build/out/site");

/** The page built with documents by their addresses, from http://news.example. */
export const wider = process.env.CERASUM_WIDER_SITE || here("../../../build/out/site-wider");

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

export const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types cerasum; connect-src 'self'";

/**
 * Serves the built site, or another folder, below `prefix`; close() ends it. `wasmType` is what
 * cerasum.wasm is sent as. `gate`, a promise, holds it back until it resolves. `connect`
 * is an origin that the page may ask besides. `headers` take the place of those that it sends; undefined sends none.
 * `first` is a script that runs in the page before its own, in browsers whose driver cannot do that.
 * `broken(path)` says whether a request fails, or what is sent in place of the file.
 */
export async function serve({ prefix = "/", wasmType = "application/wasm", gate, folder = site, connect = "", headers = {}, first, broken = () => false } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = pathname.startsWith(prefix) ? normalize(`/${pathname.slice(prefix.length)}`) : "/none";
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const other = broken(path);
      if (other === true) throw new Error("as the test wants it");
      let body = other || (first && path === "/first.js" ? first : await readFile(file));
      if (first && path === "/") body = String(body).replace("<script", '<script src="./first.js"></script><script');
      if (extname(file) === ".wasm") await gate;
      const sent = {
        "content-type": extname(file) === ".wasm" ? wasmType : (types[extname(file)] ?? "application/octet-stream"),
        "content-security-policy": `${policy} ${connect}`.trim(),
        "cache-control": "no-store",
        ...headers,
      };
      response.writeHead(200, Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)));
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await access(join(folder, "index.html")).catch(() => {
    throw new Error("there is no built page to test: run `npm run build` in the repository first");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A test that fails before it closes this must not keep the process.
  server.unref();
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, url: origin + prefix, close: () => new Promise((done) => (server.closeAllConnections(), server.close(done))) };
}

/** `args` are added to the browser's. */
export const launch = (args = []) =>
  chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: [...browserArguments(), ...args] });

/** The page's server, as serve takes it, and a browser for all tests of a file; they end with them. */
export async function begin(options) {
  const server = await serve(options);
  const browser = await launch();
  after(async () => {
    await browser.close();
    await server.close();
  });
  return { server, browser };
}

/** Longest wait: what else the machine does takes its time, too. */
const PATIENCE_MS = 60_000;

/**
 * Opens the page. `log` collects what must not happen: requests elsewhere,
 * violations of the policy, errors. `routes` are set up first, and `init` runs in the page first.
 * The options of the summary are unfolded, unless `options` is false. The service
 * worker, which would answer before these, is kept away unless it is allowed.
 */
export async function open(browser, url, { routes = {}, init, options: unfolded = true, ...options } = {}) {
  const log = [];
  const { origin } = new URL(url);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", acceptDownloads: true, serviceWorkers: "block", ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  // A blob: of the page's own is what a download is made of; it goes nowhere.
  const own = (address) => address.startsWith(`${origin}/`) || address.startsWith(`blob:${origin}/`);
  const requests = [];
  context.on("request", (request) => {
    requests.push(request.url());
    if (!own(request.url())) log.push(`request to ${request.url()}`);
  });
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`));
  });
  if (unfolded) await context.addInitScript(() => addEventListener("DOMContentLoaded", () => document.getElementById("options")?.setAttribute("open", "")));
  if (init) await context.addInitScript(init);
  for (const [pattern, handler] of Object.entries(routes)) await context.route(pattern, handler);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.text().includes("Service Worker registration blocked")) return;
    if (message.type() === "error" || message.type() === "warning") log.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => log.push(`page error: ${error.stack}`));
  await page.goto(url);
  return { page, context, log, requests };
}

/** Does something and waits for the summary that follows. Where none comes, the error says what the page shows. */
export async function summarized(page, act) {
  await page.evaluate(() => {
    const quotes = document.getElementById("quotes");
    window.filled = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (quotes.childElementCount === 0 || quotes.getAttribute("aria-busy") !== "false") return;
        observer.disconnect();
        // The list of documents follows in the next frame.
        requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(resolve)));
      }).observe(quotes, { childList: true, attributes: true, attributeFilter: ["aria-busy"] });
    });
  });
  await act();
  const filled = page.evaluate(() => window.filled).then(() => true);
  // The page may be closed while it is waited for.
  filled.catch(() => undefined);
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, false)));
  const came = await Promise.race([filled, late]).finally(() => clearTimeout(timer));
  if (!came) throw new Error(`no summary after ${PATIENCE_MS / 1000} s; the page shows ${await shown(page)}`);
}

/** What the page says of its summary. */
async function shown(page) {
  const look = page.evaluate(() => {
    const text = (id) => document.getElementById(id)?.textContent.trim();
    const documents = [...document.querySelectorAll("#document-list > li .doc-title")].map((one) => one.textContent);
    const quotes = document.getElementById("quotes");
    return {
      status: text("status"), problem: text("problem"), files: text("file-problems"), paste: text("paste-problem"),
      documents: document.querySelectorAll("#document-list > li").length, titles: documents.slice(0, 5),
      quotes: quotes?.childElementCount, busy: quotes?.getAttribute("aria-busy"),
    };
  });
  const stuck = new Promise((resolve) => setTimeout(resolve, 5000, "nothing: it does not answer").unref());
  return JSON.stringify(await Promise.race([look, stuck]));
}

export const loadSample = (page, name) => summarized(page, () => page.click(`[data-sample="${name}"]`));

/** Agrees to close reading and waits for its summary. */
export async function readClosely(page) {
  await summarized(page, () => page.click("#closely-read"));
  // Whatever the language: the offer has gone, and no problem has come.
  await page.waitForFunction(() => document.getElementById("closely").hidden && document.getElementById("quotes").getAttribute("aria-busy") === "false");
}

/** Runs in the page: messages to workers for which window.holds is true wait for window.release(). */
export function holding() {
  const held = (window.held = []);
  const { postMessage } = Worker.prototype;
  window.release = () => {
    window.holds = undefined;
    for (const send of held.splice(0)) send();
  };
  Worker.prototype.postMessage = function (...args) {
    if (window.holds?.(args[0])) held.push(() => postMessage.apply(this, args));
    else postMessage.apply(this, args);
  };
}

/** The text of the file that the page saves when `act` is done. */
export async function downloaded(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return readFile(await download.path(), "utf8");
}

/** Clicks an item of the menu "More". */
export async function more(page, item) {
  await page.click("#more > summary");
  await page.click(item);
}

export const textFile = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

/** Files for `#files`. */
export const some = (n) => Array.from({ length: n }, (_, i) => textFile(`a rather long name of a report about the harbour of Nessel, number ${i}.txt`, `The harbour of Nessel was closed for ${i + 2} days. Ships wait outside it, ${i * 3} of them. The mayor of town ${i} spoke of a loss. Nobody knows for how long it will last.`));

/** Makes the reading of files, from the third on, take as long as the test wants: `window.go()` lets it go on. */
export const slowly = (page) => page.evaluate(() => {
  const read = File.prototype.arrayBuffer;
  const gate = new Promise((resolve) => (window.go = resolve));
  let n = 0;
  File.prototype.arrayBuffer = async function () {
    if (++n > 2) await gate;
    return read.call(this);
  };
});

/** Adds a text through the form, which stays open. */
export async function paste(page, text, title = "") {
  if (!(await page.isVisible("#paste"))) await page.click("#paste-open");
  await page.fill("#paste-title", title);
  await page.fill("#paste-text", text);
  await page.click("#paste button[type=submit]");
}

export const quotes = (page) => page.$$eval("#quotes .quote-text", (all) => all.map((one) => one.textContent));

/** Words as UAX #29 has them, by the other implementation at hand. */
export function countWords(text) {
  let n = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) if (isWordLike) n++;
  return n;
}
