// Node's worker (worker_threads).

import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { compileError, serve } from "./engine.js";
import { LoadError } from "./load.js";

async function load(url: string): Promise<WebAssembly.Module> {
  let bytes: ArrayBuffer | Uint8Array<ArrayBuffer>;
  try {
    if (url.startsWith("file:")) {
      bytes = await readFile(new URL(url));
    } else {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`status ${response.status} ${response.statusText}`.trim());
      bytes = await response.arrayBuffer();
    }
  } catch (error) {
    throw new LoadError(url, error);
  }
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw compileError(url, error);
  }
}

const port = parentPort;
if (!port) throw new Error("worker.node.js runs in a worker thread only");

serve(
  {
    post: (message, buffers) => port.postMessage(message, buffers),
    listen: (handler) => port.on("message", handler),
  },
  load,
);
