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

export * from "./public.js";

const platform: Platform = {
  // Bundlers know this form, new Worker(new URL(…, import.meta.url), …), by sight.
  startWorker: (url) => url
    ? new Worker(url, { type: "module", name: "cerasum" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "cerasum" }),
  resolve: (url) => new URL(url, globalThis.document?.baseURI ?? globalThis.location.href).href,
  wasmURL: new URL("./cerasum.wasm", import.meta.url).href,
};

/** Makes a core; it starts with its first call. */
export function createCore(options: CoreOptions = {}): Core {
  return new Core(platform, options);
}
