/// <reference lib="esnext.disposable" preserve="true" />
import type { CallQueue } from "./call-queue.js";
import type {
  CallOptions, EncodedSummary, EncoderCallOptions, OpenOptions, SentenceEmbeddings, SentenceEncoder, SummarizeCallOptions,
} from "./calls.js";
import { type Connection, expect } from "./connection.js";
import { isForgotten, OptionError, sessionClosedError } from "./errors.js";
import { coreWeights, ownDocuments, ownNumbers, ownOpenOptions, type OwnOptions, ownOptions, withoutEmbeddings } from "./own.js";
import type { CoreInfo, DocumentInput, Progress, SummarizeOptions } from "./protocol.js";
import { OpenedTexts, type SplitDocument } from "./summary.js";
import { outOfMemory, tooLarge } from "./too-large.js";
import type { ShippedWeights } from "./weights.js";

/** What a session needs of its core. */
export interface SessionHost {
  readonly calls: CallQueue<Connection>;
  readonly shipped: ShippedWeights;
  /** Asked for once. */
  info(options: CallOptions): Promise<CoreInfo>;
}

/** Where the core has the session. */
interface Place {
  connection: Connection;
  number: number;
  /** The core has the rows as well. */
  embedded: Rows | undefined;
}

interface Rows {
  embeddings: Float32Array;
  dimensions: number;
  languages: readonly string[] | undefined;
  /** Undefined for a matrix of the caller's. */
  encoder: SentenceEncoder | undefined;
  /** Milliseconds that embedding took. */
  took: number;
}

/**
 * Documents that the core has split and analysed, to be summarized any number
 * of times. Made by Core.open. Close it to free the core's memory.
 *
 * A session outlives its worker: if that stopped, or was replaced, the next
 * call opens the session again, with its embeddings.
 *
 * Calls reject as those of Core do, and with a DOMException InvalidStateError
 * after close().
 */
export class Session {
  static {
    // Not every platform has it.
    if (Symbol.dispose) Object.defineProperty(this.prototype, Symbol.dispose, { value: this.prototype.close, configurable: true, writable: true });
  }

  declare readonly [Symbol.dispose]: () => void;

  readonly #host: SessionHost;
  readonly #documents: readonly DocumentInput[];
  readonly #wanted: ReturnType<typeof ownOpenOptions>;
  /** Why "auto" is not tried. */
  #tooLarge: string | undefined;
  #place: Place | undefined;
  #opened: OpenedTexts | undefined;
  #rows: Rows | undefined;
  /** The last query, and its embedding by the encoder of the rows. */
  #query: { text: string; rows: Rows; embedding: Float32Array } | undefined;
  #closed = false;
  /** Number of calls that have not ended. */
  #pending = 0;

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
      await session.#count(() => session.#open(undefined, options));
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

  /** The sentences in the order of the rows of an embedding matrix: document by document, then those of titles (OpenOptions.titles). */
  get texts(): readonly string[] {
    return this.#opened?.texts() ?? [];
  }

  /** Whether the method would use embeddings of these documents. */
  wantsEmbeddings(method: string): boolean {
    return this.#opened?.embeddable.has(method) ?? false;
  }

  /** Embeds the sentences, or takes their embeddings. They replace earlier ones. An encoder also embeds the queries of later summaries. */
  async embed(source: SentenceEncoder | SentenceEmbeddings, call: EncoderCallOptions = {}): Promise<void> {
    return this.#count(() => this.#embed(source, call));
  }

  async #embed(source: SentenceEncoder | SentenceEmbeddings, { signal, onprogress }: EncoderCallOptions): Promise<void> {
    if (typeof source !== "object" || source === null) throw new OptionError("want an encoder, or embeddings with their dimensions");
    let rows: Rows;
    if ("embed" in source) {
      rows = (await this.#encode(source, [], { signal, onprogress })).rows;
    } else {
      const { embeddings, dimensions, languages } = source;
      rows = { embeddings: ownNumbers(embeddings, "embeddings"), dimensions, languages: languages && [...languages], encoder: undefined, took: 0 };
    }
    await this.#run((connection) => this.#send(connection, rows), signal);
  }

  /**
   * Quotes the sentences of the documents that together say most within the
   * budget. If "auto" would run out of memory, "instant" makes the summary, and
   * `fallback` says so.
   */
  async summarize(options: SummarizeOptions = {}, call: SummarizeCallOptions = {}): Promise<EncodedSummary> {
    return this.#count(() => this.#summarizeOrFallBack(options, call));
  }

