// The encoder inside its worker: a loaded export folder and onnxruntime-web.

import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import { FileError, Files } from "./encoder-files.js";
import { type Folder, places, readFolder, readModules } from "./encoder-folder.js";
import type { Device, EncoderInfo, StartEncoderMessage } from "./encoder-messages.js";
import { pool } from "./encoder-pooling.js";
import { Tokenizer } from "./encoder-tokenizer.js";
import { describe, type Fetch, LoadError, noWebAssembly } from "./load.js";

type Ort = typeof import("onnxruntime-web/wasm");

/** Maximum texts × tokens of a batch; bounds memory and the delay of a cancellation. */
const BATCH_TOKENS = 1024;

/** Names of outputs with embeddings, in order of preference. */
const OUTPUTS = ["sentence_embedding", "last_hidden_state", "token_embeddings"];
const INPUTS = ["input_ids", "attention_mask", "token_type_ids"];

/** A minimal graph, y = x, to start the runtime before the model is loaded. */
const SMALLEST = "CAg6OgoTCgF4EgF5GgF5IghJZGVudGl0eRIBZ1oPCgF4EgoKCAgBEgQKAggBYg8KAXkSCgoICAESBAoCCAFCBAoAEBE=";

/** The model failed while running, and may be in any state. */
export class RunError extends Error {}

export class Model implements EncoderInfo {
  readonly dimensions: number;
  readonly languages: string[];
  readonly model: string;

  private constructor(
    private readonly ort: Ort,
    private readonly session: InferenceSession,
    readonly device: Device,
    private readonly file: string,
    private readonly output: string,
    private readonly tokenizer: Tokenizer,
    private readonly folder: Folder,
    width: number,
  ) {
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
    // The runtime takes longest to compile; start it before the model is loaded.
    const runtime = loadRuntime(ortURL, device);
    runtime.catch(() => undefined);
    const modules = await readModules(files);
    const find = async (...names: string[]): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> => {
      const found = await files.first(places(modules.base, ...names));
      if (!found) throw new FileError(names[0]!, "file not found");
      return found;
    };
    const modelNames = ["onnx/model.onnx", "model.onnx"];
    // A folder at an address cannot be listed: try the more likely path first.
    if (source.kind === "folder") modelNames.reverse();
    const [folder, graph, tokenizer] = await Promise.all([
      readFolder(files, modules, prefix),
      find(...modelNames),
      find("tokenizer.json").then(({ name, bytes }) => new Tokenizer(name, bytes)),
    ]);
    const { ort, device: present } = await runtime;
    const session = await open(ort, graph.bytes, present).catch((error: unknown) => {
      const message = describe(error);
      throw new FileError(graph.name, memory(message) ? `not enough memory (${message})` : message, { cause: error });
    });
    const output = ports(graph.name, session);
    const probe = tokenizer.encode(`${folder.prefix}a`, folder.maxTokens);
    const width = await run(ort, session, graph.name, output, [probe.length > 0 ? probe : new Int32Array(1)]);
    return new Model(ort, session, present, graph.name, output, tokenizer, folder, width.width);
  }

