// A model's graph on onnxruntime-web.

import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import { FileError } from "./encoder-files.js";
import { type Graph, type Rows, RunError } from "./encoder-graph.js";
import type { Device } from "./encoder-messages.js";
import { describe, type Fetch, LoadError, noWebAssembly } from "./load.js";

type Ort = typeof import("onnxruntime-web/wasm");

/** Names of outputs with embeddings, in order of preference. */
const OUTPUTS = ["sentence_embedding", "last_hidden_state", "token_embeddings"];
const INPUTS = ["input_ids", "attention_mask", "token_type_ids"];

/** A minimal graph, y = x, to start the runtime before the model is loaded. */
const SMALLEST = "CAg6OgoTCgF4EgF5GgF5IghJZGVudGl0eRIBZ1oPCgF4EgoKCAgBEgQKAggBYg8KAXkSCgoICAESBAoCCAFCBAoAEBE=";

export interface Runtime { ort: Ort; device: Device }

/** The graph in an ONNX file. Throws a FileError. */
export async function openGraph({ ort, device }: Runtime, file: string, bytes: Uint8Array): Promise<Graph> {
  const session = await open(ort, bytes, device).catch((error: unknown) => {
    const message = describe(error);
    throw new FileError(file, memory(message) ? `not enough memory (${message})` : message, { cause: error });
  });
  const output = ports(file, session);
  return { file, device, perText: output === "sentence_embedding", run: (texts) => run(ort, session, file, output, texts) };
}

/** Loads onnxruntime-web from the given address; the WebGPU variant only if it is used. */
export async function loadRuntime(url: string, device: Device, fetch: Fetch): Promise<Runtime> {
  const present = device === "webgpu" && (await hasWebGPU()) ? "webgpu" : "wasm";
  const file = new URL(`ort.${present}.min.mjs`, url).href;
  let ort: Ort;
  try {
    ort = (await import(/* @vite-ignore */ file)) as Ort;
  } catch (error) {
    throw error instanceof SyntaxError ? new FileError(file, `not a script (${error.message})`, { cause: error }) : new LoadError(file, error);
  }
  ort.env.logLevel = "error";
  ort.env.wasm.wasmPaths = url;
  ort.env.wasm.proxy = false;
  // Threads need shared memory, and so a cross-origin isolated page.
  if (!globalThis.crossOriginIsolated) ort.env.wasm.numThreads = 1;
  const stray = strayRejection();
  try {
    const session = await Promise.race([open(ort, Uint8Array.from(atob(SMALLEST), (c) => c.charCodeAt(0)), present), stray.rejected]);
    await session.release();
  } catch (error) {
    throw await startFault(url, PROGRAMS[present], error, fetch);
  } finally {
    stray.forget();
  }
  return { ort, device: present };
}

/** What onnxruntime-web loads besides its script: a .mjs and a .wasm file. */
const PROGRAMS: Readonly<Record<Device, string>> = { wasm: "ort-wasm-simd-threaded", webgpu: "ort-wasm-simd-threaded.asyncify" };

/**
 * The cause of a failed start of the runtime, which reports it only as text, in
 * the words of the browser. So its files are requested again.
 */
async function startFault(url: string, program: string, error: unknown, fetch: Fetch): Promise<Error> {
  const file = new URL(`${program}.wasm`, url).href;
  const message = describe(error);
  const blocked = noWebAssembly(error);
  if (blocked) return blocked;
  if (memory(message)) return new FileError(file, `not enough memory to start (${message})`, { cause: error });
  const there = await Promise.all([file, new URL(`${program}.mjs`, url).href].map((file) => fetch(file, () => undefined).catch(() => undefined)));
  return there.includes(undefined) ? new LoadError(file, error) : new FileError(file, `cannot run (${message})`, { cause: error });
}

/** For some errors, such as a foreign .wasm file, the runtime's start never settles and leaves an unhandled rejection: turn that into an error. */
function strayRejection(): { rejected: Promise<never>; forget(): void } {
  let forget = (): void => {};
  const rejected = new Promise<never>((_, reject) => {
    // Under Node such a rejection ends the worker.
    const listener = ({ reason }: PromiseRejectionEvent): void => void setTimeout(() => reject(reason as Error), 500); // unless the start goes on nevertheless
    globalThis.addEventListener?.("unhandledrejection", listener);
    forget = () => globalThis.removeEventListener?.("unhandledrejection", listener);
  });
  rejected.catch(() => undefined);
  return { rejected, forget };
}

async function hasWebGPU(): Promise<boolean> {
  const navigator = globalThis.navigator as { gpu?: { requestAdapter(): Promise<unknown> } } | undefined;
  return Boolean(await navigator?.gpu?.requestAdapter().catch(() => undefined));
}

const open = (ort: Ort, bytes: Uint8Array, device: Device): Promise<InferenceSession> =>
  ort.InferenceSession.create(bytes, { executionProviders: device === "webgpu" ? ["webgpu", "wasm"] : ["wasm"], logSeverityLevel: 3 });

const memory = (message: string): boolean => /memory|bad_alloc|allocat/i.test(message);

/** Checks inputs and outputs, and returns the output that holds the embeddings. */
function ports(file: string, session: InferenceSession): string {
  const list = (names: readonly string[]): string => names.join(", ");
  for (const name of session.inputNames) {
    if (!INPUTS.includes(name)) throw new FileError(file, `unsupported graph input ${name}: want ${list(INPUTS)}`);
  }
  if (!session.inputNames.includes("input_ids")) throw new FileError(file, `missing graph input input_ids: got ${list(session.inputNames)}`);
  const output = OUTPUTS.find((name) => session.outputNames.includes(name));
  if (!output) throw new FileError(file, `missing graph output: want ${list(OUTPUTS)}, got ${list(session.outputNames)}`);
  return output;
}

/** Runs texts, padded to the longest. */
async function run(ort: Ort, session: InferenceSession, file: string, output: string, texts: readonly Int32Array[]): Promise<Rows> {
  const rows = texts.length;
  const tokens = Math.max(...texts.map((ids) => ids.length));
  const shape = [rows, tokens];
  const feeds: Record<string, Tensor> = {};
  for (const name of session.inputNames) {
    const data = new BigInt64Array(rows * tokens);
    // Little-endian, like WebAssembly: write only the low half of each int64.
    const halves = new Int32Array(data.buffer);
    if (name !== "token_type_ids") {
      texts.forEach((ids, row) => {
        for (let t = 0; t < ids.length; t++) halves[2 * (row * tokens + t)] = name === "input_ids" ? ids[t]! : 1;
      });
    }
    feeds[name] = new ort.Tensor("int64", data, shape);
  }
  let result: Tensor | undefined;
  try {
    result = (await session.run(feeds, [output]))[output];
  } catch (error) {
    const message = describe(error);
    throw new RunError(`${file}: ${memory(message) ? `not enough memory to run (${message})` : message}`, { cause: error });
  } finally {
    for (const tensor of Object.values(feeds)) tensor.dispose();
  }
  const want = output === "sentence_embedding" ? [rows] : shape;
  const dims = result?.dims ?? [];
  const width = dims.at(-1) ?? 0;
  if (result?.type !== "float32" || dims.length !== want.length + 1 || want.some((n, i) => dims[i] !== n) || width < 1) {
    throw new RunError(`${file}: output ${output} is ${result?.type} of ${dims.join("×")}: want float32 of ${want.join("×")}×dimensions`);
  }
  const values = (await result.getData()) as Float32Array;
  return { values, width, tokens };
}
