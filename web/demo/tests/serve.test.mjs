// The page as `cerasum serve` serves it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { countWords, here, launch, loadSample, open, quotes, readClosely, site, summarized } from "./lib.mjs";

const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
after(() => rmSync(folder, { recursive: true }));
const program = process.env.CERASUM ?? join(folder, "cerasum");
if (!process.env.CERASUM) execFileSync("go", ["build", "-o", program, "./cmd/cerasum"], { cwd: here("../../.."), stdio: ["ignore", "inherit", "inherit"] });
const server = spawn(program, ["serve", "--port", "0", "--site", site], { stdio: ["ignore", "pipe", "inherit"] });
const browser = await launch();
after(async () => {
  await browser.close();
  if (server.exitCode === null) {
    server.kill("SIGINT");
    await once(server, "exit");
  }
});
const [line] = await once(createInterface(server.stdout), "line");
const url = /http:\S+/.exec(line)[0];

test("a sample is summarized, a sentence leads to its source", async () => {
  const policy = (await fetch(url)).headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'"]) {
    assert.ok(policy.split(/;\s*/).includes(part), `${part} is not in the policy: ${policy}`);
  }
  const { page, log, context } = await open(browser, url);
  await loadSample(page, "en");
  const found = await quotes(page);
  assert.ok(found.length > 1 && countWords(found.join("\n")) <= 100);
  await page.click("#quotes > li:first-child .quote-link");
  assert.deepEqual(await page.$$eval("#reader-text mark.active", (all) => all.map((mark) => mark.textContent)), [found[0]]);
  await page.click(".samples summary");
  await loadSample(page, "mixed");
  // The encoder's files are served as what they are.
  await readClosely(page);
  assert.deepEqual(log, []);
  await context.close();
});

/** Hands connections on to a server, and counts the bytes of its answers, headers and all, whichever part of the browser asks. */
async function counting(port) {
  const count = { bytes: 0 };
  const proxy = createServer((socket) => {
    const onward = createConnection({ port, host: "localhost" });
    onward.on("data", (chunk) => (count.bytes += chunk.length));
    socket.pipe(onward).pipe(socket);
    for (const one of [socket, onward]) one.on("error", () => (socket.destroy(), onward.destroy()));
  });
  proxy.listen(0, "localhost");
  await once(proxy, "listening");
  proxy.unref();
  return { count, url: `http://localhost:${proxy.address().port}/`, close: () => proxy.close() };
}

/** Megabytes of the first column of a row of the README's comparison. */
const claimed = (row, pattern) => Number(pattern.exec(readFileSync(here("../../../README.md"), "utf8").split("\n").find((line) => line.startsWith(`| ${row} |`)) ?? "")?.[1]);

const within5 = (bytes, megabytes, what, who = "the README") => assert.ok(Math.abs(bytes / 1e6 - megabytes) <= 0.05 * megabytes, `${what}: ${bytes} bytes, ${who} says ${megabytes} MB`);

// Until the page is ready and stored for offline use: nothing is loaded after that unless it is used.
test("a first visit loads what the README says, and so does close reading; a second visit nothing but the check for a new version", async (t) => {
  const wire = await counting(new URL(url).port);
  const { page, context, log } = await open(browser, wire.url, { serviceWorkers: "allow" });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await page.waitForSelector("html:not([data-waiting])");
  const first = wire.count.bytes;
  t.diagnostic(`a first visit: ${first} bytes`);
  within5(first, claimed("Download", /^\| Download \| ([\d.]+) MB/), "a first visit");
  await loadSample(page, "mixed");
  assert.ok(wire.count.bytes - first < 200_000, "nothing of the encoder");
  const offered = Number(/([\d.]+) MB/.exec(await page.textContent("#closely-read"))[1]);
  await readClosely(page);
  await page.evaluate(async () => {
    while (!(await caches.match(new URL("encoder/encoder.onnx", document.baseURI)))) await new Promise((done) => setTimeout(done, 50));
  });
  const closely = wire.count.bytes - first;
  t.diagnostic(`close reading: ${closely} bytes`);
  within5(closely, claimed("Download", /; ([\d.]+) MB more for close reading/), "close reading");
  within5(closely, offered, "close reading", "the page");
  const before = wire.count.bytes;
  await page.reload();
  await loadSample(page, "mixed");
  t.diagnostic(`a second visit: ${wire.count.bytes - before} bytes`);
  assert.ok(wire.count.bytes - before < 20_000);
  assert.deepEqual(log, []);
  await context.close();
  wire.close();
});
