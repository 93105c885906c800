// Keeps the summary up to date with documents and settings. The core has the
// documents in one session, opened when they change; a change of settings only
// selects again. One selection runs at a time; of the requests that come
// meanwhile only the newest is kept.

import { type Core, type CoreInfo, type DocumentInput, type EncodedSummary, type Embeddings, type MethodInfo, type Order, type SentenceEncoder, type Session, type SplitDocument, type Summary, type SummarizeProgress, createCore } from "cerasum";
import { type Doc, keyOf, ownTitle } from "./documents.ts";
import type { ChosenEncoder } from "./encoders.ts";
import type { Length } from "./length.ts";
import { text as t } from "./strings.ts";
import { applied, languagesOf, quoting } from "../../common/whose.ts";

export interface Settings {
  budget: Length;
  order: Order;
  /** The name of one of the core's methods. */
  method: string;
  /** "any": also weights that may not be used commercially. */
  licence: "any" | undefined;
  encoder: ChosenEncoder | undefined;
  /** What the reader wants to know; empty: a general summary. */
  query: string;
  /** Which of several languages are quoted; see whose.ts. */
  whose: string;
}

export type Stage = "start" | "load" | "split" | "encode" | "select";

/** A summary with the documents that it was made of: its indices point into them. */
export interface Result {
  summary: Summary;
  docs: readonly Doc[];
  /** Language and sentences of each document; the same object in every summary of a session. */
  split: readonly SplitDocument[];
  /** The embeddings that were used, a row for each sentence. */
  embeddings: Embeddings | undefined;
  settings: Settings;
  /** Whether the method that ran uses the question. */
  queried: boolean;
  /** Settings.whose as far as it concerns these documents. */
  whose: string;
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

/** An outdated selection may take this long: aborting a longer one costs the worker. */
const PATIENCE_MS = 300;

interface Wish { docs: readonly Doc[]; settings: Settings }

/** Documents in the core. */
interface Opened {
  readonly key: string;
  readonly session: Promise<Session>;
  /** Stops the opening. */
  readonly controller: AbortController;
  embedding: Embedding | undefined;
}

/** The sentences of a session, embedded once by an encoder. */
interface Embedding {
  readonly encoder: ChosenEncoder;
  readonly controller: AbortController;
  /** Resolves when there are rows or a problem. */
  ended: Promise<void>;
  rows: Embeddings | undefined;
  /** Why there are no rows. */
  problem: string | undefined;
}

/** A shared session got another encoder during a comparison. */
const encoderChanged = new Error("the encoder has changed");

/** The title and the source count too: for the choice of sentences, and to tell what is boilerplate. */
const inputsOf = (docs: readonly Doc[]): DocumentInput[] => docs.map((doc) => {
  const { text, source, language, blocks, date } = doc;
  const title = ownTitle(doc);
  return { text, ...(title && { title }), ...(source && { source }), ...(language && { language }), ...(blocks && { blocks }), ...(date && { date }) };
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Sends "change" with every new state, and "info" once methods and languages are known. */
export class Engine extends EventTarget {
  readonly #core: Core = createCore({ weightsURL: new URL("weights/", document.baseURI) });
  #info: CoreInfo = { methods: [], languages: [] };
  #state: State = { kind: "empty" };
  /** The next summary to make. */
  #wish: Wish | undefined;
  /** The last summary, or the one in progress. */
  #last: Wish | undefined;
  /** The current documents, with their titles. */
  #latest: readonly Doc[] = [];
  #timer: number | undefined;
  #running: { controller: AbortController; since: number } | undefined;
  #opened: Opened | undefined;

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
    // The core's texts are English.
    return this.#info.methods.map((method) => ({ ...method, ...(Object.hasOwn(t.methods, method.name) && t.methods[method.name]) }));
  }

  /** Tags of the languages that the core detects; empty until known. */
  get languages(): readonly string[] {
    return this.#info.languages;
  }

  /** Loads the core and its methods ahead of the first summary. Errors surface when a summary needs the core. */
  async warm(): Promise<void> {
    const info = await this.#core.info().catch(() => undefined);
    if (this.#info.methods.length > 0 || !info) return;
    this.#info = info;
    this.dispatchEvent(new Event("info"));
  }

  /** Requests a summary, debounced by `delay` ms. */
  request(docs: readonly Doc[], settings: Settings, delay: number): void {
    clearTimeout(this.#timer);
    this.#latest = docs;
    if (docs.length === 0) {
      this.#wish = this.#last = undefined;
      this.#running?.controller.abort();
      this.#close();
      this.#set({ kind: "empty" });
      return;
    }
    const wish = (this.#wish = { docs, settings });
    this.#forgive();
    if (this.#state.kind !== "working") this.#set({ kind: "working", stage: "start", done: 0, total: 0, last: this.result });
    if (this.#running) this.#timer = setTimeout(() => this.#hurry(), Math.max(delay, this.#running.since + PATIENCE_MS - performance.now()));
    else if (delay > 0) this.#timer = setTimeout(() => void this.#run(), delay);
    // A timer would let the browser paint first.
    else queueMicrotask(() => { if (this.#wish === wish) void this.#run(); });
  }

  /** Updates the titles that the summary on show has; what the core is told changes with `request`. */
  rename(docs: readonly Doc[]): void {
    this.#latest = docs;
    const last = this.result;
    const titled = last && this.#titled(last);
    if (titled === last) return;
    if (this.#state.kind === "done") this.#set({ ...this.#state, result: titled! });
    else if (this.#state.kind === "working") this.#set({ ...this.#state, last: titled });
  }

  /** The same result if no title differs. */
  #titled(result: Result): Result {
    const titles = new Map(this.#latest.map((doc) => [doc.id, doc.title]));
    if (result.docs.every((doc) => (titles.get(doc.id) ?? doc.title) === doc.title)) return result;
    return { ...result, docs: result.docs.map((doc) => ({ ...doc, title: titles.get(doc.id) ?? doc.title })) };
  }

  /** Stops the run; a summary that was being improved stays. */
  cancel(): void {
    const state = this.#state;
    if (state.kind !== "working" && !(state.kind === "done" && state.refining)) return;
    this.#stopEncoder();
    this.#wish = undefined;
    this.#running?.controller.abort();
    if (state.kind === "done") return this.#set({ ...state, refining: undefined });
    clearTimeout(this.#timer);
    this.#opened?.controller.abort();
    this.#set({ kind: "cancelled" });
  }

  /**
   * A summary in addition to the one on show. Shares the page's session if it
   * fits and the page does not change it meanwhile. Rejects as the core does, and
   * with the signal's reason.
   */
  async once(docs: readonly Doc[], settings: Settings, signal: AbortSignal): Promise<Result> {
    this.#forgive();
    const shared = this.#shared(docs, settings.encoder);
    if (shared) {
      try {
        return await this.#onceWith(shared, { docs, settings }, signal);
      } catch (error) {
        if (signal.aborted || (shared === this.#opened && error !== encoderChanged)) throw error;
      }
    }
    const own: Opened = { key: keyOf(docs), session: this.#core.open(inputsOf(docs), { signal }), controller: new AbortController(), embedding: undefined };
    const stop = (): void => own.embedding?.controller.abort();
    signal.addEventListener("abort", stop);
    try {
      return await this.#onceWith(own, { docs, settings }, signal);
    } finally {
      signal.removeEventListener("abort", stop);
      own.session.then((session) => session.close(), () => undefined);
    }
  }

  async #onceWith(opened: Opened, wish: Wish, signal: AbortSignal): Promise<Result> {
    const { encoder, method } = wish.settings;
    const session = await opened.session;
    signal.throwIfAborted();
    if (!encoder || !session.wantsEmbeddings(method)) return this.#select(opened, session, wish, { signal });
    const embedding = this.#embed(opened, session, encoder);
    await embedding.ended;
    const result = await this.#select(opened, session, wish, { signal });
    if (opened.embedding !== embedding || embedding.encoder !== encoder) throw encoderChanged;
    return result;
  }

  /** The page's session, if it has these documents and this encoder and no request is pending. */
  #shared(docs: readonly Doc[], encoder: ChosenEncoder | undefined): Opened | undefined {
    const opened = this.#opened;
    if (!opened || this.#wish || this.#running || opened.key !== keyOf(docs)) return undefined;
    return (opened.embedding?.encoder ?? this.#last?.settings.encoder) === encoder ? opened : undefined;
  }

  /** The sentences of a text that is not one of the documents. */
  async split(text: string): Promise<string[]> {
    const session = await this.#core.open([{ text }]);
    session.close();
    return [...session.texts];
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    while (this.#wish) {
      const wish = (this.#last = this.#wish);
      this.#wish = undefined;
      const controller = new AbortController();
      this.#running = { controller, since: performance.now() };
      try {
        await this.#make(wish, controller.signal);
        // An earlier attempt to load the core may have failed.
        if (this.#info.methods.length === 0) await this.warm();
      } catch (error) {
        if (!controller.signal.aborted && !this.#wish) this.#set({ kind: "failed", error });
      }
      this.#running = undefined;
      clearTimeout(this.#timer);
    }
  }

  /** A newer request has waited long enough. */
  #hurry(): void {
    this.#running?.controller.abort();
    if (this.#wish && this.#opened?.key !== keyOf(this.#wish.docs)) this.#opened?.controller.abort();
  }

  /** Shows the best summary that is possible now, and a better one when the encoder is done. */
  async #make(wish: Wish, signal: AbortSignal): Promise<void> {
    const { docs, settings: { encoder, method: name } } = wish;
    // The name may come from a file, before the core has listed its methods.
    if (name !== "auto" && this.#info.methods.length === 0) await this.warm();
    const opened = this.#open(docs, encoder);
    const session = await opened.session;
    if (signal.aborted) return;
    const embed = () => (encoder && session.wantsEmbeddings(name) ? this.#embed(opened, session, encoder) : undefined);
    const ended = ({ rows, problem }: Embedding) => rows !== undefined || problem !== undefined;
    if (this.#method(name).embeddings === "required") {
      const embedding = embed();
      if (embedding && !ended(embedding)) return this.#progress({ stage: "load", done: 0, total: 0 });
    }
    const result = await this.#select(opened, session, wish, { signal, onprogress: (progress) => this.#progress(progress) });
    if (signal.aborted) return;
    // While the length is being changed, each summary is shown until the next is there.
    if (this.#wish) {
      if (keyOf(this.#wish.docs) === opened.key) this.#set({ kind: "working", stage: "start", done: 0, total: 0, last: this.#titled(result) });
      return;
    }
    const embedding = embed();
    if (!embedding) this.#stopEncoder();
    this.#set({ kind: "done", result: this.#titled(result), refining: embedding && !ended(embedding) ? { stage: "load", done: 0, total: 0 } : undefined });
  }

  #method(name: string): Pick<MethodInfo, "name" | "title" | "embeddings" | "query"> {
    return this.methods.find((method) => method.name === name) ?? { name: "auto", title: "", embeddings: "optional", query: true };
  }

  /** The documents' session; a new one if another encoder has embedded them. */
  #open(docs: readonly Doc[], encoder: ChosenEncoder | undefined): Opened {
    const key = keyOf(docs);
    if (this.#opened?.key === key) {
      const { embedding } = this.#opened;
      if (embedding && embedding.encoder !== encoder) this.#stopEncoder();
      if (!this.#opened.embedding || embedding?.encoder === encoder) return this.#opened;
    }
    this.#close();
    const controller = new AbortController();
    const session = this.#core.open(inputsOf(docs), { signal: controller.signal, onprogress: (progress) => this.#progress(progress) });
    const opened: Opened = (this.#opened = { key, session, controller, embedding: undefined });
    session.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  #close(): void {
    const opened = this.#opened;
    if (!opened) return;
    this.#stopEncoder();
    this.#opened = undefined;
    opened.controller.abort();
    opened.session.then((session) => session.close(), () => undefined);
  }

  /** Embeds the session's sentences, unless that has been done. */
  #embed(opened: Opened, session: Session, encoder: ChosenEncoder): Embedding {
    if (opened.embedding) return opened.embedding;
    const controller = new AbortController();
    let rows: Embeddings | undefined;
    const source: SentenceEncoder = {
      get languages() { return encoder.encoder.languages; },
      get model() { return encoder.encoder.model; },
      embed: async (texts, options) => (rows = await encoder.encoder.embed(texts, options)),
    };
    const embedding: Embedding = (opened.embedding = { encoder, controller, ended: Promise.resolve(), rows: undefined, problem: undefined });
    const current = () => this.#opened?.embedding === embedding;
    embedding.ended = session.embed(source, { signal: controller.signal, onprogress: (progress) => current() && this.#progress(progress) }).then(
      () => void (embedding.rows = rows),
      (error: unknown) => void (embedding.problem = messageOf(error)),
    ).then(() => {
      const awaited = this.#state.kind === "working" || (this.#state.kind === "done" && this.#state.refining);
      if (!current() || !awaited) return;
      this.#wish ??= this.#last;
      void this.#run();
    });
    return embedding;
  }

  /** Stops embedding. The encoder keeps the files it has loaded. */
  #stopEncoder(): void {
    const embedding = this.#opened?.embedding;
    if (!embedding || embedding.rows) return;
    embedding.controller.abort();
    this.#opened!.embedding = undefined;
  }

  /** Forgets a failure of the encoder, so that it is tried again. */
  #forgive(): void {
    if (this.#opened?.embedding?.problem !== undefined) this.#opened.embedding = undefined;
  }

  /** Makes a summary with the embeddings available now. */
  async #select(opened: Opened, session: Session, { docs, settings }: Wish, call: { signal: AbortSignal; onprogress?: (progress: SummarizeProgress) => void }): Promise<Result> {
    const { budget, order, licence, encoder, query } = settings;
    const whose = applied(settings.whose, languagesOf(session.documents));
    const { name, title, embeddings } = this.#method(settings.method);
    const { rows, problem } = opened.embedding ?? {};
    const summarize = (method: string) => session.summarize({ budget, order, licence, method, ...(query && this.#method(method).query && { query }), ...quoting(whose) }, call);
    const wanted = session.wantsEmbeddings(name);
    let used = wanted ? rows : undefined;
    let fallback = wanted && problem !== undefined ? t.fallback(encoder!.name, problem) : undefined;
    let summary: EncodedSummary;
    if (embeddings === "required" && wanted && !rows) {
      fallback = problem === undefined ? t.noEncoder(title) : t.fallbackMethod(title, problem);
      summary = await summarize("auto");
    } else {
      try {
        summary = await summarize(name);
      } catch (error) {
        if (call.signal.aborted || !used || name === "auto") throw error;
        fallback = t.fallbackMethod(title, messageOf(error));
        summary = await summarize("auto");
      }
    }
    if (summary.fallback !== undefined) fallback = t.tooLarge(this.#method("auto").title, this.#method(summary.method).title, summary.fallback);
    if (fallback !== undefined) used = undefined;
    return {
      summary, docs, settings, fallback, split: session.documents, queried: this.#method(summary.method).query, whose,
      embeddings: used, encoder: used && encoder!.name, weights: summary.weights,
    };
  }

  #progress({ stage, done, total }: SummarizeProgress): void {
    const state = this.#state;
    if (state.kind === "working" && !this.#wish) this.#set({ ...state, stage, done, total });
    else if (state.kind === "done" && state.refining && (stage === "load" || stage === "encode")) this.#set({ ...state, refining: { stage, done, total } });
  }

  #set(state: State): void {
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}
