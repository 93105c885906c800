/// <reference lib="esnext.disposable" preserve="true" />
import { PendingCalls, SharedWork } from "./abort.js";
import type { CallQueue } from "./call-queue.js";
import type {
  CallOptions, EncodedSummary, EncoderCallOptions, OpenOptions, SentenceEmbeddings, SentenceEncoder, SummarizeCallOptions,
} from "./calls.js";
import { type Connection, expect } from "./connection.js";
import type { EncoderProgress } from "./encoder-messages.js";
import { isForgotten, OptionError, sessionClosedError } from "./errors.js";
import { coreWeights, ownDocuments, ownNumbers, ownOpenOptions, type OwnOptions, ownOptions, withoutEmbeddings } from "./own.js";
import type { CoreInfo, DocumentInput, MethodInfo, Progress, SummarizeOptions } from "./protocol.js";
import { OpenedTexts, type SplitDocument } from "./summary.js";
import { outOfMemory, tooLarge } from "./too-large.js";
import type { ShippedWeights } from "./weights.js";

/** What a session needs of its core. */
export interface SessionHost {
  readonly calls: CallQueue<Connection>;
  readonly shipped: ShippedWeights;
  /** Cached after the first call. */
  info(options: CallOptions): Promise<CoreInfo>;
}

/** An open session in the core. */
interface Place {
  connection: Connection;
  number: number;
  /** The rows that the core has. */
  embedded: Rows | undefined;
}

interface Rows {
  embeddings: Float32Array;
  dimensions: number;
  languages: readonly string[] | undefined;
  /** Undefined for embeddings from the caller. */
  encoder: SentenceEncoder | undefined;
  /** Milliseconds. */
  took: number;
  /** How many sentences the encoder has read. */
  read: number | undefined;
}

/**
 * Documents that the core has split and analysed, to be summarized any number
 * of times. Made by Core.open. Close it to free the core's memory.
 *
 * A session outlives its worker: if the worker stopped or was replaced, the
 * next call opens the session again, with its embeddings.
 *
 * Calls reject as those of Core do. When the session is closed, calls in
 * progress and later ones reject with a DOMException InvalidStateError.
 */
export class Session {
  static {
    // Older browsers lack Symbol.dispose.
    if (Symbol.dispose) Object.defineProperty(this.prototype, Symbol.dispose, { value: this.prototype.close, configurable: true, writable: true });
  }

  declare readonly [Symbol.dispose]: () => void;

  readonly #host: SessionHost;
  readonly #documents: readonly DocumentInput[];
  readonly #wanted: ReturnType<typeof ownOpenOptions>;
  /** Why method "auto" is not tried, if it is not. */
  #tooLarge: string | undefined;
  #place: Place | undefined;
  #opened: OpenedTexts | undefined;
  #rows: Rows | undefined;
  /** The sentences, embedded by an encoder for the calls that wait for it. */
  readonly #embedding = new SharedWork<Rows, EncoderProgress>();
  /** The last query, embedded by the encoder of the rows. */
  readonly #query = new SharedWork<Float32Array, EncoderProgress>();
  readonly #pending = new PendingCalls();

  /** Use Core.open. The core gets the documents with the first call. */
  constructor(host: SessionHost, documents: readonly DocumentInput[], options: OpenOptions = {}) {
    this.#host = host;
    this.#documents = ownDocuments(documents);
    this.#wanted = ownOpenOptions(options);
    this.#tooLarge = tooLarge(this.#documents);
  }

