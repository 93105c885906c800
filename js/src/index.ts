/**
 * cerasum summarizes many documents at once by quoting them, in a worker of
 * the reader's own browser. Start with {@link createCore}.
 *
 * Nothing is loaded but worker.js and cerasum.wasm, which lie beside this file
 * unless the host names other places. It runs under the content security
 * policy `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'`.
 *
 * @packageDocumentation
 */

import { Core, type CoreOptions, type Platform } from "./core.js";
import { Encoder, type EncoderOptions, type EncoderPlatform } from "./encoder.js";

export * from "./public.js";

// Written so that bundlers, which know new URL("…", import.meta.url) by sight,
// do not take these folders for files.
const here = import.meta.url;

const platform: Platform & EncoderPlatform = {
  // Bundlers know this form, new Worker(new URL(…, import.meta.url), …), by sight.
  startWorker: (url) => url
    ? new Worker(url, { type: "module", name: "cerasum" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "cerasum" }),
  startEncoderWorker: (url) => url
    ? new Worker(url, { type: "module", name: "cerasum encoder" })
    : new Worker(new URL("./encoder-worker.js", import.meta.url), { type: "module", name: "cerasum encoder" }),
  resolve: (url) => new URL(url, globalThis.document?.baseURI ?? globalThis.location.href).href,
  wasmURL: new URL("./cerasum.wasm", import.meta.url).href,
  modelURL: new URL("./encoder/", here).href,
  ortURL: new URL("./ort/", here).href,
};

/** Makes a core; it starts with its first call. */
export function createCore(options: CoreOptions = {}): Core {
  return new Core(platform, options);
}

/** Makes an encoder; it starts with its first call. */
export function createEncoder(options: EncoderOptions = {}): Encoder {
  return new Encoder(platform, options);
}
