import { CallQueue } from "./call-queue.js";
import type { Embeddings, EncoderCallOptions } from "./calls.js";
import { tell } from "./channel.js";
import { EncoderConnection } from "./encoder-connection.js";
import type { Device, EncoderInfo, EncoderProgress, EncoderSource } from "./encoder-messages.js";
import { encoderDestroyedError } from "./errors.js";
import type { FileProgress, Hub } from "./hub.js";
import { shippedFiles } from "./shipped.js";
import type { WorkerLike } from "./worker-messages.js";

/** The files of an export folder by their paths in it ("1_Pooling/config.json"): contents, or addresses. */
export type EncoderFiles = Record<string, ArrayBuffer | Uint8Array<ArrayBuffer> | Blob | URL>;

/** Which encoder, and where its parts come from. By default all of them lie beside the library. */
export interface EncoderOptions {
  /**
   * "default" is the one that ships with cerasum. A URL, or a string that is
   * one or begins with "." or "/", is the address of an export folder of
   * sentence-transformers with an ONNX model. Any other string is a model of
   * the hub, fetched once and kept (see fetchModel): a known name, or
   * owner/name, perhaps with @revision.
   */
  model?: string | URL | EncoderFiles | undefined;
  /** For messages and reports; by default what `model` names. */
  name?: string | undefined;
  /** Put before every text, as some models want it ("query: "); by default what the export says. */
  prefix?: string | undefined;
  /** Default "wasm". "webgpu" wants the files of onnxruntime-web/webgpu below ortURL, and falls back. */
  device?: Device | undefined;
  /** Address of the hub; default "https://huggingface.co". */
  baseURL?: string | undefined;
  /** Address of the shipped encoder's folder. */
  modelURL?: string | URL | undefined;
  /** Address of a folder with the files of onnxruntime-web: its own dist, or js/dist/ort. */
  ortURL?: string | URL | undefined;
  /** Address of encoder-worker.js. */
  workerURL?: string | URL | undefined;
  /** Makes the worker, for hosts that have their own way. It must run encoder-worker.js. */
  worker?: (() => WorkerLike) | undefined;
}

/** What differs between a browser and Node. */
export interface EncoderPlatform {
  /** Without an address, the library's own worker. */
  startEncoderWorker(url: string | undefined): WorkerLike;
  /** Makes an address absolute. */
  resolve(url: string | URL): string;
  /** Absolute, with a slash at the end. */
  readonly modelURL: string;
  readonly ortURL: string;
  readonly fetchModel: Hub["fetchModel"];
}

/** A model of the hub, which is fetched when the encoder starts. */
interface HubSource { kind: "hub"; id: string }

const OPTIONS = ["model", "name", "prefix", "device", "baseURL", "modelURL", "ortURL", "workerURL", "worker"];

/**
 * An encoder in a worker of its own, which turns texts into embeddings. The
 * worker, the runtime and the model are loaded with the first call; a start
 * that failed is tried again with the next. Calls are answered one after
 * another.
 *
 * Every call can reject with
 * - the signal's reason, where it was aborted; a start that nobody else waits
 *   for stops too;
 * - a DOMException: NetworkError where a file cannot be loaded, OperationError
 *   where a file is not what it must be, which the message names, or where the
 *   encoder stops (out of memory, say; the next call gets a new worker),
 *   AbortError after destroy().
 */
export class Encoder {
  readonly name: string;
  readonly #platform: EncoderPlatform;
  readonly #options: EncoderOptions;
  readonly #source: EncoderSource | HubSource;
  readonly #named: string | undefined;
  readonly #calls: CallQueue<EncoderConnection>;
  /** Listeners of the calls that have not ended: a start serves all of them. */
  readonly #listeners = new Set<(progress: EncoderProgress) => void>();
  /** Aborts the start in progress. */
  #starting = new AbortController();
  #info: EncoderInfo | undefined;

