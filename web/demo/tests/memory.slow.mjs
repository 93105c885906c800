// 500 summaries on one page: what they leave behind must not grow, neither in
// the page nor in its two workers, in JavaScript nor in WebAssembly.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { here } from "./lib.mjs";
import { start } from "./speed.mjs";

const SUMMARIES = 500;
/** Everything has been used by then, and the caches are full. */
const SETTLED = 100;
/** By how many bytes each may be larger at the end than it was then. */
const limits = { heap: 1e6, wasm: 8e6 };

let chromium;
before(async () => {
  chromium = await start();
});
after(() => chromium?.stop());

/** Before a worker's script: the memories of all WebAssembly in it. */
function watchMemories() {
  globalThis.memories = new Set();
  const { Memory, instantiate } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor) {
      super(descriptor);
      memories.add(this);
    }
  };
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate(...args);
    for (const one of Object.values((result.instance ?? result).exports)) if (one instanceof Memory) memories.add(one);
    return result;
  };
}

const watched = async (route) => {
  const response = await route.fetch();
  await route.fulfill({ response, body: `(${watchMemories})();\n${await response.text()}` });
};

/** Chromium's protocol for the page and for each of its workers, which have sessions of their own. */
async function sessions(page) {
  const session = await page.context().newCDPSession(page);
  const workers = new Map();
  const waiting = new Map();
  let last = 0;
  session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => workers.set(targetInfo.title, sessionId));
  session.on("Target.detachedFromTarget", ({ sessionId }) => {
    for (const [title, id] of workers) if (id === sessionId) workers.delete(title);
  });
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result, error } = JSON.parse(message);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  });
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const inWorker = (sessionId) => (method, params = {}) => new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, { resolve, reject });
    session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) }).catch(reject);
  });
  return { page: (method, params) => session.send(method, params), workers: () => [...workers].map(([name, id]) => [name, inWorker(id)]) };
}

/** Bytes of JavaScript that is alive, those of WebAssembly, and the page's nodes. */
async function measure({ page, workers }) {
  const found = {};
  const heap = async (send) => {
    // What a collection frees may hold what only the next one frees.
    for (let i = 0; i < 3; i++) await send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await send("Runtime.getHeapUsage");
    return usedSize + backingStorageSize;
  };
  found["heap of the page"] = await heap(page);
  const { nodes, jsEventListeners } = await page("Memory.getDOMCounters");
  Object.assign(found, { nodes, listeners: jsEventListeners });
  for (const [name, send] of workers()) {
    found[`heap of ${name}`] = await heap(send);
    const { result } = await send("Runtime.evaluate", { expression: "[...memories].reduce((n, { buffer }) => n + buffer.byteLength, 0)", returnByValue: true });
    found[`wasm of ${name}`] = result.value;
  }
  return found;
}

test(`${SUMMARIES} summaries leave no more behind than ${SETTLED}`, async (t) => {
  const { page, close } = await chromium.cold("auto", { "**/*worker-*.js": watched });
  const samples = readdirSync(here("../samples")).map((name) => name.replace(".json", ""));
  await page.evaluate(async () => {
    await speed.after(() => document.querySelector('[data-sample="mixed"]').click());
    await speed.after(() => document.getElementById("closely-read").click());
  });
  const protocol = await sessions(page);
  const stages = [];
  for (let made = 0; made < SUMMARIES; made += SETTLED) {
    await page.evaluate(async ({ samples, from, to }) => {
      const method = document.getElementById("method");
      const range = document.getElementById("budget");
      for (let i = from; i < to; i++) {
        // Other documents, another length and another method by turns.
        const turn = Math.floor(i / 3);
        await speed.after(() => {
          if (i % 3 === 0) document.querySelector(`[data-sample="${samples[turn % samples.length]}"]`).click();
          else if (i % 3 === 1) {
            range.value = String(60 + ((i * 37) % 240));
            range.dispatchEvent(new Event("input"));
          } else {
            const names = [...method.options].filter(({ disabled }) => !disabled).map(({ value }) => value).filter((name) => name !== method.value);
            method.value = names[turn % names.length];
            method.dispatchEvent(new Event("change"));
          }
        });
        // And a look at the source.
        if (i % 3 === 2) document.querySelector("#quotes .quote-link").click();
      }
    }, { samples, from: made, to: made + SETTLED });
    stages.push(await measure(protocol));
    t.diagnostic(`after ${made + SETTLED}: ${Object.entries(stages.at(-1)).map(([name, n]) => `${name} ${n > 1e4 ? `${(n / 1e6).toFixed(2)} MB` : n}`).join(", ")}`);
  }
  const [first, ...later] = stages;
  assert.deepEqual(Object.keys(first).filter((name) => name.startsWith("wasm")).sort(), ["wasm of cerasum", "wasm of cerasum-encoder"]);
  for (const name of Object.keys(first)) {
    // Of the last two stages the lesser: what is alive depends on which documents are on the page.
    const grown = Math.min(...later.slice(-2).map((stage) => stage[name])) - first[name];
    const limit = limits[name.split(" ")[0]] ?? first[name] / 4;
    assert.ok(grown <= limit, `${name}: ${first[name]} after ${SETTLED} summaries, ${stages.map((stage) => stage[name]).join(", ")}`);
  }
  await close();
});
