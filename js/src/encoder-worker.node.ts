// Node's worker of the encoder (worker_threads).

import { parentPort } from "node:worker_threads";
import { serveEncoder } from "./encoder-engine.js";
import { readBytes } from "./load.node.js";

const port = parentPort;
if (!port) throw new Error("encoder-worker.node.js runs in a worker thread only");

serveEncoder(
  {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen: (handler) => port.on("message", handler),
  },
  readBytes,
);
