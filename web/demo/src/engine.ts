// Keeps the summary up to date with documents and settings. The core has the
// documents in one session, opened when they change; a change of settings only
// selects again. One selection runs at a time; of the requests that come
// meanwhile only the newest is kept.

import { type Core, type CoreInfo, type DocumentInput, type EncodedSummary, type MethodInfo, type Order, type SentenceEncoder, type Session, type SplitDocument, type SummarizeProgress, createCore } from "cerasum";
import { type Doc, keyOf, ownTitle } from "./documents.ts";
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
  /** Undefined: the page does not read closely. */
  encoder: PageEncoder | undefined;
  /** What the reader wants to know; empty: a general summary. */
  query: string;
  /** Which of several languages are quoted; see whose.ts. */
  whose: string;
}

export interface PageEncoder extends SentenceEncoder {
  /** Gives its memory back, and stops a start. Calls in progress reject. */
  free(): void;
}

/** "load" and "read" are of close reading; "read" counts sentences. */
export type Stage = "start" | "split" | "encode" | "select" | "load" | "read";

/** A summary with the documents that it was made of: its indices point into them. */
export interface Result {
  summary: EncodedSummary;
  docs: readonly Doc[];
  /** Language and sentences of each document; the same object in every summary of a session. */
  split: readonly SplitDocument[];
  settings: Settings;
  /** Whether the method that ran uses the question. */
  queried: boolean;
  /** Settings.whose as far as it concerns these documents. */
  whose: string;
  /** Whether the encoder would be used, for these documents and settings. */
  wanted: boolean;
  /** Name of the encoder that was used. */
  encoder: string | undefined;
  /** Why the documents could not be read closely. */
  unread: string | undefined;
  /** Name of the weights that the method used. */
  weights: string | undefined;
  /** Why another method than the chosen one was used. */
  fallback: string | undefined;
}

/** Progress of the close reading towards a better summary. */
export interface Refining { stage: "load" | "read"; done: number; total: number }

export type State =
  | { kind: "empty" }
  | { kind: "working"; stage: Stage; done: number; total: number; last: Result | undefined }
  /** `better` is a summary of a close reading that waits for `showBetter`. */
  | { kind: "done"; result: Result; refining?: Refining | undefined; better?: Result | undefined }
  | { kind: "cancelled" }
  | { kind: "failed"; error: unknown };

/** An outdated selection may take this long: aborting a longer one costs the worker. */
const PATIENCE_MS = 300;

/** `refines`: the reader has the same summary without embeddings. */
interface Wish { docs: readonly Doc[]; settings: Settings; refines?: boolean }

/** Documents in the core. */
interface Opened {
  readonly key: string;
  readonly session: Promise<Session>;
  /** Stops the opening. */
  readonly controller: AbortController;
  embedding: Embedding | undefined;
  /** The reader has stopped the close reading of these documents. */
  declined: boolean;
}

/** The sentences of a session, embedded once. */
interface Embedding {
  readonly encoder: PageEncoder;
  readonly controller: AbortController;
  /** Resolves when they are embedded or there is a problem. */
  ended: Promise<void>;
  done: boolean;
  /** Why they are not. */
  problem: string | undefined;
}

/** A shared session was replaced during a comparison. */
const replaced = new Error("the session has been replaced");

/** Whether two results quote the same sentences in the same order. */
const sameQuotes = (a: Result, b: Result): boolean => {
  const key = ({ docs, summary }: Result) => JSON.stringify(summary.sentences.map(({ document, sentence }) => [docs[document]!.id, docs[document]!.version, sentence]));
  return key(a) === key(b);
};

