// The encoder's calls and its worker, with the small encoder of testdata/encoder.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { type Core, createCore, createEncoder, type Encoder, type EncoderOptions, type EncoderProgress, type WorkerLike } from "cerasum";
import { plan } from "../dist/encoder-model.js";
import { hasFiles } from "../dist/needed-files.js";
import { startWorker } from "../dist/node-worker.js";
import { encoderFiles } from "../dist/shipped.js";
import { again, isDOM, it, rejection, root, within } from "./support.js";
import { D, naive, rows, tiny, tinyFiles, tinyFolder, unchecked } from "./tiny-encoder.js";

const texts = ["The ferry sails.", "Harbours, and more harbours: going, going.", "", "船", "x", "  ", "a b c d e f g h i j k l m n o p q r s t u v w x y z"];
const core = createCore();
after(() => core.destroy());

/** An encoder and the workers that it starts. */
function counted(more: Partial<EncoderOptions> = {}): { encoder: Encoder; workers: WorkerLike[] } {
  const workers: WorkerLike[] = [];
  return { encoder: createEncoder({ ...tiny(core, workers), ...more }), workers };
}

function near(got: number[][], want: number[][], tolerance = 1e-3): void {
  assert.equal(got.length, want.length);
  got.forEach((row, i) => row.forEach((x, d) => assert.ok(Math.abs(x - want[i]![d]!) < tolerance, `row ${i}, dimension ${d}: ${x}, want ${want[i]![d]}`)));
}

describe("an encoder", () => {
  it("takes the mean of a text's own tokens, of unit length; a text without any has zeros", async () => {
    const { encoder } = counted();
    assert.deepEqual([encoder.model, encoder.budget, encoder.dimensions, encoder.threads], [createEncoder({ core }).model, 24_000, undefined, undefined]);
    const { embeddings, dimensions } = await encoder.embed(texts);
    // Under Node there is one thread.
    assert.deepEqual([dimensions, encoder.dimensions, encoder.threads], [D, D, 1]);
    near(rows(embeddings), await naive(core, texts));
    for (const [i, row] of rows(embeddings).entries()) assert.ok(Math.abs(Math.hypot(...row) - (texts[i]!.trim() === "" ? 0 : 1)) < 1e-5, texts[i]);
    assert.equal((await encoder.embed([])).embeddings.length, 0);
    encoder.destroy();
  });

  it("reads questions as such", async () => {
    const { encoder } = counted();
    const asked = rows((await encoder.embed(texts, { asks: true })).embeddings);
    near(asked, await naive(core, texts, true));
    const said = rows((await encoder.embed(texts)).embeddings);
    assert.ok(Math.hypot(...asked[0]!.map((x, d) => x - said[0]![d]!)) > 0.01);
    encoder.destroy();
  });

  it("gives every text its own row, however they are sorted and padded", async () => {
    const many = Array.from({ length: 400 }, (_, i) => "ferry harbour sailing x y z ".repeat(1 + ((i * 7919) % 23)).slice(0, 3 + ((i * 104729) % 400)));
    const { encoder } = counted();
    near(rows((await encoder.embed(many)).embeddings), await naive(core, many));
    encoder.destroy();
  });

  it("reads the beginning of a long text", async () => {
    const { encoder } = counted();
    const [short, long, other] = rows((await encoder.embed(["q".repeat(300), "q".repeat(3000), `x${"q".repeat(300)}`])).embeddings);
    near([long!], [short!]);
    assert.ok(Math.hypot(...short!.map((x, d) => x - other![d]!)) > 1e-3);
    encoder.destroy();
  });

  it("reports its progress", async () => {
    const { encoder } = counted();
    const told: EncoderProgress[] = [];
    await encoder.embed(texts, { onprogress: (progress) => told.push(progress) });
    assert.deepEqual(told.at(-1), { stage: "encode", done: texts.length, total: texts.length });
    encoder.destroy();
  });

  it("refuses unknown options and values, and what are no texts", async () => {
    for (const [options, message] of [
      [{ core, modle: "x" }, /unknown option modle: want core, modelURL, ortURL, workerURL, worker, threads, budget/],
      [{}, /core: want a core from createCore/],
      [{ core: {} }, /core: want a core/],
      [{ core, threads: 0 }, /threads is 0: want a whole number of at least 1/],
      [{ core, threads: "2" }, /threads is 2/],
      [{ core, budget: 0.5 }, /budget is 0\.5: want a whole number of at least 1/],
    ] as const) assert.throws(() => createEncoder(options as unknown as EncoderOptions), (error) => error instanceof TypeError && message.test(error.message));
    const { encoder, workers } = counted({ budget: 7, threads: 3 });
    assert.equal(encoder.budget, 7);
    assert.match(String(await rejection(encoder.embed(["a", 7 as unknown as string]))), /TypeError: texts\[1\]: want a string/);
    assert.match(String(await rejection(encoder.embed("a" as unknown as string[]))), /TypeError: texts: want an array/);
    assert.equal(workers.length, 0);
    encoder.destroy();
  });

  it("does not keep the process alive", () => {
    const script = `import { createCore, createEncoder } from "cerasum";
      const { tiny } = await import(${JSON.stringify(new URL("tiny-encoder.js", import.meta.url).href)});
      console.log((await createEncoder(tiny(createCore())).embed(["a", "b"])).embeddings.length);`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: join(root, "js"), encoding: "utf8", timeout: 60_000 });
    assert.equal(out.trim(), String(2 * D));
  });

  it("needs its two files and onnxruntime's program", () => {
    const needed: string[] = [];
    hasFiles(createEncoder({ core, modelURL: "/models", ortURL: new URL("https://example.org/ort") }), (url) => needed.push(url) > 0);
    assert.deepEqual(needed, ["file:///models/encoder.onnx", "file:///models/vocabulary.bin", "https://example.org/ort/ort-wasm-simd-threaded.wasm"]);
  });
});

