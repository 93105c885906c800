// Keeps one summary up to date with the documents and the budget, and never
// more than one summary under way.

import { type Core, type MethodInfo, type Summary, createCore } from "cerasum";
import type { Doc } from "./documents.ts";

export interface Settings {
  /** Words. */
  budget: number;
  order: "document" | "rank";
  /** The name of one of the core's methods. */
  method: string;
}

export type Stage = "start" | "split" | "encode" | "select";

/** A summary with the documents that it was made of: its indices point into them. */
export interface Result {
  summary: Summary;
  docs: readonly Doc[];
  settings: Settings;
}

export type State =
  | { kind: "empty" }
  | { kind: "working"; stage: Stage; done: number; total: number; last: Result | undefined }
  | { kind: "done"; result: Result }
  | { kind: "cancelled" }
  | { kind: "failed"; error: unknown };

/** A run that takes no longer than this is let finish, though its answer is out of date: starting the worker anew would cost more. */
const PATIENCE_MS = 800;

/** Sends "change" with every new state, and "methods" once the methods are known. */
export class Engine extends EventTarget {
  readonly #core: Core = createCore();
  #methods: readonly MethodInfo[] = [];
  #state: State = { kind: "empty" };
  #wanted: { docs: readonly Doc[]; settings: Settings } | undefined;
  /** The documents as they are now, titles too. */
  #latest: readonly Doc[] = [];
  #timer: number | undefined;
  #running: AbortController | undefined;

  get state(): State {
    return this.#state;
  }

  /** The summary on show, if there is one. */
  get result(): Result | undefined {
    if (this.#state.kind === "done") return this.#state.result;
    return this.#state.kind === "working" ? this.#state.last : undefined;
  }

  /** What the core can summarize by, "auto" first; empty until the core has told. */
  get methods(): readonly MethodInfo[] {
    return this.#methods;
  }

  /** Loads the core and its methods ahead of the first summary. A failure shows when a summary needs the core. */
  async warm(): Promise<void> {
    const methods = await this.#core.methods().catch(() => []);
    if (this.#methods.length > 0 || methods.length === 0) return;
    this.#methods = methods;
    this.dispatchEvent(new Event("methods"));
  }

  /** Asks for a summary, `delay` ms after the last time that this was called. */
  request(docs: readonly Doc[], settings: Settings, delay: number): void {
    clearTimeout(this.#timer);
    this.#latest = docs;
    if (docs.length === 0) {
      this.#wanted = undefined;
      this.#running?.abort();
      this.#set({ kind: "empty" });
      return;
    }
    this.#wanted = { docs, settings };
    if (this.#state.kind !== "working") this.#set({ kind: "working", stage: "start", done: 0, total: 0, last: this.result });
    if (this.#running) this.#timer = setTimeout(() => this.#running?.abort(), Math.max(delay, PATIENCE_MS));
    else this.#timer = setTimeout(() => void this.#run(), delay);
  }

  /** Takes over new titles of documents that are otherwise the same. */
  rename(docs: readonly Doc[]): void {
    this.#latest = docs;
    if (this.#state.kind === "done") this.#set({ kind: "done", result: this.#titled(this.#state.result) });
    else if (this.#state.kind === "working" && this.#state.last) this.#set({ ...this.#state, last: this.#titled(this.#state.last) });
  }

  #titled(result: Result): Result {
    const titles = new Map(this.#latest.map((doc) => [doc.id, doc.title]));
    return { ...result, docs: result.docs.map((doc) => ({ ...doc, title: titles.get(doc.id) ?? doc.title })) };
  }

  cancel(): void {
    if (this.#state.kind !== "working") return;
    clearTimeout(this.#timer);
    this.#wanted = undefined;
    this.#running?.abort();
    this.#set({ kind: "cancelled" });
  }

  async #run(): Promise<void> {
    while (this.#wanted) {
      const { docs, settings } = this.#wanted;
      this.#wanted = undefined;
      const running = new AbortController();
      this.#running = running;
      // An answer counts only while nothing newer was asked for.
      const current = () => !running.signal.aborted && this.#wanted === undefined;
      try {
        const summary = await this.#core.summarize(
          docs.map(({ text, title, source, language }) => (language ? { text, title, source, language } : { text, title, source })),
          { method: settings.method, budget: { amount: settings.budget, unit: "words" }, order: settings.order },
          {
            signal: running.signal,
            onprogress: ({ stage, done, total }) => {
              if (current() && this.#state.kind === "working") this.#set({ ...this.#state, stage, done, total });
            },
          },
        );
        // The core did not load at first, but now it has.
        if (this.#methods.length === 0) await this.warm();
        if (current()) this.#set({ kind: "done", result: this.#titled({ summary, docs, settings }) });
      } catch (error) {
        if (current()) this.#set({ kind: "failed", error });
      }
      this.#running = undefined;
      clearTimeout(this.#timer);
    }
  }

  #set(state: State): void {
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}
