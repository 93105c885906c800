// The messages that cross the bridge between a page (TypeScript) and the core
// (Go, WebAssembly). Twin of wasm/internal/protocol/protocol.go: change both, and the
// fixtures in wasm/internal/protocol/testdata that the tests of both sides read.
//
// Every message is a plain object with a `kind`. The page speaks first:
// hello, answered by hello with the same PROTOCOL. Requests carry an `id`, a
// whole number from 1, that every answer to them repeats. Unknown kinds,
// fields and option values are refused by name.

/** Raised by one with every change that an older twin would misread. */
export const PROTOCOL = 4;

export interface DocumentInput {
  text: string;
  title?: string | undefined;
  /** Where the text comes from: a file name, a URL. */
  source?: string | undefined;
  /**
   * A language tag such as "pt" or "pt-BR", of which the first part counts.
   * Detected where absent.
   */
  language?: string | undefined;
}

export type BudgetUnit = "words" | "sentences" | "characters";
export type Order = "document" | "rank";

export interface Budget {
  /** A whole number of at least 1. */
  amount: number;
  unit: BudgetUnit;
}

export interface SummarizeOptions {
  /**
   * One of the core's methods, or "headline": the one line, headings too, that
   * fits the budget and is nearest the centroid, or a far nearer one that is over
   * it. Default "auto".
   */
  method?: string | undefined;
  /** Default 100 words. */
  budget?: Budget | undefined;
  /** Default "document". */
  order?: Order | undefined;
  /**
   * The vectors of the sentences, from whatever encoder the host has: a row of
   * `dimensions` numbers for each sentence that a split reply counts, document
   * by document.
   */
  embeddings?: Float32Array | undefined;
  /** Numbers of an embedding; wanted with `embeddings`. */
  dimensions?: number | undefined;
  /**
   * 0..1: the share of the embeddings in the similarity of sentences, the rest
   * being words. Default: what the method does by itself.
   */
  denseWeight?: number | undefined;
  /** Tags of the languages that the encoder knows; default all. */
  encoderLanguages?: readonly string[] | undefined;
  /**
   * What the reader wants to know: the centroid of methods salience, instant,
   * multilingual, mean, hybrid, position, cera, cerai and headline leans towards
   * its vector. The others leave it alone.
   */
  query?: string | undefined;
  /** 0..1: how far. Default 0.6. */
  queryWeight?: number | undefined;
  /** The query's vector by the encoder of `embeddings`, which are wanted with it as it is with them. */
  queryEmbedding?: Float32Array | undefined;
  /** What methods with `MethodInfo.weights` estimate the centroid with; the others leave it alone. */
  weights?: CentroidWeights | undefined;
  /** "free": only parameters that were learnt from corpora under free licences. Default: any. */
  licence?: "free" | undefined;
}

/** The weights of CeRA, or of CeRAI (with interpolation), for the embeddings of one encoder. */
export interface CentroidWeights {
  /** Numbers of an embedding. */
  dimensions: number;
  /** Positions in a document that have an embedding of their own. */
  positions: number;
  interpolation: boolean;
  /** The tensors one after the other, in the order of centroid.Tensors of the core. */
  data: Float32Array;
}

export interface HelloRequest { kind: "hello"; protocol: number }
export interface MethodsRequest { kind: "methods"; id: number }
export interface SplitRequest { kind: "split"; id: number; documents: readonly DocumentInput[] }
export interface SummarizeRequest {
  kind: "summarize";
  id: number;
  documents: readonly DocumentInput[];
  options?: SummarizeOptions | undefined;
}
export type Request = HelloRequest | MethodsRequest | SplitRequest | SummarizeRequest;

export interface HelloReply { kind: "hello"; protocol: number; version: string }

/**
 * What a method makes of embeddings: it reads words alone; it uses them where
 * there are any; it is refused without them.
 */
export type EmbeddingUse = "none" | "optional" | "required";
export interface MethodInfo {
  name: string;
  title: string;
  description: string;
  embeddings: EmbeddingUse;
  /** It is refused without `SummarizeOptions.weights`. */
  weights: boolean;
}
export interface MethodsReply { kind: "methods"; id: number; methods: MethodInfo[] }

/** start and end are UTF-16 units: text.slice(start, end) is the sentence. */
export interface Span { start: number; end: number }
export interface SplitDocument {
  /** As given, or detected; empty where unknown. */
  language: string;
  sentences: Span[];
}
export interface SplitReply { kind: "split"; id: number; documents: SplitDocument[] }

/** A sentence of another document that shares many of the words of a quoted one. */
export interface Similar extends Span {
  document: number;
  sentence: number;
  /** 0..1 */
  cosine: number;
}

/** A quoted sentence: documents[document].text.slice(start, end) === text. */
export interface Quote extends Span {
  text: string;
  /** Indices from 0. */
  document: number;
  sentence: number;
  /** Cosine of the sentence to the centroid, -1..1. */
  score: number;
  /** What it adds to the summary's score, best first; all gains add up to it. */
  gain: number;
  /** Nearest first. */
  similar: Similar[];
}

export interface DocumentReport {
  source: string;
  title: string;
  language: string;
  /** How many sentences it has, and how many of them are quoted. */
  sentences: number;
  chosen: number;
  /** 0..1: how much of the document the summary covers. */
  coverage: number;
  /**
   * One number for each sentence: how much the method goes by it. They are at
   * least 0 and add up to 1 over all documents (to 0 where no sentence counts).
   * null: the method weighs no sentences.
   */
  attention: number[] | null;
}

export interface Timings {
  /** Milliseconds. */
  split: number;
  encode: number;
  select: number;
}

export interface Summary {
  /** The quoted sentences in the asked order, one a line. */
  text: string;
  /** The name of the method that ran. */
  method: string;
  /** The budget that was asked for. */
  budget: Budget;
  /** What the sentences take of the budget, in its unit. */
  used: number;
  /** Not one sentence fits the budget: the nearest to the centroid is quoted all the same. */
  overBudget: boolean;
  /** The objective of the whole summary, 0..1. */
  score: number;
  sentences: Quote[];
  documents: DocumentReport[];
  timings: Timings;
}
export interface SummaryReply { kind: "summary"; id: number; summary: Summary }

export type Stage = "split" | "encode" | "select";
export interface Progress { stage: Stage; done: number; total: number }
export interface ProgressReply extends Progress { kind: "progress"; id: number }

/**
 * option: a bad value, which `field` names by its path. empty: no text to
 * summarize. protocol: the two sides do not understand each other. internal: a
 * mistake of the core.
 */
export type ErrorCode = "option" | "empty" | "protocol" | "internal";
/** The id is 0 where the request has none that can be read, hello among them. */
export interface ErrorReply { kind: "error"; id: number; code: ErrorCode; message: string; field?: string }

export type Reply = HelloReply | MethodsReply | SplitReply | SummaryReply | ProgressReply | ErrorReply;
