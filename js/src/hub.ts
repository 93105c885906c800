// Encoders from a model hub: any sentence-transformers export with a
// tokenizer.json and an ONNX file, downloaded once and cached. Same as the
// command line program's hub, except that downloads do not resume in a later
// run.

import { fetchFile, type Fetched, GoneError, tuning as usualTuning, type Tuning } from "./hub-fetch.js";
import { inside, layout, missing, variantPath } from "./hub-layout.js";
import { knownModels } from "./known-models.js";
import { describe } from "./load.js";

const DEFAULT_HUB = "https://huggingface.co";

/** Download progress of a file, in bytes. */
export interface FileProgress {
  file: string;
  loaded: number;
  /** undefined if the server does not report it. */
  total: number | undefined;
}

export interface FetchModelOptions {
  /** Default: "https://huggingface.co"; under Node, the environment variable CERASUM_HUB. */
  baseURL?: string | undefined;
  /** A branch, tag or commit. Default: from the name (owner/name@revision), the list of known models, or "main". */
  revision?: string | undefined;
  /** Another file for the model: its path, or the part after onnx/model_ ("quantized"). */
  variant?: string | undefined;
  /** An aborted call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  onprogress?: ((progress: FileProgress) => void) | undefined;
  /** Called with a QuotaExceededError if the model was downloaded but could not be stored. */
  onwarning?: ((warning: DOMException) => void) | undefined;
  /**
   * false bypasses the cache. A string selects another one: the name of a Cache
   * in browsers, a folder under Node.
   */
  cache?: boolean | string | undefined;
  /** Rejects instead of downloading a model that is not cached. */
  offline?: boolean | undefined;
}

/** An encoder as createEncoder takes it. */
export interface EncoderChoice<T = ArrayBuffer> {
  /** The files by their paths. */
  model: Record<string, T>;
  name: string;
  /** Prefix for each text, if the list of known models has one. */
  prefix: string | undefined;
}

/** A stored or known model. */
export interface ModelInfo {
  /** Short name, if there is one. */
  name: string | undefined;
  id: string;
  revision: string;
  variant: string;
  state: "downloaded" | "available";
  /** For a model that is not stored, an estimate. */
  bytes: number;
  /** As in its model card; "" if not stated. */
  licence: string;
  /** 0 if unknown. */
  dimensions: number;
  languages: string;
  /** ISO date of the download. */
  downloaded: string | undefined;
}

/** Manifest of a stored model. Same as manifest.go of the command line program. */
export interface Manifest {
  format: 1;
  id: string;
  revision: string;
  commit: string;
  baseURL: string;
  variant: string;
  licence: string;
  dimensions: number;
  downloaded: string;
  files: ManifestFile[];
}

export interface ManifestFile {
  path: string;
  source?: string;
  bytes: number;
  sha256: string;
  verified?: string;
}

export const MANIFEST = "cerasum-model.json";

/** Which model. */
export interface ModelKey {
  id: string;
  revision: string;
  /** Path in the repository; empty for the default model. */
  variant: string;
}

