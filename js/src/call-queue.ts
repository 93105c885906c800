import { onAbort } from "./abort-steps.js";

/** What a queue needs of a connection to a worker. */
export interface Closable {
  /** Whether the worker has ended. */
  readonly closed: boolean;
  /** Ends the worker. Calls in progress, and all later ones, reject with the reason. */
  close(reason: unknown): void;
}

/** Opens a queue's connection and stops its calls. */
export interface Opener<C extends Closable> {
  /** `opened` gets the connection before it is ready, so that it can be closed meanwhile. */
  open(opened: (connection: C) => void): Promise<C>;
  /** Stops the call in progress, which has rejected already; `ended` resolves when its work has ended. */
  abort(connection: C, reason: unknown, ended: Promise<void>): void;
  /** Stops a start that no call waits for. Without it, the start continues for the next call. */
  abandon?(reason: unknown): void;
  /** What calls reject with after destroy(). */
  destroyed(): unknown;
}

interface Job<C> {
  work(connection: C): Promise<unknown>;
  resolve(answer: unknown): void;
  reject(reason: unknown): void;
  settled: boolean;
  /** Skipped if there is no worker. */
  optional: boolean;
}

/**
 * Calls to a worker, answered one after another. The first call starts the
 * worker; if it ended, or failed to start, the next call starts it again. Calls
 * fail independently of each other.
 */
export class CallQueue<C extends Closable> {
  readonly #opener: Opener<C>;
  readonly #queue: Job<C>[] = [];
  #working = false;
  #running: Job<C> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #connection: C | undefined;
  #opening: Promise<C> | undefined;
  #destroyed = false;

  constructor(opener: Opener<C>) {
    this.#opener = opener;
  }

  /** Does the work when its turn comes. Rejects with the signal's reason as soon as it is aborted. */
  run<T>(work: (connection: C) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#destroyed) throw this.#opener.destroyed();
      signal?.throwIfAborted();
      const job: Job<C> = {
        work,
        settled: false,
        optional: false,
        resolve: (answer) => settle(() => resolve(answer as T)),
        reject: (reason) => settle(() => reject(reason)),
      };
      const abort = (): void => this.#abort(job, signal?.reason);
      const settle = (action: () => void): void => {
        if (job.settled) return;
        job.settled = true;
        release();
        action();
      };
      const release = onAbort(signal, abort);
      this.#queue.push(job);
      void this.#work();
    });
  }

  /** Does the work before the waiting calls, if the worker is still running. The outcome is not reported. */
  tidy(work: (connection: C) => Promise<unknown>): void {
    if (this.#destroyed) return;
    const ignore = (): void => undefined;
    this.#queue.unshift({ work, settled: false, optional: true, resolve: ignore, reject: ignore });
    void this.#work();
  }

  /** Returns the connection, opening it if there is none. A later call retries a failed opening. */
  connect(): Promise<C> {
    if (this.#destroyed) return Promise.reject(this.#opener.destroyed());
    if (this.#opening) return this.#opening;
    if (this.#connection && !this.#connection.closed) return Promise.resolve(this.#connection);
    this.#opening = this.#opener
      .open((opened) => {
        this.#connection = opened;
        if (this.#destroyed) opened.close(this.#opener.destroyed());
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  /** Ends the worker. Calls in progress, and all later ones, reject. */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    const reason = this.#opener.destroyed();
    for (const job of this.#queue.splice(0)) job.reject(reason);
    this.#running?.reject(reason);
    this.#connection?.close(reason);
    if (this.#opening) this.#opener.abandon?.(reason);
  }

  #abort(job: Job<C>, reason: unknown): void {
    job.reject(reason);
    const place = this.#queue.indexOf(job);
    if (place >= 0) {
      this.#queue.splice(place, 1);
    } else if (job === this.#running && !this.#opening && this.#connection) {
      this.#opener.abort(this.#connection, reason, this.#ended);
    }
    if (this.#opening && this.#queue.length === 0 && (!this.#running || this.#running.settled)) this.#opener.abandon?.(reason);
  }

  /** Answers the queue, one call after another. Never rejects. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) {
      if (job.optional && (!this.#connection || this.#connection.closed)) continue;
      this.#running = job;
      await (this.#ended = this.#do(job));
      this.#running = undefined;
    }
    this.#working = false;
  }

  async #do(job: Job<C>): Promise<void> {
    try {
      const connection = await this.connect();
      if (!job.settled) job.resolve(await job.work(connection));
    } catch (error) {
      job.reject(error);
    }
  }
}
