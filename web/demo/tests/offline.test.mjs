// The page without a network, by its service worker.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { again, count, slow, test } from "../../common/tests/limits.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";
import { writeServiceWorker } from "../scripts/service-worker.mjs";
import { begin, here, loadSample, open, paste, policy, quotes, readClosely, serve, site, summarized } from "./lib.mjs";

const { server, browser } = await begin({ prefix: "/some/folder/" });

const allowed = { serviceWorkers: "allow" };
const controlled = (page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
/** Loads a sample though there are documents already. */
const another = async (page, name) => {
  await page.evaluate(() => (document.querySelector("details.samples").open = true));
  await loadSample(page, name);
};
/** Has the page read closely, and waits until the browser has stored all that this takes. */
async function readAndStored(page) {
  await readClosely(page);
  await page.evaluate(async (files) => {
    for (const file of files) while (!(await caches.match(new URL(file, document.baseURI)))) await new Promise((done) => setTimeout(done, 50));
  }, ["encoder/encoder.onnx", "encoder/vocabulary.bin", "ort/ort.wasm.min.mjs", "ort/ort-wasm-simd-threaded.mjs", "ort/ort-wasm-simd-threaded.wasm"]);
}
const isRead = (page) => page.waitForFunction(() => /read closely$/.test(document.getElementById("status").textContent));
const cacheNames = (page) => page.evaluate(() => caches.keys());

again("the network cut: everything works, and after a reload too; nothing ever goes elsewhere", async () => {
  const { page, context, log } = await open(browser, server.url, allowed);
  await controlled(page);
  await loadSample(page, "mixed");
  await readAndStored(page);
  const found = await quotes(page);
  await context.setOffline(true);
  for (const visit of ["the first visit", "a reload", "with a query"].slice(0, count(2, 3))) {
    if (visit === "a reload") await page.reload();
    if (visit === "with a query") await page.goto(`${server.url}?from=a#friend`);
    await another(page, "mixed");
    await isRead(page);
    assert.deepEqual(await quotes(page), found, visit);
    await another(page, "ru");
    await summarized(page, () => paste(page, "The ferry was late. Nobody on the quay knew why."));
    await page.setInputFiles("#files", ["html", "md"].map((type) => ({
      name: `one.${type}`, mimeType: type === "html" ? "text/html" : "text/markdown", buffer: Buffer.from("<p>A file that was read without a network.</p>"),
    })));
    await page.waitForFunction(() => document.querySelectorAll("#document-list > li").length === 6);
    await page.selectOption("#language", "pt");
    await page.waitForFunction(() => document.documentElement.lang === "pt");
    await page.selectOption("#language", "en");
    await page.waitForFunction(() => document.documentElement.lang === "en");
  }
  assert.deepEqual(log, []);
  await context.close();
});

// As the README and the privacy panel say.
test("after one visit, and without a network: every format is read; close reading is offered, and fails with the file's name", async () => {
  const { page, context } = await open(browser, server.url, allowed);
  await controlled(page);
  await context.setOffline(true);
  await page.reload();
  const testdata = here("../../../cmd/cerasum/internal/ingest/testdata/");
  const names = ["files/made-wehr.docx", "files/calibre-clock.epub", "files/gmail-reply.eml", "files/excel-es.csv", "files/hidden.rtf", "files/hidden.odt", "files/dvd-latin1.srt"];
  const given = [
    ...names.map((name) => ({ name: name.replace("files/", ""), mimeType: "", buffer: readFileSync(testdata + name) })),
    { name: "one.html", mimeType: "text/html", buffer: Buffer.from("<p>A page that was read without a network.</p>") },
    { name: "one.pdf", mimeType: "application/pdf", buffer: makePDF([column(["The ferry was late again today, as on every other day of that long winter."])]) },
  ];
  for (const file of given) {
    const before = await page.locator("#document-list > li").count();
    await page.setInputFiles("#files", [file]);
    await page.waitForFunction((n) => document.querySelectorAll("#document-list > li").length > n, before).catch(async () => assert.fail(`${file.name}: ${await page.textContent("#file-problems")}`));
  }
  await another(page, "mixed");
  await page.waitForSelector('#quotes :text("Maren Astrid")');
  const found = await quotes(page);
  assert.ok(found.length > 1);
  await summarized(page, () => page.click("#closely-read"));
  assert.match(await page.textContent("#closely-said"), /compares words only.*(encoder|ort)\/\S+ cannot be loaded/);
  assert.deepEqual(await quotes(page), found);
  await context.close();
});

test("what the page needs is stored whole; the encoder and weights when they are used; older versions go, others' caches stay", async () => {
  const { page, context, log } = await open(browser, `${server.url}favicon.svg`, allowed);
  const own = `cerasum ${server.url} `;
  await page.evaluate((own) => Promise.all([`${own}program 0`, `${own}later 0`, `${own}later`, "cerasum http://elsewhere/ program 0"].map((name) => caches.open(name))), own);
  // There the browser looks for an icon in vain.
  await page.goto(server.url);
  await controlled(page);
  const names = await cacheNames(page);
  assert.ok(!names.includes(`${own}program 0`) && !names.includes(`${own}later 0`) && names.includes("cerasum http://elsewhere/ program 0"), `${names}`);
  const stored = () => page.evaluate(async (own) => {
    const all = [];
    for (const name of await caches.keys()) if (name.startsWith(own)) for (const { url } of await (await caches.open(name)).keys()) all.push(url.slice(own.length - "cerasum  ".length));
    return all;
  }, own);
  const first = await stored();
  assert.ok(first.includes("") && first.includes("early.js") && first.includes("NOTICES.txt"), `${first}`);
  assert.ok(first.some((path) => path.startsWith("files/")), "the reader of Word files and so on");
  assert.deepEqual(first.filter((path) => /^(encoder|ort|weights|pdf)\//.test(path)), []);
  assert.deepEqual(first.filter((path) => /\.(br|gz)$/.test(path)), []);
  await loadSample(page, "mixed");
  assert.deepEqual(await stored(), first, "close reading is only offered");
  await readAndStored(page);
  assert.equal((await stored()).filter((path) => /^(encoder|ort)\//.test(path)).length, 5);
  assert.deepEqual(log.filter((line) => !/404/.test(line)), []);
  await context.close();
});

/** Runs in the page: window.threads is that of the encoder. */
function watching() {
  const { Worker } = globalThis;
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        if (data.kind === "started" && data.threads) window.threads = data.threads;
      });
    }
  };
}

test("isolated from the second visit on; what was agreed to once is read closely at once, on several threads, the server gone", async () => {
  const own = await serve({ prefix: "/some/folder/" });
  const { page, context, log } = await open(browser, own.url, { ...allowed, init: watching });
  assert.equal(await page.evaluate(() => crossOriginIsolated), false);
  await controlled(page);
  await loadSample(page, "mixed");
  assert.match(await page.textContent("#closely-read"), /, once; then offline\)$/);
  await readAndStored(page);
  const found = await quotes(page);
  assert.equal(await page.evaluate(() => window.threads), 1);
  await own.close();
  await page.reload();
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  await page.click('[data-sample="mixed"]');
  await isRead(page);
  assert.deepEqual(await quotes(page), found);
  assert.ok(await page.evaluate(() => window.threads) > 1, "several threads");
  assert.equal(await page.isVisible("#closely"), false);

  // Deleted, it is offered again, and nothing is loaded.
  await page.click("#privacy");
  await page.waitForFunction(() => document.querySelectorAll("#closely-files li").length === 5 && [...document.querySelectorAll("#closely-files li")].every((one) => /, stored$/.test(one.textContent)));
  await page.click("#closely-delete");
  await page.waitForSelector("#closely-get");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#closely-read");
  assert.doesNotMatch(await page.textContent("#status"), /closely/);
  assert.equal(await page.evaluate(() => caches.match(new URL("encoder/encoder.onnx", document.baseURI))), undefined);
  assert.deepEqual(log, []);
  await context.close();
});

