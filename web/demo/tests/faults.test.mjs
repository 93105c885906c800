// Faults: what the page says when something fails, in plain words, and that the
// next act works. What the library does is in js/tests/faults-browser.test.ts.

import assert from "node:assert/strict";
import { again, test, within } from "../../common/tests/limits.mjs";
import { until } from "../../common/tests/until.mjs";
import { begin, open, paste, policy, quotes, serve, summarized } from "./lib.mjs";

const { server, browser } = await begin();

const harbour = "The harbour of Nessel will be closed for three weeks. Divers are to clear the channel of stones.";
/** Of the core, by the name that the build gives it. */
const core = /\/assets\/worker-[^/]*\.js$/;
const problem = async (page) => {
  await page.waitForSelector("#problem:not([hidden])");
  assert.equal(await page.getAttribute("#problem", "role"), "alert");
  return page.textContent("#problem");
};
/** The browser's own words about a fault that was made on purpose. */
const others = (log, known) => log.filter((line) => !known.test(line));

/** Answers the first request for the core's worker with what `change` makes of it. */
const once = (change) => {
  let n = 0;
  return async (route) => {
    if (n++ > 0) return route.continue();
    const response = await route.fetch();
    return route.fulfill(await change(response));
  };
};

again("100 MB dropped in: refused by name with the limit; the page goes on", async () => {
  const { page, context, log } = await open(browser, server.url);
  const begun = Date.now();
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(100e6).fill(97)], "huge.txt", { type: "text/plain" }));
    for (const kind of ["dragenter", "dragover", "drop"]) document.getElementById("drop").dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector("#file-problems:not([hidden])");
  within(Date.now() - begun, 10_000);
  assert.match(await page.textContent("#file-problems"), /huge\.txt: 100(\.0)? MB; the limit is 25(\.0)? MB/);
  assert.equal(await page.locator("#document-list > li").count(), 0);
  await summarized(page, () => paste(page, harbour));
  assert.ok((await quotes(page)).length > 0);
  assert.deepEqual(log, []);
  await context.close();
});

test("WASM blocked by a policy: said plainly; once it is allowed, another try works", async () => {
  const blocked = policy.replace(" 'wasm-unsafe-eval'", "");
  let allowed = false;
  const { page, context, log } = await open(browser, server.url);
  await context.route(core, async (route) => {
    if (allowed) return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": blocked } });
  });
  await page.reload();
  await paste(page, harbour);
  assert.match(await problem(page), /could not start.*WebAssembly/);
  assert.equal(await page.locator("#document-list > li").count(), 1, "what was added is still there");
  allowed = true;
  await summarized(page, () => page.click("#again"));
  assert.equal(await page.isVisible("#problem"), false);
  assert.ok((await quotes(page)).length > 0);
  assert.deepEqual(others(log, /wasm|WebAssembly|unsafe-eval/i), []);
  await context.close();
});

test("a worker killed in mid-call: said plainly; another try works", async () => {
  const mortal = `addEventListener("message", (event) => {
    if (event.data.kind !== "summarize") return;
    event.stopImmediatePropagation();
    close();
  });`;
  const { page, context, log } = await open(browser, server.url, { routes: { "**/assets/worker-*.js": once(async (response) => ({ response, body: `${mortal}\n${await response.text()}` })) } });
  await paste(page, harbour);
  assert.match(await problem(page), /^Summarizing failed: .*worker vanished/);
  await summarized(page, () => page.click("#again"));
  assert.equal(await page.isVisible("#problem"), false);
  assert.ok((await quotes(page)).length > 0);
  await summarized(page, () => paste(page, "The pier of Ost is open to the fishermen of Nessel."));
  assert.ok((await quotes(page)).length > 1);
  assert.deepEqual(log, []);
  await context.close();
});

test("more text than the automatic method has the memory for: the instant one makes the summary, and the page says so", async () => {
  const small = `addEventListener("message", (event) => {
    if (event.data.kind !== "summarize" || event.data.options.method !== "auto") return;
    event.stopImmediatePropagation();
    postMessage({ kind: "crashed", message: "fatal error: out of memory" });
  });`;
  const { page, context, log } = await open(browser, server.url);
  await context.route(core, async (route) => {
    const response = await route.fetch();
    return route.fulfill({ response, body: `${small}\n${await response.text()}` });
  });
  await page.reload();
  await summarized(page, () => paste(page, harbour));
  assert.ok((await quotes(page)).length > 0);
  assert.equal(await page.textContent("#fallback"), "Too much text for “Automatic”; this summary was made with “Instant”. cerasum stopped: fatal error: out of memory.");
  assert.equal(await page.isVisible("#problem"), false);
  assert.equal(await page.inputValue("#method"), "auto");
  assert.deepEqual(log, []);
  await context.close();
});

test("a worker killed while it starts: another takes its place, and nobody need know", async () => {
  let allow;
  const gate = new Promise((resolve) => (allow = resolve));
  const slow = await serve({ gate });
  const { page, context, log } = await open(browser, slow.url);
  while (!page.workers().some((one) => core.test(one.url()))) await new Promise((resolve) => setTimeout(resolve, 20));
  // From here on it is missed when it goes.
  await until(page, async () => (await navigator.locks.query()).held.some(({ name }) => name.startsWith("cerasum worker")));
  await page.workers().find((one) => core.test(one.url())).evaluate(() => self.close());
  await summarized(page, async () => {
    await paste(page, harbour);
    allow();
  });
  assert.equal(await page.isVisible("#problem"), false);
  assert.ok((await quotes(page)).length > 0);
  assert.deepEqual(log, []);
  await context.close();
  await slow.close();
});
