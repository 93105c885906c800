// The Summarizer as a page has it, under the strict content security policy: in
// the page, in a worker, in a frame that goes away, and where workers crash.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe } from "node:test";
import { openPage } from "./page.js";
import { ferry } from "./cluster.js";
import { it, slow } from "./support.js";

type Library = typeof import("cerasum");

const files = {
  "/favicon.ico": "",
  "/page.js": `globalThis.cerasum = await import("/dist/index.js");`,
  "/worker.js": `import { Summarizer } from "/dist/index.js";
    addEventListener("message", async ({ data }) => {
      const loaded = [];
      const summarizer = await Summarizer.create({ type: "tldr", monitor: (m) => m.addEventListener("downloadprogress", (e) => loaded.push(e.loaded)) });
      postMessage({ text: await summarizer.summarize(data), loaded });
      summarizer.destroy();
    });`,
  "/frame.html": `<!doctype html><script type=module src=/frame.js></script>`,
  "/frame.js": `import { Summarizer } from "/dist/index.js";
    const summarizer = await Summarizer.create();
    parent.frame = { Summarizer, summarizer };`,
  "/fragile.js": `import "/crash.js"; import "/dist/worker.js";`,
  "/crash.js": `addEventListener("message", (event) => {
      const { kind, documents } = event.data;
      if (kind !== "open" || !documents[0].text.startsWith("Crash")) return;
      event.stopImmediatePropagation();
      throw new Error("the bow doors were open");
    });`,
};