  /** Use Core.open. */
  static async open(host: SessionHost, documents: readonly DocumentInput[], options: OpenOptions): Promise<Session> {
    const session = new Session(host, documents, options);
    try {
      const { signal, onprogress } = options;
      await session.#pending.run(signal, (signal) => session.#open(undefined, { signal, onprogress }));
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** The language and the sentences of each document. */
  get documents(): readonly SplitDocument[] {
    return this.#opened?.documents ?? [];
  }

  /** The sentences in the order of the rows of an embedding matrix: document by document, then titles (OpenOptions.titles). */
  get texts(): readonly string[] {
    return this.#opened?.texts() ?? [];
  }

  /** Whether the method would use embeddings of these documents, or with a query. */
  wantsEmbeddings(method: string, { query = false }: { query?: boolean } = {}): boolean {
    return this.#opened?.[query ? "asking" : "embeddable"].has(method) ?? false;
  }

  /** Embeds the sentences, or takes their embeddings. They replace earlier ones. An encoder also embeds the queries of later summaries. */
  async embed(source: SentenceEncoder | SentenceEmbeddings, call: EncoderCallOptions = {}): Promise<void> {
    return this.#pending.run(call.signal, (signal) => this.#embed(source, { ...call, signal }));
  }

  async #embed(source: SentenceEncoder | SentenceEmbeddings, { signal, onprogress }: EncoderCallOptions): Promise<void> {
    if (typeof source !== "object" || source === null) throw new OptionError("want an encoder, or embeddings with their dimensions");
    let rows: Rows;
    if ("embed" in source) {
      rows = await this.#rowsBy(source, { signal, onprogress });
    } else {
      const { embeddings, dimensions, languages } = source;
      rows = { embeddings: ownNumbers(embeddings, "embeddings"), dimensions, languages: languages && [...languages], encoder: undefined, took: 0, read: undefined };
    }
    await this.#run((connection) => this.#send(connection, rows), signal);
  }

  /**
   * Selects the sentences that best cover the documents within the budget. If
   * "auto" would run out of memory, "instant" makes the summary, and
   * `fallback` says so.
   */
  async summarize(options: SummarizeOptions = {}, call: SummarizeCallOptions = {}): Promise<EncodedSummary> {
    return this.#pending.run(call.signal, (signal) => this.#summarizeOrFallBack(options, { ...call, signal }));
  }

  async #summarizeOrFallBack(options: SummarizeOptions, call: SummarizeCallOptions): Promise<EncodedSummary> {
    const own = ownOptions(options);
    if ((own.options.method ?? "auto") !== "auto") return this.#summarize(own, call);
    // Method instant does not support fill.
    const { fill: _, ...rest } = withoutEmbeddings(own.options);
    const instant = (fallback: string): Promise<EncodedSummary> =>
      this.#select({ ...own, options: { ...rest, method: "instant" } }, call).then((summary) => ({ ...summary, fallback }));
    if (this.#tooLarge !== undefined) return instant(this.#tooLarge);
    try {
      return await this.#summarize(own, call);
    } catch (error) {
      if (call.signal?.aborted || !outOfMemory(error)) throw error;
      return instant(this.#tooLarge = (error as Error).message);
    }
  }

  /** Frees the core's memory. Calls in progress reject. */
  close(): void {
    this.#pending.end(sessionClosedError());
    this.#rows = undefined;
    this.#embedding.forget();
    this.#query.forget();
    this.#host.calls.tidy(async (connection) => {
      const place = this.#place;
      if (place?.connection !== connection) return;
      this.#place = undefined;
      await connection.call({ kind: "close", session: place.number });
    });
  }

