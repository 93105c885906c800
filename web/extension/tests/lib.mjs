// What the tests of the extension share: sites on this machine under names of
// their own, a browser that has the extension, and a record of everything that
// is asked of the network.

import { once } from "node:events";
import { access, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { browserArguments } from "../../../build/browser-arguments.mjs";

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const built = process.env.CERASUM_EXTENSION_OUT || here("../../../build/out/extension");

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Sites on all host names below .test. `pages` has for each "host/path" a body
 * or { status, type, body, headers, gate }; an answer waits for
 * its gate, a promise. `requests` collects what is asked for, as "host/path" and
 * what for.
 */
export async function serve(pages) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const host = request.headers.host.replace(/\.test(:\d+)?$/, "");
    const place = `${host}${request.url.replace(/\?.*$/, "")}`;
    if (!request.url.startsWith("/favicon.ico")) requests.push(`${host}${request.url} ${request.headers["sec-fetch-dest"]}`);
    const page = pages[place];
    if (page === undefined) return void response.writeHead(404, { "content-type": "text/html" }).end("<title>Not here</title><p>There is no such page.");
    const { status = 200, type = "text/html; charset=utf-8", body, headers = {}, gate } = typeof page === "object" && !Buffer.isBuffer(page) ? page : { body: page };
    await gate;
    response.writeHead(status, { "content-type": type, ...headers }).end(typeof body === "function" ? body(request) : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const { port } = server.address();
  return { port, requests, url: (place) => `http://${place.replace(/^([^/]+)/, `$1.test:${port}`)}`, close: () => new Promise((done) => (server.closeAllConnections(), server.close(done))) };
}

/**
 * A page, and what it asks for, that hangs in a script when `hangs` has resolved,
 * until `release` is called. It waits for an answer: a loop would take the time
 * of a processor.
 */
export function hanging(title, when = "setTimeout(hang, 300)") {
  let asked, release;
  const hangs = new Promise((resolve) => (asked = resolve));
  const gate = new Promise((resolve) => (release = resolve));
  const script = `const hang = () => { const request = new XMLHttpRequest(); request.open("GET", "/answer", false); request.send(); };`;
  return {
    page: `<title>${title}</title><p>This page hangs in a script.<script>${script} ${when}</script>`,
    answer: { body: () => "", get gate() { return asked(), gate; } },
    hangs, release,
  };
}

/** Open browsers: one that a failed test has left behind would keep the process. */
const running = new Set();
after(() => Promise.all([...running].map((context) => context.close())));

/**
 * A browser with the extension: "test" has the hosts of the tests granted,
 * "chromium" is the one that is shipped, or a folder's path; `manifest` takes
 * the place of the tests' own. `options` are added to Playwright's. `log` collects what
 * must not happen: requests by the extension, violations of its policy, errors in its pages.
 */
export async function launch(build = "test", { profile, manifest, ...options } = {}) {
  const folder = manifest ? await variant(() => manifest) : isAbsolute(build) ? build : join(built, build);
  await access(join(folder, "manifest.json")).catch(() => {
    throw new Error("there is no extension built for tests: `npm run build -w web/extension -- --test` builds it");
  });
  const own = profile === undefined;
  profile ??= await mkdtemp(join(tmpdir(), "cerasum-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    headless: true,
    viewport: { width: 1000, height: 700 },
    args: [
      ...browserArguments(["DisableLoadExtensionCommandLineSwitch"]),
      `--disable-extensions-except=${folder}`, `--load-extension=${folder}`, "--enable-unsafe-extension-debugging",
      "--host-resolver-rules=MAP *.test 127.0.0.1",
    ],
    ignoreDefaultArgs: ["--disable-extensions"],
    ...options,
  });
  running.add(context);
  // Of a wait that fails: what else the machine does takes its time, too.
  context.setDefaultTimeout(60_000);
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const id = new URL(worker.url()).host;
  const origin = `chrome-extension://${id}`;
  const log = [];
  // Requests of the extension for its own files: what shows that the others would have been seen.
  const ownFiles = new Set();
  const mine = (url) => url.startsWith(`${origin}/`) || url.startsWith(`blob:${origin}/`) || url.startsWith("data:") || url === "about:blank";
  await watch(context, origin, (url) => (mine(url) ? ownFiles.add(url) : log.push(`request of the extension to ${url}`)));
  return {
    context, id, origin, log, ownFiles, profile,
    /** The page through which tests call what the panel calls, or another of the extension's; `init` runs in it first. */
    async open(path = "tests/harness/harness.html", { init } = {}) {
      const page = await context.newPage();
      if (init) await page.addInitScript(init);
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && log.push(`console: ${message.text()}`));
      page.on("pageerror", (error) => log.push(`page error: ${error.stack}`));
      await page.goto(`${origin}/${path}`);
      if (path.includes("harness")) await page.waitForFunction(() => "cerasum" in globalThis);
      return page;
    },
    async visit(url, { wait = "load" } = {}) {
      const page = await context.newPage();
      await page.goto(url, { waitUntil: wait }).catch((error) => {
        // A PDF is shown, but not in a page as Playwright knows them; an error page is what some tests want.
        if (!/ERR_ABORTED|Download|ERR_CONNECTION|ERR_NAME|ERR_INVALID/i.test(error.message)) throw error;
      });
      return page;
    },
    /** Presses the toolbar button while a page is in front. */
    async trigger(url) {
      const cdp = await context.browser().newBrowserCDPSession();
      const { targetInfos } = await cdp.send("Target.getTargets", { filter: [{ type: "tab" }, {}] });
      const { targetId } = targetInfos.findLast((target) => target.type === "tab" && target.url === url);
      await cdp.send("Extensions.triggerAction", { id, targetId });
      await cdp.detach();
    },
    async close() {
      running.delete(context);
      await context.close();
      if (manifest) await rm(folder, { recursive: true, force: true });
      if (own) await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Requests of everything that runs under the extension's origin: its pages, workers and service worker, as the browser's own tools see them. */
async function watch(context, origin, report) {
  const cdp = await context.browser().newBrowserCDPSession();
  const sessions = new Map();
  const attach = async ({ targetId, url }) => {
    if (sessions.has(targetId) || !url.startsWith(origin)) return;
    sessions.set(targetId, "");
    const { sessionId } = await cdp.send("Target.attachToTarget", { targetId, flatten: false }).catch(() => ({}));
    if (!sessionId) return void sessions.delete(targetId);
    sessions.set(targetId, sessionId);
    await cdp.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: 1, method: "Network.enable" }) }).catch(() => undefined);
  };
  cdp.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { method, params } = JSON.parse(message);
    if (method === "Network.requestWillBeSent") report(params.request.url);
  });
  cdp.on("Target.targetCreated", ({ targetInfo }) => attach(targetInfo));
  cdp.on("Target.targetInfoChanged", ({ targetInfo }) => attach(targetInfo));
  cdp.on("Target.targetDestroyed", ({ targetId }) => sessions.delete(targetId));
  await cdp.send("Target.setDiscoverTargets", { discover: true });
  return cdp;
}

