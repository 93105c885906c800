// Faults in a real browser, one by one: a call gives a right result or rejects
// with a DOMException of the right name, and the next call works. What the same
// faults do under Node is in lifecycle.test.ts and encoder.test.ts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, beforeEach, describe } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Core, createCore, type Encoder } from "cerasum";
import { encoderFiles } from "../dist/shipped.js";
import { ferry } from "./cluster.js";
import { launch, policy as usual, types } from "./page.js";
import { again, count, it, root, slow, within } from "./support.js";
import { D, naive, tinyFiles, unchecked } from "./tiny-encoder.js";

const MEGABYTES = 100;

type Library = typeof import("cerasum");

/** What a call came to: its value, or what it rejected with. */
type Outcome = { value: unknown } | { name: string; message: string; dom: boolean };

/** What /page.js sets. */
interface Scope {
  cerasum: Library;
  outcome(call: Promise<unknown>): Promise<Outcome>;
  /** Enough text that a summary takes a good while. */
  long: { text: string }[];
  /** The encoder of testdata/encoder, in a worker with this script. */
  tiny(core: Core, script?: string): Encoder;
  /** Waits until it holds. */
  until(holds: () => unknown): Promise<void>;
}
declare const globalThis: Scope & typeof global & Window;

const worker = (name: string, first: string): Record<string, string> => ({
  [`/${name}.js`]: `import "/${name}-first.js"; import "/dist/${name.startsWith("encoder") ? "encoder-worker" : "worker"}.js";`,
  [`/${name}-first.js`]: first,
});

const files: Record<string, string | Uint8Array> = {
  "/": "<!doctype html><title>faults</title><script type=module src=/page.js></script>",
  "/other": "<!doctype html><title>elsewhere</title>",
  "/favicon.ico": "",
  "/page.js": `
    import * as cerasum from "/dist/index.js";
    globalThis.outcome = (call) => call.then((value) => ({ value }), (error) => ({ name: error.name, message: error.message, dom: error instanceof DOMException }));
    globalThis.long = Array.from({ length: 60 }, (_, i) => ({
      text: Array.from({ length: 100 }, (_, j) => \`Town \${i * 31 + j} reported \${j * 7} cases of flooding near bridge \${i}.\`).join(" "),
    }));
    globalThis.until = async (holds) => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const unchecked = ${unchecked};
    globalThis.tiny = (core, script = "/dist/encoder-worker.js") =>
      cerasum.createEncoder({ core, modelURL: "/tiny", worker: () => unchecked(new Worker(script, { type: "module" })) });
    globalThis.cerasum = cerasum;`,
  "/tiny/encoder.onnx": tinyFiles["encoder.onnx"],
  "/tiny/vocabulary.bin": tinyFiles["vocabulary.bin"],
  // A worker that goes without a word when it is told to, as one does that the browser ends.
  ...worker("mortal", `addEventListener("message", (event) => {
    if (event.data.documents?.[0].text !== "Vanish.") return;
    event.stopImmediatePropagation();
    close();
  });`),
  // A page of a few MB: what a phone has left.
  ...worker("encoder-cramped", `const { Memory } = WebAssembly;
    WebAssembly.Memory = function (wanted) { return new Memory({ ...wanted, maximum: 512 }); };
    WebAssembly.Memory.prototype = Memory.prototype;`),
  // Says what fails in other words, as other browsers do.
  ...worker("encoder-foreign", `for (const name of ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]) {
    const own = WebAssembly[name];
    WebAssembly[name] = (...list) => own.apply(WebAssembly, list).catch((error) => {
      throw new error.constructor("foreign words");
    });
  }`),
  ...worker("encoder-starved", `WebAssembly.Memory = function () { throw new RangeError("WebAssembly.Memory(): could not allocate memory"); };`),
  ...worker("switched-off", `delete globalThis.WebAssembly;`),
  ...worker("encoder-switched-off", `delete globalThis.WebAssembly;`),
};

