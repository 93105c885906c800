// The network's graph on onnxruntime-web.

import type { InferenceSession } from "onnxruntime-web/wasm";
import { FileError } from "./files.js";
import { describe, type Fetch, LoadError, noWebAssembly } from "./load.js";

type Ort = typeof import("onnxruntime-web/wasm");

const INPUT = "input_ids", MASK = "attention_mask", OUTPUT = "last_hidden_state";

/** The network failed while running, and may be in any state. */
export class RunError extends Error {}

/** Hidden states: texts × tokens × width. */
export interface Rows {
  values: Float32Array;
  width: number;
  /** Of the longest text, to which the others are padded. */
  tokens: number;
}

export interface Graph {
  /** Runs texts, at least one token each. Rejects with a RunError. */
  run(texts: readonly Uint32Array[]): Promise<Rows>;
}

/** A minimal graph, y = x, to start the runtime before the model is loaded. */
const SMALLEST = "CAg6OgoTCgF4EgF5GgF5IghJZGVudGl0eRIBZ1oPCgF4EgoKCAgBEgQKAggBYg8KAXkSCgoICAESBAoCCAFCBAoAEBE=";

export interface Runtime { ort: Ort; threads: number }

/** The graph in an ONNX file. Throws a FileError. */
export async function openGraph({ ort }: Runtime, file: string, bytes: Uint8Array): Promise<Graph> {
  const session = await open(ort, bytes).catch((error: unknown) => {
    const message = describe(error);
    throw new FileError(file, memory(message) ? `not enough memory (${message})` : message, { cause: error });
  });
  if (!session.inputNames.includes(INPUT) || !session.inputNames.includes(MASK) || !session.outputNames.includes(OUTPUT)) {
    throw new FileError(file, `want inputs ${INPUT} and ${MASK} and output ${OUTPUT}, got ${[...session.inputNames, ...session.outputNames].join(", ")}`);
  }
  return { run: (texts) => run(ort, session, texts) };
}

/** Loads onnxruntime-web from the folder at the address. */
export async function loadRuntime(url: string, threads: number, fetch: Fetch): Promise<Runtime> {
  const file = new URL("ort.wasm.min.mjs", url).href;
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
  const present = globalThis.crossOriginIsolated ? threads : 1;
  ort.env.wasm.numThreads = present;
  const stray = strayRejection();
  try {
    const session = await Promise.race([open(ort, Uint8Array.from(atob(SMALLEST), (c) => c.charCodeAt(0))), stray.rejected]);
    await session.release();
  } catch (error) {
    throw await startFault(url, error, fetch);
  } finally {
    stray.forget();
  }
  return { ort, threads: present };
}

/** What onnxruntime-web loads besides its script: a .mjs and a .wasm file. */
const PROGRAM = "ort-wasm-simd-threaded";

/**
 * The cause of a failed start of the runtime, which reports it only as text, in
 * the words of the browser. So its files are requested again.
 */
async function startFault(url: string, error: unknown, fetch: Fetch): Promise<Error> {
  const file = new URL(`${PROGRAM}.wasm`, url).href;
  const message = describe(error);
  const blocked = noWebAssembly(error);
  if (blocked) return blocked;
  if (memory(message)) return new FileError(file, `not enough memory to start (${message})`, { cause: error });
  const there = await Promise.all([file, new URL(`${PROGRAM}.mjs`, url).href].map((file) => fetch(file, () => undefined).catch(() => undefined)));
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

const open = (ort: Ort, bytes: Uint8Array): Promise<InferenceSession> =>
  ort.InferenceSession.create(bytes, { executionProviders: ["wasm"], logSeverityLevel: 3 });

const memory = (message: string): boolean => /memory|bad_alloc|allocat/i.test(message);

/** Runs texts, padded to the longest. */
async function run(ort: Ort, session: InferenceSession, texts: readonly Uint32Array[]): Promise<Rows> {
  const rows = texts.length;
  const tokens = Math.max(...texts.map((ids) => ids.length));
  const shape = [rows, tokens];
  const inputs = [new BigInt64Array(rows * tokens), new BigInt64Array(rows * tokens)] as const;
  // Little-endian, like WebAssembly: write only the low half of each int64.
  const [ids, shown] = inputs.map((data) => new Int32Array(data.buffer)) as [Int32Array, Int32Array];
  texts.forEach((text, row) => text.forEach((id, t) => {
    ids[2 * (row * tokens + t)] = id;
    shown[2 * (row * tokens + t)] = 1;
  }));
  const feeds = { [INPUT]: new ort.Tensor("int64", inputs[0], shape), [MASK]: new ort.Tensor("int64", inputs[1], shape) };
  let result;
  try {
    result = (await session.run(feeds, [OUTPUT]))[OUTPUT];
  } catch (error) {
    const message = describe(error);
    throw new RunError(memory(message) ? `not enough memory to run (${message})` : message, { cause: error });
  } finally {
    for (const tensor of Object.values(feeds)) tensor.dispose();
  }
  const [n, t, width = 0] = result?.dims ?? [];
  if (result?.type !== "float32" || n !== rows || t !== tokens || width < 1) {
    throw new RunError(`output ${OUTPUT} is ${result?.type} of ${result?.dims.join("×")}: want float32 of ${shape.join("×")}×dimensions`);
  }
  return { values: (await result.getData()) as Float32Array, width, tokens };
}