describe("Summarizer in a browser", () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  const complaints: string[] = [];
  const text = ferry[0]!.text;
  const sentences = text.split(/(?<=\.) /);

  before(async () => {
    opened = await openPage(files);
    opened.page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    opened.page.on("pageerror", (error) => complaints.push(String(error)));
  });
  after(() => opened?.close());
  beforeEach(async () => {
    complaints.length = opened.asked.length = 0;
    const { page } = opened;
    await page.goto(new URL("/", page.url()).href);
    await page.addScriptTag({ type: "module", url: "/page.js" });
    await page.waitForFunction(() => "cerasum" in globalThis);
  });

  it("summarizes, streams and tells of its progress", async () => {
    const found = await opened.page.evaluate(async (input) => {
      const { Summarizer } = (globalThis as unknown as { cerasum: Library }).cerasum;
      const before = await Summarizer.availability();
      const loaded: [boolean, number, number][] = [];
      const summarizer = await Summarizer.create({
        monitor: (monitor) => monitor.addEventListener("downloadprogress", (e) => loaded.push([e instanceof ProgressEvent, (e as ProgressEvent).loaded, (e as ProgressEvent).total])),
      });
      const summary = await summarizer.summarize(input);
      const chunks: string[] = [];
      const reader = summarizer.summarizeStreaming(input).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
      const after = await Summarizer.availability();
      summarizer.destroy();
      return { before, after, loaded, summary, chunks };
    }, text);
    assert.deepEqual([found.before, found.after], ["available", "available"], "the page's own server has the core");
    assert.deepEqual(found.loaded, [[true, 0, 1], [true, 1, 1]]);
    assert.equal(found.chunks.join(""), found.summary);
    const lines = found.summary.split("\n");
    assert.equal(lines.length, 3);
    for (const line of lines) assert.ok(sentences.some((sentence) => line === `* ${sentence}` || line.endsWith(sentence)), line);
    assert.deepEqual(opened.asked.filter((path) => /hub|encoder|ort|weights/.test(path)), [], "nothing that it does not need");
    assert.deepEqual(complaints, []);
  });

  it("works in a worker", async () => {
    const answer = await opened.page.evaluate((input) => new Promise<{ text: string; loaded: number[] }>((resolve, reject) => {
      const worker = new Worker("/worker.js", { type: "module" });
      worker.onmessage = ({ data }) => resolve(data as { text: string; loaded: number[] });
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(input);
    }), text);
    assert.ok(sentences.some((sentence) => answer.text.includes(sentence)), answer.text);
    assert.deepEqual(answer.loaded, [0, 1]);
    assert.deepEqual(complaints, []);
  });

  it("is a polyfill where there is none", async () => {
    const found = await opened.page.evaluate(() => {
      const { installPolyfill, Summarizer } = (globalThis as unknown as { cerasum: Library }).cerasum;
      const scope = globalThis as { Summarizer?: unknown };
      const own = scope.Summarizer;
      const kept = own === undefined || installPolyfill() === own;
      delete scope.Summarizer;
      return { kept, set: installPolyfill() === Summarizer && scope.Summarizer === Summarizer, quota: "QuotaExceededError" in globalThis };
    });
    assert.deepEqual(found, { kept: true, set: true, quota: true });
  });

  it("of a frame that has gone is in an invalid state", async () => {
    const names = await opened.page.evaluate(async () => {
      const frame = document.createElement("iframe");
      frame.src = "/frame.html";
      document.body.append(frame);
      const scope = globalThis as { frame?: { Summarizer: Library["Summarizer"]; summarizer: Awaited<ReturnType<Library["Summarizer"]["create"]>> } };
      while (!scope.frame) await new Promise((resolve) => setTimeout(resolve, 10));
      const { Summarizer, summarizer } = scope.frame;
      const alive = await summarizer.measureInputUsage("x");
      frame.remove();
      const names: unknown[] = [alive];
      for (const call of [() => Summarizer.create(), () => Summarizer.availability(), () => Summarizer.create({ outputLanguage: "en_US" }), () => summarizer.summarize("x"), () => summarizer.measureInputUsage("x")]) {
        names.push(await call().catch((error: DOMException) => error.name));
      }
      try {
        summarizer.summarizeStreaming("x");
      } catch (error) {
        names.push((error as DOMException).name);
      }
      return names;
    });
    assert.deepEqual(names, [0, ...Array<string>(6).fill("InvalidStateError")]);
  });

  slow("outlives crashes of its worker in mid-call, among 200 calls at once", async () => {
    const found = await opened.page.evaluate(async (input) => {
      const { Summarizer, createCore } = (globalThis as unknown as { cerasum: Library }).cerasum;
      let workers = 0;
      const core = createCore({
        worker: () => {
          workers++;
          return new Worker("/fragile.js", { type: "module" });
        },
      });
      const summarizer = await Summarizer.create({ core, type: "tldr" });
      const calls = Array.from({ length: 200 }, (_, i) =>
        summarizer.summarize(i % 50 === 7 ? `Crash ${i}. ${input}` : input).catch((error: DOMException) => error.name));
      const answers = await Promise.all(calls);
      core.destroy();
      return { workers, crashed: answers.flatMap((answer, i) => (answer === "OperationError" ? [i] : [])), other: [...new Set(answers)].length };
    }, text);
    assert.deepEqual(found, { workers: 5, crashed: [7, 57, 107, 157], other: 2 });
  });

  it("with workers forbidden is unavailable or fails with the right name", async () => {
    const names = await opened.page.evaluate(async () => {
      const { Summarizer, createCore } = (globalThis as unknown as { cerasum: Library }).cerasum;
      const gone = await Summarizer.create({ core: createCore({ workerURL: "/none.js" }) }).catch((error: DOMException) => error.name);
      const blocked = await Summarizer.create({ core: createCore({ wasmURL: "/page.js" }) }).catch((error: DOMException) => error.name);
      const { Worker } = globalThis;
      delete (globalThis as { Worker?: unknown }).Worker;
      const availability = await Summarizer.availability();
      const none = await Summarizer.create().catch((error: DOMException) => error.name);
      globalThis.Worker = Worker;
      return { gone, blocked, availability, none };
    });
    assert.deepEqual(names, { gone: "NetworkError", blocked: "OperationError", availability: "unavailable", none: "NotSupportedError" });
  });

  slow("does not grow over 500 summaries", async (t) => {
    const { page } = opened;
    const devtools = await page.context().newCDPSession(page);
    const heap: number[] = [];
    await page.evaluate(async () => {
      const { Summarizer } = (globalThis as unknown as { cerasum: Library }).cerasum;
      // A signal that lives on must not keep what was done with it.
      Object.assign(globalThis, { summarizer: await Summarizer.create(), signal: new AbortController().signal });
    });
    for (let i = 0; i < 6; i++) {
      await page.evaluate(async (documents) => {
        const { summarizer, signal } = globalThis as unknown as { summarizer: import("cerasum").Summarizer; signal: AbortSignal };
        for (let j = 0; j < 100; j++) await summarizer.summarizeDocuments(documents, { signal });
      }, ferry);
      await devtools.send("HeapProfiler.collectGarbage");
      heap.push((await devtools.send("Runtime.getHeapUsage")).usedSize);
    }
    t.diagnostic(`heap in MB after each 100: ${heap.map((n) => (n / 1e6).toFixed(2)).join(" ")}`);
    assert.ok(heap[5]! - heap[0]! < 250_000, String(heap));
  });
});
