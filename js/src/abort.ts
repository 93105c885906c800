// Aborting calls that several parties wait for or can end.

import { onAbort } from "./abort-steps.js";
import { tell } from "./channel.js";

/** Rejects with the signal's reason as soon as it is aborted, whatever becomes of the promise. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(onAbort(signal, abort));
  });
}

/** The calls of an object that can be closed: closing it aborts them, and so does its signal. */
export class PendingCalls {
  readonly #signal: AbortSignal | undefined;
  readonly #abort = new Set<(reason: unknown) => void>();
  #ended: { reason: unknown } | undefined;

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Aborts the calls in progress; later ones throw the reason. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#abort.forEach((abort) => abort(reason));
  }

  /**
   * A signal that is aborted by any of the given ones and by end(), like
   * AbortSignal.any, which older browsers lack. Throws the reason if one of
   * them is aborted already. Release it when the call is over.
   */
  follow(...others: (AbortSignal | undefined)[]): { signal: AbortSignal; release(): void } {
    if (this.#ended) throw this.#ended.reason;
    const signals = [this.#signal, ...others];
    signals.forEach((signal) => signal?.throwIfAborted());
    const controller = new AbortController();
    const release = (): void => {
      this.#abort.delete(end);
      removers.forEach((remove) => remove());
    };
    const end = (reason: unknown): void => {
      release();
      controller.abort(reason);
    };
    this.#abort.add(end);
    const removers = signals.map((signal) => onAbort(signal, () => end(signal!.reason)));
    return { signal: controller.signal, release };
  }

  /** Makes a call. Rejects at once if the signal is aborted, or on end(). */
  async run<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const both = this.follow(signal);
    try {
      return await abortable(work(both.signal), both.signal);
    } finally {
      both.release();
    }
  }
}

interface Call<P> {
  signal?: AbortSignal | undefined;
  onprogress?: ((progress: P) => void) | undefined;
}

class Running<T, P> {
  readonly controller = new AbortController();
  /** One for each call that waits. */
  readonly listeners = new Set<(progress: P) => void>();
  #result: Promise<T> | undefined;

  constructor(readonly key: readonly unknown[], private readonly work: (call: Required<Call<P>>) => Promise<T>) {}

  async wait({ signal, onprogress }: Call<P>): Promise<T> {
    signal?.throwIfAborted();
    const { controller, listeners } = this;
    const listener = (progress: P): void => tell(onprogress, progress);
    const leave = (): void => {
      listeners.delete(listener);
      if (signal?.aborted && listeners.size === 0) controller.abort(signal.reason);
    };
    listeners.add(listener);
    const stay = onAbort(signal, leave);
    try {
      this.#result ??= this.work({ signal: controller.signal, onprogress: (progress) => listeners.forEach((listener) => listener(progress)) });
      return await this.#result;
    } finally {
      stay();
      listeners.delete(listener);
    }
  }
}

/**
 * Work that calls share: a call with the key of the last one gets the same
 * result, even while it is still being computed. The work is aborted when all
 * calls that wait for it have been.
 */
export class SharedWork<T, P> {
  #last: Running<T, P> | undefined;

  async get(key: readonly unknown[], work: (call: Required<Call<P>>) => Promise<T>, call: Call<P>): Promise<T> {
    let last = this.#last;
    if (!last || last.controller.signal.aborted || key.some((part, i) => part !== last!.key[i])) last = this.#last = new Running(key, work);
    try {
      return await last.wait(call);
    } catch (error) {
      // The next call tries again.
      if (this.#last === last) this.#last = undefined;
      throw error;
    }
  }

  /** The next call does not share what was done until now. */
  forget(): void {
    this.#last = undefined;
  }
}
