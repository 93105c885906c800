import { CallQueue } from "./call-queue.js";
import type { CallOptions, EncodedSummary, OpenOptions, SummarizeCallOptions } from "./calls.js";
import { Connection, expect } from "./connection.js";
import { destroyedError } from "./errors.js";
import type { CoreInfo, DocumentInput, SummarizeOptions } from "./protocol.js";
import { Session, type SessionHost } from "./session.js";
import { ShippedWeights, type WeightsPlatform } from "./weights.js";
import type { WorkerLike } from "./worker-messages.js";

/** How long an aborted call may take to end before its worker is terminated. */
const ABORT_GRACE_MS = 200;

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
 * - the signal's reason, where it was aborted (a call that runs on for 200 ms
 *   after its abort loses its worker; sessions reopen by themselves);
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
  readonly #host: SessionHost;
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
    this.#calls = new CallQueue({
      open: (opened) => this.#open(opened),
      // Go's program cannot be interrupted, but most calls are short.
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

  /** Starts the core now, where it has not been started. */
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

  /** One summary of the documents: opens a session, and closes it. See Session.summarize. */
  async summarize(documents: readonly DocumentInput[], options: SummarizeOptions = {}, call: SummarizeCallOptions = {}): Promise<EncodedSummary> {
    const session = new Session(this.#host, documents);
    try {
      return await session.summarize(options, call);
    } finally {
      session.close();
    }
  }

  /** Ends the worker. Calls in progress, and all later ones, reject with an AbortError. */
  destroy(): void {
    this.#calls.destroy();
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
