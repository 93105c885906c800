// What the panel finds in the browser's storage may be another version's: whatever it
// is, the panel opens, and shows what is whole. FUZZ_MINUTES is how long each
// property is tried (`make fuzz`), FUZZ_SEED repeats a run.

import assert from "node:assert/strict";
import { before } from "node:test";
import fc from "fast-check";
import { runnerImport } from "vite";
import { again, count, test } from "../../common/tests/limits.mjs";
import { until } from "../../common/tests/until.mjs";
import { here } from "./lib.mjs";
import { openPanel, start, summarized } from "./panel-lib.mjs";

const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
const runs = {
  ...(minutes > 0 ? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: minutes * 60_000 } : { numRuns: 2000 }),
  ...(process.env.FUZZ_SEED && { seed: Number(process.env.FUZZ_SEED) }),
};

let saved;
before(async () => {
  saved = (await runnerImport(here("../src/work/saved.ts"))).module;
});

const inherited = fc.constantFrom("constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty");
const anything = fc.oneof(inherited, fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}), fc.jsonValue());

/** The places of all values in a value, as paths. */
function paths(value, path = []) {
  if (typeof value !== "object" || value === null) return [path];
  return [...(path.length > 0 ? [path] : []), ...Object.keys(value).flatMap((key) => paths(value[key], [...path, key]))];
}

/** A copy with another value at some places. */
const changed = (value) => fc.array(fc.tuple(fc.constantFrom(...paths(value)), fc.option(anything, { nil: undefined })), { minLength: 0, maxLength: 3 }).map((changes) => {
  const copy = structuredClone(value);
  for (const [path, to] of changes) {
    let at = copy;
    for (const key of path.slice(0, -1)) at = at?.[key];
    if (typeof at !== "object" || at === null) continue;
    if (to === undefined) delete at[path.at(-1)];
    else Object.defineProperty(at, path.at(-1), { value: to, enumerable: true, configurable: true, writable: true });
  }
  return copy;
});

test("no state, history or request is taken that is not whole; of settings, what is sane", () => {
  fc.assert(fc.property(fc.anything(), (value) => {
    for (const is of [saved.isSummary, saved.areTexts, saved.areGroups, saved.isRunning, saved.isRequest, saved.areIds]) assert.equal(typeof is(value), "boolean");
    const { words, order, method } = saved.sane(value);
    assert.ok(words >= 20 && words <= 500 && ["story", "document", "rank"].includes(order) && ["auto", "instant", "multilingual", "lead"].includes(method));
  }), runs);
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.deepEqual(saved.sane(JSON.parse(`{ "words": 100, "order": "${name}", "method": "${name}" }`)), { words: 100, order: "story", method: "auto", query: "", whose: "" });
    assert.equal(saved.isRequest({ kind: name, tabId: 1, windowId: 1, at: 1 }), false);
  }
});

again("the panel opens with whatever is stored", async () => {
  const { panel, browser, log, close } = await start(["alfa/harbour", "bravo/news"]);
  await summarized(panel);
  await panel.evaluate(() => document.getElementById("menu").click());
  await panel.check("#history-keep");
  await until(panel, async () => (await chrome.storage.local.get("history")).history?.length === 1);
  await until(panel, async () => Object.entries(await chrome.storage.session.get()).some(([key, state]) => key.startsWith("panel-") && state?.summary));
  const [session, local] = await panel.evaluate(async () => [await chrome.storage.session.get(), await chrome.storage.local.get()]);
  const name = Object.keys(session).find((key) => key.startsWith("panel-"));
  assert.ok(saved.isSummary(session[name].summary) && saved.isSummary(local.history[0]), "what the panel stores is whole");
  assert.ok(saved.areTexts(session[name].texts) && saved.areGroups(session[name].groups) && saved.areIds(session[name].off));
  await panel.close();
  // Texts are long: they are changed less often than the rest.
  const states = fc.sample(fc.tuple(changed({ ...session[name], running: undefined }), changed({ ...session[name], texts: undefined, running: { scope: "page", tabIds: [1] } }), changed(local)), { numRuns: count(2, 6), seed: runs.seed ?? 7 });
  for (const [one, other, history] of states) {
    for (const state of [one, other]) {
      const page = await browser.open();
      await page.evaluate(async ([name, state, history]) => {
        await Promise.all([chrome.storage.session.set({ [name]: state }), chrome.storage.local.set(history)]);
      }, [name, state, history]);
      await page.close();
      const next = await openPanel(browser);
      const text = await next.evaluate(() => document.body.innerText);
      assert.doesNotMatch(text, /NaN|undefined|\[native code\]|\[object \w+\]/, JSON.stringify(state).slice(0, 3000));
      await next.evaluate(() => document.getElementById("menu").click());
      assert.doesNotMatch(await next.evaluate(() => document.body.innerText), /NaN|undefined|Invalid Date|\[native code\]/, JSON.stringify(history).slice(0, 3000));
      await next.close();
    }
  }
  assert.deepEqual(log, []);
  await close();
});
