/**
 * cerasum under Node: the same as in a browser, in a worker thread. The thread
 * does not keep the process alive between calls.
 *
 * @packageDocumentation
 */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Core, type CoreOptions, type Platform } from "./core.js";
import { Encoder, type EncoderOptions, type EncoderPlatform } from "./encoder.js";
import { readBytes } from "./load.node.js";
import { startWorker } from "./node-worker.js";
import { createSummarizer, type Summarizer as SummarizerInstance, type SummarizerConstructor, type SummarizerPlatform } from "./summarizer.js";
import type { PolyfillOptions } from "./summarizer-options.js";
import { install } from "./summarizer-polyfill.js";
import { createLoadWeights, type LoadWeights } from "./weights.js";

export * from "./public.js";

/** The folder of encoder/, ort/ and weights/: of this package, where it was built, or of the package cerasum-encoder. */
function encoderFolder(): string {
  if (existsSync(new URL("./encoder/", import.meta.url))) return import.meta.url;
  try {
    return import.meta.resolve("cerasum-encoder/package.json");
  } catch {
    return import.meta.url; // the error of a missing file names it
  }
}

const encoderURL = encoderFolder();

const platform: Platform & EncoderPlatform & SummarizerPlatform = {
  startWorker: (url) => startWorker(new URL(url ?? "./worker.node.js", import.meta.url)),
  startEncoderWorker: (url) => startWorker(new URL(url ?? "./encoder-worker.node.js", import.meta.url)),
  resolve: (url) => {
    // A single letter before the colon is a Windows drive.
    const absolute = typeof url !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(url);
    return absolute ? new URL(url).href : pathToFileURL(resolve(url)).href;
  },
  wasmURL: new URL("./cerasum.wasm", import.meta.url).href,
  modelURL: new URL("./encoder/", encoderURL).href,
  ortURL: new URL("./ort/", encoderURL).href,
  readBytes,
  weightsURL: new URL("./weights/", encoderURL).href,
  createCore,
  createEncoder,
  present: (url) => url.startsWith("file:") && existsSync(new URL(url)),
  supported: () => true,
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