/** A store of models. A model is stored completely or not at all. */
export interface ModelStore {
  /** The model; undefined if it is missing or incomplete. */
  load(key: ModelKey): Promise<{ manifest: Manifest; files: Map<string, ArrayBuffer> } | undefined>;
  /** Stores a model, replacing an older one. Rejects with a KeepError. */
  save(key: ModelKey, manifest: Manifest, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Promise<void>;
  list(): Promise<Manifest[]>;
  remove(key: ModelKey): Promise<void>;
  /** Lets one caller at a time work on a model, if the platform supports locks. */
  alone<T>(key: ModelKey, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

/** A file that could not be stored. */
export class KeepError extends Error {
  constructor(readonly file: string, cause: unknown) {
    super(describe(cause), { cause });
  }

  /** Whether storage is full. */
  get full(): boolean {
    const { name, code } = this.cause as { name?: string; code?: string };
    return name === "QuotaExceededError" || code === "ENOSPC" || code === "EDQUOT";
  }
}

/** What differs between a browser and Node. */
export interface HubPlatform {
  /** The default store, or the one with this name. */
  store(name: string | undefined): ModelStore;
  readonly baseURL: string | undefined;
}

export interface Hub {
  fetchModel(id: string | { url: string | URL }, options?: FetchModelOptions): Promise<EncoderChoice>;
  listModels(options?: Pick<FetchModelOptions, "cache">): Promise<ModelInfo[]>;
  deleteModel(id: string, options?: Pick<FetchModelOptions, "cache" | "revision" | "variant">): Promise<number>;
}

const OPTIONS = ["baseURL", "revision", "variant", "signal", "onprogress", "onwarning", "cache", "offline"];

interface Reference extends ModelKey {
  /** Without a slash at the end. */
  baseURL: string;
  /** Whether the caller gave it. */
  explicit: boolean;
  /** Address of a file at a revision. */
  url(revision: string, path: string): string;
  known: (typeof knownModels)[number] | undefined;
}

export function createHub(platform: HubPlatform, tuning: Tuning = usualTuning): Hub {
  const storeOf = (cache: boolean | string | undefined): ModelStore | undefined =>
    cache === false ? undefined : platform.store(typeof cache === "string" ? cache : undefined);

  return {
    async fetchModel(id, options = {}) {
      for (const name in options) {
        if (!OPTIONS.includes(name)) throw new TypeError(`unknown option ${name}: want ${OPTIONS.join(", ")}`);
      }
      const { signal, cache, offline } = options;
      signal?.throwIfAborted();
      const reference = refer(id, options, platform.baseURL);
      const store = storeOf(cache);
      const choice = (files: Record<string, ArrayBuffer>): EncoderChoice =>
        ({ model: files, name: reference.id, prefix: reference.known?.prefix || undefined });
      const kept = async (): Promise<EncoderChoice | undefined> => {
        const found = await store?.load(reference);
        if (!found || !matches(found.manifest, reference)) return undefined;
        return choice(Object.fromEntries(found.files));
      };
      const here = await kept();
      if (here) return here;
      signal?.throwIfAborted();
      if (offline) throw new DOMException(`${show(reference)}: not in the cache, and offline is set`, "NotFoundError");
      if (!globalThis.crypto?.subtle) {
        throw new DOMException(`${show(reference)}: models can only be fetched from https or localhost pages`, "SecurityError");
      }
      const fetchIt = async (): Promise<EncoderChoice> => {
        // Another caller may have downloaded it while this one waited.
        const brought = await kept();
        if (brought) return brought;
        const { manifest, files } = await download(reference, options, tuning);
        if (store) await keep(store, reference, manifest, files, options.onwarning);
        return choice(Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.buffer])));
      };
      return store ? store.alone(reference, signal, fetchIt) : fetchIt();
    },

    async listModels({ cache } = {}) {
      const kept = (await storeOf(cache)?.list()) ?? [];
      const list = kept.map((m): ModelInfo => {
        const known = knownModels.find(({ id }) => id === m.id);
        return {
          name: known?.name, id: m.id, revision: m.revision, variant: m.variant, state: "downloaded",
          bytes: m.files.reduce((sum, { bytes }) => sum + bytes, 0),
          licence: m.licence, dimensions: m.dimensions, languages: known?.languages ?? "", downloaded: m.downloaded,
        };
      });
      const rest = knownModels.filter(({ id }) => !list.some((m) => m.id === id)).map((k): ModelInfo => ({
        name: k.name, id: k.id, revision: k.revision, variant: "", state: "available",
        bytes: k.files.reduce((sum, { bytes }) => sum + bytes, 0),
        licence: k.licence, dimensions: k.dimensions, languages: k.languages, downloaded: undefined,
      }));
      return [...list, ...rest];
    },

    async deleteModel(name, options = {}) {
      const store = storeOf(options.cache);
      if (!store) return 0;
      // The id of a model from an address is the address.
      const { id, revision, variant } = /^https?:/.test(name) ? { id: name, revision: "", variant: "" } : refer(name, options, platform.baseURL);
      const chosen = options.revision !== undefined || (name.includes("@") && !/^https?:/.test(name));
      const found = (await store.list()).filter((m) =>
        m.id === id && (!chosen || m.revision === revision) && (options.variant === undefined || m.variant === variant));
      for (const m of found) await store.remove(m);
      return found.length;
    },
  };
}

