import { CallQueue } from "./call-queue.js";
import { type Answer, type Call, Connection } from "./connection.js";
import { type EncodedSummary, type SentenceEncoder, summarizeEncoded } from "./encoded-summary.js";
import type { EncoderProgress } from "./encoder-messages.js";
import { destroyedError, OptionError } from "./errors.js";
import type {
  DocumentInput, MethodInfo, Progress, SplitDocument, SummarizeOptions,
} from "./protocol.js";
import { forInstant, outOfMemory, tooLarge } from "./too-large.js";
import { type LoadedWeights, type WeightsPlatform, WeightsShelf } from "./weights.js";
import type { WorkerLike } from "./worker-messages.js";

/** Where the core's two files come from. By default they lie beside the library. */
export interface CoreOptions {
  /** Address of cerasum.wasm; a relative one counts from the page (under Node, the working folder). */
  wasmURL?: string | URL | undefined;
  /** The same file compiled; nothing is loaded then. */
  wasmModule?: WebAssembly.Module | undefined;
  /** Address of worker.js. */
  workerURL?: string | URL | undefined;
  /** Makes the worker, for hosts that have their own way. It must run worker.js. */
  worker?: (() => WorkerLike) | undefined;
  /** Address of the folder of shipped weights, which are loaded when a method wants them. */
  weightsURL?: string | URL | undefined;
}

export interface CallOptions {
  /** Its reason is what an aborted call rejects with. */
  signal?: AbortSignal | undefined;
}

/** load counts bytes of the encoder, the others what the core has said. */
export type SummarizeProgress = Progress | EncoderProgress;

export interface SummarizeCallOptions extends CallOptions {
  /** Called at most twenty times a second. */
  onprogress?: ((progress: SummarizeProgress) => void) | undefined;
  /**
   * Embeds the sentences for the methods that want it. Where it fails, the
   * method "auto" does without and says why in `fallback`.
   */
  encoder?: SentenceEncoder | undefined;
}

/** What differs between a browser and Node. */
export interface Platform extends WeightsPlatform {
  /** Without an address, the library's own worker. */
  startWorker(url: string | undefined): WorkerLike;
  /** Absolute. */
  readonly wasmURL: string;
}

/**
 * The core in a worker of its own. The worker is started with the first call;
 * a start that failed is tried again with the next. Calls are answered one
 * after another; the documents are copied when a call is made.
 *
 * Every call can reject with
 * - the signal's reason, where it was aborted (whatever runs is stopped; the
 *   other calls go on in a new worker);
 * - {@link OptionError}, a TypeError, for a bad option or document;
 * - {@link EmptyInputError} where there is no text to summarize;
 * - a DOMException: NetworkError where a file of the core cannot be loaded,
 *   OperationError where the core cannot start or stops (out of memory, say, but
 *   see summarize; the next call gets a new worker), AbortError after destroy(). With an
 *   encoder also what that rejects with, and for shipped weights NotFoundError
 *   where there are none, NetworkError and OperationError for their files.
 */
export class Core {
  readonly #platform: Platform;
  readonly #options: CoreOptions;
  readonly #calls: CallQueue<Connection>;
  readonly #shelf: WeightsShelf;
  #module: WebAssembly.Module | undefined;
  #version: string | undefined;

