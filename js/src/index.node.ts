/**
 * cerasum under Node: the same as in a browser, in a worker thread, which does
 * not keep the process alive between calls.
 *
 * @packageDocumentation
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { Core, type CoreOptions, type Platform } from "./core.js";
import type { WorkerLike } from "./worker-messages.js";

export * from "./public.js";

function startWorker(url: URL): WorkerLike {
  const worker = new Worker(url, { name: "cerasum" });
  return {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    addEventListener(type, listener) {
      switch (type) {
        case "message":
          worker.on("message", (data) => listener({ data }));
          break;
        case "messageerror":
          worker.on("messageerror", listener);
          break;
        case "error":
          worker.on("error", (error) => listener({ message: String(error) }));
          // A thread that simply ends says nothing else.
          worker.on("exit", (code) => listener({ message: `its worker ended with code ${code}` }));
      }
    },
  };
}

const platform: Platform = {
  startWorker: (url) => startWorker(new URL(url ?? "./worker.node.js", import.meta.url)),
  resolve: (url) => {
    // A single letter before the colon is a drive.
    const absolute = typeof url !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(url);
    return absolute ? new URL(url).href : pathToFileURL(resolve(url)).href;
  },
  wasmURL: new URL("./cerasum.wasm", import.meta.url).href,
};

/** Makes a core; it starts with its first call. */
export function createCore(options: CoreOptions = {}): Core {
  return new Core(platform, options);
}
