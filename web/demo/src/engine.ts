// Keeps the summary up to date with documents and settings; at most one run is
// in progress.

import { type Budget, type Core, type EncodedSummary, type MethodInfo, type Span, type Summary, type SummarizeProgress, createCore } from "cerasum";
import type { Doc } from "./documents.ts";
import type { ChosenEncoder } from "./encoders.ts";
import { text as t } from "./strings.ts";

export interface Settings {
  budget: Budget;
  order: "document" | "rank";
  /** The name of one of the core's methods. */
  method: string;
  /** "free": only parameters trained on freely licensed corpora. */
  licence: "free" | undefined;
  encoder: ChosenEncoder | undefined;
}

export type Stage = "start" | "load" | "split" | "encode" | "select";

/** A summary with the documents that it was made of: its indices point into them. */
export interface Result {
  summary: Summary;
  docs: readonly Doc[];
  settings: Settings;
  /** Name of the encoder that was used. */
  encoder: string | undefined;
  /** Name of the weights that the method used. */
  weights: string | undefined;
  /** Why the encoder was not used. */
  fallback: string | undefined;
}

/** Progress of the encoder towards a better summary. */
export interface Refining { stage: "load" | "encode"; done: number; total: number }

export type State =
  | { kind: "empty" }
  | { kind: "working"; stage: Stage; done: number; total: number; last: Result | undefined }
  | { kind: "done"; result: Result; refining: Refining | undefined }
  | { kind: "cancelled" }
  | { kind: "failed"; error: unknown };

/** An outdated run may finish within this time: restarting the worker would take longer. */
const PATIENCE_MS = 800;

/** Information about a summary. */
interface Made { encoder?: string; weights?: string | undefined; fallback?: string | undefined }

/** Callbacks for a run. */
interface Watcher {
  /** Whether the summary is still wanted. */
  current(): boolean;
  progress?(progress: SummarizeProgress): void;
  /** The encoder's progress. */
  refine?(progress: SummarizeProgress): void;
  /** A summary; the last one is the best. */
  show(summary: Summary, made?: Made, refining?: Refining): Promise<void> | void;
}

/** Sends "change" with every new state, "methods" once the methods are known, and "sentences" once the sentence offsets of the summary's documents are known. */
export class Engine extends EventTarget {
  readonly #core: Core = createCore({ weightsURL: new URL("weights/", document.baseURI) });
  #methods: readonly MethodInfo[] = [];
  #state: State = { kind: "empty" };
  #wanted: { docs: readonly Doc[]; settings: Settings } | undefined;
  /** The documents as they are now, titles too. */
  #latest: readonly Doc[] = [];
  #timer: number | undefined;
  #running: AbortController | undefined;
  /** Where the sentences of documents are, by the documents' ids. */
  readonly #sentences = new Map<number, { version: number; spans: readonly Span[] }>();
  /** What runs is the encoder's part. */
  #refining = false;

  get state(): State {
    return this.#state;
  }

