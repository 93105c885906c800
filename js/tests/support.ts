import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** The repository, seen from js/dist-tests. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const wasmPath = join(root, "js/dist/cerasum.wasm");

/** Where CERASUM does not name the command line program, it is built in the folder. */
export function program(folder: string): string {
  if (process.env["CERASUM"]) return process.env["CERASUM"];
  const path = join(folder, "cerasum");
  execFileSync("go", ["build", "-o", path, "./cmd/cerasum"], { cwd: root });
  return path;
}

export { again, count, effort, slow, test as it, within } from "../../web/common/tests/limits.mjs";

export function fixtures<T>(name: string): T[] {
  return JSON.parse(readFileSync(join(root, "wasm/internal/protocol/testdata", name), "utf8"), revive) as T[];
}

/** {"$float32": [1, 2]} stands for a Float32Array; likewise "$uint32" and "$uint8". */
function revive(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if ("$float32" in value) return new Float32Array(value.$float32 as number[]);
  if ("$uint8" in value) return new Uint8Array(value.$uint8 as number[]);
  return "$uint32" in value ? new Uint32Array(value.$uint32 as number[]) : value;
}

/** The worker without the client: messages as they are. */
export class Raw {
  readonly #worker = new Worker(new URL("../dist/worker.node.js", import.meta.url));

  async start(wasm: string | WebAssembly.Module = new URL("../dist/cerasum.wasm", import.meta.url).href): Promise<Record<string, unknown>> {
    return this.ask({ kind: "start", wasm });
  }

  /** Posts the message and gives the first one that is not progress. */
  ask(message: unknown): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const settle = (reply: Record<string, unknown>): void => {
        if (reply["kind"] === "progress") return;
        this.#worker.off("message", settle).off("error", reject);
        resolve(reply);
      };
      this.#worker.on("message", settle).on("error", reject);
      this.#worker.postMessage(message);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** What a call rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("the call did not reject");
}

/** The exceptions that nothing catches while `act` runs. */
export async function uncaught(act: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const catcher = (error: unknown): void => void seen.push(error);
  const before = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", catcher);
  try {
    await act();
    await new Promise(setImmediate);
  } finally {
    process.off("uncaughtException", catcher);
    for (const listener of before) process.on("uncaughtException", listener);
  }
  return seen;
}

/** Whether the error is a DOMException of this name. */
export const isDOM = (error: unknown, name: string): boolean => error instanceof DOMException && error.name === name;