/** Sites, as serve takes them, a browser and its panel for all tests of a file; they end with them. */
export async function begin(pages) {
  const site = await serve(pages);
  const browser = await launch();
  after(async () => {
    await browser.close();
    await site.close();
  });
  return { site, browser, panel: await browser.open() };
}

/** A tab by what its address ends with. */
export const tabs = (panel, end) => panel.evaluate(async (end) => (await chrome.tabs.query({})).filter(({ url }) => url.endsWith(end)).map(({ id }) => id), end);

/** On a loaded machine a page needs longer than a reader would wait. */
const patient = process.env.CERASUM_TIMED ? {} : { timeout: 60_000 };

/** Reads one tab as the panel does: its text, or why there is none. `timeout: undefined` is the panel's own limit. */
export const read = (panel, end, options = {}) =>
  panel.evaluate(async ([end, options]) => {
    const tab = (await chrome.tabs.query({})).find(({ url, pendingUrl }) => (url || pendingUrl).endsWith(end));
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    return cerasum.readTab(cerasum.describe(tab), options).then((read) => ({ ...read, took: took() }), (error) => ({ reason: error.reason ?? String(error), detail: error.detail, took: took() }));
  }, [end, { ...patient, ...options }]);

export const show = (panel, end, place) =>
  panel.evaluate(async ([end, place, options]) => {
    const tab = (await chrome.tabs.query({})).find(({ url }) => url.endsWith(end));
    return cerasum.showSentence({ tabId: tab.id, url: tab.url, before: "", after: "", at: 0, ...place }, options);
  }, [end, place, patient]);

/** What is marked in a page, and whether it can be seen. */
export const marked = (page) =>
  page.evaluate(() => {
    const ranges = [...(CSS.highlights.get("cerasum") ?? [])];
    const [first] = ranges;
    const box = first?.getBoundingClientRect();
    return { text: ranges.map(String).join(""), count: ranges.length, seen: box !== undefined && box.top >= 0 && box.bottom <= innerHeight };
  });

/** A copy of the tests' build, its manifest changed; the folder is the caller's to remove. */
export async function variant(change) {
  const folder = await mkdtemp(join(tmpdir(), "cerasum-extension-"));
  await cp(join(built, "test"), folder, { recursive: true });
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, "utf8")))));
  return folder;
}
