/**
 * cerasum summarizes many documents at once by quoting them, in a worker in the
 * browser. Start with {@link Summarizer}, which has the interface of the
 * Writing Assistance APIs, or with {@link createCore}.
 *
 * Only worker.js and cerasum.wasm are loaded, by default from the folder of this
 * file. It runs under the content security policy
 * `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'`.
 *
 * @packageDocumentation
 */

import { Core, type CoreOptions, type Platform } from "./core.js";
import { Encoder, type EncoderOptions, type EncoderPlatform } from "./encoder.js";
import { fetchBytes } from "./load.js";
import { createSummarizer, type Summarizer as SummarizerInstance, type SummarizerConstructor, type SummarizerPlatform } from "./summarizer.js";
import type { PolyfillOptions } from "./summarizer-options.js";
import { install } from "./summarizer-polyfill.js";
import { createLoadWeights, type LoadWeights } from "./weights.js";

export * from "./public.js";

// Bundlers recognize new URL("…", import.meta.url) and copy the file. They do not
// copy folders, which are expected next to the copied file.
const wasmURL = new URL("./cerasum.wasm", import.meta.url).href;

const platform: Platform & EncoderPlatform & SummarizerPlatform = {
  // Bundlers recognize this form: new Worker(new URL(…, import.meta.url), …).
  startWorker: (url) => url
    ? new Worker(url, { type: "module", name: "cerasum" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "cerasum" }),
  startEncoderWorker: (url) => url
    ? new Worker(url, { type: "module", name: "cerasum-encoder" })
    : new Worker(new URL("./encoder-worker.js", import.meta.url), { type: "module", name: "cerasum-encoder" }),
  resolve: (url) => new URL(url, globalThis.document?.baseURI ?? globalThis.location.href).href,
  wasmURL,
  modelURL: new URL("./encoder/", wasmURL).href,
  ortURL: new URL("./ort/", wasmURL).href,
  readBytes: fetchBytes,
  weightsURL: new URL("./weights/", wasmURL).href,
  createCore,
  createEncoder,
  // A core on the page's own server is a part of the page, like its scripts.
  present: (url, small) => small && new URL(url).origin === globalThis.location.origin,
  supported: () => typeof Worker === "function" && typeof WebAssembly === "object",
};

/** Creates a core, which starts with its first call. */
export function createCore(options: CoreOptions = {}): Core {
  return new Core(platform, options);
}

/** Creates an encoder, which starts with its first call. */
export function createEncoder(options: EncoderOptions): Encoder {
  return new Encoder(platform, options);
}

/** An extractive Summarizer with the browser's interface: Summarizer.create(), then summarize(text). */
export const Summarizer: SummarizerConstructor = /* @__PURE__ */ createSummarizer(platform);
export type Summarizer = SummarizerInstance;

/**
 * Sets globalThis.Summarizer, CreateMonitor and QuotaExceededError if they are
 * missing, with the given core and encoder as defaults. A Summarizer of the
 * browser stays, even if it is "unavailable", unless `force` is true. Returns
 * globalThis.Summarizer.
 */
export function installPolyfill(options?: PolyfillOptions | null): SummarizerConstructor {
  const { force, ...parts } = options ?? {};
  return install(() => (Object.keys(parts).length > 0 ? createSummarizer(platform, parts) : Summarizer), force);
}

/**
 * Loads weights of CeRA or CeRAI for summarize: shipped weights by name, others
 * by the address of their folder or from its files.
 *
 * Rejects with the signal's reason, a TypeError for an invalid option, or a
 * DOMException that names the weights and the file: NotFoundError if there are no
 * shipped weights of that name or cerasum-encoder is missing, NetworkError if a file
 * cannot be loaded, OperationError if it is invalid.
 */
export const loadWeights: LoadWeights = (source, options) => loader(source, options);

const loader = /* @__PURE__ */ createLoadWeights(platform);
