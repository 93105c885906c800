// The browser's worker (a module worker).

import { compileError, serve } from "./engine.js";
import { live } from "./life.js";
import { LoadError } from "./load.js";

async function load(url: string): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`status ${response.status} ${response.statusText}`.trim());
  } catch (error) {
    throw new LoadError(url, error);
  }
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  try {
    // Streaming compilation requires the right Content-Type, which not every host sends.
    if (type === "application/wasm") return await WebAssembly.compileStreaming(response);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw compileError(url, error);
  }
}

// TypeScript has the types of a page here; these are the ones a worker needs.
const scope = globalThis as unknown as {
  postMessage(message: unknown, buffers?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void, options?: { once: boolean }): void;
};

// Wait for the first message: only then is the client certain to listen.
scope.addEventListener("message", () => live((message) => scope.postMessage(message)), { once: true });

serve(
  {
    post: (message, buffers) => scope.postMessage(message, buffers),
    listen: (handler) => scope.addEventListener("message", (event) => handler(event.data)),
  },
  load,
);
