// The weights of CeRA and CeRAI: folders of config.json and model.safetensors.
// Same as the command line program's internal/weights.

import { abortable } from "./abort.js";
import { FileError, Files } from "./files.js";
import { describe, type Fetch, LoadError } from "./load.js";
import type { CentroidWeights } from "./protocol.js";
import { parseSafetensors } from "./safetensors.js";

/** Weights for the option `weights` of summarize. */
export interface LoadedWeights extends CentroidWeights {
  /** For messages and reports. */
  name: string;
  /** The encoder they were trained for; empty if not stated. */
  encoder: string;
  /** Empty if not stated. */
  licence: string;
  /** Whether config.json states that they were trained only on freely licensed corpora. */
  free: boolean;
}

/** "config.json" and "model.safetensors": contents, or addresses. */
export type WeightsFiles = Record<string, ArrayBuffer | Uint8Array<ArrayBuffer> | Blob | URL>;

export interface LoadWeightsOptions {
  /** For messages and reports. Default: from `source`. */
  name?: string | undefined;
  /** Address of the folder of shipped weights. */
  weightsURL?: string | URL | undefined;
  signal?: AbortSignal | undefined;
}

export type LoadWeights = (source: string | URL | WeightsFiles, options?: LoadWeightsOptions) => Promise<LoadedWeights>;

/** Shipped weights as models/manifest.json lists them. */
interface Shipped {
  name: string;
  method: string;
  free: boolean;
}

/** What differs between a browser and Node. */
export interface WeightsPlatform {
  readBytes: Fetch;
  /** Makes an address absolute. */
  resolve(url: string | URL): string;
  /** The folder of shipped weights; absolute, with a slash at the end. */
  readonly weightsURL: string;
}

export function createLoadWeights(platform: WeightsPlatform): LoadWeights {
  return async (source, options = {}) => {
    for (const name in options) {
      if (!["name", "weightsURL", "signal"].includes(name)) throw new TypeError(`unknown option ${name}: want name, weightsURL or signal`);
    }
    const { weightsURL = platform.weightsURL, signal } = options;
    if (typeof source === "string" && !/^([a-z][a-z0-9+.-]*:|[./])/i.test(source)) {
      const found = await new ShippedWeights(platform, weightsURL).named(source, signal);
      return options.name === undefined ? found : { ...found, name: options.name };
    }
    if (typeof source === "string" || source instanceof URL) {
      const url = folder(platform, source);
      const name = options.name ?? decodeURIComponent(new URL(url).pathname.split("/").at(-2)!);
      return abortable(read(name, new Files({ kind: "folder", url }, fetching(platform, signal), () => undefined)), signal);
    }
    if (typeof source !== "object" || source === null) {
      throw new TypeError(`source is ${JSON.stringify(source)}: want the name of shipped weights, the address of a folder, or its files`);
    }
    const files = Object.fromEntries(Object.entries(source).map(([path, file]) =>
      [path, file instanceof URL ? file.href : file instanceof Blob ? file : new Blob([file])]));
    return abortable(read(options.name ?? "files", new Files({ kind: "files", files }, fetching(platform, signal), () => undefined)), signal);
  };
}

/** The weights in the package cerasum-encoder: a folder for each, and manifest.json, which lists them. Loaded on demand, and cached. */
export class ShippedWeights {
  readonly #platform: WeightsPlatform;
  readonly #url: string;
  #list: Promise<Shipped[]> | undefined;
  readonly #loaded = new Map<string, Promise<LoadedWeights>>();

  constructor(platform: WeightsPlatform, url: string | URL = platform.weightsURL) {
    this.#platform = platform;
    this.#url = folder(platform, url);
  }

  /** The first weights for a method that were trained only on freely licensed corpora; with the licence "any", the first of all. */
  async suited(method: string, licence: string | undefined, signal?: AbortSignal): Promise<LoadedWeights> {
    const list = await this.#listed(signal);
    const mine = list.filter((one) => one.method === method);
    const found = mine.find(({ free }) => free || licence === "any");
    if (!found) {
      const of = mine.length > 0 ? " trained on freely licensed corpora only" : "";
      throw new DOMException(`this build of cerasum has no weights for method ${method}${of}`, "NotFoundError");
    }
    return this.#load(found.name, signal);
  }

  async named(name: string, signal?: AbortSignal): Promise<LoadedWeights> {
    const list = await this.#listed(signal);
    if (!list.some((one) => one.name === name)) {
      const have = list.length > 0 ? `has ${list.map((one) => one.name).join(", ")}` : "has none";
      throw new DOMException(`no weights ${JSON.stringify(name)}: this build of cerasum ${have}`, "NotFoundError");
    }
    return this.#load(name, signal);
  }

  /** An aborted call does not stop the load, which the next caller shares. Failures are not cached. */
  #listed(signal: AbortSignal | undefined): Promise<Shipped[]> {
    this.#list ??= list(this.#url, this.#platform.readBytes)
      .catch((error: unknown) => {
        this.#list = undefined;
        throw error;
      });
    return abortable(this.#list, signal);
  }

  #load(name: string, signal: AbortSignal | undefined): Promise<LoadedWeights> {
    let loading = this.#loaded.get(name);
    if (!loading) {
      const url = `${this.#url}${encodeURIComponent(name)}/`;
      loading = read(name, new Files({ kind: "folder", url }, this.#platform.readBytes, () => undefined)).catch((error: unknown) => {
        this.#loaded.delete(name);
        throw error;
      });
      this.#loaded.set(name, loading);
    }
    return abortable(loading, signal);
  }
}

