import { type AliveMessage, watch } from "./life.js";
import type { WorkerLike } from "./worker-messages.js";

/** What becomes of a message of progress. */
export type ProgressListener = (message: unknown) => void;

/** Why a channel closed by itself; what its calls reject with. */
export interface ChannelErrors {
  /** The worker failed; a browser gives no message where the script itself cannot be loaded. */
  failed(message: string | undefined): unknown;
  /** The worker posted what cannot be cloned here. */
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
 * A worker that answers one message at a time, perhaps after messages of the
 * kind "progress". When the worker ends, also of itself and without a word, the
 * message under way rejects and `closed` is true for ever.
 */
export class Channel {
  closed = false;

  readonly #worker: WorkerLike;
  #pending: Pending | undefined;
  #reason: unknown;
  /** Ends the watch over the worker's life. */
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

  /** Terminates the worker. The message under way, and all later ones, reject with the reason. */
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

/** Tells a listener of the host; its mistakes are for the page to see, and no fault of the call. */
export function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