it("batches hold texts of similar length, bounded by tokens, each text once", () => {
  const lengths = [3, 200, 0, 258, 3, 600, 12, 150, 150, 150];
  const batches = plan(lengths.map((length) => ({ length })));
  assert.deepEqual(batches.map((batch) => batch.map((k) => lengths[k])), [[600], [258], [200, 150], [150, 150, 12], [3, 3]]);
});

describe("a file at fault is named:", () => {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  after(() => rmSync(folder, { recursive: true }));
  const model = tinyFiles["encoder.onnx"];
  /** y = x */
  const identity = Buffer.from("CAg6OgoTCgF4EgF5GgF5IghJZGVudGl0eRIBZ1oPCgF4EgoKCAgBEgQKAggBYg8KAXkSCgoICAESBAoCCAFCBAoAEBE=", "base64");

  for (const [fault, files, name, message] of [
    ["no model", { "encoder.onnx": undefined }, "NetworkError", /\/encoder\.onnx cannot be loaded.*not found/],
    ["no vocabulary", { "vocabulary.bin": undefined }, "NetworkError", /\/vocabulary\.bin cannot be loaded.*not found/],
    ["a model that is none", { "encoder.onnx": "no model at all" }, "OperationError", /\/encoder\.onnx: ./],
    ["an empty model", { "encoder.onnx": "" }, "OperationError", /\/encoder\.onnx: ./],
    ["half a model", { "encoder.onnx": model.subarray(0, model.length / 2) }, "OperationError", /\/encoder\.onnx: ./],
    ["another model", { "encoder.onnx": identity }, "OperationError", /\/encoder\.onnx: want inputs input_ids and attention_mask and output last_hidden_state, got x, y/],
  ] as const) it(fault, async () => {
    for (const [file, content] of Object.entries({ ...tinyFiles, ...files })) {
      rmSync(join(folder, file), { force: true });
      if (content !== undefined) writeFileSync(join(folder, file), content);
    }
    const { encoder, workers } = counted({ modelURL: folder });
    for (let i = 0; i < 2; i++) {
      const error = await rejection(encoder.ready());
      assert.ok(isDOM(error, name), String(error));
      assert.match((error as Error).message, message);
      assert.match((error as Error).message, /^the encoder cannot start: /);
    }
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  for (const [file, part] of Object.entries({ "encoder.onnx": "vocabulary", "vocabulary.bin": "model" })) it(`a ${file} that is not the shipped one`, { skip: !encoderFiles[file] && "this build has no encoder" }, async () => {
    const worker = (): WorkerLike => unchecked(startWorker(new URL("../dist/encoder-worker.node.js", import.meta.url)), [part]);
    const encoder = createEncoder({ core, modelURL: tinyFolder, worker });
    const error = await rejection(encoder.embed(["a"]));
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.ok((error as Error).message.endsWith(`/${file}: damaged: its SHA-256 is not that of this version of cerasum`), String(error));
    encoder.destroy();
  });

  it("a vocabulary that is none", async () => {
    for (const [file, content] of Object.entries({ ...tinyFiles, "vocabulary.bin": "no vocabulary" })) writeFileSync(join(folder, file), content);
    const { encoder } = counted({ modelURL: folder });
    assert.match(String(await rejection(encoder.embed(["a"]))), /vocabulary: not a vocabulary file of this version/);
    encoder.destroy();
  });

  it("a runtime or a worker that is not there", async () => {
    const { encoder } = counted({ ortURL: pathToFileURL(folder) });
    const error = await rejection(encoder.ready());
    assert.ok(isDOM(error, "NetworkError"), String(error));
    assert.match(String(error), /ort\.wasm\.min\.mjs cannot be loaded/);
    assert.ok(isDOM(await rejection(createEncoder({ core, workerURL: pathToFileURL(join(folder, "none.js")) }).ready()), "NetworkError"));
  });
});

describe("the encoder's worker", () => {
  const long = Array.from({ length: 20_000 }, (_, i) => `ferry harbour ${"sailing ".repeat(i % 30)}`);
  const tick = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  let ferry: number[][] | undefined;
  /** Checks that an encoder works. */
  const works = async (encoder: Encoder): Promise<void> => near(rows((await encoder.embed(["ferry"])).embeddings), ferry ??= await naive(core, ["ferry"]));

  it("starts with the first call, and is kept", async () => {
    const { encoder, workers } = counted();
    await tick();
    assert.equal(workers.length, 0);
    await Promise.all([encoder.embed(["a"]), encoder.ready(), encoder.embed(["b"])]);
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  again("stops at an abort in mid-work, and answers the next call", async () => {
    const { encoder, workers } = counted();
    await works(encoder); // and what it is compared with, which loads the model once more
    const controller = new AbortController();
    let begun!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const call = rejection(encoder.embed(long, { signal: controller.signal, onprogress: ({ done }) => done > 0 && begun() }));
    const next = works(encoder);
    await begins;
    const aborted = performance.now();
    controller.abort("enough");
    assert.equal(await call, "enough");
    within(performance.now() - aborted, 100, "the rejection");
    await next;
    within(performance.now() - aborted, 1000, "the next call");
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  it("stops at an abort while the core makes the ids", async () => {
    const { encoder, workers } = counted();
    await encoder.ready();
    const controller = new AbortController();
    const call = rejection(encoder.embed(long, { signal: controller.signal }));
    await tick(5);
    controller.abort("enough");
    assert.equal(await call, "enough");
    await works(encoder);
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  it("ends with a start that nobody waits for any more", async () => {
    const { encoder, workers } = counted();
    const controller = new AbortController();
    const call = rejection(encoder.ready({ signal: controller.signal }));
    const other = rejection(encoder.embed(["a"], { signal: controller.signal }));
    while (workers.length === 0) await tick();
    controller.abort("not now");
    assert.deepEqual([await call, await other], ["not now", "not now"]);
    await works(encoder);
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  it("goes on with a start that another call waits for", async () => {
    const { encoder, workers } = counted();
    const controller = new AbortController();
    const call = rejection(encoder.ready({ signal: controller.signal }));
    const other = works(encoder);
    controller.abort();
    assert.ok(isDOM(await call, "AbortError"));
    await other;
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  it("crashes: the call rejects, the next gets a new worker", async () => {
    const { encoder, workers } = counted();
    let begun!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const call = rejection(encoder.embed(long, { onprogress: ({ done }) => done > 0 && begun() }));
    const next = works(encoder);
    await begins;
    workers[0]!.terminate();
    const error = await call;
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.match(String(error), /the encoder stopped: worker exited/);
    await next;
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  it("is replaced where the network fails", async () => {
    // An id that the network does not have.
    let wrong = true;
    const tokenize: Core["tokenize"] = async (...call) => (wrong ? { ids: Uint32Array.of(0, 5000, 2), lengths: Uint32Array.of(3), before: 1 } : core.tokenize(...call));
    const { encoder, workers } = counted({ core: { tokenize } as Core });
    const error = await rejection(encoder.embed(["wreck"]));
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.match(String(error), /the encoder stopped: .*(out of|bounds|range)/);
    wrong = false;
    await works(encoder);
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  it("is ended by destroy, at any time", async () => {
    for (const [when, reached] of Object.entries<(workers: WorkerLike[]) => boolean>({ "before it starts": () => true, "while it starts": (workers) => workers.length > 0 })) {
      let ended = 0;
      const { encoder, workers } = counted();
      const call = rejection(encoder.embed(["a"]));
      while (!reached(workers)) await tick();
      for (const worker of workers) worker.addEventListener("error", () => ended++);
      encoder.destroy();
      assert.ok(isDOM(await call, "AbortError"), when);
      assert.ok(isDOM(await rejection(encoder.ready()), "AbortError"), when);
      for (let i = 0; i < 600 && ended < workers.length; i++) await tick(50);
      assert.equal(ended, workers.length, `a worker runs on, destroyed ${when}`);
    }
  });
});

describe("the shipped encoder", { skip: !existsSync(join(root, "js/dist/encoder/encoder.onnx")) && "this build has none" }, () => {
  it("embeds what is said in several languages near itself, and answers near questions", async () => {
    const encoder = createEncoder({ core });
    const said = ["The harbour is closed until Friday.", "O porto está fechado até sexta-feira.", "Гавань закрыта до пятницы.", "Tomatoes are cheaper this summer."];
    const { embeddings, dimensions } = await encoder.embed(said);
    const { embeddings: question } = await encoder.embed(["Until when is the port closed?"], { asks: true });
    assert.equal(dimensions, 384);
    const row = (i: number): Float32Array => embeddings.subarray(i * dimensions, (i + 1) * dimensions);
    const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, d) => sum + x * b[d]!, 0);
    for (const i of said.keys()) assert.ok(Math.abs(cosine(row(i), row(i)) - 1) < 1e-5);
    for (const i of [1, 2]) assert.ok(cosine(row(0), row(i)) > cosine(row(0), row(3)), `${said[i]}: ${cosine(row(0), row(i))}, the other ${cosine(row(0), row(3))}`);
    for (const i of [0, 1, 2]) assert.ok(cosine(question, row(i)) > cosine(question, row(3)), said[i]);
    encoder.destroy();
  });
});
