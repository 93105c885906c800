// The encoder inside its worker: the network on onnxruntime-web, and the means of its
// hidden states. Same as the command line program's internal/encoder. T tokens, D
// dimensions.

import type { EncoderFile, StartEncoderMessage, Tokens } from "./encoder-messages.js";
import { type Graph, loadRuntime, openGraph, RunError } from "./encoder-runtime.js";
import { FileError } from "./files.js";
import { type Fetch, LoadError } from "./load.js";

/** Maximum texts × tokens of a batch; bounds memory and the delay of a cancellation. */
const BATCH_TOKENS = 512;

export class Model {
  private constructor(private readonly graph: Graph, readonly dimensions: number, readonly threads: number, readonly vocabulary: Uint8Array<ArrayBuffer>) {}

  /** Throws a LoadError if a file cannot be loaded, otherwise an Error whose message begins with the name of the invalid file. */
  static async load(start: Omit<StartEncoderMessage, "kind">, fetch: Fetch, progress: (loaded: number, total: number) => void): Promise<Model> {
    const loading = new Map<string, { loaded: number; total: number }>();
    const read = (file: EncoderFile): Promise<Uint8Array<ArrayBuffer>> => readFile(file, fetch, (loaded, total) => {
      loading.set(file.url, { loaded, total });
      const sum = (field: "loaded" | "total"): number => [...loading.values()].reduce((n, one) => n + one[field], 0);
      progress(sum("loaded"), sum("total"));
    });
    // The runtime takes long to compile: start it before the model is loaded.
    const [runtime, model, vocabulary] = await Promise.all([loadRuntime(start.ortURL, start.threads, fetch), read(start.model), read(start.vocabulary)]);
    const graph = await openGraph(runtime, start.model.url, model);
    const { width } = await graph.run([Uint32Array.of(0, 2)]);
    return new Model(graph, width, runtime.threads, vocabulary);
  }

  /**
   * Embeds texts, N × D, of unit length. Texts of similar length share a batch.
   * `pause` is awaited before batches with the number of texts done; it may throw
   * to stop.
   */
  async embed({ ids, lengths, before }: Tokens, pause: (done: number) => Promise<void>): Promise<Float32Array<ArrayBuffer>> {
    const D = this.dimensions;
    const texts: Uint32Array[] = [];
    let at = 0;
    for (const length of lengths) texts.push(ids.subarray(at, at += length));
    const out = new Float32Array(texts.length * D);
    let done = 0;
    for (const batch of plan(texts)) {
      await pause(done);
      const { values, width, tokens } = await this.graph.run(batch.map((k) => texts[k]!));
      if (width !== D) throw new RunError(`output has ${width} dimensions, want ${D} as before`);
      batch.forEach((k, row) => {
        const hidden = values.subarray((row * tokens + before) * D, (row * tokens + texts[k]!.length - 1) * D);
        mean(hidden, out.subarray(k * D, (k + 1) * D), k);
      });
      done += batch.length;
    }
    return out;
  }
}

/** Writes the mean of rows, scaled to unit length. */
function mean(hidden: Float32Array, out: Float32Array, text: number): void {
  const D = out.length;
  for (let i = 0; i < hidden.length; i += D) for (let d = 0; d < D; d++) out[d]! += hidden[i + d]!;
  let sum = 0;
  for (const x of out) sum += x * x;
  if (!Number.isFinite(sum)) throw new RunError(`the embedding of text ${text + 1} is not finite`);
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  for (let d = 0; d < D; d++) out[d]! *= scale;
}

/** Sorts texts by length, longest first, and splits them into batches. Texts without ids are left out: their embeddings are zeros. */
export function plan(texts: readonly { length: number }[]): number[][] {
  const order = [...texts.keys()].filter((k) => texts[k]!.length > 0).sort((a, b) => texts[b]!.length - texts[a]!.length || a - b);
  const batches: number[][] = [];
  for (let at = 0; at < order.length;) {
    const rows = Math.max(1, Math.floor(BATCH_TOKENS / texts[order[at]!]!.length));
    batches.push(order.slice(at, at += rows));
  }
  return batches;
}

async function readFile({ url, sha256 }: EncoderFile, fetch: Fetch, progress: (loaded: number, total: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await fetch(url, progress);
  if (!bytes) throw new LoadError(url, new Error("not found"));
  // Pages that are neither https nor localhost have no digests.
  const { subtle } = globalThis.crypto;
  if (sha256 !== "" && subtle) {
    const digest = [...new Uint8Array(await subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    if (digest !== sha256) throw new FileError(url, "damaged: its SHA-256 is not that of this version of cerasum");
  }
  return bytes;
}
