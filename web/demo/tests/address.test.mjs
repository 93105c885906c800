// Documents by their addresses, in a page that was built for it.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { loadConfigFromFile } from "vite";
import { here, launch, open, serve, summarized, wider } from "./lib.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";

/** The site that the page was built for; the browser finds it on this machine. */
const origin = "http://news.example";

let elsewhere, server, browser;
const asked = [];
const html = (text) => `<!doctype html><html><head><title>Bees of Nessel</title></head><body><article><p>${text}</p></article></body></html>`;
/** What the other site answers: [type, body, headers]; all but the last may be read by other pages. */
const answers = {
  "/bees.html": ["text/html", html("The bees of Nessel make honey. Nobody counts them.")],
  "/alt": ["text/html; charset=windows-1251", Buffer.concat([Buffer.from("<html><body><p>"), Buffer.from([0xcc, 0xee, 0xf1, 0xf2, 0x20, 0xee, 0xf2, 0xea, 0xf0, 0xfb, 0xf2, 0x2e]), Buffer.from("</p></body></html>")])],
  "/notes%20of%20May.md": ["text/plain", "# Limes\n\nThe **limes** of Nessel are in flower."],
  "/report.pdf": ["application/pdf", makePDF([column(["The harbour of Nessel is open again."])])],
  "/huge.txt": ["text/plain", Buffer.alloc(25_000_001, "a ")],
  "/picture.png": ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])],
  "/away": ["text/plain", "", { location: "http://localhost:9/" }],
  "/closed.html": ["text/html", html("Nobody elsewhere may read this."), { "access-control-allow-origin": undefined }],
};

before(async () => {
  elsewhere = createServer((request, response) => {
    asked.push({ url: request.url, cookie: request.headers.cookie, referer: request.headers.referer, method: request.method });
    if (request.url === "/never") return;
    const [type, body, headers] = answers[request.url] ?? [];
    const all = { "access-control-allow-origin": "*", "content-type": type, ...headers };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(!type ? 404 : headers?.location ? 302 : 200).end(body);
  });
  elsewhere.listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  elsewhere.unref();
  server = await serve({ folder: wider, connect: origin });
  browser = await launch([`--host-resolver-rules=MAP news.example 127.0.0.1:${elsewhere.address().port}`]);
});
after(async () => {
  await browser?.close();
  await server?.close();
  elsewhere?.closeAllConnections();
  elsewhere?.close();
});

const titles = (page) => page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent));
const get = async (page, address) => {
  await page.fill("#address-url", address);
  await page.press("#address-url", "Enter");
};
const problem = async (page, address) => {
  await get(page, address);
  await page.waitForSelector("#file-problems li");
  const text = await page.textContent("#file-problems li");
  await page.click("#file-problems button");
  return text.slice(address.length + 2);
};

test("a page built as usual asks for no address, and its policy names nobody", async () => {
  const usual = await serve();
  const { page, context } = await open(browser, usual.url);
  assert.equal(await page.isVisible("#address"), false);
  assert.match(await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content"), /connect-src 'self';/);
  await context.close();
  await usual.close();
});

test("a build for what is no origin fails", async (t) => {
  t.after(() => delete process.env.CERASUM_ELSEWHERE);
  for (const sources of ["news.example", "https://news.example/path", "*", "data:", "https://a.example; script-src *"]) {
    process.env.CERASUM_ELSEWHERE = sources;
    await assert.rejects(loadConfigFromFile({ command: "build", mode: "production" }, here("../vite.config.ts"), undefined, "silent"), /neither "https:" nor an origin/, sources);
  }
});

test("pages, Markdown, PDF and other encodings are read; the site learns the address and nothing else", async () => {
  asked.length = 0;
  const { page, context, log } = await open(browser, server.url);
  await context.addCookies([{ name: "who", value: "me", url: origin }]);
  assert.match(await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content"), new RegExp(`connect-src 'self' ${origin};`));
  for (const path of ["/bees.html", "/alt", "/notes%20of%20May.md", "/report.pdf"]) {
    await summarized(page, () => get(page, origin + path));
    assert.equal(await page.inputValue("#address-url"), "");
  }
  assert.deepEqual(await titles(page), ["Bees of Nessel", "alt", "Limes", "report"]);
  await page.click("#document-list > li:nth-child(2) .doc-open");
  assert.equal(await page.textContent("#reader-text"), "Мост открыт.");
  assert.ok((await page.textContent("#reader-meta")).startsWith(`${origin}/alt`));
  assert.deepEqual(asked.map(({ method, cookie, referer }) => [method, cookie, referer]), Array(4).fill(["GET", undefined, undefined]));
  assert.deepEqual(log.filter((line) => !line.startsWith(`request to ${origin}/`)), []);
  await context.close();
});

test("what cannot be had is refused, each for its reason", async () => {
  const { page, context } = await open(browser, server.url);
  assert.equal(await problem(page, "no address"), "not a valid web address");
  assert.equal(await problem(page, "ftp://news.example/a"), "not a valid web address");
  assert.equal(await problem(page, "other.example/a"), `only pages from ${origin.slice(7)} can be fetched here`);
  assert.equal(await problem(page, `${origin}/none`), "the site responded with error 404");
  assert.equal(await problem(page, `${origin}/closed.html`), "the site does not allow access from other pages, or cannot be reached; save the page and add it as a file");
  assert.equal(await problem(page, `${origin}/picture.png`), "images, audio and video are not supported");
  assert.match(await problem(page, `${origin}/huge.txt`), /^larger than 25 MB/);
  assert.match(await problem(page, `${origin}/away`), /^this page is not allowed to contact other sites|^the site does not allow access from other pages/);
  assert.deepEqual(await titles(page), []);
  await context.close();
});

test("a host that is stricter than the build: the page says so", async () => {
  const strict = await serve({ folder: wider });
  const { page, context } = await open(browser, strict.url);
  assert.match(await problem(page, `${origin}/bees.html`), /^this page is not allowed to contact other sites/);
  await context.close();
  await strict.close();
});

test("a site that says nothing: the wait can be ended, by keyboard too", async () => {
  const { page, context } = await open(browser, server.url);
  await get(page, `${origin}/never`);
  await page.waitForSelector("#address-stop:not([hidden])");
  await page.focus("#address-stop");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#address-stop", { state: "hidden" });
  assert.match(await page.textContent("#toast"), /Cancelled/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "address-url");
  await summarized(page, () => get(page, `${origin}/bees.html`));
  assert.deepEqual(await titles(page), ["Bees of Nessel"]);
  await context.close();
});