  async #summarizeOrFallBack(options: SummarizeOptions, call: SummarizeCallOptions): Promise<EncodedSummary> {
    const own = ownOptions(options);
    if ((own.options.method ?? "auto") !== "auto") return this.#summarize(own, call);
    const instant = (fallback: string): Promise<EncodedSummary> =>
      this.#select({ ...own, options: { ...withoutEmbeddings(own.options), method: "instant" } }, call).then((summary) => ({ ...summary, fallback }));
    if (this.#tooLarge !== undefined) return instant(this.#tooLarge);
    try {
      return await this.#summarize(own, call);
    } catch (error) {
      if (call.signal?.aborted || !outOfMemory(error)) throw error;
      return instant(this.#tooLarge = (error as Error).message);
    }
  }

  /** Frees the core's memory. Calls made before are answered first. */
  close(): void {
    this.#closed = true;
    if (this.#pending === 0) this.#free();
  }

  /** Makes a call; the last one to end after close() frees the memory. */
  async #count<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw sessionClosedError();
    this.#pending++;
    try {
      return await call();
    } finally {
      if (--this.#pending === 0 && this.#closed) this.#free();
    }
  }

  #free(): void {
    this.#rows = this.#query = undefined;
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
    if (!this.wantsEmbeddings(method)) return this.#select(method === "auto" ? { ...own, options: withoutEmbeddings(own.options) } : own, call);

    const asked = query && queryEmbedding === undefined ? query : undefined;
    let fresh: Rows | undefined;
    let embedding: Float32Array | undefined;
    let weights: OwnOptions["weights"];
    try {
      const weighted = await this.#weighted(method, signal);
      [{ fresh, embedding }, weights] = await Promise.all([
        this.#embedded(before, encoder, asked, { signal, onprogress }),
        weighted ? own.weights ?? this.#host.shipped.suited(method, licence, signal) : undefined,
      ]);
    } catch (error) {
      if (signal?.aborted || method !== "auto" || before) throw error;
      if (this.#rows) return this.#summarize(own, call);
      const summary = await this.#select({ ...own, options: withoutEmbeddings(own.options) }, call);
      return { ...summary, fallback: error instanceof Error ? error.message : String(error) };
    }
    if (weights) checkEncoder(weights, (fresh ?? before)?.encoder);
    const prepared = {
      weights: weights ?? own.weights,
      options: { ...own.options, ...(embedding && { queryEmbedding: embedding }) },
    };
    let summary: EncodedSummary;
    try {
      summary = await this.#select(prepared, call, { before, fresh });
    } catch (error) {
      if (error !== replaced) throw error;
      return this.#summarize(own, call);
    }
    return { ...summary, ...(weights?.name !== undefined && { weights: weights.name }) };
  }

  /** Whether the method requires weights. */
  async #weighted(method: string, signal: AbortSignal | undefined): Promise<boolean> {
    return method !== "auto" && (await this.#host.info({ signal })).methods.some(({ name, weights }) => name === method && weights);
  }

  /** Rows by the encoder, if there are none yet, and the embedding of the query. */
  async #embedded(rows: Rows | undefined, encoder: SentenceEncoder | undefined, query: string | undefined, call: EncoderCallOptions): Promise<{ fresh: Rows | undefined; embedding: Float32Array | undefined }> {
    if (!rows) {
      const { rows, rest } = await this.#encode(encoder!, query === undefined ? [] : [query], call);
      if (query !== undefined) this.#query = { text: query, rows, embedding: rest };
      return { fresh: rows, embedding: query === undefined ? undefined : rest };
    }
    if (query === undefined || !encoder) return { fresh: undefined, embedding: undefined };
    if (this.#query?.text === query && this.#query.rows === rows) return { fresh: undefined, embedding: this.#query.embedding };
    const embedding = (await encoder.embed([query], call)).embeddings.slice();
    this.#query = { text: query, rows, embedding };
    return { fresh: undefined, embedding };
  }

  /** Embeds the sentences and, with them, more texts. */
  async #encode(encoder: SentenceEncoder, more: string[], call: EncoderCallOptions): Promise<{ rows: Rows; rest: Float32Array }> {
    const begun = performance.now();
    const texts = this.texts;
    const { embeddings, dimensions } = await encoder.embed([...texts, ...more], call);
    // What is not as long as it should be is refused by the core.
    const end = embeddings.length - more.length * dimensions;
    const { languages } = encoder;
    return {
      rows: {
        embeddings: embeddings.slice(0, end), dimensions, languages: languages?.length ? [...languages] : undefined,
        encoder, took: performance.now() - begun,
      },
      rest: embeddings.slice(end),
    };
  }

  /**
   * A summary, with the rows if the method uses them; by default those that the
   * session has when its turn comes. Rejects with `replaced` if those are no
   * longer the ones before.
   */
  #select({ options, weights }: OwnOptions, { signal, onprogress }: SummarizeCallOptions, prepared?: { before: Rows | undefined; fresh: Rows | undefined }): Promise<EncodedSummary> {
    return this.#run(async (connection) => {
      // Once the fresh rows are in the core they are those of the session.
      if (prepared && this.#rows !== prepared.before && this.#rows !== prepared.fresh) throw replaced;
      const place = await this.#enter(connection, { options, weights }, onprogress);
      signal?.throwIfAborted();
      const rows = this.wantsEmbeddings(options.method ?? "auto") ? prepared?.fresh ?? this.#rows : undefined;
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

  /** The place of the session in a connection, opened if there is none. */
  async #enter(connection: Connection, first: OwnOptions | undefined, onprogress: ((progress: Progress) => void) | undefined): Promise<Place> {
    if (this.#place?.connection === connection) return this.#place;
    let options = {};
    if (first && !this.#opened) {
      // What is large, or may not be there yet, is left out.
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
    await connection.call({ kind: "embed", session: place.number, embeddings, dimensions, ...(languages && { languages }) });
    place.embedded = this.#rows = rows;
  }

  /** Does the work, once more if the core has forgotten the session. */
  async #run<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#host.calls.run(async (connection) => {
      try {
        return await work(connection);
      } catch (error) {
        if (!isForgotten(error)) throw error;
        this.#place = undefined;
        return work(connection);
      }
    }, signal);
  }
}

/** Other embeddings came before the turn of a summary. */
const replaced = new Error("the embeddings have been replaced");

/** Embeddings of another encoder mean nothing to the weights, even of the same dimensions. */
function checkEncoder({ name, encoder: learned }: NonNullable<OwnOptions["weights"]>, encoder: SentenceEncoder | undefined): void {
  const model = encoder?.model;
  if (!learned || model === undefined || model === learned) return;
  throw new OptionError(`options.weights: ${name === undefined ? "" : `${name}: `}trained for encoder ${JSON.stringify(learned)}, got ${JSON.stringify(model)}`, "options.weights");
}
