import { type AliveMessage, watch } from "./life.js";
import type { WorkerLike } from "./worker-messages.js";

/** Handles a progress message. */
export type ProgressListener = (message: unknown) => void;

/** The errors that calls reject with when a channel closes by itself. */
export interface ChannelErrors {
  /** The worker failed; browsers give no message if the script itself cannot be loaded. */
  failed(message: string | undefined): unknown;
  /** The worker posted a message that cannot be deserialized. */
  unreadable(): unknown;
  /** The worker said `{ kind: "crashed", message }`. */
  crashed(message: string): unknown;
}

interface Pending {
  resolve(message: unknown): void;
  reject(error: unknown): void;
  onprogress: ProgressListener | undefined;
}

/**
 * A worker that answers one message at a time, after any number of "progress"
 * messages. When the worker ends, even silently, the pending message rejects
 * and `closed` stays true.
 */
export class Channel {
  closed = false;

  readonly #worker: WorkerLike;
  #pending: Pending | undefined;
  #reason: unknown;
  /** Stops watching the worker. */
  readonly #unwatch = new AbortController();

  constructor(worker: WorkerLike, errors: ChannelErrors) {
    this.#worker = worker;
    worker.addEventListener("message", (event: { data: unknown }) => {
      const { data } = event;
      const kind = (data as { kind?: unknown } | null)?.kind;
      if (kind === "crashed") this.close(errors.crashed((data as { message: string }).message));
      else if (kind === "alive") watch((data as AliveMessage).lock, this.#unwatch.signal, () => this.close(errors.crashed("its worker vanished")));
      else if (kind === "progress") this.#pending?.onprogress?.(data);
      else this.#settle(data);
    });
    worker.addEventListener("error", (event: { message?: string }) => this.close(errors.failed(event.message)));
    worker.addEventListener("messageerror", () => this.close(errors.unreadable()));
  }

  /** Posts a message and waits for the one that answers it. */
  exchange(message: unknown, onprogress?: ProgressListener): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(this.#reason);
      this.#pending = { resolve, reject, onprogress };
      this.#worker.ref?.();
      this.#worker.postMessage(message);
    });
  }

  /** Posts a message that has no answer. */
  post(message: unknown): void {
    if (!this.closed) this.#worker.postMessage(message);
  }

  /** Terminates the worker. The pending message and all later ones reject with the reason. */
  close(reason: unknown): void {
    if (this.closed) return;
    this.closed = true;
    this.#reason = reason;
    this.#unwatch.abort();
    this.#worker.terminate();
    this.#pending?.reject(reason);
    this.#pending = undefined;
  }

  #settle(message: unknown): void {
    if (!this.#pending) return;
    const { resolve } = this.#pending;
    this.#pending = undefined;
    this.#worker.unref?.();
    resolve(message);
  }
}

/** Calls a listener of the caller. Its exceptions are reported but do not fail the call. */
export function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