/** The title and the source count too: for the choice of sentences, and to tell what is boilerplate. */
const inputsOf = (docs: readonly Doc[]): DocumentInput[] => docs.map((doc) => {
  const { text, source, language, blocks, date } = doc;
  const title = ownTitle(doc);
  return { text, ...(title && { title }), ...(source && { source }), ...(language && { language }), ...(blocks && { blocks }), ...(date && { date }) };
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Sends "change" with every new state, and "info" once methods and languages are known. */
export class Engine extends EventTarget {
  readonly core: Core = createCore({ weightsURL: new URL("weights/", document.baseURI) });
  /** Whether the reader is using the summary on show, so that it must not be replaced. */
  occupied: () => boolean = () => false;
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

  /** Whether the reader has stopped the close reading of these documents. */
  get declined(): boolean {
    return this.#opened?.declined ?? false;
  }

  /** Loads the core and its methods ahead of the first summary. Errors surface when a summary needs the core. */
  async warm(): Promise<void> {
    const info = await this.core.info().catch(() => undefined);
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
    if (this.#state.kind === "done") this.#set({ ...this.#state, result: titled!, better: this.#state.better && this.#titled(this.#state.better) });
    else if (this.#state.kind === "working") this.#set({ ...this.#state, last: titled });
  }

  /** The same result if no title differs. */
  #titled(result: Result): Result {
    const titles = new Map(this.#latest.map((doc) => [doc.id, doc.title]));
    if (result.docs.every((doc) => (titles.get(doc.id) ?? doc.title) === doc.title)) return result;
    return { ...result, docs: result.docs.map((doc) => ({ ...doc, title: titles.get(doc.id) ?? doc.title })) };
  }

  /** Stops the run; a summary that was being improved stays. What the encoder is loading is stopped too. */
  cancel(): void {
    const state = this.#state;
    if (state.kind !== "working" && !(state.kind === "done" && state.refining)) return;
    if (this.#stopEncoder()) this.#last?.settings.encoder?.free();
    this.#wish = undefined;
    this.#running?.controller.abort();
    if (state.kind === "done") {
      if (this.#opened) this.#opened.declined = true;
      return this.#set({ ...state, refining: undefined });
    }
    clearTimeout(this.#timer);
    this.#opened?.controller.abort();
    this.#set({ kind: "cancelled" });
  }

  /** Tries again what was stopped or failed. */
  readClosely(settings: Settings): void {
    if (this.#opened) {
      this.#opened.declined = false;
      if (this.#opened.embedding?.problem !== undefined) this.#opened.embedding = undefined;
    }
    this.request(this.#latest, settings, 0);
  }

  /** Shows the better summary that waits. */
  showBetter(): void {
    if (this.#state.kind === "done" && this.#state.better) this.#set({ kind: "done", result: this.#state.better });
  }

  /**
   * A summary in addition to the one on show. Shares the page's session if it
   * fits and the page does not change it meanwhile. Rejects as the core does, and
   * with the signal's reason.
   */
  async once(docs: readonly Doc[], settings: Settings, signal: AbortSignal): Promise<Result> {
    const shared = this.#shared(docs, settings.encoder);
    if (shared) {
      try {
        return await this.#onceWith(shared, { docs, settings }, signal);
      } catch (error) {
        if (signal.aborted || (shared === this.#opened && error !== replaced)) throw error;
      }
    }
    const own: Opened = { key: keyOf(docs), session: this.core.open(inputsOf(docs), { signal }), controller: new AbortController(), embedding: undefined, declined: false };
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
    const { encoder } = wish.settings;
    const session = await opened.session;
    signal.throwIfAborted();
    if (!encoder || !this.#wants(session, wish.settings)) return this.#select(opened, session, wish, { signal });
    const embedding = this.#embed(opened, session, encoder);
    await embedding.ended;
    const result = await this.#select(opened, session, wish, { signal });
    if (opened.embedding !== embedding) throw replaced;
    return result;
  }

  /** The page's session, if it has these documents and this encoder and no request is pending. */
  #shared(docs: readonly Doc[], encoder: PageEncoder | undefined): Opened | undefined {
    const opened = this.#opened;
    if (!opened || this.#wish || this.#running || opened.key !== keyOf(docs)) return undefined;
    return (opened.embedding?.encoder ?? this.#last?.settings.encoder) === encoder ? opened : undefined;
  }

  /** The sentences of a text that is not one of the documents. */
  async split(text: string): Promise<string[]> {
    const session = await this.core.open([{ text }]);
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
    const { docs, settings } = wish;
    const { encoder, method: name } = settings;
    // The name may come from a file, before the core has listed its methods.
    if (name !== "auto" && this.#info.methods.length === 0) await this.warm();
    let opened = this.#open(docs, encoder);
    let session = await opened.session;
    if (signal.aborted) return;
    const embed = () => (encoder && !opened.declined && this.#wants(session, settings) ? this.#embed(opened, session, encoder) : undefined);
    const ended = ({ done, problem }: Embedding) => done || problem !== undefined;
    if (this.#method(name).embeddings === "required") {
      const embedding = embed();
      if (embedding && !ended(embedding)) return this.#progress({ stage: "load", done: 0, total: 0 });
    }
    const call = { signal, onprogress: (progress: SummarizeProgress) => this.#progress(progress) };
    let result: Result;
    try {
      result = await this.#select(opened, session, wish, call);
    } catch (error) {
      if (signal.aborted || !opened.embedding?.done) throw error;
      // The encoder, whose files may be gone, did not read the question. A session cannot forget its embeddings.
      this.#close();
      opened = this.#open(docs, encoder);
      opened.embedding = { encoder: encoder!, controller: new AbortController(), ended: Promise.resolve(), done: false, problem: messageOf(error) };
      session = await opened.session;
      result = await this.#select(opened, session, wish, call);
    }
    if (signal.aborted) return;
    // While the length is being changed, each summary is shown until the next is there.
    if (this.#wish) {
      if (keyOf(this.#wish.docs) === opened.key) this.#set({ kind: "working", stage: "start", done: 0, total: 0, last: this.#titled(result) });
      return;
    }
    result = this.#titled(result);
    const shown = wish.refines && this.#state.kind === "done" ? this.#state.result : undefined;
    if (shown && !sameQuotes(shown, result) && this.occupied()) return this.#set({ kind: "done", result: shown, better: result });
    const embedding = embed();
    if (!embedding) this.#stopEncoder();
    this.#set({ kind: "done", result, refining: embedding && !ended(embedding) ? { stage: "load", done: 0, total: 0 } : undefined });
  }

  /** Whether the encoder would be used. */
  #wants(session: Session, { method, query }: Settings): boolean {
    return session.wantsEmbeddings(method, { query: query !== "" && this.#method(method).query });
  }

  #method(name: string): Pick<MethodInfo, "name" | "title" | "embeddings" | "query"> {
    return this.methods.find((method) => method.name === name) ?? { name: "auto", title: "", embeddings: "optional", query: true };
  }

  /** The documents' session; a new one if it has embeddings that are not wanted any more. */
  #open(docs: readonly Doc[], encoder: PageEncoder | undefined): Opened {
    const key = keyOf(docs);
    if (this.#opened?.key === key) {
      const { embedding } = this.#opened;
      if (embedding && embedding.encoder !== encoder) this.#stopEncoder();
      if (!this.#opened.embedding || embedding?.encoder === encoder) return this.#opened;
    }
    this.#close();
    const controller = new AbortController();
    const session = this.core.open(inputsOf(docs), { signal: controller.signal, onprogress: (progress) => this.#progress(progress) });
    const opened: Opened = (this.#opened = { key, session, controller, embedding: undefined, declined: false });
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
  #embed(opened: Opened, session: Session, encoder: PageEncoder): Embedding {
    if (opened.embedding) return opened.embedding;
    const controller = new AbortController();
    const embedding: Embedding = (opened.embedding = { encoder, controller, ended: Promise.resolve(), done: false, problem: undefined });
    const current = () => this.#opened?.embedding === embedding;
    embedding.ended = session.embed(encoder, { signal: controller.signal, onprogress: ({ stage, ...counts }) => current() && this.#progress({ stage: stage === "encode" ? "read" : stage, ...counts }) }).then(
      () => void (embedding.done = true),
      (error: unknown) => void (embedding.problem = messageOf(error)),
    ).then(() => {
      const awaited = this.#state.kind === "working" || (this.#state.kind === "done" && this.#state.refining);
      if (!current() || !awaited) return;
      this.#wish ??= this.#last && { ...this.#last, refines: true };
      void this.#run();
    });
    return embedding;
  }

  /** Stops embedding, if it is under way. The encoder keeps the files it has loaded. */
  #stopEncoder(): boolean {
    const embedding = this.#opened?.embedding;
    if (!embedding || embedding.done) return false;
    embedding.controller.abort();
    this.#opened!.embedding = undefined;
    return true;
  }

  /** Makes a summary with the embeddings available now. */
  async #select(opened: Opened, session: Session, { docs, settings }: Wish, call: { signal: AbortSignal; onprogress?: (progress: SummarizeProgress) => void }): Promise<Result> {
    const { budget, order, licence, query } = settings;
    const whose = applied(settings.whose, languagesOf(session.documents));
    const { name, title, embeddings } = this.#method(settings.method);
    const { encoder, done = false, problem } = opened.embedding ?? {};
    const summarize = (method: string) => session.summarize({ budget, order, licence, method, ...(query && this.#method(method).query && { query }), ...quoting(whose) }, call);
    const wanted = this.#wants(session, settings);
    let used = wanted && done;
    let fallback: string | undefined;
    let summary: EncodedSummary;
    if (embeddings === "required" && wanted && !done) {
      fallback = t.needsCloseReading(title);
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
    if (fallback !== undefined) used = false;
    return {
      summary, docs, settings, fallback, split: session.documents, queried: this.#method(summary.method).query, whose, wanted,
      encoder: used ? encoder!.model : undefined, unread: wanted ? problem : undefined, weights: summary.weights,
    };
  }

  #progress({ stage, done, total }: Refining | SummarizeProgress): void {
    const state = this.#state;
    if (state.kind === "working" && !this.#wish) this.#set({ ...state, stage, done, total });
    else if (state.kind === "done" && state.refining && (stage === "load" || stage === "read")) this.#set({ ...state, refining: { stage, done, total } });
  }

  #set(state: State): void {
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}