/** A copy of the site, whose files can be changed, and its server. */
async function copied() {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  cpSync(site, folder, { recursive: true });
  return { folder, server: await serve({ folder }) };
}

slow("a newer version is used at the next visit, and no page gets parts of two", async () => {
  const { folder, server } = await copied();
  try {
    const { page, context } = await open(browser, server.url, allowed);
    await controlled(page);
    await loadSample(page, "mixed");
    await readAndStored(page);

    const change = (file, made) => writeFileSync(join(folder, file), made(readFileSync(join(folder, file), "utf8")));
    change("index.html", (html) => html.replace("<html ", '<html data-version="2" '));
    change("early.js", (code) => `${code}document.documentElement.dataset.early = "2";\n`);
    change("ort/ort.wasm.min.mjs", (code) => `${code}\n`);
    writeServiceWorker(folder, policy, { en: "damaged" });
    const other = await context.newPage();
    await other.goto(server.url);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration.update();
      while (!registration.waiting) await new Promise((done) => setTimeout(done, 50));
    });
    const version = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }));
    // As long as there are two, both stay as they are.
    await page.reload();
    const old = await version(page);
    assert.equal(old.version ?? old.early, undefined);
    // The files of before are stored.
    await loadSample(page, "mixed");
    await isRead(page);
    await page.close();

    const next = other;
    // The page may be about to load itself anew, which waitForFunction outlives.
    const isNewer = () => next.waitForFunction(() => document.documentElement.dataset.version === "2", undefined, { timeout: 1000 }).then(() => true, () => false);
    // The browser takes a moment to forget the page that was closed.
    for (let i = 0; i < 10 && !(await isNewer()); i++) {
      await next.goto("about:blank");
      await next.goto(server.url);
    }
    await controlled(next);
    const { version: made, early } = await version(next);
    assert.deepEqual([made, early], ["2", "2"]);
    // Of close reading, what has changed is loaded once the reader agrees again; the rest is there still.
    await loadSample(next, "mixed");
    assert.equal(await next.isVisible("#closely-read"), true);
    const stored = (file) => next.evaluate(async (file) => (await caches.match(new URL(file, document.baseURI))) !== undefined, file);
    assert.deepEqual([await stored("encoder/encoder.onnx"), await stored("ort/ort.wasm.min.mjs")], [true, false]);
    await readAndStored(next);
    assert.equal((await cacheNames(next)).filter((name) => name.includes(" program ")).length, 1, "the old version is deleted");
    await context.close();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