const show = ({ id, revision, variant }: ModelKey): string =>
  `${id}${revision && revision !== "main" ? `@${revision}` : ""}${variant ? ` (${variant})` : ""}`;

const matches = (m: Manifest, r: Reference): boolean =>
  m.id === r.id && m.revision === r.revision && m.variant === r.variant && (!r.explicit || m.baseURL === r.baseURL);

/** Parses the name of a model. Throws a TypeError. */
function refer(name: string | { url: string | URL }, options: FetchModelOptions, platformURL: string | undefined): Reference {
  const variant = variantPath(options.variant ?? "");
  if (variant !== "" && !inside(variant)) throw new TypeError(`variant: want a path inside the model's folder, got ${JSON.stringify(options.variant)}`);
  const encode = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
  if (typeof name !== "string") {
    const folder = web(String(name.url), "url");
    if (options.revision !== undefined) throw new TypeError("revision: not supported for the address of a model");
    return { id: folder, revision: "", variant, baseURL: folder, explicit: true, known: undefined, url: (_, path) => `${folder}/${encode(path)}` };
  }
  const [written, at, ...rest] = name.split("@") as [string, ...string[]];
  const known = knownModels.find((k) => k.name === written || k.id.toLowerCase() === written.toLowerCase());
  const id = known?.id ?? written;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}\/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/.test(id) || id.endsWith(".") || id.includes("./") || rest.length > 0) {
    throw new TypeError(`unknown model ${JSON.stringify(name)}: want a known name (${knownModels.map((k) => k.name).join(", ")}) or a hub id, owner/name`);
  }
  if (at !== undefined && options.revision !== undefined && at !== options.revision) {
    throw new TypeError(`${name}: revision given twice, here and as ${JSON.stringify(options.revision)}`);
  }
  const revision = options.revision ?? at ?? known?.revision ?? "main";
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,149}$/.test(revision) || /\.\.|\/\//.test(revision)) {
    throw new TypeError(`${id}: revision ${JSON.stringify(revision)}: want a branch, tag or commit`);
  }
  const given = options.baseURL ?? platformURL;
  const baseURL = web(given ?? DEFAULT_HUB, "baseURL");
  return {
    id, revision, variant, baseURL, explicit: given !== undefined, known,
    url: (revision, path) => `${baseURL}/${id}/resolve/${encodeURIComponent(revision)}/${encode(path)}`,
  };
}

/** An address without a slash at its end. */
function web(address: string, option: string): string {
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {
    // Reported below.
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError(`${option}: ${JSON.stringify(address)}: want an http or https address`);
  }
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

/** Fetches all files of a model. */
async function download(reference: Reference, { signal, onprogress }: FetchModelOptions, tuning: Tuning): Promise<{
  manifest: Manifest;
  files: Map<string, Uint8Array<ArrayBuffer>>;
}> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const listed: ManifestFile[] = [];
  const { known, baseURL } = reference;
  // The commit when the download began: all files must be from it, even if a branch moves.
  let commit = /^[0-9a-f]{40}$/.test(reference.revision) ? reference.revision : "";
  const fail = (path: string, error: unknown, name: string): DOMException =>
    new DOMException(`${show(reference)}: ${path === "" ? "" : `${path}: `}${describe(error)}`, name);

  const bring = async (path: string, save: string): Promise<Fetched | undefined> => {
    const expected = known?.revision === reference.revision ? known.files.find((f) => f.path === path) : undefined;
    try {
      return await fetchFile({
        url: reference.url(commit || reference.revision, path), file: path, baseURL, signal,
        known: expected?.sha256 ? { sha256: expected.sha256, bytes: expected.bytes } : undefined,
        progress: (loaded, total) => onprogress?.({ file: save, loaded, total }),
      }, tuning);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RangeError) throw fail(path, "not enough memory", "OperationError");
      throw fail(path, error, error instanceof GoneError ? "NotFoundError" : "NetworkError");
    }
  };
  const take = (path: string, save: string, { bytes, sha256, verified, commit: of }: Fetched): void => {
    commit ||= of;
    files.set(save, bytes);
    listed.push({ path: save, ...(save === path ? {} : { source: path }), bytes: bytes.length, sha256, ...(verified ? { verified } : {}) });
  };

  const modules = await bring("modules.json", "modules.json");
  if (modules) take("modules.json", "modules.json", modules);
  let wants;
  try {
    wants = layout(modules && JSON.parse(new TextDecoder().decode(modules.bytes)), reference.variant);
  } catch (error) {
    throw fail("", error, "OperationError");
  }
  for (const want of wants) {
    let found = false;
    for (const path of want.paths) {
      const save = want.save ?? path;
      const fetched = await bring(path, save);
      if (!fetched) continue;
      take(path, save, fetched);
      found = true;
      break;
    }
    if (!found && want.required) throw fail("", missing(want, "the repository"), "NotFoundError");
  }
  return {
    files,
    manifest: {
      format: 1, id: reference.id, revision: reference.revision, commit, baseURL, variant: reference.variant,
      ...describeModel(files, reference.known), downloaded: new Date().toISOString().replace(/\.\d+Z$/, "Z"), files: listed,
    },
  };
}

