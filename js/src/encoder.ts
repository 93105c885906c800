import { CallQueue } from "./call-queue.js";
import type { Embeddings, EncoderCallOptions } from "./calls.js";
import { tell } from "./channel.js";
import type { Core } from "./core.js";
import { EncoderConnection } from "./encoder-connection.js";
import type { EncoderFile, EncoderProgress } from "./encoder-messages.js";
import { encoderDestroyedError } from "./errors.js";
import { needsFiles } from "./needed-files.js";
import { encoderFiles, encoderName } from "./shipped.js";
import type { WorkerLike } from "./worker-messages.js";

/** Where to load the encoder's parts. Default: from the library's folder. */
export interface EncoderOptions {
  /** Makes the token ids of texts. */
  core: Core;
  /** Address of the folder with encoder.onnx and vocabulary.bin. */
  modelURL?: string | URL | undefined;
  /** Address of a folder with the files of onnxruntime-web: its own dist, or js/dist/ort. */
  ortURL?: string | URL | undefined;
  /** Address of encoder-worker.js. */
  workerURL?: string | URL | undefined;
  /** Creates the worker, for builds that need their own way. It must run encoder-worker.js. */
  worker?: (() => WorkerLike) | undefined;
  /** Most threads to run on, in a cross-origin isolated page; elsewhere there is one. Default: the number of processors, at most 4. */
  threads?: number | undefined;
  /** About how many tokens to read of one session: of more text, the core chooses the sentences to read. Default 24,000. */
  budget?: number | undefined;
}

/** What differs between a browser and Node. */
export interface EncoderPlatform {
  /** Without an address, starts the library's own worker. */
  startEncoderWorker(url: string | undefined): WorkerLike;
  /** Makes an address absolute. */
  resolve(url: string | URL): string;
  /** Absolute, with a slash at the end. */
  readonly modelURL: string;
  readonly ortURL: string;
}

const OPTIONS = ["core", "modelURL", "ortURL", "workerURL", "worker", "threads", "budget"];
const MODEL = "encoder.onnx", VOCABULARY = "vocabulary.bin";
const MOST_THREADS = 4, BUDGET = 24_000;

/**
 * The encoder, which turns texts into embeddings, in its own worker. The first
 * call loads the worker, the model and onnxruntime; if that fails, the next call
 * tries again. Calls are answered one after another.
 *
 * Every call can reject with
 * - the signal's reason, if it is aborted; a start stops too if no other call
 *   waits for it;
 * - a DOMException: NetworkError if a file cannot be loaded, OperationError if
 *   a file is invalid (the message names it) or the encoder stops, for example
 *   out of memory (the next call gets a new worker), AbortError after destroy();
 * - what a call of its core rejects with.
 */
export class Encoder {
  /** Its name in weights that were trained on its embeddings. */
  readonly model = encoderName;
  /** See EncoderOptions. */
  readonly budget: number;
  readonly #core: Core;
  readonly #platform: EncoderPlatform;
  readonly #options: EncoderOptions;
  readonly #calls: CallQueue<EncoderConnection>;
  /** Listeners of the calls that have not ended: a start serves all of them. */
  readonly #listeners = new Set<(progress: EncoderProgress) => void>();
  /** Aborts the start in progress. */
  #starting = new AbortController();
  #info: { dimensions: number; threads: number } | undefined;