  /** The current summary, if any. */
  get result(): Result | undefined {
    if (this.#state.kind === "done") return this.#state.result;
    return this.#state.kind === "working" ? this.#state.last : undefined;
  }

  /** The core's methods, "auto" first; empty until known. */
  get methods(): readonly MethodInfo[] {
    // The core speaks English.
    return this.#methods.map((method) => ({ ...method, ...t.methods[method.name] }));
  }

  /** Sentence offsets of a document; undefined until known. */
  sentences({ id, version }: Doc): readonly Span[] | undefined {
    const found = this.#sentences.get(id);
    return found?.version === version ? found.spans : undefined;
  }

  /** Loads the core and its methods ahead of the first summary. Errors surface when a summary needs the core. */
  async warm(): Promise<void> {
    const methods = await this.#core.methods().catch(() => []);
    if (this.#methods.length > 0 || methods.length === 0) return;
    this.#methods = methods;
    this.dispatchEvent(new Event("methods"));
  }

  /** Requests a summary, debounced by `delay` ms. */
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
    // The encoder stops at once and keeps what it has loaded.
    if (this.#running) this.#timer = setTimeout(() => this.#running?.abort(), this.#refining ? delay : Math.max(delay, PATIENCE_MS));
    else this.#timer = setTimeout(() => void this.#run(), delay);
  }

  /** Takes over new titles of documents that are otherwise the same. */
  rename(docs: readonly Doc[]): void {
    this.#latest = docs;
    if (this.#state.kind === "done") this.#set({ ...this.#state, result: this.#titled(this.#state.result) });
    else if (this.#state.kind === "working" && this.#state.last) this.#set({ ...this.#state, last: this.#titled(this.#state.last) });
  }

  #titled(result: Result): Result {
    const titles = new Map(this.#latest.map((doc) => [doc.id, doc.title]));
    return { ...result, docs: result.docs.map((doc) => ({ ...doc, title: titles.get(doc.id) ?? doc.title })) };
  }

  /** Stops the run; a summary that was being improved stays. */
  cancel(): void {
    if (this.#state.kind === "done" && this.#state.refining) {
      this.#running?.abort();
      this.#set({ ...this.#state, refining: undefined });
    }
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
      // Ignore answers to outdated requests.
      const current = () => !running.signal.aborted && this.#wanted === undefined;
      const show = async (summary: Summary, { encoder, weights, fallback }: Made = {}, refining?: Refining) => {
        if (current()) this.#set({ kind: "done", result: this.#titled({ summary, docs, settings, encoder, weights, fallback }), refining });
        if (current()) await this.#locate(docs, running.signal);
      };
      const progress = ({ stage, done, total }: SummarizeProgress) => {
        if (current() && this.#state.kind === "working" && stage !== "load") this.#set({ ...this.#state, stage, done, total });
      };
      const refine = ({ stage, done, total }: SummarizeProgress) => {
        this.#refining = true;
        if (!current() || (stage !== "load" && stage !== "encode")) return;
        if (this.#state.kind === "done") this.#set({ ...this.#state, refining: { stage, done, total } });
        else if (this.#state.kind === "working") this.#set({ ...this.#state, stage, done, total });
      };
      try {
        await this.#summarize({ docs, settings }, running.signal, { current, progress, refine, show });
        // The core did not load at first, but now it has.
        if (this.#methods.length === 0) await this.warm();
      } catch (error) {
        if (current()) this.#set({ kind: "failed", error });
      }
      this.#refining = false;
      this.#running = undefined;
      clearTimeout(this.#timer);
    }
  }

  /** A summary besides the one on show. Rejects as the core does, and with the signal's reason. */
  async once(docs: readonly Doc[], settings: Settings, signal: AbortSignal): Promise<Result> {
    let best: Result | undefined;
    const show = (summary: Summary, { encoder, weights, fallback }: Made = {}) => {
      best = { summary, docs, settings, encoder, weights, fallback };
    };
    await this.#summarize({ docs, settings }, signal, { current: () => !signal.aborted, show });
    signal.throwIfAborted();
    return best!;
  }

  /** The sentences of a text that is no document. */
  async split(text: string): Promise<string[]> {
    const [only] = await this.#core.split([{ text }]);
    return only!.sentences.map(({ start, end }) => text.slice(start, end));
  }

  /**
   * Shows the summary of words at once, where the method has one, and then the
   * better one that the encoder makes possible.
   */
  async #summarize(
    { docs, settings }: { docs: readonly Doc[]; settings: Settings },
    signal: AbortSignal,
    { current, progress: onprogress = () => undefined, refine = () => undefined, show }: Watcher,
  ): Promise<void> {
    const { encoder } = settings;
    const documents = docs.map(input);
    // A name from a file, before the core has listed its methods.
    if (settings.method !== "auto" && this.#methods.length === 0) await this.warm();
    const method = this.methods.find(({ name }) => name === settings.method) ?? { name: "auto", title: "", embeddings: "optional" as const };
    const options = { budget: settings.budget, order: settings.order, licence: settings.licence };
    const plainly = (name: string) => this.#core.summarize(documents, { ...options, method: name }, { signal, onprogress });

    let plain: EncodedSummary | undefined;
    if (method.embeddings !== "required") plain = await plainly(method.name);
    else if (!encoder) return show(await plainly("auto"), { fallback: t.noEncoder(method.title) });
    if (plain?.fallback !== undefined) {
      const title = (name: string) => this.methods.find((one) => one.name === name)?.title ?? name;
      return show(plain, { fallback: t.tooLarge(title("auto"), title(plain.method), plain.fallback) });
    }
    const wanted = encoder && method.embeddings !== "none" && (method.name !== "auto" || severalLanguages(plain!));
    if (plain) await show(plain, {}, wanted ? { stage: "load", done: 0, total: 0 } : undefined);
    if (!wanted || !current()) return;

    refine({ stage: "load", done: 0, total: 0 });
    let better: EncodedSummary;
    try {
      better = await this.#core.summarize(documents, { ...options, method: method.name }, { encoder: encoder.encoder, signal, onprogress: refine });
    } catch (error) {
      if (signal.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (plain) return show(plain, { fallback: t.fallback(encoder.name, reason) });
      return show(await plainly("auto"), { fallback: t.fallbackMethod(method.title, reason) });
    }
    const { fallback, weights } = better;
    if (fallback === undefined) await show(better, { encoder: encoder.name, weights });
    else await show(plain ?? better, { fallback: t.fallback(encoder.name, fallback) });
  }

  /** Finds out where the sentences are, of documents that are new. What the summary says of them is on show already. */
  async #locate(docs: readonly Doc[], signal: AbortSignal): Promise<void> {
    for (const id of this.#sentences.keys()) if (!docs.some((doc) => doc.id === id)) this.#sentences.delete(id);
    const news = docs.filter((doc) => !this.sentences(doc));
    if (news.length === 0) return;
    try {
      const split = await this.#core.split(news.map(input), { signal });
      news.forEach(({ id, version }, i) => this.#sentences.set(id, { version, spans: split[i]!.sentences }));
    } catch (error) {
      if (signal.aborted) throw error;
      return; // The summary stands without.
    }
    this.dispatchEvent(new Event("sentences"));
  }

  #set(state: State): void {
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}

/** A document as the core wants it. */
const input = ({ text, title, source, language }: Doc) => (language ? { text, title, source, language } : { text, title, source });

/** Whether the automatic method would look at what an encoder says. */
function severalLanguages({ documents }: Summary): boolean {
  return new Set(documents.filter(({ language, sentences }) => language !== "" && sentences > 0).map(({ language }) => language)).size > 1;
}