async function list(url: string, readBytes: Fetch): Promise<Shipped[]> {
  const name = "manifest.json";
  try {
    const files = new Files({ kind: "folder", url }, readBytes, () => undefined);
    const manifest = (await files.settings(name)) as { weights?: unknown } | null | undefined;
    if (manifest === undefined) throw new DOMException(`the shipped weights are in the package cerasum-encoder: ${url}${name} not found`, "NotFoundError");
    const all: unknown = manifest?.weights;
    if (!Array.isArray(all)) throw new FileError(name, "no list of weights");
    return all.map((one: Partial<Shipped> | null, i) => {
      if (typeof one?.name !== "string" || typeof one.method !== "string" || typeof one.free !== "boolean") {
        throw new FileError(name, `weights[${i}]: want name, method and free`);
      }
      return { name: one.name, method: one.method, free: one.free };
    });
  } catch (error) {
    throw failure("the shipped weights", error);
  }
}

/** Rejects with a DOMException that names the weights and the file at fault. */
async function read(name: string, files: Files): Promise<LoadedWeights> {
  try {
    const [config, bytes] = await Promise.all([files.settings("config.json"), files.read("model.safetensors")]);
    if (config === undefined) throw new FileError("config.json", "file not found");
    if (!bytes) throw new FileError("model.safetensors", "file not found");
    const { size, ...origin } = readConfig(config);
    return { name, ...origin, ...size, data: readTensors(size, bytes) };
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw failure(`weights ${name}`, error);
  }
}

const failure = (what: string, error: unknown): unknown =>
  error instanceof DOMException ? error
  : new DOMException(`${what}: ${describe(error)}`, error instanceof LoadError ? "NetworkError" : "OperationError");

type Size = Pick<CentroidWeights, "dimensions" | "positions" | "interpolation">;

function readConfig(config: unknown): Pick<LoadedWeights, "encoder" | "licence" | "free"> & { size: Size } {
  const fail = (message: string): never => {
    throw new FileError("config.json", message);
  };
  if (typeof config !== "object" || config === null || Array.isArray(config)) return fail("want an object");
  // Further fields, about the training, are ignored.
  const { dimensions, positions, interpolation, encoder, licence = "", free = false } = config as Record<string, unknown>;
  const integer = (field: string, v: unknown, most: number): number =>
    Number.isInteger(v) && (v as number) >= 1 && (v as number) <= most ? v as number : fail(`${field} is ${JSON.stringify(v)}: want a whole number from 1 to ${most}`);
  if (typeof interpolation !== "boolean") return fail(`interpolation is ${JSON.stringify(interpolation)}: want true or false`);
  if (typeof encoder !== "string") return fail(`encoder is ${JSON.stringify(encoder)}: want a string`);
  if (typeof licence !== "string") return fail(`licence is ${JSON.stringify(licence)}: want a string`);
  if (typeof free !== "boolean") return fail(`free is ${JSON.stringify(free)}: want true or false`);
  const size = { dimensions: integer("dimensions", dimensions, 1 << 14), positions: integer("positions", positions, 1 << 16), interpolation };
  return { size, encoder, licence, free };
}

/** Names and shapes of the tensors, in order. Same as centroid.Tensors of the core. */
function layout({ dimensions: d, positions, interpolation }: Size): [name: string, shape: number[]][] {
  return [
    ["input_norm.gain", [d]],
    ["input_norm.bias", [d]],
    ["position_embeddings", [positions + 1, d]],
    ["attention.hidden.weight", [d, 2 * d]],
    ["attention.hidden.bias", [d]],
    ["attention.output.weight", [1, d]],
    ["attention.output.bias", [1]],
    ["output_norm.gain", [d]],
    ["output_norm.bias", [d]],
    ["output.weight", [d, d]],
    ["output.bias", [d]],
    ...(interpolation ? [
      ["interpolation.hidden.weight", [d, 2 * d]],
      ["interpolation.hidden.bias", [d]],
      ["interpolation.output.weight", [d, d]],
      ["interpolation.output.bias", [d]],
    ] satisfies [string, number[]][] : []),
  ];
}

function readTensors(size: Size, bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const name = "model.safetensors";
  let tensors;
  try {
    tensors = parseSafetensors(bytes);
  } catch (error) {
    throw new FileError(name, describe(error), { cause: error });
  }
  const places = layout(size);
  const found = places.map(([tensor, want]) => {
    const got = tensors.get(tensor);
    if (!got) throw new FileError(name, `missing tensor ${JSON.stringify(tensor)}`);
    if (got.shape.join() !== want.join()) {
      throw new FileError(name, `tensor ${JSON.stringify(tensor)} has shape ${got.shape.join("×")}, but config.json says ${want.join("×")}`);
    }
    return got.data;
  });
  const more = [...tensors.keys()].find((tensor) => !places.some(([one]) => one === tensor));
  if (more !== undefined) {
    throw new FileError(name, `unexpected tensor ${JSON.stringify(more)} (interpolation is ${size.interpolation})`);
  }
  const data = new Float32Array(found.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of found) {
    data.set(part, at);
    at += part.length;
  }
  return data;
}

const fetching = ({ readBytes }: WeightsPlatform, signal: AbortSignal | undefined): Fetch =>
  (url, progress) => readBytes(url, progress, signal);

function folder(platform: WeightsPlatform, url: string | URL): string {
  const absolute = new URL(platform.resolve(url));
  if (!absolute.pathname.endsWith("/")) absolute.pathname += "/";
  return absolute.href;
}