  /** Use createEncoder. Throws a TypeError for an unknown option or value. */
  constructor(platform: EncoderPlatform, options: EncoderOptions) {
    for (const name in options) {
      if (!OPTIONS.includes(name)) throw new TypeError(`unknown option ${name}: want ${OPTIONS.join(", ")}`);
    }
    const { core, threads = 1, budget = BUDGET } = options;
    if (typeof (core as Partial<Core> | undefined)?.tokenize !== "function") throw new TypeError("core: want a core from createCore");
    if (!Number.isInteger(threads) || threads < 1) throw new TypeError(`threads is ${threads}: want a whole number of at least 1`);
    if (!Number.isInteger(budget) || budget < 1) throw new TypeError(`budget is ${budget}: want a whole number of at least 1`);
    this.budget = budget;
    this.#core = core;
    this.#platform = platform;
    this.#options = { ...options };
    needsFiles(this, () => [...[MODEL, VOCABULARY].map((name) => this.#file(name).url), new URL("ort-wasm-simd-threaded.wasm", this.#ort).href]);
    this.#calls = new CallQueue({
      open: (opened) => this.#open(opened),
      abort: (connection) => connection.cancel(),
      abandon: (reason) => this.#starting.abort(reason),
      destroyed: encoderDestroyedError,
    });
  }

  /** Length of an embedding; undefined before the first start. */
  get dimensions(): number | undefined {
    return this.#info?.dimensions;
  }

  /** The number of threads that it runs on; undefined before the first start. */
  get threads(): number | undefined {
    return this.#info?.threads;
  }

  /** Starts the encoder now, if it is not running. */
  ready(options: EncoderCallOptions = {}): Promise<void> {
    return this.#run(async () => {}, options);
  }

  /** Turns texts into embeddings of unit length. Texts without a token get zeros. */
  async embed(texts: readonly string[], { asks, ...call }: EncoderCallOptions = {}): Promise<Embeddings> {
    if (!Array.isArray(texts)) throw new TypeError("texts: want an array of strings");
    const own = texts.map((text: unknown, i) => {
      if (typeof text !== "string") throw new TypeError(`texts[${i}]: want a string`);
      return text;
    });
    return this.#run(async (connection) => {
      const { vocabulary, dimensions } = connection.info;
      const tokens = await this.#core.tokenize(vocabulary, own, { asks, signal: call.signal });
      const embeddings = await connection.embed(tokens, (progress) => tell(call.onprogress, progress));
      return { embeddings, dimensions };
    }, call);
  }

  /** Ends the worker. Calls in progress, and all later ones, reject with an AbortError. */
  destroy(): void {
    this.#calls.destroy();
  }

  async #run<T>(work: (connection: EncoderConnection) => Promise<T>, { signal, onprogress }: EncoderCallOptions): Promise<T> {
    const listener = (progress: EncoderProgress): void => tell(onprogress, progress);
    this.#listeners.add(listener);
    try {
      return await this.#calls.run(work, signal);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  async #open(opened: (connection: EncoderConnection) => void): Promise<EncoderConnection> {
    const { worker, workerURL, threads } = this.#options;
    const { signal } = (this.#starting = new AbortController());
    const connection = await EncoderConnection.open(
      worker ? worker() : this.#platform.startEncoderWorker(workerURL ? this.#platform.resolve(workerURL) : undefined),
      {
        model: this.#file(MODEL), vocabulary: this.#file(VOCABULARY), ortURL: this.#ort,
        threads: threads ?? Math.min(MOST_THREADS, globalThis.navigator?.hardwareConcurrency ?? 1),
      },
      (connection) => {
        signal.addEventListener("abort", () => connection.close(signal.reason));
        opened(connection);
      },
      (progress) => this.#listeners.forEach((listener) => listener(progress)),
    );
    const { dimensions } = connection.info;
    this.#info = { dimensions, threads: connection.info.threads };
    return connection;
  }

  #file(name: string): EncoderFile {
    return { url: new URL(name, this.#folder(this.#options.modelURL ?? this.#platform.modelURL)).href, sha256: encoderFiles[name]?.sha256 ?? "" };
  }

  get #ort(): string {
    return this.#folder(this.#options.ortURL ?? this.#platform.ortURL);
  }

  #folder(url: string | URL): string {
    const absolute = new URL(this.#platform.resolve(url));
    if (!absolute.pathname.endsWith("/")) absolute.pathname += "/";
    return absolute.href;
  }
}
