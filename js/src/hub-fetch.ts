// Downloads one file of a model, with retries. Same as fetch.go of the command
// line program's hub, except that partial downloads are in memory and lost with
// the call.

import { onAbort } from "./abort-steps.js";
import { describe } from "./load.js";

/** Limits of retrying. */
export interface Tuning {
  /** Consecutive attempts without a new byte. */
  tries: number;
  /** Attempts for a file with a wrong hash. */
  restarts: number;
  /** Delay before the second attempt, in milliseconds; doubled with each. */
  backoff: number;
  /** How long a server may be silent, in milliseconds. */
  idle: number;
}

export const tuning: Tuning = { tries: 6, restarts: 2, backoff: 500, idle: 30_000 };

export interface FileRequest {
  url: string;
  /** Its name in messages. */
  file: string;
  /** Address of the hub. Hashes from other hosts are not trusted. */
  baseURL: string;
  /** SHA-256 that the file must have, and its size. */
  known?: { sha256: string; bytes: number } | undefined;
  signal: AbortSignal | undefined;
  progress(loaded: number, total: number | undefined): void;
}

export interface Fetched {
  bytes: Uint8Array<ArrayBuffer>;
  sha256: string;
  /** Source of the hash: the list of known models, a header of the hub, or none. */
  verified?: "known" | "hub";
  /** The file's commit, as the hub reports it. */
  commit: string;
}

const MAX_RETRY_AFTER = 120_000;
const MAX_TEXT = 256 * 2 ** 20;
const MAX_WEIGHTS = 16 * 2 ** 30;

/** A repository that has no such model or revision. */
export class GoneError extends Error {}

/** An error that retrying would not fix. */
class FinalError extends Error {}

/** A file that does not match its size or hash. */
class MismatchError extends Error {}

/** The part of a file that has been received. */
class Partial {
  bytes = new Uint8Array(0);
  length = 0;
  total: number | undefined;
  /** A strong ETag; without one, a changed file cannot be detected. */
  etag = "";
  /** Consecutive attempts to resume that got no answer: the server may not allow range requests from pages. */
  refused = 0;

  clear(): void {
    this.length = 0;
    this.etag = "";
    this.refused = 0;
  }

  add(chunk: Uint8Array): void {
    if (this.length + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + chunk.length, 1 << 16));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }
}

/**
 * Fetches a file; undefined if there is none. Rejects with the signal's reason,
 * a GoneError, or an Error about the last attempt.
 */
export async function fetchFile(request: FileRequest, { tries, restarts, backoff, idle }: Tuning): Promise<Fetched | undefined> {
  const { signal, known } = request;
  const part = new Partial();
  let failed = 0;
  for (;;) {
    const before = part.length;
    let wait = 0;
    try {
      const seen = await attempt(request, part, idle);
      if (seen === undefined) return undefined;
      return await accept(part, seen, request.file, known);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof FinalError || error instanceof GoneError) throw error;
      if (error instanceof MismatchError) {
        part.clear();
        if (--restarts <= 0) throw error;
        failed = 0;
      } else {
        if (part.length > before) failed = 0;
        if (++failed >= tries) throw new Error(`${describe(error)} (tried ${failed} times)`, { cause: error });
        if (error instanceof BusyError) wait = error.wait;
      }
    }
    const pause = backoff * 2 ** Math.min(failed, 6);
    await sleep(Math.max(wait, pause * (0.5 + Math.random() / 2)), signal);
  }
}

/** What a response says about the file. */
interface Seen {
  commit: string;
  sha256: string;
  /** git's SHA-1. */
  blob: string;
}

/** Requests the missing part once; undefined if there is no such file. */
async function attempt({ url, baseURL, known, signal, progress, file }: FileRequest, part: Partial, idle: number): Promise<Seen | undefined> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error(`no data from the server for ${idle / 1000} s`)), idle);
  };
  const stop = (): void => silence.abort(signal?.reason);
  signal?.throwIfAborted();
  const release = onAbort(signal, stop);
  alive();
  try {
    const offset = part.length > 0 && (part.etag !== "" || known !== undefined) && part.refused < 2 ? part.length : 0;
    if (offset > 0) part.refused++;
    // Without If-Range: it would require a CORS preflight, which a simple Range does not.
    const response = await fetch(url, {
      headers: offset > 0 ? { range: `bytes=${offset}-` } : {},
      signal: silence.signal, credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store",
    });
    part.refused = 0;
    alive();
    if (!judge(response, offset, file)) return undefined;
    place(response, offset, part, file, known);
    const seen = read(response, baseURL);
    await copy(response, part, file, alive, progress);
    return seen;
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    clearTimeout(timer);
    release();
    // Cancels the rest of the response.
    silence.abort();
  }
}

/** The delay from Retry-After, in milliseconds. */
class BusyError extends Error {
  constructor(message: string, readonly wait: number) {
    super(message);
  }
}

/** Checks the status of a response: false if there is no such file. */
function judge(response: Response, offset: number, file: string): boolean {
  const { status, headers } = response;
  const answered = `the server answered ${status}${response.statusText ? ` ${response.statusText}` : ""}`;
  if (status === 200 || (status === 206 && offset > 0)) {
    if (headers.get("content-type")?.startsWith("text/html") && !file.endsWith(".md")) throw new FinalError(WEB_PAGE);
    return true;
  }
  switch (status) {
    case 404:
    case 410:
      if (headers.get("x-error-code") === "RepoNotFound") throw new GoneError("model not found on the hub");
      if (headers.get("x-error-code") === "RevisionNotFound") throw new GoneError("revision not found");
      return false;
    case 401:
    case 403:
      throw new FinalError(`${answered}: model not found, or not public`);
    case 416:
      throw new MismatchError(answered);
    case 408:
    case 425:
    case 429:
      break;
    default:
      if (status < 500) throw new FinalError(answered);
  }
  const wait = retryAfter(headers.get("retry-after") ?? "");
  if (wait > MAX_RETRY_AFTER) throw new FinalError(`${answered}; retry after ${Math.round(wait / 1000)} s`);
  throw new BusyError(answered, wait);
}

