// Node's worker of the encoder (worker_threads).

import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { serveEncoder } from "./encoder-engine.js";
import { body, LoadError } from "./load.js";

const port = parentPort;
if (!port) throw new Error("encoder-worker.node.js runs in a worker thread only");

serveEncoder(
  {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen: (handler) => port.on("message", handler),
  },
  async (url, progress) => {
    try {
      if (url.startsWith("file:")) return new Uint8Array(await readFile(new URL(url)));
      const response = await fetch(url);
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await body(response, progress);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") return undefined;
      throw new LoadError(url, error);
    }
  },
);
