import { CallQueue } from "./call-queue.js";
import type { CallOptions, EncodedSummary, OpenOptions, SummarizeCallOptions } from "./calls.js";
import { Connection, expect } from "./connection.js";
import type { Tokens } from "./encoder-messages.js";
import { destroyedError } from "./errors.js";
import type { CoreInfo, DocumentInput, SummarizeOptions } from "./protocol.js";
import { needsFiles } from "./needed-files.js";
import { Session, type SessionHost } from "./session.js";
import { ShippedWeights, type WeightsPlatform } from "./weights.js";
import type { WorkerLike } from "./worker-messages.js";

/** How long an aborted call may take to end before its worker is terminated. */
const ABORT_GRACE_MS = 200;

/** Where to load the core's two files. Default: from the library's folder. */
export interface CoreOptions {
  /** Address of cerasum.wasm, relative to the page (under Node, to the working directory). */
  wasmURL?: string | URL | undefined;
  /** The same file, already compiled: nothing is loaded. */
  wasmModule?: WebAssembly.Module | undefined;
  /** Address of worker.js. */
  workerURL?: string | URL | undefined;
  /** Creates the worker, for builds that need their own way. It must run worker.js. */
  worker?: (() => WorkerLike) | undefined;
  /** Address of the folder of shipped weights, which are loaded when a method requires them. */
  weightsURL?: string | URL | undefined;
}

/** What differs between a browser and Node. */
export interface Platform extends WeightsPlatform {
  /** Without an address, starts the library's own worker. */
  startWorker(url: string | undefined): WorkerLike;
  /** Absolute. */
  readonly wasmURL: string;
}

/**
 * The core in its own worker. The first call starts the worker; if that
 * fails, the next call tries again. Calls are answered one after another.
 * Documents are copied when a call is made.
 *
 * Every call can reject with
 * - the signal's reason, if it is aborted (if the call does not end within
 *   200 ms, the worker is replaced; sessions reopen automatically);
 * - {@link OptionError}, a TypeError, for an invalid option or document;
 * - {@link EmptyInputError} if there is no text to summarize;
 * - a DOMException: NetworkError if a file of the core cannot be loaded,
 *   OperationError if the core cannot start or stops, for example out of memory
 *   (but see summarize; the next call gets a new worker), AbortError after
 *   destroy();
 * - with an encoder, what the encoder rejects with; for shipped weights,
 *   NotFoundError if there are none, and NetworkError or OperationError for
 *   their files.
 */
export class Core {
  readonly #platform: Platform;
  readonly #options: CoreOptions;
  readonly #calls: CallQueue<Connection>;
  readonly #host: SessionHost;
  #module: WebAssembly.Module | undefined;
  #version: string | undefined;
  /** The vocabulary that each worker has. */
  readonly #vocabularies = new WeakMap<Connection, Uint8Array>();

  /** Use createCore. Throws a TypeError for an unknown option. */
  constructor(platform: Platform, options: CoreOptions) {
    const known = ["wasmURL", "wasmModule", "workerURL", "worker", "weightsURL"];
    for (const name in options) {
      if (!known.includes(name)) throw new TypeError(`unknown option ${name}: want ${known.join(", ")}`);
    }
    this.#platform = platform;
    this.#options = { ...options };
    this.#module = options.wasmModule;
    needsFiles(this, () => (this.#module ? [] : [this.#wasm]));
    this.#calls = new CallQueue({
      open: (opened) => this.#open(opened),
      // The Go program cannot be interrupted, but most calls are short.
      abort: (connection, reason, ended) => {
        const timer = setTimeout(() => connection.close(reason), ABORT_GRACE_MS);
        void ended.then(() => clearTimeout(timer));
      },
      destroyed: destroyedError,
    });
    let info: CoreInfo | undefined;
    this.#host = {
      calls: this.#calls,
      shipped: new ShippedWeights(platform, options.weightsURL),
      info: async (call) => (info ??= await this.info(call)),
    };
  }

  /** The core's version; undefined before the first start. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Starts the core now, if it is not running. */
  async ready(): Promise<void> {
    await this.#calls.connect();
  }

  /** The methods of summarize, and the languages that the core detects. */
  async info({ signal }: CallOptions = {}): Promise<CoreInfo> {
    return this.#calls.run(async (connection) => {
      const { methods, languages } = expect(await connection.call({ kind: "info" }), "info");
      return { methods, languages };
    }, signal);
  }

  /** Splits and analyses documents, to be summarized any number of times. */
  async open(documents: readonly DocumentInput[], options: OpenOptions = {}): Promise<Session> {
    return Session.open(this.#host, documents, options);
  }

  /** Opens a session, summarizes the documents once, and closes it. See Session.summarize. */
  async summarize(documents: readonly DocumentInput[], options: SummarizeOptions = {}, call: SummarizeCallOptions = {}): Promise<EncodedSummary> {
    const session = new Session(this.#host, documents);
    try {
      return await session.summarize(options, call);
    } finally {
      session.close();
    }
  }

  /** What an encoder's network reads of texts. `vocabulary` is the encoder's file, `asks` says that the texts are questions. */
  async tokenize(vocabulary: Uint8Array, texts: readonly string[], { asks = false, signal }: CallOptions & { asks?: boolean | undefined } = {}): Promise<Tokens> {
    return this.#calls.run(async (connection) => {
      const given = this.#vocabularies.get(connection) === vocabulary ? {} : { vocabulary };
      const { ids, lengths, before } = expect(await connection.call({ kind: "tokenize", texts, ...(asks && { asks }), ...given }), "tokenized");
      this.#vocabularies.set(connection, vocabulary);
      return { ids, lengths, before };
    }, signal);
  }

  /** Ends the worker. Calls in progress, and all later ones, reject with an AbortError. */
  destroy(): void {
    this.#calls.destroy();
  }

  get #wasm(): string {
    const { wasmURL } = this.#options;
    return wasmURL ? this.#platform.resolve(wasmURL) : this.#platform.wasmURL;
  }

  async #open(opened: (connection: Connection) => void): Promise<Connection> {
    const { worker, workerURL } = this.#options;
    const connection = await Connection.open(
      worker ? worker() : this.#platform.startWorker(workerURL ? this.#platform.resolve(workerURL) : undefined),
      this.#module ?? this.#wasm,
      opened,
    );
    this.#module = connection.module;
    this.#version = connection.version;
    return connection;
  }
}
