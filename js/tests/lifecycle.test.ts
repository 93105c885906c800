// Starting, queueing, aborting, crashing: what goes wrong in one call must not
// touch the others.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { createCore, OptionError, type CoreOptions, type WorkerLike } from "cerasum";
import { startWorker } from "../dist/node-worker.js";
import { ferry } from "./cluster.js";
import { again, isDOM, it, rejection, root, uncaught, wasmPath, within } from "./support.js";

const budget = { budget: { words: 40 } } as const;

/** Enough text that a summary takes a good while. */
const long = Array.from({ length: 60 }, (_, i) => ({
  text: Array.from({ length: 100 }, (_, j) =>
    `On day ${j} the ${["river", "harbour", "council", "ferry", "bridge"][(i * 7 + j) % 5]} of town ${(i * 31 + j * 17) % 101} `
    + `reported ${(i * 13 + j * 5) % 97} new cases of ${["flooding", "damage", "repair", "delay"][(i + j) % 4]}.`).join(" "),
}));

describe("the queue", () => {
  it("answers calls made at once, in their order", async () => {
    const core = createCore();
    const order: number[] = [];
    const calls = [5, 10, 15, 20, 25].map((amount, i) =>
      core.summarize(ferry, { budget: { words: amount } }).then((summary) => {
        order.push(i);
        return (summary.budget as { words: number }).words;
      }));
    assert.deepEqual(await Promise.all(calls), [5, 10, 15, 20, 25]);
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    core.destroy();
  });

  it("goes on after a call that fails", async () => {
    const core = createCore();
    const bad = rejection(core.summarize(ferry, { method: "magic" }));
    const good = core.summarize(ferry, budget);
    assert.ok(await bad instanceof OptionError);
    assert.ok((await good).sentences.length > 0);
    core.destroy();
  });
});

describe("progress", () => {
  again("comes while the work goes on, at most twenty times a second", async () => {
    const core = createCore();
    await core.ready();
    const times: number[] = [];
    const stages = new Set<string>();
    const start = performance.now();
    await core.summarize(long, budget, {
      onprogress: ({ stage, done, total }) => {
        times.push(performance.now());
        stages.add(stage);
        assert.ok(done >= 0 && done <= total);
      },
    });
    const took = performance.now() - start;
    assert.ok(times.length >= 2, `${times.length} messages`);
    assert.ok(times.length <= took / 50 + 2, `${times.length} messages in ${took} ms`);
    within(times[0]! - start, took / 2, "the first message");
    core.destroy();
  });

  it("leaves the call alone when its listener throws", async () => {
    const core = createCore();
    const seen = await uncaught(async () => {
      const summary = await core.summarize(ferry, budget, {
        onprogress: () => {
          throw new Error("clumsy listener");
        },
      });
      assert.ok(summary.sentences.length > 0);
    });
    assert.match(String(seen[0]), /clumsy listener/);
    core.destroy();
  });
});

describe("abort", () => {
  it("before the call", async () => {
    const core = createCore();
    const reason = new Error("too late");
    assert.equal(await rejection(core.summarize(ferry, budget, { signal: AbortSignal.abort(reason) })), reason);
    assert.equal(core.version, undefined, "nothing was started");
    core.destroy();
  });

  it("while the core starts", async () => {
    const core = createCore();
    const controller = new AbortController();
    const call = rejection(core.summarize(ferry, budget, { signal: controller.signal }));
    const next = core.info();
    controller.abort();
    assert.ok(isDOM(await call, "AbortError"));
    assert.ok((await next).methods.length > 0);
    core.destroy();
  });

  it("in the queue", async () => {
    const core = createCore();
    const controller = new AbortController();
    const first = core.summarize(ferry, budget);
    const second = rejection(core.summarize(ferry, budget, { signal: controller.signal }));
    const third = core.summarize(ferry, budget);
    controller.abort("changed my mind");
    assert.equal(await second, "changed my mind");
    assert.deepEqual((await first).sentences, (await third).sentences);
    core.destroy();
  });

  again("in the middle of the work: it stops at once and the others go on", async () => {
    let workers = 0;
    const core = createCore(counting(() => workers++));
    await core.ready();
    const controller = new AbortController();
    let running!: () => void;
    const begun = new Promise<void>((resolve) => (running = resolve));
    // Enough to outlast the time that an aborted call gets to end by itself, on any machine.
    const longer = Array.from({ length: 8 }, () => long).flat();
    const call = rejection(core.summarize(longer, budget, { signal: controller.signal, onprogress: () => running() }));
    const next = core.summarize(ferry, budget);
    const after = core.open(ferry);
    await begun;
    const aborted = performance.now();
    controller.abort();
    assert.ok(isDOM(await call, "AbortError"));
    within(performance.now() - aborted, 200, "the rejection");
    assert.ok((await next).sentences.length > 0);
    assert.equal((await after).documents.length, ferry.length);
    assert.equal(workers, 2);
    core.destroy();
  });

  it("after the answer changes nothing", async () => {
    let workers = 0;
    const core = createCore(counting(() => workers++));
    const controller = new AbortController();
    await core.summarize(ferry, budget, { signal: controller.signal });
    controller.abort();
    (await core.info()).methods;
    assert.equal(workers, 1);
    core.destroy();
  });
});