  /** Use createEncoder. Throws a TypeError for an unknown option or value. */
  constructor(platform: EncoderPlatform, options: EncoderOptions) {
    for (const name in options) {
      if (!OPTIONS.includes(name)) throw new TypeError(`unknown option ${name}: want ${OPTIONS.join(", ")}`);
    }
    const { device = "wasm", prefix } = options;
    if (device !== "wasm" && device !== "webgpu") throw new TypeError(`device is ${JSON.stringify(device)}: want "wasm" or "webgpu"`);
    if (prefix !== undefined && typeof prefix !== "string") throw new TypeError("prefix: want a string");
    this.#platform = platform;
    this.#options = { ...options, device };
    const { source, name } = this.#locate(options.model ?? "default");
    this.#source = source;
    this.name = options.name ?? name;
    const shipped = (options.model ?? "default") === "default";
    this.#named = shipped ? undefined : options.name ?? (name === "files" ? undefined : name);
    this.#calls = new CallQueue({
      open: (opened) => this.#open(opened),
      abort: (connection) => connection.cancel(),
      abandon: (reason) => this.#starting.abort(reason),
      destroyed: encoderDestroyedError,
    });
  }

  /** D, the length of an embedding; undefined before the first start. */
  get dimensions(): number | undefined {
    return this.#info?.dimensions;
  }

  /** What its model card says; undefined before the first start. */
  get languages(): readonly string[] | undefined {
    return this.#info?.languages;
  }

  /**
   * What weights that learned of its embeddings call it: `name`, but what its
   * config.json says for the shipped one, and for files without a name.
   * Undefined before the first start where it is that, or is not known.
   */
  get model(): string | undefined {
    return this.#named ?? (this.#info?.model || undefined);
  }

  /** What it runs on; undefined before the first start. */
  get device(): Device | undefined {
    return this.#info?.device;
  }

  /** Starts the encoder now, where it has not been started. */
  ready(options: EncoderCallOptions = {}): Promise<void> {
    return this.#run(async () => {}, options);
  }

  /** Turns texts into embeddings. Those without a token get zeros. */
  async embed(texts: readonly string[], options: EncoderCallOptions = {}): Promise<Embeddings> {
    if (!Array.isArray(texts)) throw new TypeError("texts: want an array of strings");
    const own = texts.map((text: unknown, i) => {
      if (typeof text !== "string") throw new TypeError(`texts[${i}]: want a string`);
      return text;
    });
    return this.#run(async (connection) => {
      const embeddings = await connection.embed(own, (progress) => tell(options.onprogress, progress));
      return { embeddings, dimensions: connection.info.dimensions };
    }, options);
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
    const { worker, workerURL, ortURL, device } = this.#options;
    const { signal } = (this.#starting = new AbortController());
    const { source, prefix } = await this.#fetch(signal);
    signal.throwIfAborted();
    const connection = await EncoderConnection.open(
      worker ? worker() : this.#platform.startEncoderWorker(workerURL ? this.#platform.resolve(workerURL) : undefined),
      { source, prefix, ortURL: this.#folder(ortURL ?? this.#platform.ortURL), device: device! },
      (connection) => {
        signal.addEventListener("abort", () => connection.close(signal.reason));
        opened(connection);
      },
      (progress) => this.#tell(progress),
    );
    this.#info = connection.info;
    return connection;
  }

  /** What the worker gets: a model of the hub is fetched here, where it can be kept. */
  async #fetch(signal: AbortSignal): Promise<{ source: EncoderSource; prefix: string | undefined }> {
    const { baseURL, prefix } = this.#options;
    if (this.#source.kind !== "hub") return { source: this.#source, prefix };
    const files = new Map<string, FileProgress>();
    const choice = await this.#platform.fetchModel(this.#source.id, {
      ...(baseURL !== undefined && { baseURL }),
      signal,
      onprogress: (progress) => {
        files.set(progress.file, progress);
        const all = [...files.values()];
        this.#tell({
          stage: "load",
          done: all.reduce((n, { loaded }) => n + loaded, 0),
          total: all.reduce((n, { loaded, total = 0 }) => n + Math.max(loaded, total), 0),
        });
      },
    });
    return { source: { kind: "files", files: blobs(choice.model) }, prefix: prefix ?? choice.prefix };
  }

  #tell(progress: EncoderProgress): void {
    this.#listeners.forEach((listener) => listener(progress));
  }

  #locate(model: string | URL | EncoderFiles): { source: EncoderSource | HubSource; name: string } {
    if (model === "default") {
      const folder = this.#folder(this.#options.modelURL ?? this.#platform.modelURL);
      return { source: { kind: "files", files: Object.fromEntries(shippedFiles.map((name) => [name, new URL(name, folder).href])) }, name: model };
    }
    if (model instanceof URL || (typeof model === "string" && /^([a-z][a-z0-9+.-]*:|[./])/i.test(model))) {
      const url = this.#folder(model);
      return { source: { kind: "folder", url }, name: decodeURIComponent(new URL(url).pathname.split("/").at(-2)!) };
    }
    if (typeof model === "string") return { source: { kind: "hub", id: model }, name: model };
    if (typeof model !== "object" || model === null) {
      throw new TypeError(`model is ${JSON.stringify(model)}: want "default", a model of the hub, the address of a folder, or its files`);
    }
    return { source: { kind: "files", files: blobs(model) }, name: "files" };
  }

  #folder(url: string | URL): string {
    const absolute = new URL(this.#platform.resolve(url));
    if (!absolute.pathname.endsWith("/")) absolute.pathname += "/";
    return absolute.href;
  }
}

/** Copies that a second worker can have as well, whatever becomes of the caller's. */
function blobs(files: EncoderFiles): Record<string, Blob | string> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) =>
    [path, file instanceof URL ? file.href : file instanceof Blob ? file : new Blob([file])]));
}
