import { CallQueue } from "./call-queue.js";
import type { Embeddings, EncoderCallOptions } from "./calls.js";
import { tell } from "./channel.js";
import { EncoderConnection } from "./encoder-connection.js";
import type { Device, EncoderInfo, EncoderProgress, EncoderSource } from "./encoder-messages.js";
import { encoderDestroyedError } from "./errors.js";
import type { FileProgress, Hub } from "./hub.js";
import { needsFiles } from "./needed-files.js";
import { shippedFiles, shippedStatic } from "./shipped.js";
import type { WorkerLike } from "./worker-messages.js";

/** The files of an export folder by their paths in it ("1_Pooling/config.json"): contents, or addresses. */
export type EncoderFiles = Record<string, ArrayBuffer | Uint8Array<ArrayBuffer> | Blob | URL>;

/** Which encoder, and where to load its parts. Default: from the library's folder. */
export interface EncoderOptions {
  /**
   * "default" is the encoder that ships with cerasum. A URL, or a string that
   * is one or begins with "." or "/", is the address of an export folder of
   * sentence-transformers with an ONNX model. Any other string is a model of
   * the hub, downloaded once and stored (see fetchModel): a known name, or
   * owner/name, optionally with @revision.
   */
  model?: string | URL | EncoderFiles | undefined;
  /** For messages and reports. Default: from `model`. */
  name?: string | undefined;
  /** Put before every text, as some models require ("query: "). Default: as the export says. */
  prefix?: string | undefined;
  /** Default "wasm". "webgpu" requires the files of onnxruntime-web/webgpu in ortURL, and falls back to "wasm". Static encoders, such as the shipped one, use neither. */
  device?: Device | undefined;
  /** Address of the hub; default "https://huggingface.co". */
  baseURL?: string | undefined;
  /** Address of the shipped encoder's folder. */
  modelURL?: string | URL | undefined;
  /** Address of a folder with the files of onnxruntime-web: its own dist, or js/dist/ort. Static encoders, such as the shipped one, do not need them. */
  ortURL?: string | URL | undefined;
  /** Address of encoder-worker.js. */
  workerURL?: string | URL | undefined;
  /** Creates the worker, for builds that need their own way. It must run encoder-worker.js. */
  worker?: (() => WorkerLike) | undefined;
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
  readonly fetchModel: Hub["fetchModel"];
}

/** A model of the hub, downloaded when the encoder starts. */
interface HubSource { kind: "hub"; id: string }

const OPTIONS = ["model", "name", "prefix", "device", "baseURL", "modelURL", "ortURL", "workerURL", "worker"];

/**
 * An encoder, which turns texts into embeddings, in its own worker. The
 * first call loads the worker, the model and, unless the encoder is static,
 * onnxruntime; if that fails, the next call tries again. Calls are answered one
 * after another.
 *
 * Every call can reject with
 * - the signal's reason, if it is aborted; a start stops too if no other call
 *   waits for it;
 * - a DOMException: NetworkError if a file cannot be loaded, OperationError if
 *   a file is invalid (the message names it) or the encoder stops, for example
 *   out of memory (the next call gets a new worker), AbortError after destroy().
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
    needsFiles(this, () => this.#files);
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

  /** As in its model card; undefined before the first start. */
  get languages(): readonly string[] | undefined {
    return this.#info?.languages;
  }

  /**
   * Its name in weights that were trained on its embeddings: `name`, or for the
   * shipped encoder and for files without a name, the name in config.json,
   * which is undefined before the first start.
   */
  get model(): string | undefined {
    return this.#named ?? (this.#info?.model || undefined);
  }

  /** The backend it runs on, "wasm" for static encoders; undefined before the first start. */
  get device(): Device | undefined {
    return this.#info?.device;
  }

  /** Starts the encoder now, if it is not running. */
  ready(options: EncoderCallOptions = {}): Promise<void> {
    return this.#run(async () => {}, options);
  }

  /** Turns texts into embeddings. Texts without a token get zeros. */
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

  /** Returns the source for the worker. Models of the hub are downloaded here, where they can be stored. */
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
      // Where none is shipped, modelURL may be the address of one.
      if (shippedFiles.length === 0) return { source: { kind: "folder", url: folder }, name: model };
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

  /** What it loads; of a folder, which cannot be listed, a file that each has. */
  get #files(): readonly string[] | undefined {
    const source = this.#source;
    if (source.kind === "hub") return undefined;
    const model = source.kind === "folder" ? [new URL("tokenizer.json", source.url).href] : Object.values(source.files).filter((file) => typeof file === "string");
    if (shippedStatic && (this.#options.model ?? "default") === "default") return model;
    const folder = this.#folder(this.#options.ortURL ?? this.#platform.ortURL);
    return [...model, new URL("ort-wasm-simd-threaded.wasm", folder).href];
  }

  #folder(url: string | URL): string {
    const absolute = new URL(this.#platform.resolve(url));
    if (!absolute.pathname.endsWith("/")) absolute.pathname += "/";
    return absolute.href;
  }
}

/** Copies the files, so that a later worker can be started with them even if the caller changes the originals. */
function blobs(files: EncoderFiles): Record<string, Blob | string> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) =>
    [path, file instanceof URL ? file.href : file instanceof Blob ? file : new Blob([file])]));
}