describe("a start", () => {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  after(() => rmSync(folder, { recursive: true }));

  it("that fails can be tried again", async () => {
    const file = join(folder, "late.wasm");
    const core = createCore({ wasmURL: pathToFileURL(file) });
    const first = rejection(core.info());
    const second = rejection(core.ready());
    assert.ok(isDOM(await first, "NetworkError"), String(await first));
    assert.match(String(await first), /late\.wasm cannot be loaded/);
    assert.ok(isDOM(await second, "NetworkError"));
    writeFileSync(file, "no program");
    const broken = await rejection(core.info());
    assert.ok(isDOM(broken, "OperationError"), String(broken));
    assert.match(String(broken), /is not a WebAssembly program/);
    writeFileSync(file, readFileSync(wasmPath));
    assert.ok(((await core.info()).methods).length > 0);
    core.destroy();
  });

  it("fails with a program that is not cerasum's", async () => {
    const empty = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
    const core = createCore({ wasmModule: empty });
    const error = await rejection(core.ready());
    assert.ok(isDOM(error, "OperationError"), String(error));
    core.destroy();
  });

  it("fails with a worker that cannot be loaded", async () => {
    const core = createCore({ workerURL: pathToFileURL(join(folder, "none.js")) });
    const error = await rejection(core.info());
    assert.ok(isDOM(error, "NetworkError"), String(error));
    core.destroy();
  });

  it("takes a compiled module and loads nothing", async () => {
    const wasmModule = new WebAssembly.Module(readFileSync(wasmPath));
    const core = createCore({ wasmModule, wasmURL: "http://nowhere.invalid/" });
    assert.ok(((await core.info()).methods).length > 0);
    core.destroy();
  });

  it("is ended by destroy", async () => {
    const core = createCore();
    const ready = rejection(core.ready());
    core.destroy();
    assert.ok(isDOM(await ready, "AbortError"));
  });

  it("does not keep the process alive", () => {
    const script = `import { createCore } from "cerasum";
      const core = createCore();
      console.log((await core.open([{ text: "One. Two." }])).documents.length);`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: join(root, "js"), encoding: "utf8", timeout: 20_000,
    });
    assert.equal(out.trim(), "1");
  });
});

describe("a crash", () => {
  let crash: WebAssembly.Module;
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  before(() => {
    const file = join(folder, "crash.wasm");
    execFileSync("go", ["build", "-ldflags", "-s -w", "-o", file, "./js/tests/testdata/crash"], {
      cwd: root, env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
    });
    crash = new WebAssembly.Module(readFileSync(file));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [way, message] of Object.entries({
    panic: /^cerasum stopped: panic: the bow doors were open$/,
    stack: /^cerasum stopped: (fatal error: stack overflow|.*call stack)/,
    memory: /^cerasum stopped: fatal error: out of memory$/,
    exit: /^cerasum stopped: the program ended with code 0$/,
    nonsense: /^cerasum stopped: invalid reply: summary: want an object, got a number$/,
    other: /^cerasum stopped: invalid reply: want an answer to call 1$/,
  })) {
    it(`of the kind "${way}" rejects the call; the next one gets a new worker`, async () => {
      let workers = 0;
      const core = createCore({ ...counting(() => workers++), wasmModule: crash });
      const calls = [core.open([{ text: way }]), core.open([{ text: way }])].map(rejection);
      for (const error of await Promise.all(calls)) {
        assert.ok(isDOM(error, "OperationError"), String(error));
        assert.match((error as DOMException).message, message);
      }
      assert.equal(workers, 2);
      core.destroy();
    });
  }

  it("of the worker itself rejects the call; the next one works", async () => {
    const started: WorkerLike[] = [];
    const core = createCore(counting((worker) => started.push(worker)));
    await core.ready();
    const call = rejection(core.summarize(long, budget));
    const next = core.summarize(ferry, budget);
    await new Promise((resolve) => setTimeout(resolve, 20));
    started[0]!.terminate();
    const error = await call;
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.match(String(error), /exited with code 1/);
    assert.ok((await next).sentences.length > 0);
    // Between two calls nobody need notice.
    started[1]!.terminate();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok((await core.summarize(ferry, budget)).sentences.length > 0);
    assert.equal(started.length, 3);
    core.destroy();
  });
});

/** Options that start the ordinary worker and tell of each one. */
function counting(started: (worker: WorkerLike) => void): CoreOptions {
  return {
    worker: () => {
      const worker = startWorker(new URL("../dist/worker.node.js", import.meta.url));
      started(worker);
      return worker;
    },
  };
}
