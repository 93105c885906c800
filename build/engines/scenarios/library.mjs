// The npm library in a page, as it is served without a bundler.

import assert from "node:assert/strict";
import { mkdtemp, symlink, writeFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../../../web/demo/tests/lib.mjs";
import { encoded, quoted, samples } from "./reference.mjs";

const dist = fileURLToPath(new URL("../../../js/dist", import.meta.url));

const script = `import * as cerasum from "./dist/index.js";
window.cerasum = cerasum;
window.outcome = (call) => call.then((value) => ({ value }), ({ name, message }) => ({ name, message }));`;

/** A scenario in a page that has the library as window.cerasum. `broken` is as in serve. */
const scenario = (name, act, { broken, ...more } = {}) => ({
  name: `library: ${name}`, ...more,
  async act(page, context) {
    const folder = await mkdtemp(join(tmpdir(), "cerasum-library-"));
    await symlink(dist, join(folder, "dist"));
    await writeFile(join(folder, "index.html"), '<!doctype html><title>library</title><script type="module" src="./page.js"></script>');
    await writeFile(join(folder, "page.js"), script);
    // Without trusted types: how to have them with a library is the page's matter.
    const server = await serve({ folder, broken: broken?.(), headers: { "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'" } });
    try {
      await page.goto(server.url);
      await page.until(() => "cerasum" in window);
      await act(page, { ...context, server });
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
});

const { en } = samples;

export const library = [
  scenario("every sample by every method: the sentences of the program and of Node", async (page, { t }) => {
    const methods = await page.evaluate(async () => {
      window.core = cerasum.createCore();
      window.encoder = cerasum.createEncoder({ core });
      return (await core.info()).methods.map(({ name, embeddings }) => ({ name, embeddings: embeddings !== "none" }));
    });
    assert.ok(["auto", "cera", "cerai"].every((one) => methods.some(({ name }) => name === one)), JSON.stringify(methods));
    for (const [name, documents] of Object.entries(samples)) {
      const found = await page.evaluate(async ([documents, methods]) => {
        const session = await core.open(documents), found = {};
        for (const { name } of methods) found[name] = (await session.summarize({ method: name }, { encoder })).sentences.map(({ text }) => text);
        session.close();
        return found;
      }, [documents, methods]);
      const expected = await encoded(documents, methods.filter(({ embeddings }) => embeddings).map(({ name }) => name));
      for (const { name, embeddings } of methods) if (!embeddings) expected[name] = await quoted(documents, name);
      assert.deepEqual(found, expected, name);
    }
    t.diagnostic(`${Object.keys(samples).length} samples, ${methods.length} methods`);
  }),

  scenario("a session, a question, an update, and closing", async (page) => {
    const found = await page.evaluate(async (documents) => {
      const core = cerasum.createCore();
      const session = await core.open(documents);
      const short = await session.summarize({ budget: { sentences: 2 } });
      const asked = await session.summarize({ budget: { sentences: 2 }, query: "What does the damage cost?" });
      session.close();
      const closed = await outcome(session.summarize());
      const same = (await core.summarize(documents, { budget: { sentences: 2 } })).text === short.text;
      core.destroy();
      return { short: short.sentences.length, offsets: short.sentences.every((q) => documents[q.document].text.slice(q.start, q.end) === q.text), differs: asked.text !== short.text, closed: closed.name, same };
    }, en);
    assert.deepEqual(found, { short: 2, offsets: true, differs: true, closed: "InvalidStateError", same: true });
  }),

  scenario("Summarizer: created, streamed, measured, aborted, destroyed", async (page) => {
    const found = await page.evaluate(async (text) => {
      const { Summarizer } = cerasum;
      const heard = [];
      const summarizer = await Summarizer.create({ type: "key-points", format: "plain-text", monitor: (m) => m.addEventListener("downloadprogress", ({ loaded }) => heard.push(loaded)) });
      const whole = await summarizer.summarize(text);
      const chunks = [];
      const reader = summarizer.summarizeStreaming(text).getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
      const controller = new AbortController();
      const call = outcome(summarizer.summarize(text.repeat(50), { signal: controller.signal }));
      controller.abort();
      const aborted = await call;
      const before = await outcome(Summarizer.create({ signal: AbortSignal.abort() }));
      summarizer.destroy();
      const destroyed = await outcome(summarizer.summarize(text));
      return { lines: whole.split("\n").length, streamed: chunks.join("") === whole, chunks: chunks.length, heard: [heard[0], heard.at(-1)], aborted: aborted.name, before: before.name, destroyed: destroyed.name };
    }, en.map(({ text }) => text).join("\n\n"));
    assert.deepEqual(found, { lines: 3, streamed: true, chunks: 3, heard: [0, 1], aborted: "AbortError", before: "AbortError", destroyed: "AbortError" });
  }),

  scenario("a worker that dies: the call rejects, and the next call starts another worker", async (page) => {
    const found = await page.evaluate(async (documents) => {
      let started = 0;
      let last;
      const core = cerasum.createCore({ worker: () => (started++, (last = new Worker("./dist/worker.js", { type: "module" }))) });
      const first = await core.summarize(documents);
      last.dispatchEvent(new ErrorEvent("error", { message: "it is gone" }));
      const next = await core.summarize(documents);
      core.destroy();
      return { same: first.text === next.text, started };
    }, en);
    assert.deepEqual(found, { same: true, started: 2 });
  }),

  scenario("a file of onnxruntime is missing or wrong: NetworkError or OperationError, and the next call works", async (page) => {
    const faults = Object.entries({
      "ort.wasm.min.mjs": "script", "ort-wasm-simd-threaded.mjs": "script", "ort-wasm-simd-threaded.wasm": "program",
    }).flatMap(([file, kind]) => [`fault/missing/${file}`, `fault/no-${kind}/${file}`]);
    const found = await page.evaluate(async (faults) => {
      const all = {};
      const encoder = cerasum.createEncoder({ core: cerasum.createCore() });
      for (const fault of [...faults, "fault/none/"]) {
        await fetch(fault);
        all[fault] = (await outcome(encoder.embed(["One."]))).name ?? "embedded";
      }
      encoder.destroy();
      return all;
    }, faults);
    assert.deepEqual(found, { ...Object.fromEntries(faults.map((fault) => [fault, fault.includes("missing") ? "NetworkError" : "OperationError"])), "fault/none/": "embedded" });
  }, { broken: () => {
    let kind, file;
    return (path) => {
      const fault = /^\/fault\/(.+)\/(.*)$/.exec(path);
      if (fault) [, kind, file] = fault;
      return Boolean(fault) || (file && path.endsWith(`/${file}`) && (kind === "missing" || kind.replace("-", " ")));
    };
  } }),
];
