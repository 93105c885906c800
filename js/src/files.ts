// The files of weights: from an address or in memory.

import { describe, type Fetch, LoadError } from "./load.js";

/** The folder's address, or each file by its name. */
export type Source =
  | { kind: "folder"; url: string }
  | { kind: "files"; files: Record<string, Blob | string> };

/** An invalid file. The message begins with its name. */
export class FileError extends Error {
  constructor(file: string, message: string, options?: ErrorOptions) {
    super(`${file}: ${message}`, options);
  }
}

export class Files {
  readonly #source: Source;
  readonly #fetch: Fetch;
  readonly #onprogress: (loaded: number, total: number) => void;
  readonly #settings = new Map<string, Promise<unknown>>();
  /** Bytes loaded of each file. */
  readonly #loading = new Map<string, { loaded: number; total: number }>();

  constructor(source: Source, fetch: Fetch, onprogress: (loaded: number, total: number) => void) {
    this.#source = source;
    this.#fetch = fetch;
    this.#onprogress = onprogress;
  }

  /** The bytes of a file; undefined if the folder has no such file. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const file = this.#source.kind === "folder" ? new URL(name, this.#source.url).href
      : Object.hasOwn(this.#source.files, name) ? this.#source.files[name] : undefined;
    if (file === undefined) return undefined;
    if (typeof file === "string") return this.#fetch(file, (loaded, total) => this.#progress(name, loaded, total));
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      throw new LoadError(name, error);
    }
  }

  /** A JSON file, read once; undefined if there is none. */
  settings(name: string): Promise<unknown> {
    let settings = this.#settings.get(name);
    if (!settings) this.#settings.set(name, settings = this.read(name).then((bytes) => bytes && parse(name, bytes)));
    return settings;
  }

  #progress(name: string, loaded: number, total: number): void {
    this.#loading.set(name, { loaded, total });
    const all = [...this.#loading.values()];
    const sum = (field: "loaded" | "total"): number => all.reduce((n, one) => n + one[field], 0);
    this.#onprogress(sum("loaded"), sum("total"));
  }
}

/** Reads JSON. Throws a FileError. */
export function parse(name: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FileError(name, describe(error), { cause: error });
  }
}