  async #summarize(own: OwnOptions, call: SummarizeCallOptions): Promise<EncodedSummary> {
    const { signal, onprogress } = call;
    const { method = "auto", query, queryEmbedding, licence } = own.options;
    const before = this.#rows;
    const encoder = before?.encoder ?? call.encoder;
    if (!encoder && !before) return this.#select(own, call);
    // Which methods use embeddings of these documents is known once the session is open.
    if (!this.#opened) await this.#open(own, call);
    if (!this.wantsEmbeddings(method, { query: Boolean(query) })) {
      const about = own.options.denseWeight !== undefined || queryEmbedding ? await this.#method(method, signal) : undefined;
      return this.#select(about?.acrossLanguages ? { ...own, options: withoutEmbeddings(own.options) } : own, call);
    }

    const text = query && queryEmbedding === undefined ? query : undefined;
    let rows: Rows;
    let embedding: Float32Array | undefined;
    let weights: OwnOptions["weights"];
    try {
      const weighted = method !== "auto" && (await this.#method(method, signal))?.weights;
      [{ rows, embedding }, weights] = await Promise.all([
        this.#embedded(before, encoder, text, { signal, onprogress }),
        weighted ? own.weights ?? this.#host.shipped.suited(method, licence, signal) : undefined,
      ]);
    } catch (error) {
      if (signal?.aborted || method !== "auto" || before) throw error;
      if (this.#rows) return this.#summarize(own, call);
      const summary = await this.#select({ ...own, options: withoutEmbeddings(own.options) }, call);
      return { ...summary, fallback: error instanceof Error ? error.message : String(error) };
    }
    if (weights) checkEncoder(weights, rows.encoder);
    const prepared = {
      weights: weights ?? own.weights,
      options: { ...own.options, ...(embedding && { queryEmbedding: embedding }) },
    };
    let summary: EncodedSummary;
    try {
      summary = await this.#select(prepared, call, { before, rows });
    } catch (error) {
      if (error !== replaced) throw error;
      return this.#summarize(own, call);
    }
    return { ...summary, ...(weights?.name !== undefined && { weights: weights.name }), ...(rows.read !== undefined && { embedded: rows.read }) };
  }

  /** Undefined for a method that the core does not list. */
  async #method(method: string, signal: AbortSignal | undefined): Promise<MethodInfo | undefined> {
    return (await this.#host.info({ signal })).methods.find(({ name }) => name === method);
  }

  /** The rows, by the encoder if there are none yet, and the embedding of the query. */
  async #embedded(before: Rows | undefined, encoder: SentenceEncoder | undefined, query: string | undefined, call: EncoderCallOptions): Promise<{ rows: Rows; embedding: Float32Array | undefined }> {
    const rows = before ?? await this.#rowsBy(encoder!, call);
    if (query === undefined || !encoder) return { rows, embedding: undefined };
    return { rows, embedding: await this.#query.get([rows, query], async (call) => (await encoder.embed([query], { ...call, asks: true })).embeddings.slice(), call) };
  }

  #rowsBy(encoder: SentenceEncoder, call: EncoderCallOptions): Promise<Rows> {
    return this.#embedding.get([encoder], async (call) => {
      const begun = performance.now();
      const { texts } = this;
      const read = encoder.budget === undefined ? undefined : await this.#toEmbed(encoder.budget, call);
      // The core checks the number of rows.
      const { embeddings, dimensions } = await encoder.embed(read ? Array.from(read, (k) => texts[k]!) : [...texts], call);
      const { languages } = encoder;
      return {
        embeddings: read && read.length < texts.length ? spread(embeddings, read, dimensions, texts.length) : embeddings.slice(), dimensions, languages: languages?.length ? [...languages] : undefined,
        encoder, took: performance.now() - begun, read: read?.length ?? texts.length,
      };
    }, call);
  }

  /** Numbers of the sentences to embed. */
  async #toEmbed(tokens: number, { signal }: CallOptions): Promise<Uint32Array> {
    return this.#run(async (connection) => {
      const place = await this.#enter(connection, undefined, undefined);
      return expect(await connection.call({ kind: "toEmbed", session: place.number, tokens }), "toEmbed").sentences;
    }, signal);
  }

  /**
   * A summary, with embeddings if the method uses them: the prepared rows, or
   * those of the session when the call's turn comes. Rejects with `replaced` if
   * the session's rows have changed since the call was prepared.
   */
  #select({ options, weights }: OwnOptions, { signal, onprogress }: SummarizeCallOptions, prepared?: { before: Rows | undefined; rows: Rows }): Promise<EncodedSummary> {
    return this.#run(async (connection) => {
      // A parallel call may have sent the same rows already.
      if (prepared && this.#rows !== prepared.before && this.#rows !== prepared.rows) throw replaced;
      const place = await this.#enter(connection, { options, weights }, onprogress);
      signal?.throwIfAborted();
      const rows = this.wantsEmbeddings(options.method ?? "auto", { query: Boolean(options.query) }) ? prepared?.rows ?? this.#rows : undefined;
      if (rows) {
        await this.#send(connection, rows);
        signal?.throwIfAborted();
      }
      const request = { ...options, ...(weights && { weights: coreWeights(weights) }) };
      const { summary } = expect(await connection.call({ kind: "summarize", session: place.number, options: request }, onprogress), "summary");
      return connection.trust(() => this.#opened!.join(summary, rows?.took ?? 0));
    }, signal);
  }

  async #open(first: OwnOptions | undefined, { signal, onprogress }: Pick<OpenOptions, "signal" | "onprogress">): Promise<void> {
    await this.#run((connection) => this.#enter(connection, first, onprogress), signal);
  }

  /** Returns the open session of a connection, opening it if necessary. */
  async #enter(connection: Connection, first: OwnOptions | undefined, onprogress: ((progress: Progress) => void) | undefined): Promise<Place> {
    if (this.#place?.connection === connection) return this.#place;
    let options = {};
    if (first && !this.#opened) {
      // Weights and embeddings are large, or not available yet.
      const { queryEmbedding: _, ...rest } = first.options;
      options = { options: rest };
    }
    const opened = expect(await connection.call({ kind: "open", documents: this.#documents, ...this.#wanted, ...options }, onprogress), "opened");
    this.#opened = connection.trust(() => new OpenedTexts(this.#documents, this.#wanted.titles ?? false, opened));
    this.#place = { connection, number: opened.session, embedded: undefined };
    return this.#place;
  }

  async #send(connection: Connection, rows: Rows): Promise<void> {
    const place = await this.#enter(connection, undefined, undefined);
    if (place.embedded === rows) return;
    const { embeddings, dimensions, languages } = rows;
    try {
      await connection.call({ kind: "embed", session: place.number, embeddings, dimensions, ...(languages && { languages }) });
    } finally {
      this.#embedding.forget();
    }
    place.embedded = this.#rows = rows;
  }

  /** Does the work, and again if the core does not know the session. */
  async #run<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#host.calls.run(async (connection) => {
      try {
        return await work(connection);
      } catch (error) {
        if (signal?.aborted || !isForgotten(error)) throw error;
        this.#place = undefined;
        return work(connection);
      }
    }, signal);
  }
}

/** The session's embeddings changed while a summary waited for its turn. */
const replaced = new Error("the embeddings have been replaced");

/** Rows of some of n sentences, as a matrix of all: the others are zeros. */
function spread(embeddings: Float32Array, read: Uint32Array, dimensions: number, n: number): Float32Array {
  const all = new Float32Array(n * dimensions);
  read.forEach((k, row) => all.set(embeddings.subarray(row * dimensions, (row + 1) * dimensions), k * dimensions));
  return all;
}

/** Refuses weights that were trained for another encoder, even with the same dimensions. */
function checkEncoder({ name, encoder: learned }: NonNullable<OwnOptions["weights"]>, encoder: SentenceEncoder | undefined): void {
  const model = encoder?.model;
  if (!learned || model === undefined || model === learned) return;
  throw new OptionError(`options.weights: ${name === undefined ? "" : `${name}: `}trained for encoder ${JSON.stringify(learned)}, got ${JSON.stringify(model)}`, "options.weights");
}
