/**
 * cerasum under Node: the same as in a browser, in a worker thread, which does
 * not keep the process alive between calls.
 *
 * @packageDocumentation
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Core, type CoreOptions, type Platform } from "./core.js";
import { Encoder, type EncoderOptions, type EncoderPlatform } from "./encoder.js";
import { startWorker } from "./node-worker.js";

export * from "./public.js";

const platform: Platform & EncoderPlatform = {
  startWorker: (url) => startWorker(new URL(url ?? "./worker.node.js", import.meta.url)),
  startEncoderWorker: (url) => startWorker(new URL(url ?? "./encoder-worker.node.js", import.meta.url)),
  resolve: (url) => {
    // A single letter before the colon is a drive.
    const absolute = typeof url !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(url);
    return absolute ? new URL(url).href : pathToFileURL(resolve(url)).href;
  },
  wasmURL: new URL("./cerasum.wasm", import.meta.url).href,
  modelURL: new URL("./encoder/", import.meta.url).href,
  ortURL: new URL("./ort/", import.meta.url).href,
};

/** Makes a core; it starts with its first call. */
export function createCore(options: CoreOptions = {}): Core {
  return new Core(platform, options);
}

/** Makes an encoder; it starts with its first call. */
export function createEncoder(options: EncoderOptions = {}): Encoder {
  return new Encoder(platform, options);
}