  /** Use createCore. Throws a TypeError for an unknown option. */
  constructor(platform: Platform, options: CoreOptions) {
    const known = ["wasmURL", "wasmModule", "workerURL", "worker", "weightsURL"];
    for (const name in options) {
      if (!known.includes(name)) throw new TypeError(`unknown option ${name}: want ${known.join(", ")}`);
    }
    this.#platform = platform;
    this.#options = { ...options };
    this.#module = options.wasmModule;
    this.#shelf = new WeightsShelf(platform, options.weightsURL);
    this.#calls = new CallQueue({
      open: (opened) => this.#open(opened),
      // Go's program cannot be interrupted.
      abort: (connection, reason) => connection.close(reason),
      destroyed: destroyedError,
    });
  }

  /** The core's version; undefined before the first start. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Starts the core now, where it has not been started. */
  async ready(): Promise<void> {
    await this.#calls.connect();
  }

  /** The methods that summarize takes, "auto" first. */
  async methods({ signal }: CallOptions = {}): Promise<MethodInfo[]> {
    const answer = await this.#call({ kind: "methods" }, signal);
    return expect(answer, "methods").methods;
  }

  /** The language and the sentences of each document. */
  async split(documents: readonly DocumentInput[], { signal }: CallOptions = {}): Promise<SplitDocument[]> {
    const answer = await this.#call({ kind: "split", documents }, signal);
    return expect(answer, "split").documents;
  }

  /**
   * Quotes the sentences of the documents that together say most within the
   * budget. Of more text than method "auto" has the memory for, the summary is
   * made by "instant", and says so in `fallback`.
   */
  async summarize(documents: readonly DocumentInput[], options: SummarizeOptions = {}, call: SummarizeCallOptions = {}): Promise<EncodedSummary> {
    const { method = "auto" } = options;
    if (method !== "auto") return this.#summarize(documents, options, call);
    // As they are now, whatever becomes of the caller's objects.
    const own = Array.isArray(documents) ? documents.map((document: DocumentInput) => ({ ...document })) : documents;
    const plain = forInstant(options);
    const { encoder: _encoder, ...rest } = call;
    const large = tooLarge(documents);
    if (large !== undefined) return { ...await this.#summarize(own, plain, rest), fallback: large };
    try {
      return await this.#summarize(documents, options, call);
    } catch (error) {
      if (call.signal?.aborted || !outOfMemory(error)) throw error;
      return { ...await this.#summarize(own, plain, rest), fallback: (error as Error).message };
    }
  }

  async #summarize(
    documents: readonly DocumentInput[],
    options: SummarizeOptions,
    { encoder, signal, onprogress }: SummarizeCallOptions,
  ): Promise<EncodedSummary> {
    if (encoder) return summarizeEncoded(this, encoder, this.#shelf, documents, options, { signal, onprogress });
    const answer = await this.#call({ kind: "summarize", documents, options: detached(options) }, signal, onprogress);
    return expect(answer, "summary").summary;
  }

  /** Ends the worker. Calls in progress, and all later ones, reject with an AbortError. */
  destroy(): void {
    this.#calls.destroy();
  }

  async #call(call: Call, signal: AbortSignal | undefined, onprogress?: (progress: Progress) => void): Promise<Answer> {
    const own = copy(call);
    return this.#calls.run((connection) => connection.call(own, onprogress), signal);
  }

  async #open(opened: (connection: Connection) => void): Promise<Connection> {
    const { worker, workerURL, wasmURL } = this.#options;
    const connection = await Connection.open(
      worker ? worker() : this.#platform.startWorker(workerURL ? this.#platform.resolve(workerURL) : undefined),
      this.#module ?? (wasmURL ? this.#platform.resolve(wasmURL) : this.#platform.wasmURL),
      opened,
    );
    this.#module = connection.module;
    this.#version = connection.version;
    return connection;
  }
}

/**
 * With embeddings and weights in buffers of their own: of a part the whole
 * buffer would be cloned, and of a shared one nothing.
 */
function detached(options: SummarizeOptions): SummarizeOptions {
  const own = { ...options };
  const { embeddings, queryEmbedding, weights } = options;
  if (embeddings !== undefined) own.embeddings = ownBuffer(embeddings, "options.embeddings");
  if (queryEmbedding !== undefined) own.queryEmbedding = ownBuffer(queryEmbedding, "options.queryEmbedding");
  if (typeof weights === "object" && weights !== null) {
    // What loadWeights tells of them besides is not for the core.
    const { name, encoder: _encoder, licence: _licence, free, ...numbers } = weights as LoadedWeights;
    if (options.licence === "free" && free === false) {
      throw new OptionError(`options.weights: ${name} do not say that they learned from free corpora alone, as options.licence wants`, "options.weights");
    }
    own.weights = { ...numbers, data: ownBuffer(numbers.data, "options.weights.data") };
  }
  return own;
}

/** What is no array of numbers is left for the core to refuse. */
function ownBuffer(numbers: Float32Array, field: string): Float32Array {
  if (numbers instanceof Float32Array) return numbers.slice();
  if (ArrayBuffer.isView(numbers)) throw new OptionError(`${field}: want a Float32Array, not a ${(numbers as Uint8Array).constructor.name}`, field);
  return numbers;
}

/** The call as it is now, whatever becomes of the caller's objects. */
function copy(call: Call): Call {
  try {
    return structuredClone(call);
  } catch (error) {
    throw new TypeError(`documents and options must be plain data: ${(error as Error).message}`, { cause: error });
  }
}

function expect<K extends Answer["kind"]>(answer: Answer, kind: K): Answer & { kind: K } {
  if (answer.kind !== kind) throw new DOMException(`the core answered ${answer.kind} to a call for ${kind}`, "OperationError");
  return answer as Answer & { kind: K };
}