/** Changes one byte of stored files whose address matches, then stops the worker, which has checked them. */
async function damage(page, context, pattern) {
  const n = await page.evaluate(async (source) => {
    let n = 0;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) {
        if (!new RegExp(source).test(url)) continue;
        const found = await cache.match(url);
        const bytes = new Uint8Array(await found.arrayBuffer());
        bytes[bytes.length >> 1] ^= 1;
        await cache.put(url, new Response(bytes, { headers: found.headers }));
        n++;
      }
    }
    return n;
  }, pattern.source);
  assert.ok(n > 0, `${pattern} is not stored`);
  await stopWorker(page, context);
}

async function stopWorker(page, context) {
  const client = await context.newCDPSession(page);
  await client.send("ServiceWorker.enable");
  await client.send("ServiceWorker.stopAllWorkers");
  await client.detach();
}

/** Addresses of stored files whose content is not that of the built page. */
async function wrong(page, folder = site) {
  const stored = await page.evaluate(async () => {
    const all = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) {
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await (await cache.match(url)).arrayBuffer()));
        all.push([url.slice(new URL("./", document.baseURI).href.length) || "index.html", [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")]);
      }
    }
    return all;
  });
  return stored.filter(([path, sum]) => createHash("sha256").update(readFileSync(join(folder, path))).digest("hex") !== sum).map(([path]) => path);
}

for (const [what, pattern] of [["page", /folder\/$/], ["scripts and styles", /\.(js|css)$/], ["program", /cerasum-[^/]*\.wasm$/], ["reader of Word files", /files-[^/]*\.wasm$/], ["encoder", /encoder\.onnx$/]]) {
  (what === "program" ? test : slow)(`the stored ${what} damaged: fetched again`, async () => {
    const { page, context } = await open(browser, server.url, allowed);
    await controlled(page);
    const sample = what === "encoder" ? "mixed" : "en";
    const add = async () => {
      if (what !== "reader of Word files") return loadSample(page, sample);
      await summarized(page, () => page.setInputFiles("#files", [{ name: "ferry.srt", mimeType: "", buffer: Buffer.from("1\n00:00:01,000 --> 00:00:04,000\nThe ferry was late again today.\n") }]));
    };
    await add();
    if (what === "encoder") await readAndStored(page);
    const found = await quotes(page);
    await damage(page, context, pattern);
    assert.ok((await wrong(page)).length > 0);
    await page.reload();
    await add();
    if (what === "encoder") await isRead(page);
    assert.deepEqual(await quotes(page), found);
    const isWhole = async () => (await wrong(page)).every((path) => what === "scripts and styles" && !readFileSync(join(site, "index.html"), "utf8").includes(path));
    for (let i = 0; i < 50 && !(await isWhole()); i++) await new Promise((done) => setTimeout(done, 100));
    assert.ok(await isWhole(), `${await wrong(page)}`);
    await context.close();
  });
}

slow("stored files damaged, and no network: the page says so", async () => {
  const server = await serve();
  const { page, context } = await open(browser, server.url, { ...allowed, locale: "pt-BR" });
  await controlled(page);
  await loadSample(page, "mixed");
  await readAndStored(page);
  await damage(page, context, /encoder\.onnx$/);
  await server.close();
  await page.reload();
  await loadSample(page, "mixed");
  await page.waitForFunction(() => document.getElementById("closely-said").textContent !== "");
  assert.match(await page.textContent("#closely-said"), /encoder\.onnx.*the stored copy is damaged/);

  await damage(page, context, /\.wasm$/);
  await page.reload();
  await page.click('[data-sample="en"]');
  await page.waitForSelector("#problem:not([hidden])");
  assert.match(await page.textContent("#problem"), /^Um ficheiro guardado desta página está danificado/);

  await damage(page, context, /assets\/index-[^/]*\.js$/);
  await page.reload();
  assert.match(await page.textContent("body"), /^Um ficheiro guardado desta página está danificado/);
  await context.close();
});

