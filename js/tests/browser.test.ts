// The library as a page has it: a real browser, a module worker, the strict
// content security policy, nothing from another origin.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Core } from "cerasum";
import { shippedFiles as encoderFiles } from "../dist/shipped.js";
import { ferry } from "./cluster.js";
import { makeEncoders, naiveStatic, type TestEncoders } from "./encoders.js";
import { launch, policy, types } from "./page.js";
import { root } from "./support.js";
import { shippedFiles } from "./weights.js";

declare global {
  // Set by the test page.
  var core: Core;
  var createCore: typeof import("cerasum").createCore;
  var createEncoder: typeof import("cerasum").createEncoder;
  var loadWeights: typeof import("cerasum").loadWeights;
}

const files: Record<string, string | Uint8Array> = {
  "/favicon.ico": "",
  "/": "<!doctype html><title>cerasum</title><script type=module src=/page.js></script>",
  "/page.js": `import { createCore, createEncoder, loadWeights } from "/dist/index.js";
    Object.assign(globalThis, { createCore, createEncoder, loadWeights });
    globalThis.core = createCore();`,
};

describe("in a browser", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let encoders: TestEncoders;
  /** What the server was asked for, and what the page complained about. */
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    encoders = makeEncoders();
    // An export folder with all the files that a page would ask for.
    const settings = { "modules.json": [{ path: "", type: "x.Transformer" }], "config.json": {}, "sentence_bert_config.json": {}, "tokenizer_config.json": {}, "config_sentence_transformers.json": {} };
    for (const [name, content] of Object.entries(encoders.files("static", settings))) files[`/tiny encoder/${name}`] = content as Uint8Array;
    files["/tiny encoder/README.md"] = "---\nlanguage: multilingual\n---\n";
    for (const [name, content] of Object.entries(shippedFiles([{ name: "cerai-tiny", interpolation: true, free: true, encoder: "tiny encoder" }], 8))) {
      files[`/weights/${name}`] = content;
    }
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      asked.push(url.pathname + url.search);
      response.setHeader("content-security-policy", policy);
      const file = files[decodeURIComponent(url.pathname)];
      const path = join(root, "js", url.pathname);
      if (file !== undefined) {
        response.setHeader("content-type", types[extname(url.pathname) || ".html"] ?? "application/octet-stream");
        response.end(file);
      } else if (url.pathname.startsWith("/dist/") && existsSync(path)) {
        const type = url.search === "?untyped" ? "application/octet-stream" : types[extname(path)];
        response.setHeader("content-type", type ?? "application/octet-stream");
        response.end(readFileSync(path));
      } else {
        response.statusCode = 404;
        response.end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launch();
    page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`)) complaints.push(`a request for ${request.url()}`);
    });
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    encoders?.remove();
  });
  beforeEach(async () => {
    asked.length = 0;
    complaints.length = 0;
    await page.goto(origin);
    await page.waitForFunction(() => "core" in globalThis);
  });

  it("loads nothing before the first call, then its own two files", async () => {
    assert.deepEqual(asked.filter((path) => /worker\.js|wasm/.test(path)), []);
    const { summary, version } = await page.evaluate(async (documents) => {
      const summary = await core.summarize(documents, { budget: { words: 40 } });
      return { summary, version: core.version };
    }, ferry);
    assert.ok(summary.sentences.length > 0 && summary.used <= 40);
    for (const q of summary.sentences) assert.equal(ferry[q.document]!.text.slice(q.start, q.end), q.text);
    assert.match(version ?? "", /^\d+\.\d+\.\d+/);
    assert.equal(asked.filter((path) => path === "/dist/cerasum.wasm").length, 1);
    assert.deepEqual(complaints, []);
  });

  it("keeps the places of text with halves of characters", async () => {
    const slices = await page.evaluate(async () => {
      const text = "\ufeffEin halbes \ud83d Zeichen. \udea2 Noch eines 🚢🚢. Schluss.";
      const { documents: [split] } = await core.open([{ text, language: "de" }]);
      return split!.sentences.map((s) => text.slice(s.start, s.end));
    });
    assert.equal(slices.at(-1), "Schluss.");
    assert.deepEqual(complaints, []);
  });

  it("stops an aborted call and answers the next without loading again", async () => {
    const result = await page.evaluate(async (documents) => {
      await core.ready();
      const long = Array.from({ length: 60 }, (_, i) => ({
        text: Array.from({ length: 100 }, (_, j) => `Town ${i * 31 + j} reported ${j * 7} cases of flooding near bridge ${i}.`).join(" "),
      }));
      const controller = new AbortController();
      let begun!: () => void;
      const begins = new Promise<void>((resolve) => (begun = resolve));
      const call = core.summarize(long, {}, { signal: controller.signal, onprogress: () => begun() })
        .catch((error: DOMException) => error.name);
      const next = core.summarize(documents);
      await begins;
      controller.abort();
      return { aborted: await call, next: (await next).sentences.length };
    }, ferry);
    assert.equal(result.aborted, "AbortError");
    assert.ok(result.next > 0);
    assert.equal(asked.filter((path) => path === "/dist/cerasum.wasm").length, 1);
    assert.deepEqual(complaints, []);
  });

  it("takes addresses, a module and a worker from its host", async () => {
    const counts = await page.evaluate(async () => {
      const counts: number[] = [];
      const wasmModule = await WebAssembly.compile(await (await fetch("dist/cerasum.wasm")).arrayBuffer());
      for (const options of [
        { wasmURL: "dist/cerasum.wasm" }, // from the page
        { wasmURL: "/dist/cerasum.wasm?untyped" }, // the wrong type: no streaming
        { wasmModule },
        { workerURL: "dist/worker.js" },
        { worker: () => new Worker("/dist/worker.js", { type: "module" }) },
      ]) {
        const own = createCore(options);
        counts.push((await own.info()).methods.length);
        own.destroy();
      }
      return counts;
    });
    assert.ok(counts.every((n) => n > 0), String(counts));
    assert.ok(asked.includes("/dist/cerasum.wasm?untyped"));
    assert.deepEqual(complaints, []);
  });

  it("rejects when a file is missing, and tries again", async () => {
    const errors = await page.evaluate(async () => {
      const errors: string[] = [];
      for (const options of [{ wasmURL: "/none.wasm" }, { workerURL: "/none.js" }, { wasmURL: "/page.js" }]) {
        const own = createCore(options);
        for (let i = 0; i < 2; i++) await own.info().catch((error: DOMException) => errors.push(error.name));
        own.destroy();
      }
      return errors;
    });
    assert.deepEqual(errors, ["NetworkError", "NetworkError", "NetworkError", "NetworkError", "OperationError", "OperationError"]);
    assert.equal(asked.filter((path) => path === "/none.wasm").length, 2);
  });

  it("embeds in a worker of its own, whose parts are loaded with the first call", async () => {
    const texts = ["The ferry sails.", "Harbours", ""];
    assert.deepEqual(asked.filter((path) => /encoder|ort/.test(path)), []);
    const found = await page.evaluate(async (list) => {
      const encoder = createEncoder({ model: "/tiny encoder" });
      const told: string[] = [];
      const { embeddings, dimensions } = await encoder.embed(list, { onprogress: ({ stage, done, total }) => told.push(`${stage} ${done <= total}`) });
      await encoder.embed(list);
      const { name, languages, device } = encoder;
      encoder.destroy();
      return { embeddings: [...embeddings], dimensions, name, languages, device, told };
    }, texts);
    assert.deepEqual([found.name, found.dimensions, found.languages, found.device], ["tiny encoder", 8, ["multilingual"], "wasm"]);
    texts.forEach((text, i) => naiveStatic(encoders.weights, encoders.ids(text)).forEach((x, d) => {
      assert.ok(Math.abs(found.embeddings[i * 8 + d]! - x) < 1e-5, `text ${i}, dimension ${d}`);
    }));
    assert.ok(found.told.includes("load true") && found.told.includes("encode true"), found.told.join());
    const parts = asked.filter((path) => /encoder|ort/.test(path));
    assert.equal(new Set(parts).size, parts.length, parts.join());
    assert.ok(parts.includes("/dist/ort/ort-wasm-simd-threaded.wasm"));
    assert.deepEqual(complaints, []);
  });

  it("runs the shipped encoder without onnxruntime, asking for each of its files once", async () => {
    const found = await page.evaluate(async () => {
      const encoder = createEncoder();
      const { embeddings, dimensions } = await encoder.embed(["The harbour is closed.", "O porto está fechado.", "Tomatoes are cheap."]);
      encoder.destroy();
      const cosine = (i: number): number => embeddings.slice(0, dimensions).reduce((sum, x, d) => sum + x * embeddings[i * dimensions + d]!, 0);
      return [cosine(0), cosine(1), cosine(2)];
    });
    assert.ok(Math.abs(found[0]! - 1) < 1e-6 && found[1]! > found[2]! + 0.2, found.join());
    const parts = asked.filter((path) => /\/(encoder|ort)\//.test(path));
    assert.deepEqual(parts.sort(), encoderFiles.map((name) => `/dist/encoder/${name}`));
    assert.deepEqual(complaints, []);
  });

  it("loads weights when a method wants them, and the same ones never twice", async () => {
    const found = await page.evaluate(async (documents) => {
      const encoder = createEncoder({ model: "/tiny encoder" });
      const own = createCore({ weightsURL: "weights" });
      const options = { method: "cerai", budget: { words: 40 } } as const;
      await own.summarize(documents, { ...options, method: "hybrid" }, { encoder });
      const before = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/weights/")).length;
      const first = await own.summarize(documents, options, { encoder });
      const second = await own.summarize(documents, options, { encoder });
      const loaded = await loadWeights("/weights/cerai-tiny", { name: "cerai-tiny" });
      const third = await own.summarize(documents, { ...options, weights: loaded }, { encoder });
      const wrong = await loadWeights("/weights/").catch((error: DOMException) => `${error.name} ${error.message}`);
      encoder.destroy();
      own.destroy();
      return { before, first, second, third, wrong };
    }, ferry);
    assert.equal(found.before, 0);
    assert.equal(found.first.weights, "cerai-tiny");
    assert.deepEqual([found.second.documents, found.third.documents], [found.first.documents, found.first.documents]);
    const sum = found.first.documents.flatMap(({ attention }) => attention!).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-5, String(sum));
    assert.equal(found.wrong, "OperationError weights weights: config.json: file not found");
    const parts = asked.filter((path) => path.includes("/weights/"));
    assert.deepEqual(parts.slice(0, 3).sort(), ["/weights/cerai-tiny/config.json", "/weights/cerai-tiny/model.safetensors", "/weights/manifest.json"]);
    assert.equal(parts.filter((path) => path.endsWith("tiny/model.safetensors")).length, 2, "by the core once, by loadWeights once");
  });

  it("names the part of an encoder that is missing, and tries again", async () => {
    const errors = await page.evaluate(async () => {
      const errors: string[] = [];
      for (const options of [{ model: "/none/" }, { model: "/tiny encoder", ortURL: "/none/" }, { model: "/tiny encoder", workerURL: "/none.js" }]) {
        const encoder = createEncoder(options);
        for (let i = 0; i < 2; i++) await encoder.ready().catch((error: DOMException) => errors.push(`${error.name} ${error.message}`));
        encoder.destroy();
      }
      return errors;
    });
    const wanted = [/^OperationError .*(model\.onnx|tokenizer\.json): file not found/, /^NetworkError .*none\/ort\.wasm\.min\.mjs cannot be loaded/, /^NetworkError /];
    assert.equal(errors.length, 6);
    errors.forEach((error, i) => assert.match(error, wanted[i >> 1]!));
  });
});