  /** The dimensions of the result for vectors of this width. */
  #check(width: number): number {
    const { described, pooling, steps } = this.folder;
    if (this.#perText) {
      // The ONNX model contains the other modules.
      const want = described && pooling.width > 0 ? steps.reduce((w, step) => step.width(w), pooling.width * pooling.modes.length) : width;
      if (want !== width) throw new FileError(this.file, `sentence_embedding has ${width} dimensions, but modules.json says ${want}`);
      return width;
    }
    if (pooling.width > 0 && pooling.width !== width) {
      throw new FileError(pooling.file, `word_embedding_dimension is ${pooling.width}, but ${this.file} has vectors of ${width}`);
    }
    return steps.reduce((w, step) => step.width(w), width * pooling.modes.length);
  }

  /** Whether the output has a row per text rather than per token. */
  get #perText(): boolean {
    return this.output === "sentence_embedding";
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
    const { values, width, tokens } = await run(this.ort, this.session, this.file, this.output, batch.map((k) => ids[k]!));
    batch.forEach((k, row) => {
      let v: Float32Array;
      if (this.#perText) {
        if (width !== D) throw new RunError(`${this.file}: output has ${width} dimensions, want ${D} as before`);
        v = values.subarray(row * width, (row + 1) * width);
      } else {
        v = pool(this.folder.pooling.modes, values.subarray(row * tokens * width, (row + 1) * tokens * width), ids[k]!.length, width);
        for (const step of this.folder.steps) v = step.apply(v);
      }
      for (let d = 0; d < D; d++) {
        if (!Number.isFinite(v[d])) throw new RunError(`${this.file}: dimension ${d} of the embedding of text ${k + 1} is ${v[d]}`);
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

/** Loads onnxruntime-web from the given address; the WebGPU variant only if it is used. */
async function loadRuntime(url: string, device: Device): Promise<{ ort: Ort; device: Device }> {
  const present = device === "webgpu" && (await hasWebGPU()) ? "webgpu" : "wasm";
  const file = new URL(`ort.${present}.min.mjs`, url).href;
  let ort: Ort;
  try {
    ort = (await import(/* @vite-ignore */ file)) as Ort;
  } catch (error) {
    throw error instanceof SyntaxError ? new FileError(file, `not a script (${error.message})`, { cause: error }) : new LoadError(file, error);
  }
  ort.env.logLevel = "error";
  ort.env.wasm.wasmPaths = url;
  ort.env.wasm.proxy = false;
  // Threads need shared memory, and so a cross-origin isolated page.
  if (!globalThis.crossOriginIsolated) ort.env.wasm.numThreads = 1;
  const stray = strayRejection();
  try {
    const session = await Promise.race([open(ort, Uint8Array.from(atob(SMALLEST), (c) => c.charCodeAt(0)), present), stray.rejected]);
    await session.release();
  } catch (error) {
    throw startFault(new URL("ort-wasm-simd-threaded.wasm", url).href, error);
  } finally {
    stray.forget();
  }
  return { ort, device: present };
}

/** The cause of a failed start of the runtime, which reports it only as text. */
function startFault(file: string, error: unknown): Error {
  const message = describe(error);
  const blocked = noWebAssembly(error);
  if (blocked) return blocked;
  if (memory(message)) return new FileError(file, `not enough memory to start (${message})`, { cause: error });
  // For a missing file it reports empty bytes.
  const runs = /CompileError|LinkError|not a function/.test(message) && !/is empty/.test(message);
  return runs ? new FileError(file, `cannot run (${message})`, { cause: error }) : new LoadError(file, error);
}

/** For some errors, such as a foreign .wasm file, the runtime's start never settles and leaves an unhandled rejection: turn that into an error. */
function strayRejection(): { rejected: Promise<never>; forget(): void } {
  let forget = (): void => {};
  const rejected = new Promise<never>((_, reject) => {
    // Under Node such a rejection ends the worker.
    const listener = ({ reason }: PromiseRejectionEvent): void => void setTimeout(() => reject(reason as Error), 500); // unless the start goes on nevertheless
    globalThis.addEventListener?.("unhandledrejection", listener);
    forget = () => globalThis.removeEventListener?.("unhandledrejection", listener);
  });
  rejected.catch(() => undefined);
  return { rejected, forget };
}

async function hasWebGPU(): Promise<boolean> {
  const navigator = globalThis.navigator as { gpu?: { requestAdapter(): Promise<unknown> } } | undefined; // Node 20 has none
  return Boolean(await navigator?.gpu?.requestAdapter().catch(() => undefined));
}

const open = (ort: Ort, bytes: Uint8Array, device: Device): Promise<InferenceSession> =>
  ort.InferenceSession.create(bytes, { executionProviders: device === "webgpu" ? ["webgpu", "wasm"] : ["wasm"], logSeverityLevel: 3 });

const memory = (message: string): boolean => /memory|bad_alloc|allocat/i.test(message);

/** Checks inputs and outputs, and returns the output that holds the embeddings. */
function ports(file: string, session: InferenceSession): string {
  const list = (names: readonly string[]): string => names.join(", ");
  for (const name of session.inputNames) {
    if (!INPUTS.includes(name)) throw new FileError(file, `unsupported graph input ${name}: want ${list(INPUTS)}`);
  }
  if (!session.inputNames.includes("input_ids")) throw new FileError(file, `missing graph input input_ids: got ${list(session.inputNames)}`);
  const output = OUTPUTS.find((name) => session.outputNames.includes(name));
  if (!output) throw new FileError(file, `missing graph output: want ${list(OUTPUTS)}, got ${list(session.outputNames)}`);
  return output;
}

/** Runs texts, padded to the longest. The result is texts × width, or texts × tokens × width before pooling. */
async function run(ort: Ort, session: InferenceSession, file: string, output: string, texts: readonly Int32Array[]): Promise<{
  values: Float32Array;
  width: number;
  tokens: number;
}> {
  const rows = texts.length;
  const tokens = Math.max(...texts.map((ids) => ids.length));
  const shape = [rows, tokens];
  const feeds: Record<string, Tensor> = {};
  for (const name of session.inputNames) {
    const data = new BigInt64Array(rows * tokens);
    // Little-endian, like WebAssembly: write only the low half of each int64.
    const halves = new Int32Array(data.buffer);
    if (name !== "token_type_ids") {
      texts.forEach((ids, row) => {
        for (let t = 0; t < ids.length; t++) halves[2 * (row * tokens + t)] = name === "input_ids" ? ids[t]! : 1;
      });
    }
    feeds[name] = new ort.Tensor("int64", data, shape);
  }
  let result: Tensor | undefined;
  try {
    result = (await session.run(feeds, [output]))[output];
  } catch (error) {
    const message = describe(error);
    throw new RunError(`${file}: ${memory(message) ? `not enough memory to run (${message})` : message}`, { cause: error });
  } finally {
    for (const tensor of Object.values(feeds)) tensor.dispose();
  }
  const want = output === "sentence_embedding" ? [rows] : shape;
  const dims = result?.dims ?? [];
  const width = dims.at(-1) ?? 0;
  if (result?.type !== "float32" || dims.length !== want.length + 1 || want.some((n, i) => dims[i] !== n) || width < 1) {
    throw new RunError(`${file}: output ${output} is ${result?.type} of ${dims.join("×")}: want float32 of ${want.join("×")}×dimensions`);
  }
  const values = (await result.getData()) as Float32Array;
  return { values, width, tokens };
}
