// Messages between the client and its worker, in addition to the protocol's: the
// client sends start, the worker answers started or failed; then requests and
// replies pass through unchanged. Crashed can come at any time and is the last
// message.

export interface StartMessage {
  kind: "start";
  /** An absolute address, or the compiled program. */
  wasm: string | WebAssembly.Module;
}

/** Returns the compiled program, so that another worker can start without loading it. `kernel` is the version of the SIMD kernel (kernel.ts). */
export interface StartedMessage { kind: "started"; module: WebAssembly.Module; kernel: number }
export interface FailedMessage { kind: "failed"; name: "NetworkError" | "OperationError"; message: string }
export interface CrashedMessage { kind: "crashed"; message: string }
export type WorkerMessage = StartedMessage | FailedMessage | CrashedMessage;

/**
 * The part of the Worker interface that is used here; under Node, worker_threads
 * are wrapped to match it. Listeners get events with `data` ("message") or
 * `message` ("error").
 */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  // The DOM types listeners by event; only any matches all of them.
  addEventListener(type: "message" | "error" | "messageerror", listener: (event: any) => void): void;
  /** Under Node: whether the worker keeps the process alive. */
  ref?(): void;
  unref?(): void;
}
