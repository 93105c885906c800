import { Worker } from "node:worker_threads";
import type { WorkerLike } from "./worker-messages.js";

/** A worker thread with the interface of a browser's worker. */
export function startWorker(url: URL): WorkerLike {
  // The flags of the process, such as --input-type, do not apply to the worker.
  const worker = new Worker(url, { name: "cerasum", execArgv: [] });
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
          // A thread that exits sends no other event.
          worker.on("exit", (code) => listener({ message: `worker exited with code ${code}` }));
      }
    },
  };
}
