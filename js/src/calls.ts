// What callers pass to a core, a session and an encoder, and what they get.

import type { EncoderProgress } from "./encoder-messages.js";
import type { Progress } from "./protocol.js";
import type { Summary } from "./summary.js";

export interface CallOptions {
  /** An aborted call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Stage "load" counts bytes of the encoder's files, "encode" sentences; the other stages are the core's. */
export type SummarizeProgress = Progress | EncoderProgress;

export interface OpenOptions extends CallOptions {
  /** Tags of the languages to quote; documents that are clearly in other languages get no sentences. Default: all. */
  languages?: readonly string[] | undefined;
  /** Whether titles can be quoted, too, as the method headline does. Default false. */
  titles?: boolean | undefined;
  /** Called at most twenty times a second. */
  onprogress?: ((progress: Progress) => void) | undefined;
}

export interface SummarizeCallOptions extends CallOptions {
  /** Called at most twenty times a second. */
  onprogress?: ((progress: SummarizeProgress) => void) | undefined;
  /**
   * Embeds the sentences if the method uses embeddings of these documents and
   * the session has none. If the encoder fails, the method "auto" ignores it
   * and `fallback` says why. Other methods reject, and so does "auto" if the
   * session has embeddings and only the query cannot be embedded.
   */
  encoder?: SentenceEncoder | undefined;
}

export interface EncoderCallOptions extends CallOptions {
  /** Called at most twenty times a second. */
  onprogress?: ((progress: EncoderProgress) => void) | undefined;
  /** Whether the texts are questions. */
  asks?: boolean | undefined;
}

export interface Embeddings {
  /** One row for each text, in their order: texts × dimensions, row-major. */
  embeddings: Float32Array<ArrayBuffer>;
  dimensions: number;
}

/** Embeddings of a session's sentences, for Session.embed. */
export interface SentenceEmbeddings {
  /** One row for each of Session.texts: sentences × dimensions, row-major. */
  embeddings: Float32Array;
  dimensions: number;
  /** Tags of the languages that the encoder knows. Default: all. */
  languages?: readonly string[] | undefined;
}

/** Turns sentences into embeddings: an Encoder, or an implementation of your own. */
export interface SentenceEncoder {
  /** About how many tokens to give it of a session's sentences. Default: all. */
  readonly budget?: number | undefined;
  embed(texts: readonly string[], options?: EncoderCallOptions): Promise<Embeddings>;
  /** Tags of the languages that it knows. Default: all. Read after the first embed. */
  readonly languages?: readonly string[] | undefined;
  /** Its name in the weights of CeRA and CeRAI. Weights for another encoder are refused. Read after the first embed. */
  readonly model?: string | undefined;
}

export interface EncodedSummary extends Summary {
  /** Why "auto" did not use the encoder, or why "instant" ran in its place (too much text for the memory). */
  fallback?: string;
  /** Name of the weights that the method used. */
  weights?: string;
  /** How many of the session's sentences the encoder has read; undefined if the method used no embeddings, or the caller's. */
  embedded?: number;
}