/** Milliseconds, from a number of seconds or a date. */
function retryAfter(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

const WEB_PAGE = "the server sent a web page instead of the file";

/** Determines where in the file the response begins, and the length of the file. */
function place({ status, headers }: Response, offset: number, part: Partial, file: string, known: FileRequest["known"]): void {
  const tag = headers.get("etag") ?? "";
  const etag = tag.startsWith('"') ? tag : "";
  const length = headers.has("content-length") ? Number(headers.get("content-length")) : undefined;
  // The length of a compressed response is not the file's.
  let total = headers.has("content-encoding") ? undefined : length;
  if (status === 206) {
    // Servers may hide Content-Range from a page.
    total = length === undefined ? part.total : offset + length;
    const range = headers.get("content-range");
    const [, first, all] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range ?? "") ?? [];
    if (all !== undefined) total = Number(all);
    if ((range !== null && Number(first) !== offset) || (part.total !== undefined && total !== part.total) || (etag && part.etag && etag !== part.etag)) {
      part.clear();
      throw new Error("the server sent a different range of the file than requested");
    }
  } else {
    part.clear();
    part.etag = etag;
  }
  const limit = limitOf(file);
  if (total !== undefined && total > limit) throw new FinalError(`file of ${total} bytes: the limit is ${limit}`);
  // Allocate the whole file at once if its size is almost certain: growing needs twice the memory.
  if (status === 200 && total !== undefined && part.bytes.length < total) part.bytes = new Uint8Array(total);
  if (known && total !== undefined && total !== known.bytes && status === 206) {
    throw new MismatchError(`file of ${total} bytes, want ${known.bytes}`);
  }
  part.total = total;
}

/** Maximum size of a file in bytes: servers may announce, and send, anything. */
const limitOf = (file: string): number => (/\.(onnx|safetensors)$/.test(file) ? MAX_WEIGHTS : MAX_TEXT);

async function copy(response: Response, part: Partial, file: string, alive: () => void, progress: FileRequest["progress"]): Promise<void> {
  const limit = limitOf(file);
  progress(part.length, part.total);
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    alive();
    if (part.length + value.length > limit) throw new FinalError(`file exceeds the limit of ${limit} bytes`);
    part.add(value);
    // A longer body was compressed; pages cannot always see that.
    if (part.total !== undefined && part.length > part.total) {
      part.total = undefined;
      part.etag = "";
    }
    progress(part.length, part.total);
  }
  if (part.total !== undefined && part.length < part.total) {
    throw new Error(`connection closed after ${part.length} of ${part.total} bytes`);
  }
}

/** What the hub reports about the file. Responses from other hosts are not trusted. */
function read(response: Response, baseURL: string): Seen {
  const seen: Seen = { commit: "", sha256: "", blob: "" };
  if (new URL(response.url).origin !== new URL(baseURL).origin) return seen;
  const commit = response.headers.get("x-repo-commit") ?? "";
  if (/^[0-9a-f]{40}$/.test(commit)) seen.commit = commit;
  for (const name of ["x-linked-etag", "etag"]) {
    const tag = (response.headers.get(name) ?? "").replace(/^W\//, "").replaceAll('"', "");
    if (/^[0-9a-f]{64}$/.test(tag)) seen.sha256 ||= tag;
    else if (/^[0-9a-f]{40}$/.test(tag) && seen.commit) seen.blob = tag;
  }
  return seen;
}

/** Checks a complete file. */
async function accept(part: Partial, seen: Seen, file: string, known: FileRequest["known"]): Promise<Fetched> {
  const bytes = part.length === part.bytes.length ? part.bytes : part.bytes.slice(0, part.length);
  plausible(bytes, file);
  const sha256 = hex(await crypto.subtle.digest("SHA-256", bytes));
  const fetched: Fetched = { bytes, sha256, commit: seen.commit };
  const vouchers = [["hub", seen.sha256], ["known", known?.sha256 ?? ""]] as const;
  for (const [by, want] of vouchers) {
    if (want === "") continue;
    if (want !== sha256) throw new MismatchError(`SHA-256 mismatch: got ${sha256}, want ${want}`);
    fetched.verified = by;
  }
  if (!fetched.verified && seen.blob !== "") {
    const head = new TextEncoder().encode(`blob ${bytes.length}\0`);
    const blob = hex(await crypto.subtle.digest("SHA-1", await new Blob([head, bytes]).arrayBuffer()));
    if (blob !== seen.blob) throw new MismatchError(`git hash mismatch: got ${blob}, want ${seen.blob}`);
    fetched.verified = "hub";
  }
  return fetched;
}

export const hex = (buffer: ArrayBuffer): string => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Refuses what is not the file: a login page, or a Git LFS pointer. */
function plausible(bytes: Uint8Array, file: string): void {
  if (file.endsWith(".md")) return;
  const head = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  if (head.startsWith("version https://git-lfs.github.com/spec/")) throw new FinalError("the server sent a Git LFS pointer instead of the file");
  if (head.startsWith("<")) throw new FinalError(WEB_PAGE);
  if (bytes.length === 0) throw new FinalError("the server sent an empty file");
  if (!file.endsWith(".json")) return;
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new FinalError("the server sent invalid JSON");
  }
}

/** Waits; rejects with the signal's reason. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      release();
      resolve();
    }, ms);
    const release = onAbort(signal, abort);
  });
}
