// The encoder of testdata/encoder in place of the shipped one, and what it should give.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Core, EncoderOptions, WorkerLike } from "cerasum";
import { startWorker } from "../dist/node-worker.js";
import { root } from "./support.js";

/** The length of its embeddings. */
export const D = 24;
export const tinyFolder = join(root, "js/tests/testdata/encoder");
export const tinyFiles = { "encoder.onnx": readFileSync(join(tinyFolder, "encoder.onnx")), "vocabulary.bin": readFileSync(join(tinyFolder, "vocabulary.bin")) };

/** Lets a worker start with files that are not the shipped ones. Pages get its source. */
export function unchecked(worker: WorkerLike, files = ["model", "vocabulary"]): WorkerLike {
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (message) => {
    const changed = { ...(message as Record<string, unknown>) };
    if (changed["kind"] === "start") for (const file of files) changed[file] = { ...(changed[file] as object), sha256: "" };
    post(changed);
  };
  return worker;
}

/** Options of an encoder that runs it; `workers` gets the workers that it starts. */
export const tiny = (core: Core, workers: WorkerLike[] = []): EncoderOptions => ({
  core,
  modelURL: pathToFileURL(tinyFolder),
  worker: () => {
    workers.push(startWorker(new URL("../dist/encoder-worker.node.js", import.meta.url)));
    return unchecked(workers.at(-1)!);
  },
});

/** Embeddings the plain way: each text alone, without padding. */
export async function naive(core: Core, texts: readonly string[], asks = false): Promise<number[][]> {
  const folder = new URL("../dist/ort/", import.meta.url);
  const ort = (await import(new URL("ort.wasm.min.mjs", folder).href)) as typeof import("onnxruntime-web/wasm");
  ort.env.wasm.wasmPaths = folder.href;
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(tinyFiles["encoder.onnx"]);
  const { ids, lengths, before } = await core.tokenize(tinyFiles["vocabulary.bin"], texts, { asks });
  const all: number[][] = [];
  let at = 0;
  for (const T of lengths) {
    const own = BigInt64Array.from(ids.slice(at, at += T), BigInt);
    if (T === 0) {
      all.push(new Array<number>(D).fill(0));
      continue;
    }
    const feeds = { input_ids: new ort.Tensor("int64", own, [1, T]), attention_mask: new ort.Tensor("int64", own.map(() => 1n), [1, T]) };
    const hidden = (await session.run(feeds))["last_hidden_state"]!.data as Float32Array;
    const sum = Array.from({ length: D }, (_, d) => {
      let sum = 0;
      for (let t = before; t < T - 1; t++) sum += hidden[t * D + d]!;
      return sum;
    });
    const length = Math.hypot(...sum);
    all.push(sum.map((x) => x / length));
  }
  await session.release();
  return all;
}

/** The rows of a matrix. */
export const rows = (embeddings: Float32Array): number[][] => Array.from({ length: embeddings.length / D }, (_, i) => [...embeddings.slice(i * D, (i + 1) * D)]);