slow("a stored file damaged, and the host has another version: the page is that version", async () => {
  const { folder, server } = await copied();
  try {
    const { page, context } = await open(browser, server.url, allowed);
    await controlled(page);
    writeFileSync(join(folder, "early.js"), `${readFileSync(join(folder, "early.js"), "utf8")}document.documentElement.dataset.early = "2";\n`);
    await damage(page, context, /early\.js$/);
    await page.reload();
    assert.equal(await page.getAttribute("html", "data-early"), "2");
    await loadSample(page, "en");
    await context.close();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

slow("a stored file damaged, and the host has another version: open pages get no file of it", async () => {
  const { folder, server } = await copied();
  try {
    const { page, context } = await open(browser, server.url, allowed);
    await controlled(page);
    await loadSample(page, "en");
    const program = await page.evaluate(async () => {
      for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) if (url.endsWith(".wasm")) return url;
    });
    const path = program.slice(server.url.length);
    // An empty custom section, and a blank.
    for (const [file, more] of [[path, [0, 1, 0]], ["early.js", [32]]]) writeFileSync(join(folder, file), Buffer.concat([readFileSync(join(folder, file)), Buffer.from(more)]));
    writeServiceWorker(folder, policy, { en: "damaged" });
    await damage(page, context, /early\.js$/);
    const asked = (address) => page.evaluate(async (address) => {
      const { status, statusText } = await fetch(address);
      return [status, statusText];
    }, address);
    const other = [503, "the site has another version of this page"];
    assert.deepEqual(await asked("early.js"), other);
    assert.deepEqual(await asked(`early.js?${Date.now()}`), other, "asked for again, as by build/import-again.mjs");
    // It was whole, but is deleted with the others.
    assert.deepEqual(await asked(path), other);
    assert.equal((await asked("favicon.svg"))[0], 200, "the same in both versions");
    await stopWorker(page, context);
    assert.deepEqual(await asked(path), other);
    // The next page comes from the host, whole.
    const next = await context.newPage();
    await next.goto(server.url);
    assert.equal(await next.evaluate(async () => (await fetch("early.js")).status), 200);
    await loadSample(next, "en");
    await context.close();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

slow("a version that is not whole is not used", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  cpSync(site, folder, { recursive: true });
  writeFileSync(join(folder, "early.js"), "// of another version");
  const server = await serve({ folder });
  try {
    const { page, context } = await open(browser, server.url, allowed);
    await loadSample(page, "en");
    await page.evaluate(async () => {
      while ((await navigator.serviceWorker.getRegistration())?.installing !== undefined) await new Promise((done) => setTimeout(done, 50));
    });
    assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
    await context.close();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

slow("what is stored carries the page's policy, though the host sends none", async () => {
  const server = await serve({ headers: { "content-security-policy": undefined } });
  const { page, context, log } = await open(browser, server.url, allowed);
  const sent = () => page.evaluate(async () => (await fetch("./early.js")).headers.get("content-security-policy"));
  await controlled(page);
  const meta = await page.getAttribute("meta[http-equiv]", "content");
  assert.equal(await sent(), meta);
  const worker = await page.evaluate(async (own) => {
    const cache = await caches.open((await caches.keys()).find((name) => name.startsWith(own)));
    const request = (await cache.keys()).find(({ url }) => /\/worker-[^/]*\.js$/.test(url));
    return (await fetch(request.url)).headers.get("content-security-policy");
  }, `cerasum ${server.url} program `);
  assert.equal(worker, meta, "it binds the page's workers");
  assert.deepEqual(log, []);
  await context.close();
  await server.close();
});

test("a browser that stores nothing: the page works as before", async () => {
  const { page, context, log } = await open(browser, server.url, { ...allowed, routes: { "**/sw.js": (route) => route.abort() } });
  await loadSample(page, "en");
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
  assert.deepEqual(log.filter((line) => !/sw\.js|ERR_FAILED|fetching the script/.test(line)), []);
  await context.close();
});

test("it can be installed, by the rules of Chromium", async () => {
  const { page, context } = await open(browser, server.url, allowed);
  await controlled(page);
  const client = await context.newCDPSession(page);
  const { errors, manifest, url } = await client.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.equal(url, `${server.url}manifest.webmanifest`);
  assert.equal(manifest?.startUrl ?? server.url, server.url);
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
  await context.close();
});
