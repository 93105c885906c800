// Saved files are anyone's: whatever is in one, it is opened as it says or refused, and
// no name in it is looked up in what all objects have. FUZZ_MINUTES is how long
// each property is tried (`make fuzz`), FUZZ_SEED repeats a run.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { runnerImport } from "vite";
import { effort } from "../../common/tests/limits.mjs";
import { begin, here, open, summarized } from "./lib.mjs";
import { document, file, like, settings } from "./saved-files.mjs";

const { server, browser } = await begin();
const runs = effort(2000);

let session;
const openFile = (content) => session.open(JSON.parse(content));
before(async () => {
  session = (await runnerImport(here("../src/session.ts"))).module;
});

test("any saved file is opened as it says or refused by name", (t) => {
  let opened = 0;
  let tried = 0;
  const begun = performance.now();
  fc.assert(fc.property(file, (made) => {
    tried++;
    let found;
    try {
      found = openFile(JSON.stringify(made));
    } catch (error) {
      assert.ok(error instanceof session.SessionError, String(error));
      return;
    }
    opened++;
    assert.equal(Object.prototype.polluted, undefined);
    for (const { title, text, source } of found.documents) for (const one of [title, text, source]) assert.equal(typeof one, "string");
    if (found.settings) {
      const [[unit, amount], ...more] = Object.entries(found.settings.budget);
      assert.ok(typeof unit === "string" && Number.isInteger(amount) && amount > 0 && more.length === 0);
    }
    // What was opened can be saved and opened again, and is the same.
    assert.equal(session.save(openFile(session.save(found))), session.save(found));
  }), runs);
  assert.ok(opened > tried / 40, `${opened} of ${tried} could be opened`);
  t.diagnostic(`${tried} executions in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${opened} could be opened`);
});

test("the page shows what a saved file says, and after a reload what it kept: no name is looked up elsewhere", async () => {
  const { page, context, log } = await open(browser, server.url);
  const broken = () => page.evaluate(() => document.documentElement.innerText.match(/NaN|undefined|\[native code\]|\[object \w+\]|function \w+\(/)?.[0]);
  const documents = [{ title: "Nessel", text: "The harbour of Nessel is closed. Ships wait outside of it.", source: "a.txt" }];
  const given = (made) => page.setInputFiles("#files", { name: "a.cerasum.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(made)) });
  for (const name of ["constructor", "__proto__", "toString"]) {
    // Written out: a literal would set the prototype.
    const settings = JSON.parse(`{ "budget": { "amount": 100, "unit": "${name}" }, "order": "${name}", "method": "${name}", "encoder": "${name}" }`);
    await summarized(page, () => given({ cerasum: 1, settings, documents }));
    assert.equal(await broken(), undefined, name);
    assert.equal(await page.inputValue("#budget-number"), "100");
    const direct = JSON.parse(`{ "budget": { "${name}": 100 }, "order": "story", "method": "auto" }`);
    await summarized(page, () => given({ cerasum: 1, settings: direct, documents }));
    assert.equal(await broken(), undefined, name);
  }
  // Thirty more, made: each is opened, or refused in words.
  for (const made of fc.sample(like({ cerasum: fc.constant(1), documents: fc.array(document, { minLength: 1, maxLength: 2 }), settings }), { numRuns: 30, seed: runs.seed ?? 1 })) {
    await given(made);
    await page.waitForFunction(() => document.getElementById("files").value === "");
    await page.evaluate(() => new Promise((done) => setTimeout(done, 20)));
    assert.equal(await page.evaluate(() => document.getElementById("budget-number").value), "100");
  }
  assert.deepEqual(log, []);
  await context.close();
});

test("what another version has stored is left out, not shown broken", async () => {
  const { page, context, log } = await open(browser, server.url);
  await page.evaluate(async () => {
    localStorage.setItem("cerasum-keep", "on");
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open("cerasum-kept", 1);
      request.onupgradeneeded = () => ["documents", "session"].forEach((name) => request.result.createObjectStore(name));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction(["documents", "session"], "readwrite");
    const documents = transaction.objectStore("documents");
    documents.put({ title: "Nessel", madeUp: false, text: "The harbour of Nessel is closed. Ships wait outside of it.", source: "" }, "a");
    documents.put({ title: { toString: 1 }, text: 5 }, "b");
    documents.put("constructor", "c");
    transaction.objectStore("session").put({ stamp: "x", order: ["a", "b", "c", 7, "__proto__"], settings: { budget: { unit: "constructor", amount: 100 }, order: "story", method: "constructor" } }, "now");
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
  });
  await page.reload();
  await page.waitForSelector("#quotes .quote");
  assert.deepEqual(await page.$$eval("#document-list .doc-title", (all) => all.map((one) => one.textContent)), ["Nessel"]);
  assert.equal(await page.inputValue("#budget-number"), "100");
  assert.equal(await page.inputValue("#method"), "auto");
  assert.doesNotMatch(await page.evaluate(() => document.documentElement.innerText), /NaN|undefined|native code/);
  assert.deepEqual(log, []);
  await context.close();
});
