// The encoder inside its worker: a loaded export folder and what runs its graph.

import { FileError, Files } from "./encoder-files.js";
import { type Folder, places, readFolder, readModules, readType } from "./encoder-folder.js";
import { type Graph, RunError } from "./encoder-graph.js";
import type { Device, EncoderInfo, StartEncoderMessage } from "./encoder-messages.js";
import { pool } from "./encoder-pooling.js";
import { loadRuntime, openGraph } from "./encoder-runtime.js";
import { staticGraph } from "./encoder-static.js";
import { Tokenizer } from "./encoder-tokenizer.js";
import type { Fetch } from "./load.js";

/** Maximum texts × tokens of a batch; bounds memory and the delay of a cancellation. */
const BATCH_TOKENS = 1024;

export class Model implements EncoderInfo {
  readonly dimensions: number;
  readonly languages: string[];
  readonly model: string;
  readonly device: Device;

  private constructor(
    private readonly graph: Graph,
    private readonly tokenizer: Tokenizer,
    private readonly folder: Folder,
    width: number,
  ) {
    this.device = graph.device;
    this.languages = folder.languages;
    this.model = folder.model;
    this.dimensions = this.#check(width);
  }

  /** Throws a LoadError if a file cannot be loaded, otherwise an Error whose message begins with the name of the invalid file. */
  static async load(
    { source, ortURL, device, prefix }: Omit<StartEncoderMessage, "kind">,
    fetch: Fetch,
    progress: (loaded: number, total: number) => void,
  ): Promise<Model> {
    const files = new Files(source, fetch, progress);
    const modules = await readModules(files);
    // The runtime takes longest to compile: start it before the model is loaded. The
    // static encoder runs without it.
    const declared = await readType(files, modules.base) === "static";
    const start = () => loadRuntime(ortURL, device, fetch);
    const runtime = declared ? undefined : start();
    runtime?.catch(() => undefined);
    const find = async (...names: string[]): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> => {
      const found = await files.first(places(modules.base, ...names));
      if (!found) throw new FileError(names[0]!, "file not found");
      return found;
    };
    const modelNames = ["onnx/model.onnx", "model.onnx"];
    // A folder at an address cannot be listed: try the more likely path first.
    if (source.kind === "folder") modelNames.reverse();
    const [folder, model, tokenizer] = await Promise.all([
      readFolder(files, modules, prefix),
      find(...modelNames),
      find("tokenizer.json").then(({ name, bytes }) => new Tokenizer(name, bytes)),
    ]);
    const graph = (declared ? staticGraph(model.name, model.bytes) : undefined)
      // Another program's model may call itself static, too.
      ?? await openGraph(await (runtime ?? start()), model.name, model.bytes);
    const probe = tokenizer.encode(`${folder.prefix}a`, folder.maxTokens);
    const { width } = await graph.run([probe.length > 0 ? probe : new Int32Array(1)]);
    return new Model(graph, tokenizer, folder, width);
  }

  /** The dimensions of the result for vectors of this width. */
  #check(width: number): number {
    const { described, pooling, steps } = this.folder;
    if (this.graph.perText) {
      // The ONNX model contains the other modules.
      const want = described && pooling.width > 0 ? steps.reduce((w, step) => step.width(w), pooling.width * pooling.modes.length) : width;
      if (want !== width) throw new FileError(this.graph.file, `sentence_embedding has ${width} dimensions, but modules.json says ${want}`);
      return width;
    }
    if (pooling.width > 0 && pooling.width !== width) {
      throw new FileError(pooling.file, `word_embedding_dimension is ${pooling.width}, but ${this.graph.file} has vectors of ${width}`);
    }
    return steps.reduce((w, step) => step.width(w), width * pooling.modes.length);
  }

  /**
   * Embeds texts, N × D. Texts of similar length share a batch. `pause` is
   * awaited after batches with the number of texts done; it may throw to stop.
   */
  async embed(texts: readonly string[], pause: (done: number) => Promise<void>): Promise<Float32Array<ArrayBuffer>> {
    const ids: Int32Array[] = [];
    for (const [k, text] of texts.entries()) {
      ids.push(this.tokenizer.encode(this.#text(text), this.folder.maxTokens));
      if (k % 64 === 63) await pause(0);
    }
    const out = new Float32Array(texts.length * this.dimensions);
    let done = 0;
    for (const batch of plan(ids)) {
      await pause(done);
      await this.#run(batch, ids, out);
      done += batch.length;
    }
    return out;
  }

  #text(text: string): string {
    const prefixed = (this.folder.prefix + text).trim().toWellFormed();
    return this.folder.lower ? prefixed.toLowerCase() : prefixed;
  }

  /** Writes the embeddings of a batch to their rows of out. */
  async #run(batch: number[], ids: Int32Array[], out: Float32Array): Promise<void> {
    const D = this.dimensions;
    const { values, width, tokens } = await this.graph.run(batch.map((k) => ids[k]!));
    batch.forEach((k, row) => {
      let v: Float32Array;
      if (this.graph.perText) {
        if (width !== D) throw new RunError(`${this.graph.file}: output has ${width} dimensions, want ${D} as before`);
        v = values.subarray(row * width, (row + 1) * width);
      } else {
        v = pool(this.folder.pooling.modes, values.subarray(row * tokens * width, (row + 1) * tokens * width), ids[k]!.length, width);
        for (const step of this.folder.steps) v = step.apply(v);
      }
      for (let d = 0; d < D; d++) {
        if (!Number.isFinite(v[d])) throw new RunError(`${this.graph.file}: dimension ${d} of the embedding of text ${k + 1} is ${v[d]}`);
      }
      out.set(v, k * D);
    });
  }
}

/**
 * Sorts texts by length, longest first, and splits them into batches. Texts
 * without a token are left out: their embeddings are zeros.
 */
export function plan(ids: readonly Int32Array[]): number[][] {
  const order = [...ids.keys()].filter((k) => ids[k]!.length > 0).sort((a, b) => ids[b]!.length - ids[a]!.length || a - b);
  const batches: number[][] = [];
  for (let at = 0; at < order.length;) {
    const rows = Math.max(1, Math.floor(BATCH_TOKENS / ids[order[at]!]!.length));
    batches.push(order.slice(at, at + rows));
    at += rows;
  }
  return batches;
}
