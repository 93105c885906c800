// The library as a page has it: a real browser, a module worker, the strict
// content security policy, nothing from another origin.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type Core, createCore as createCoreHere, type Encoder, type EncoderOptions } from "cerasum";
import { encoderFiles, encoderName } from "../dist/shipped.js";
import { ferry } from "./cluster.js";
import { launch, policy, types } from "./page.js";
import { root } from "./support.js";
import { D, naive, rows, tinyFiles, unchecked } from "./tiny-encoder.js";
import { shippedFiles } from "./weights.js";

declare global {
  // Set by the test page.
  var core: Core;
  var createCore: typeof import("cerasum").createCore;
  var createEncoder: typeof import("cerasum").createEncoder;
  var loadWeights: typeof import("cerasum").loadWeights;
  /** The encoder of testdata/encoder. */
  var tiny: (options?: Partial<EncoderOptions>) => Encoder;
}

const files: Record<string, string | Uint8Array> = {
  "/favicon.ico": "",
  "/": "<!doctype html><title>cerasum</title><script type=module src=/page.js></script>",
  "/page.js": `import { createCore, createEncoder, loadWeights } from "/dist/index.js";
    Object.assign(globalThis, { createCore, createEncoder, loadWeights });
    globalThis.core = createCore();
    const unchecked = ${unchecked};
    globalThis.tiny = (options) =>
      createEncoder({ core, modelURL: "/tiny", worker: () => unchecked(new Worker("/dist/encoder-worker.js", { type: "module" })), ...options });`,
  "/tiny/encoder.onnx": tinyFiles["encoder.onnx"],
  "/tiny/vocabulary.bin": tinyFiles["vocabulary.bin"],
};

describe("in a browser", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let origin: string;
  /** Whether the pages are cross-origin isolated. */
  let isolated = false;
  /** What the server was asked for, and what the page complained about. */
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    for (const [name, content] of Object.entries(shippedFiles([{ name: "cerai-tiny", interpolation: true, free: true, encoder: encoderName }], D))) {
      files[`/weights/${name}`] = content;
    }
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      asked.push(url.pathname + url.search);
      response.setHeader("content-security-policy", policy);
      if (isolated) response.setHeader("cross-origin-opener-policy", "same-origin").setHeader("cross-origin-embedder-policy", "require-corp");
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
  });
  const open = async (): Promise<void> => {
    asked.length = 0;
    complaints.length = 0;
    await page.goto(origin);
    await page.waitForFunction(() => "core" in globalThis);
  };
  beforeEach(async () => {
    isolated = false;
    await open();
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

  for (const [where, threads] of [["one thread", 1], ["two threads where the page is cross-origin isolated", 2]] as const) {
    it(`embeds in a worker of its own, whose parts are loaded with the first call, on ${where}`, async () => {
      isolated = threads > 1;
      await open();
      const texts = ["The ferry sails.", "Harbours", "", ...Array.from({ length: 100 }, (_, i) => "sail the ferry ".repeat(1 + i % 9))];
      assert.deepEqual(asked.filter((path) => /encoder|tiny|ort/.test(path)), []);
      const found = await page.evaluate(async (list) => {
        const encoder = tiny({ threads: 2 });
        const told: string[] = [];
        const { embeddings } = await encoder.embed(list, { onprogress: ({ stage, done, total }) => told.push(`${stage} ${done <= total}`) });
        await encoder.embed(list, { asks: true });
        const { dimensions, threads } = encoder;
        encoder.destroy();
        return { embeddings: [...embeddings], dimensions, threads, told, isolated: crossOriginIsolated };
      }, texts);
      assert.deepEqual([found.dimensions, found.threads, found.isolated], [D, threads, isolated]);
      const own = createCoreHere();
      const wanted = await naive(own, texts);
      own.destroy();
      rows(Float32Array.from(found.embeddings)).forEach((row, i) => row.forEach((x, d) => assert.ok(Math.abs(x - wanted[i]![d]!) < 1e-3, `text ${i}, dimension ${d}`)));
      assert.ok(found.told.includes("load true") && found.told.includes("encode true"), found.told.join());
      // Each thread has the script of the runtime.
      const script = "/dist/ort/ort-wasm-simd-threaded.mjs";
      const parts = asked.filter((path) => /encoder|tiny|ort/.test(path) && path !== script);
      assert.equal(new Set(parts).size, parts.length, parts.join());
      assert.ok(parts.includes("/dist/ort/ort-wasm-simd-threaded.wasm"));
      assert.equal(asked.filter((path) => path === script).length, threads);
      assert.deepEqual(complaints, []);
    });
  }

  it("runs the shipped encoder, asking for each of its files once", { skip: !encoderFiles["encoder.onnx"] && "this build has none" }, async () => {
    const found = await page.evaluate(async () => {
      const encoder = createEncoder({ core });
      const { embeddings, dimensions } = await encoder.embed(["The harbour is closed.", "O porto está fechado.", "Tomatoes are cheap."]);
      encoder.destroy();
      const cosine = (i: number): number => embeddings.slice(0, dimensions).reduce((sum, x, d) => sum + x * embeddings[i * dimensions + d]!, 0);
      return [cosine(0), cosine(1), cosine(2)];
    });
    assert.ok(Math.abs(found[0]! - 1) < 1e-5 && found[1]! > found[2]!, found.join());
    assert.deepEqual(asked.filter((path) => path.includes("/dist/encoder/")).sort(), ["/dist/encoder/encoder.onnx", "/dist/encoder/vocabulary.bin"]);
    assert.deepEqual(complaints, []);
  });

  it("loads weights when a method wants them, and the same ones never twice", async () => {
    const found = await page.evaluate(async (documents) => {
      const encoder = tiny();
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
      for (const options of [{ modelURL: "/none/" }, { ortURL: "/none/" }, { worker: () => new Worker("/none.js", { type: "module" }) }]) {
        const encoder = tiny(options);
        for (let i = 0; i < 2; i++) await encoder.ready().catch((error: DOMException) => errors.push(`${error.name} ${error.message}`));
        encoder.destroy();
      }
      return errors;
    });
    const wanted = [/^NetworkError .*none\/(encoder\.onnx|vocabulary\.bin) cannot be loaded/, /^NetworkError .*none\/ort\.wasm\.min\.mjs cannot be loaded/, /^NetworkError /];
    assert.equal(errors.length, 6);
    errors.forEach((error, i) => assert.match(error, wanted[i >> 1]!));
  });
});