/** Stores a model. If that fails, the call still succeeds. */
async function keep(
  store: ModelStore, key: ModelKey, manifest: Manifest, files: Map<string, Uint8Array<ArrayBuffer>>,
  warn: ((warning: DOMException) => void) | undefined,
): Promise<void> {
  try {
    await store.save(key, manifest, files);
  } catch (error) {
    if (!(error instanceof KeepError)) throw error;
    const reason = error.full ? "no storage space left" : `cannot be stored (${error.message})`;
    warn?.(new DOMException(`${show(key)}: ${error.file}: ${reason}; the model is used from memory, and must be fetched again the next time`,
      error.full ? "QuotaExceededError" : "OperationError"));
  }
}

/** Reads the properties of a model from its files. */
function describeModel(files: Map<string, Uint8Array>, known: Reference["known"]): { licence: string; dimensions: number } {
  if (known) return { licence: known.licence, dimensions: known.dimensions };
  let dimensions = 0;
  for (const [path, bytes] of files) {
    if (!/(^|\/)config\.json$/.test(path)) continue;
    const config = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown> | null;
    // The files are in the order of the modules: the last value counts.
    for (const field of ["dim", "hidden_size", "word_embedding_dimension", "out_features"]) {
      const value = config?.[field];
      if (typeof value === "number" && Number.isInteger(value) && value > 0) dimensions = value;
    }
  }
  const card = files.get("README.md");
  const head = card && /^---\r?\n([\s\S]*?)\r?\n---/.exec(new TextDecoder().decode(card))?.[1];
  const licence = /^license:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9. +-]{0,63}?)["']?[ \t]*\r?$/m.exec(head ?? "")?.[1] ?? "";
  return { licence, dimensions };
}

/**
 * A model from a file picker: a folder (webkitdirectory), or files of one
 * folder. Rejects with a DOMException that names a missing file.
 */
export async function modelFromFiles(list: Iterable<File>, { variant }: Pick<FetchModelOptions, "variant"> = {}): Promise<EncoderChoice<File>> {
  const files = [...list];
  if (files.length === 0) throw new DOMException("no files given", "NotFoundError");
  const pathOf = (file: File): string => file.webkitRelativePath || file.name;
  const tops = new Set(files.map((file) => pathOf(file).split("/")[0]!));
  const folder = tops.size === 1 && files.every((file) => pathOf(file).includes("/")) ? [...tops][0]! : "";
  const within = new Map(files.map((file) => [pathOf(file).slice(folder === "" ? 0 : folder.length + 1), file]));
  const where = folder === "" ? "the choice of files" : `the folder ${folder}`;
  const fail = (error: unknown, name: string): DOMException => new DOMException(describe(error), name);
  const model: Record<string, File> = {};
  const modules = within.get("modules.json");
  let wants;
  try {
    wants = layout(modules && (JSON.parse(await modules.text()) as unknown), variant);
  } catch (error) {
    throw fail(error instanceof SyntaxError ? `modules.json: ${error.message}` : error, "OperationError");
  }
  if (modules) model["modules.json"] = modules;
  for (const want of wants) {
    const path = want.paths.find((candidate) => within.has(candidate));
    if (path !== undefined) model[want.save ?? path] = within.get(path)!;
    else if (want.required) throw fail(missing(want, where), "NotFoundError");
  }
  return { model, name: folder || "chosen files", prefix: undefined };
}
