// The browser's worker of the encoder (a module worker).

import { serveEncoder } from "./encoder-engine.js";
import { live } from "./life.js";
import { fetchBytes } from "./load.js";

// TypeScript has the types of a page here; these are the ones a worker needs.
const scope = globalThis as unknown as {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void, options?: { once: boolean }): void;
};

scope.addEventListener("message", () => live((message) => scope.postMessage(message, [])), { once: true });

serveEncoder(
  {
    post: (message, transfer = []) => scope.postMessage(message, transfer),
    listen: (handler) => scope.addEventListener("message", (event) => handler(event.data)),
  },
  fetchBytes,
);