describe("faults in a browser", () => {
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let origin: string;
  /** The policy of all answers. */
  let policy: string;
  /** Answers in place of the server where it gives true. */
  let twist: (path: string, response: ServerResponse) => boolean;
  let asked: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));

  before(async () => {
    const crash = join(folder, "crash.wasm");
    execFileSync("go", ["build", "-ldflags", "-s -w", "-o", crash, "./js/tests/testdata/crash"], {
      cwd: root, env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
    });
    files["/crash.wasm"] = readFileSync(crash);
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      asked.push(pathname);
      response.setHeader("content-security-policy", policy);
      response.setHeader("content-type", types[extname(pathname) || ".html"] ?? "application/octet-stream");
      const file = files[pathname];
      const path = join(root, "js", pathname);
      if (twist(pathname, response)) return;
      if (file !== undefined) response.end(file);
      else if (pathname.startsWith("/dist/") && existsSync(path)) response.end(readFileSync(path));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launch({ ignoreDefaultArgs: ["--disable-back-forward-cache"] });
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    policy = usual;
    twist = () => false;
    await context?.close();
    context = await browser.newContext();
    page = await context.newPage();
    await open();
    asked = [];
  });

  const open = async (): Promise<void> => {
    await page.goto(origin);
    await page.waitForFunction(() => "cerasum" in globalThis);
  };
  /** A promise and what resolves it. */
  const gate = (): { opened: Promise<void>; open(): void } => {
    let open!: () => void;
    return { opened: new Promise<void>((resolve) => (open = resolve)), open };
  };
  /** Holds answers to a path back until the gate opens. */
  const hold = (path: string, { opened }: { opened: Promise<void> }): void => {
    twist = (asked, response) => {
      if (asked !== path) return false;
      void opened.then(() => response.end(files[path] ?? readFileSync(join(root, "js", path))));
      return true;
    };
  };
  const rejected = (outcome: Outcome | undefined, name: string, message: RegExp): void => {
    assert.ok(outcome && "name" in outcome, `it should have rejected: ${JSON.stringify(outcome)}`);
    assert.deepEqual([outcome.name, outcome.dom], [name, true], outcome.message);
    assert.match(outcome.message, message);
  };

  describe("a worker killed in mid-call, of which the browser says nothing", () => {
    again("of the core: the call rejects, the next gets a new worker, and no lock is left", async () => {
      const found = await page.evaluate(async (documents) => {
        const { cerasum: { createCore }, outcome } = globalThis;
        let workers = 0;
        const core = createCore({ worker: () => (workers++, new Worker("/mortal.js", { type: "module" })) });
        await core.ready();
        const begun = performance.now();
        const call = outcome(core.open([{ text: "Vanish." }]));
        const waiting = outcome(core.summarize(documents).then(({ sentences }) => sentences.length > 0));
        const first = await call;
        const took = performance.now() - begun;
        // Between two calls nobody need notice.
        await outcome(core.open([{ text: "Vanish." }]));
        const next = await core.summarize(documents);
        // The locks once that is so, or as they are after 20 seconds: the page asks for the worker's
        // lock while the call goes on, and the browser takes a moment to end a worker.
        const locks = async (held: number, pending: number): Promise<LockManagerSnapshot> => {
          for (let checked = 0; ; checked++) {
            const now = await navigator.locks.query();
            if (checked === 2000 || (now.held!.length === held && now.pending!.length === pending)) return now;
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
        };
        const alive = await locks(1, 1);
        core.destroy();
        const left = await locks(0, 0);
        return { first, took, waiting: await waiting, next: next.sentences.length, workers, alive: [alive.held!.length, alive.pending!.length], left };
      }, ferry);
      rejected(found.first, "OperationError", /^cerasum stopped: its worker vanished$/);
      within(found.took, 1000);
      assert.deepEqual(found.waiting, { value: true });
      assert.ok(found.next > 0);
      assert.equal(found.workers, 3);
      assert.deepEqual(found.alive, [1, 1], "the worker's lock, and the page that waits for it");
      assert.deepEqual([found.left.held, found.left.pending], [[], []]);
    });

    it("of the encoder, by the browser's own tools, in the middle of its work", async () => {
      await page.evaluate(async () => {
        const { cerasum: { createCore }, outcome, tiny } = globalThis;
        const encoder = tiny(createCore());
        await encoder.ready();
        const many = Array.from({ length: 20_000 }, (_, i) => `ferry harbour ${"sailing ".repeat(i % 30)}`);
        const started = { begun: false };
        Object.assign(globalThis, { encoder, started, call: outcome(encoder.embed(many, { onprogress: ({ done }) => void (started.begun ||= done > 0) })) });
      });
      await page.waitForFunction(() => (globalThis as unknown as { started: { begun: boolean } }).started.begun);
      const worker = page.workers().find((one) => one.url().endsWith("/encoder-worker.js"));
      assert.ok(worker);
      await worker.evaluate(() => globalThis.close());
      const found = await page.evaluate(async () => {
        const { call, encoder } = globalThis as unknown as { call: Promise<Outcome>; encoder: Encoder };
        const first = await call;
        const next = await encoder.embed(["ferry"]);
        encoder.destroy();
        return { first, next: next.dimensions };
      });
      rejected(found.first, "OperationError", /^the encoder stopped: its worker vanished$/);
      assert.equal(found.next, D);
    });

    it("while it still loads its program", async () => {
      const wasm = gate();
      hold("/dist/cerasum.wasm", wasm);
      await page.evaluate(() => {
        const { cerasum: { createCore }, outcome } = globalThis;
        const core = createCore();
        Object.assign(globalThis, { core, call: outcome(core.info()) });
      });
      while (!asked.includes("/dist/cerasum.wasm")) await new Promise((resolve) => setTimeout(resolve, 10));
      // From here on it is missed when it goes.
      const missed = (): Promise<boolean> => page.evaluate(async () => ((await navigator.locks.query()).held ?? []).some(({ name }) => name?.startsWith("cerasum worker")));
      while (!await missed()) await new Promise((resolve) => setTimeout(resolve, 10));
      await page.workers()[0]!.evaluate(() => globalThis.close());
      const first = await page.evaluate(() => (globalThis as unknown as { call: Promise<Outcome> }).call);
      rejected(first, "OperationError", /its worker vanished/);
      wasm.open();
      assert.ok(await page.evaluate(async () => {
        const { core } = globalThis as unknown as { core: Core };
        return (await core.info()).methods.length > 0;
      }));
    });

    it("is no false alarm after the back/forward cache", async () => {
      await page.evaluate(async () => {
        const core = globalThis.cerasum.createCore();
        await core.ready();
        addEventListener("pageshow", (event) => Object.assign(globalThis, { persisted: event.persisted }));
        Object.assign(globalThis, { core });
      });
      await page.goto(`${origin}/other`);
      // Playwright waits for a load that does not come.
      await page.goBack({ timeout: 1000 }).catch(() => undefined);
      const found = await page.evaluate(async (documents) => {
        const { core, persisted, outcome } = globalThis as unknown as Scope & { core: Core; persisted: boolean };
        return { persisted, call: await outcome(core.summarize(documents).then(({ sentences }) => sentences.length > 0)) };
      }, ferry);
      assert.deepEqual(found, { persisted: true, call: { value: true } });
      assert.deepEqual(asked.filter((path) => path.endsWith("cerasum.wasm")).length, 1, "the worker is the first one");
    });

    slow("where there are no Web Locks calls work as ever", async () => {
      const found = await page.evaluate(async (documents) => {
        const { cerasum: { createCore } } = globalThis;
        LockManager.prototype.request = () => Promise.reject(new DOMException("denied", "SecurityError"));
        const core = createCore();
        const { sentences } = await core.summarize(documents);
        core.destroy();
        return sentences.length;
      }, ferry);
      assert.ok(found > 0);
    });
  });

  describe("onnxruntime fails to start", () => {
    const ort = "/dist/ort/ort-wasm-simd-threaded.wasm";
    // In make test the first. Which error it is must not depend on the words of the browser.
    const cases: [string, string, (response: ServerResponse) => unknown, string, RegExp][] = [
      ["its script is not there", "/dist/ort/ort.wasm.min.mjs", (r) => r.writeHead(404).end(), "NetworkError", /ort\.wasm\.min\.mjs cannot be loaded/],
      ["its program is none", ort, (r) => r.end("no program"), "OperationError", /threaded\.wasm: cannot run .*magic word/],
      ["the connection breaks", ort, (r) => (r.setHeader("content-length", 1e7), r.write("\0asm"), setTimeout(() => r.destroy(), 20)), "NetworkError", /threaded\.wasm cannot be loaded/],
      ["its script is none", "/dist/ort/ort.wasm.min.mjs", (r) => r.end("no script"), "OperationError", /ort\.wasm\.min\.mjs: not a script/],
      ["its second script is not there", "/dist/ort/ort-wasm-simd-threaded.mjs", (r) => r.writeHead(404).end(), "NetworkError", /ort-wasm-simd-threaded\.wasm cannot be loaded.*threaded\.mjs/],
      ["its program is not there", ort, (r) => r.writeHead(404).end(), "NetworkError", /ort-wasm-simd-threaded\.wasm cannot be loaded/],
      ["its program is another one", ort, (r) => r.end(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])), "OperationError", /threaded\.wasm: cannot run/],
    ];
    for (const [fault, path, answer, name, message] of cases.slice(0, count(1, cases.length))) {
      again(`${fault}: ${name}; auto does without; the next call works`, async () => {
        twist = (asked, response) => asked === path && (answer(response), true);
        const found = await page.evaluate(async (documents) => {
          const { cerasum: { createCore }, outcome, tiny } = globalThis;
          const core = createCore();
          const encoder = tiny(core);
          Object.assign(globalThis, { encoder, core });
          const both = [...documents, { text: "A balsa parou. O porto está fechado até sexta-feira.", language: "pt" }];
          return { call: await outcome(encoder.embed(["ferry"])), summary: await core.summarize(both, {}, { encoder }) };
        }, ferry);
        rejected(found.call, name, message);
        assert.ok(found.summary.sentences.length > 0);
        assert.match(found.summary.fallback ?? "", message);
        twist = () => false;
        const next = await page.evaluate(async () => {
          const { encoder } = globalThis as unknown as { encoder: Encoder };
          return [...(await encoder.embed(["ferry"])).embeddings];
        });
        const own = createCore();
        (await naive(own, ["ferry"]))[0]!.forEach((x, d) => assert.ok(Math.abs(next[d]! - x) < 1e-3));
        own.destroy();
      });
    }
  });

  for (const [fault, answer, name] of [
    ["is not there", (r: ServerResponse) => r.writeHead(404).end(), "NetworkError"],
    ["is none", (r: ServerResponse) => r.end("no program"), "OperationError"],
  ] as const) {
    (name === "NetworkError" ? it : slow)(`onnxruntime's program ${fault}: ${name}, in whatever words the browser says it`, async () => {
      twist = (asked, response) => asked === "/dist/ort/ort-wasm-simd-threaded.wasm" && (answer(response), true);
      const found = await page.evaluate(async () => {
        const { cerasum: { createCore }, outcome, tiny } = globalThis;
        const encoder = tiny(createCore(), "/encoder-foreign.js");
        const call = await outcome(encoder.embed(["ferry"]));
        encoder.destroy();
        return call;
      });
      rejected(found, name, /ort-wasm-simd-threaded\.wasm(:| cannot)/);
    });
  }

  describe("WASM blocked", () => {
    /** Calls of a core and an encoder; made with these options, and then the usual ones. */
    const calls = (workers: { core?: string; encoder?: string } = {}): Promise<Outcome[]> => page.evaluate(async (urls) => {
      const { cerasum: { createCore, Summarizer }, outcome, tiny } = globalThis;
      const core = createCore(urls.core ? { workerURL: urls.core } : {});
      const encoder = tiny(core, urls.encoder);
      const outcomes = [await outcome(core.info().then(({ methods }) => methods.length > 0)), await outcome(encoder.embed(["a"]).then(({ dimensions }) => dimensions)),
        await outcome(Summarizer.create({ core }).then((made) => made.inputQuota > 0))];
      core.destroy();
      encoder.destroy();
      return outcomes;
    }, workers);
    const works = [{ value: true }, { value: D }, { value: true }];

    it("by the content security policy, which the message names; without it the next call works", async () => {
      policy = "default-src 'self'; script-src 'self'; connect-src 'self'";
      await open();
      const found = await calls();
      for (const one of found) rejected(one, "OperationError", /cannot start: WebAssembly is blocked: the Content Security Policy .* must have 'wasm-unsafe-eval' in script-src/);
      policy = usual;
      await open();
      assert.deepEqual(await calls(), works);
    });

    slow("by a browser that has switched it off", async () => {
      const found = await calls({ core: "/switched-off.js", encoder: "/encoder-switched-off.js" });
      for (const one of found) rejected(one, "OperationError", /WebAssembly is not available: the browser does not support it, or it is disabled/);
      assert.deepEqual(await calls(), works);
      const none = await page.evaluate(async () => {
        delete (globalThis as { WebAssembly?: unknown }).WebAssembly;
        const { cerasum: { Summarizer }, outcome } = globalThis;
        return { availability: await Summarizer.availability(), create: await outcome(Summarizer.create()) };
      });
      assert.equal(none.availability, "unavailable");
      rejected(none.create, "NotSupportedError", /unavailable/);
    });
  });

  describe("out of memory", () => {
    it("in the core: OperationError, and the next call has a new worker", async () => {
      const found = await page.evaluate(async () => {
        const { cerasum: { createCore }, outcome } = globalThis;
        const core = createCore({ wasmURL: "/crash.wasm" });
        const calls = [await outcome(core.open([{ text: "memory" }])), await outcome(core.open([{ text: "panic" }]))];
        core.destroy();
        return calls;
      });
      rejected(found[0], "OperationError", /^cerasum stopped: fatal error: out of memory$/);
      rejected(found[1], "OperationError", /^cerasum stopped: panic: the bow doors were open$/);
    });

    for (const [where, url, message] of [
      ["in the model", "/encoder-cramped.js", /^the encoder cannot start: \S+\/encoder\.onnx: not enough memory/],
      ["in the runtime", "/encoder-starved.js", /^the encoder cannot start: .*threaded\.wasm: not enough memory to start/],
    ] as const) {
      (where === "in the model" ? it : slow)(`of the encoder, ${where}: OperationError, and the next call works`, { skip: !encoderFiles["encoder.onnx"] && "this build has no encoder" }, async () => {
        const found = await page.evaluate(async (url) => {
          const { cerasum: { createCore, createEncoder }, outcome } = globalThis;
          let workers = 0;
          const encoder = createEncoder({ core: createCore(), worker: () => new Worker(workers++ === 0 ? url : "/dist/encoder-worker.js", { type: "module" }) });
          const calls = [await outcome(encoder.embed(["a"])), await outcome(encoder.embed(["a"]).then(({ dimensions }) => dimensions > 8))];
          encoder.destroy();
          return calls;
        }, url);
        rejected(found[0], "OperationError", message);
        assert.deepEqual(found[1], { value: true });
      });
    }
  });

  slow(`${MEGABYTES} MB dropped in: a right answer or out of memory, in a page that goes on; the next call works`, async (t) => {
    const found = await page.evaluate(async ({ documents, megabytes }) => {
      const { cerasum: { createCore }, outcome } = globalThis;
      const core = createCore();
      await core.ready();
      const lines: string[] = [];
      for (let i = 0, length = 0; length < megabytes * 1e6; i++) {
        lines.push(`On day ${i} the ${"river of a town that has many names and a bridge for each of them ".repeat(30)} rose by ${i % 97} cm.`);
        length += lines.at(-1)!.length;
      }
      const text = lines.join(" ");
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 20);
      const begun = performance.now();
      const call = await outcome(core.summarize([{ text }], { method: "instant", budget: { sentences: 3 } }).then(({ sentences }) =>
        sentences.length > 0 && sentences.every((q) => text.slice(q.start, q.end) === q.text)));
      clearInterval(timer);
      const took = performance.now() - begun;
      const next = (await core.summarize(documents)).sentences.length;
      core.destroy();
      return { call, next, longest, took };
    }, { documents: ferry, megabytes: MEGABYTES });
    t.diagnostic(`${JSON.stringify(found.call)} after ${(found.took / 1000).toFixed(1)} s; the page stood still for ${found.longest.toFixed(0)} ms at most`);
    if ("name" in found.call) rejected(found.call, "OperationError", /^cerasum stopped: fatal error: out of memory$/);
    else assert.deepEqual(found.call, { value: true });
    within(found.longest, 2000, "the longest task of the page");
    assert.ok(found.next > 0);
  });

  slow("200 calls at once, of every kind, some aborted and some wrong: all are answered, rightly and in order", async () => {
    const found = await page.evaluate(async (documents) => {
      const { cerasum: { createCore, OptionError }, tiny } = globalThis;
      const core = createCore();
      const encoder = tiny(core);
      const order: Record<string, number[]> = { core: [], encoder: [] };
      const wrong: string[] = [];
      const counts: Record<string, number> = {};
      const check = (i: number, holds: boolean, what: unknown): void => {
        if (!holds) wrong.push(`${i}: ${String(what)}`);
      };
      const plain = await core.summarize(documents);
      const [ferry] = [(await encoder.embed(["ferry"])).embeddings];
      await Promise.all(Array.from({ length: 200 }, async (_, i) => {
        const kind = ["summarize", "open", "embed", "aborted", "option", "text", "late"][i % 7]!;
        counts[kind] = (counts[kind] ?? 0) + 1;
        const controller = new AbortController();
        const { signal } = controller;
        const reason = new Error(`no ${i}`);
        const rejection = (call: Promise<unknown>): Promise<unknown> => call.then(() => undefined, (error: unknown) => error);
        switch (kind) {
          case "summarize": {
            const summary = await core.summarize(documents, {}, { signal });
            order["core"]!.push(i);
            return check(i, summary.text === plain.text, summary.text);
          }
          case "open": {
            const { documents: [split] } = await core.open([{ text: `The first is ${i}. The second is ${i}.`, language: "en" }], { signal });
            order["core"]!.push(i);
            return check(i, split?.sentences.length === 2, JSON.stringify(split));
          }
          case "embed": {
            const { embeddings } = await encoder.embed(["ferry"], { signal });
            order["encoder"]!.push(i);
            return check(i, embeddings.every((x, d) => x === ferry![d]), embeddings);
          }
          case "aborted": {
            const call = rejection(i % 2 ? core.summarize(documents, {}, { signal }) : encoder.embed(["ferry"], { signal }));
            controller.abort(reason);
            return check(i, await call === reason, await call);
          }
          case "option": {
            const error = await rejection(core.summarize(documents, { method: "magic" }));
            return check(i, error instanceof OptionError && error.field === "options.method", error);
          }
          case "text": {
            const error = await rejection(encoder.embed([i as unknown as string]));
            return check(i, error instanceof TypeError, error);
          }
          default: {
            const call = rejection(core.open([{ text: "One. Two." }], { signal }));
            setTimeout(() => controller.abort(reason), i % 40);
            const error = await call;
            return check(i, error === undefined || error === reason, error);
          }
        }
      }));
      const next = await core.summarize(documents);
      core.destroy();
      encoder.destroy();
      return { wrong, counts, order, next: next.text === plain.text };
    }, ferry);
    assert.deepEqual(found.wrong, []);
    assert.ok(Object.values(found.counts).every((n) => n >= 28), JSON.stringify(found.counts));
    for (const list of Object.values(found.order)) assert.deepEqual(list, [...list].sort((a, b) => a - b));
    assert.ok(found.next);
  });

  describe("abort", () => {
    /** Runs a stage in the page, aborts when it is reached, and checks what came of it. */
    interface Aborted { outcome: "reason" | Outcome; took: number; next: boolean }
    const holds = ({ outcome, took, next }: Aborted): void => {
      assert.equal(outcome, "reason", JSON.stringify(outcome));
      within(took, 200);
      assert.equal(next, true, "the next call");
    };
    type Stage = "before" | "queue" | "computing" | "embedding" | "streaming";

    for (const stage of (["computing", "streaming", "before", "queue", "embedding"] satisfies Stage[]).slice(0, count(1, 5))) {
      again(`${{ before: "before the call", queue: "in the queue", computing: "in the computing", embedding: "while it embeds", streaming: "in a stream, after the first chunk" }[stage]}`, async () => {
        holds(await page.evaluate(async ({ stage, documents }) => {
          const { cerasum: { createCore, Summarizer }, outcome, until, long, tiny } = globalThis;
          const reason = new Error("enough");
          const controller = new AbortController();
          const { signal } = controller;
          const core = createCore();
          const encoder = tiny(core);
          await Promise.all([core.ready(), encoder.ready()]);
          const caught = (call: Promise<unknown>): Promise<"reason" | Outcome> => call.then((value) => ({ value }), (error: Error) => (error === reason ? "reason" : { name: error.name, message: error.message, dom: error instanceof DOMException }));
          let call!: Promise<"reason" | Outcome>;
          let begun = false;
          if (stage === "before") {
            controller.abort(reason);
            call = caught(core.summarize(documents, {}, { signal }));
          } else if (stage === "queue") {
            void outcome(core.summarize(long));
            call = caught(core.summarize(documents, {}, { signal }));
          } else if (stage === "computing") {
            call = caught(core.summarize(long, {}, { signal, onprogress: () => (begun = true) }));
            await until(() => begun);
          } else if (stage === "embedding") {
            const many = Array.from({ length: 20_000 }, (_, i) => `ferry harbour ${"sailing ".repeat(i % 30)}`);
            call = caught(encoder.embed(many, { signal, onprogress: ({ done }) => (begun ||= done > 0) }));
            await until(() => begun);
          } else {
            const summarizer = await Summarizer.create({ core });
            const reader = summarizer.summarizeStreaming(documents.map(({ text }) => text).join("\n\n"), { signal }).getReader();
            await reader.read();
            // A second chunk may have been made ready; it is dropped.
            controller.abort(reason);
            call = caught(reader.read());
          }
          const aborted = performance.now();
          controller.abort(reason);
          const result = await call;
          const took = performance.now() - aborted;
          const next = stage === "embedding" ? (await encoder.embed(["ferry"])).dimensions > 0 : (await core.summarize(documents)).sentences.length > 0;
          core.destroy();
          encoder.destroy();
          return { outcome: result, took, next };
        }, { stage, documents: ferry }));
      });
    }

    for (const [what, path, kind] of ([
      ["the core's program", "/dist/cerasum.wasm", "core"],
      ["the encoder's model", "/tiny/encoder.onnx", "encoder"],
      ["the encoder in create(), with a monitor", "/tiny/encoder.onnx", "create"],
      ["the runtime", "/dist/ort/ort-wasm-simd-threaded.wasm", "encoder"],
      ["the core in create(), with a monitor", "/dist/cerasum.wasm", "create"],
    ] as const).slice(0, count(1, 5))) {
      again(`while ${what} is loaded`, async () => {
        const slow = gate();
        hold(path, slow);
        await page.evaluate((kind) => {
          const { cerasum: { createCore, Summarizer }, tiny } = globalThis;
          const reason = new Error("enough");
          const controller = new AbortController();
          const { signal } = controller;
          const core = createCore();
          const encoder = tiny(core);
          const heard: number[] = [];
          const create = (signal?: AbortSignal): Promise<unknown> => Summarizer.create({
            core, encoder, expectedInputLanguages: ["en", "pt"], ...(signal && { signal }),
            monitor: (monitor) => monitor.addEventListener("downloadprogress", (event) => heard.push((event as ProgressEvent).loaded)),
          });
          const make = (signal?: AbortSignal): Promise<unknown> =>
            kind === "core" ? core.info({ signal }) : kind === "encoder" ? encoder.embed(["ferry"], { signal }) : create(signal);
          const call = make(signal).then(() => "no rejection", (error: unknown) => (error === reason ? "reason" : String(error)));
          Object.assign(globalThis, {
            abort: async () => {
              const begun = performance.now();
              controller.abort(reason);
              return { outcome: await call, took: performance.now() - begun, heard: [...heard] };
            },
            again: () => make().then(() => true),
          });
        }, kind);
        while (!asked.includes(path)) await new Promise((resolve) => setTimeout(resolve, 10));
        const { outcome, took, heard } = await page.evaluate(() => (globalThis as unknown as { abort(): Promise<{ outcome: "reason"; took: number; heard: number[] }> }).abort());
        slow.open();
        holds({ outcome, took, next: await page.evaluate(() => (globalThis as unknown as { again(): Promise<boolean> }).again()) });
        if (kind === "create") assert.ok(heard[0] === 0 && !heard.includes(1), String(heard));
      });
    }

    it("after the end changes nothing", async () => {
      const found = await page.evaluate(async (documents) => {
        const { cerasum: { createCore, Summarizer } } = globalThis;
        let workers = 0;
        const core = createCore({ worker: () => (workers++, new Worker("/dist/worker.js", { type: "module" })) });
        const controller = new AbortController();
        const summarizer = await Summarizer.create({ core });
        const summary = await summarizer.summarize(documents[0]!.text, { signal: controller.signal });
        const stream = summarizer.summarizeStreaming(documents[0]!.text, { signal: controller.signal });
        const chunks: string[] = [];
        const reader = stream.getReader();
        for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
        controller.abort();
        const again = await summarizer.summarize(documents[0]!.text);
        core.destroy();
        return { same: summary === again && chunks.join("") === summary, workers };
      }, ferry);
      assert.deepEqual(found, { same: true, workers: 1 });
    });
  });
});
