// Sessions opened and closed in a core that runs in this thread, so that the
// program's memory can be measured.

import { readFileSync } from "node:fs";
import { createCore, type DocumentInput, type WorkerLike } from "cerasum";
import { type Port, serve } from "../dist/engine.js";
import { wasmPath } from "./support.js";

/** Bytes of WebAssembly memory after numbers of rounds, one for each. A round opens the documents, summarizes them by each of the methods and closes the session. */
export async function rounds(documents: readonly DocumentInput[], methods: readonly string[], at: readonly number[]): Promise<number[]> {
  let memory: WebAssembly.Memory | undefined;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
    const instance = await instantiate(module, imports);
    memory ??= instance.exports["mem"] as WebAssembly.Memory | undefined;
    return instance;
  }) as typeof instantiate;
  const core = createCore({ worker: here, wasmModule: new WebAssembly.Module(readFileSync(wasmPath)) });
  const sizes: number[] = [];
  try {
    for (let i = 1; i <= at.at(-1)!; i++) {
      const session = await core.open(documents);
      for (const method of methods) await session.summarize({ method, budget: { words: 40 } });
      session.close();
      if (at.includes(i)) sizes.push(memory!.buffer.byteLength);
    }
    await core.info();
  } finally {
    WebAssembly.instantiate = instantiate;
    core.destroy();
  }
  return sizes;
}

/** The worker's side, in this thread. */
function here(): WorkerLike {
  let receive: (message: unknown) => void = () => undefined;
  let heard: (event: { data: unknown }) => void = () => undefined;
  const port: Port = {
    post: (message) => void setImmediate(() => heard({ data: structuredClone(message) })),
    listen: (handler) => void (receive = handler),
  };
  serve(port, () => Promise.reject(new Error("the program comes compiled")));
  return {
    postMessage: (message) => void setImmediate(() => receive(message)),
    terminate: () => undefined,
    addEventListener: (type, listener) => {
      if (type === "message") heard = listener;
    },
  };
}
