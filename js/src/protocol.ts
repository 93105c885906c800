// The messages that cross the bridge between a page (TypeScript) and the core
// (Go, WebAssembly). wasm/internal/protocol/protocol.go has the same: change both, and the
// fixtures in wasm/internal/protocol/testdata that the tests of both sides read.
//
// Every message is a plain object with a `kind`. The page sends hello first,
// answered by hello with the same PROTOCOL. Requests have an `id`, a whole number
// from 1, which every answer repeats. Unknown kinds, fields and option values are
// refused by name.
//
// A document crosses once: open splits and analyses documents and answers with
// the number of a session. Summaries of a session are indices and numbers.

import type { Budget, ScalarOptions } from "./options.generated.js";

/** Increased with every incompatible change. */
export const PROTOCOL = 9;

/** The kind of a part of a document. Sentences are of paragraphs, block quotations and list items. */
export type BlockKind =
  | "paragraph" | "heading" | "listItem" | "tableRow" | "caption" | "code" | "blockQuotation" | "reference" | "metadata" | "navigation";

/** A part of a text, `text.slice(start, end)`, and its kind. */
export type Block = readonly [start: number, end: number, kind: BlockKind];

export interface DocumentInput {
  text: string;
  title?: string | undefined;
  /** Where the text comes from: a file name, a URL. */
  source?: string | undefined;
  /** A language tag such as "pt" or "pt-BR"; only its language is used. Default: detected. */
  language?: string | undefined;
  /** When it was published, in ISO 8601: "2026-04-21" or "2026-04-21T17:30:00Z". */
  date?: string | undefined;
  /** What the parts of the text are, in their order and without overlap. The rest is paragraphs; no sentence crosses the end of a block. */
  blocks?: readonly Block[] | undefined;
}

export interface SummarizeOptions extends ScalarOptions {
  /** The embedding of `query`, by the encoder of the sentences' embeddings. */
  queryEmbedding?: Float32Array | undefined;
  /** Only for methods with `MethodInfo.weights`, which estimate the centroid with them. */
  weights?: CentroidWeights | undefined;
}

/** The weights of CeRA, or of CeRAI (with interpolation), for the embeddings of one encoder. */
export interface CentroidWeights {
  /** Length of an embedding. */
  dimensions: number;
  /** Positions in a document that have an embedding of their own. */
  positions: number;
  interpolation: boolean;
  /** The tensors one after the other, in the order of centroid.Tensors of the core. */
  data: Float32Array;
}

export interface HelloRequest { kind: "hello"; protocol: number }
export interface InfoRequest { kind: "info"; id: number }
export interface OpenRequest {
  kind: "open";
  id: number;
  documents: readonly DocumentInput[];
  /** Documents in other languages get no sentences. Default: all languages. */
  languages?: readonly string[] | undefined;
  /** Adds a document for each title that is not empty, after the documents. */
  titles?: boolean | undefined;
  /** Options of the first summary: bad values are refused before the documents are read. */
  options?: SummarizeOptions | undefined;
}
export interface EmbedRequest {
  kind: "embed";
  id: number;
  session: number;
  /** N × dimensions, row-major: a row for each sentence, in the order of the documents. */
  embeddings: Float32Array;
  dimensions: number;
  /** Languages of the encoder. Default: all. */
  languages?: readonly string[] | undefined;
}
export interface ToEmbedRequest {
  kind: "toEmbed";
  id: number;
  session: number;
  /** About how many the encoder may read. */
  tokens: number;
}
export interface TokenizeRequest {
  kind: "tokenize";
  id: number;
  texts: readonly string[];
  /** Whether the texts are questions. */
  asks?: boolean | undefined;
  /** The encoder's vocabulary file. Default: the last one given. */
  vocabulary?: Uint8Array | undefined;
}
export interface SummarizeRequest { kind: "summarize"; id: number; session: number; options: SummarizeOptions }
export interface CloseRequest { kind: "close"; id: number; session: number }
export type Request = HelloRequest | InfoRequest | OpenRequest | EmbedRequest | ToEmbedRequest | TokenizeRequest | SummarizeRequest | CloseRequest;

export interface HelloReply { kind: "hello"; protocol: number; version: string }

/** Whether a method ignores embeddings, uses them if given, or requires them. */
export type EmbeddingUse = "none" | "optional" | "required";
export interface MethodInfo {
  name: string;
  title: string;
  description: string;
  embeddings: EmbeddingUse;
  /** The method requires `SummarizeOptions.weights`. */
  weights: boolean;
  /** The method supports `SummarizeOptions.query`. */
  query: boolean;
  /** The method supports `SummarizeOptions.fill`: without it, room is left unused rather than quote what adds little. */
  fill: boolean;
  /** The method uses embeddings only of documents in several languages. */
  acrossLanguages: boolean;
}
export interface CoreInfo {
  /** The methods of summarize, "auto" first. */
  methods: MethodInfo[];
  /** ISO 639-1 tags of the languages that the core detects. */
  languages: string[];
}
export interface InfoReply extends CoreInfo { kind: "info"; id: number }

export interface OpenedDocument {
  /** As given, or detected; empty if unknown. */
  language: string;
  /** Number of its sentences. */
  sentences: number;
}
export interface OpenedReply {
  kind: "opened";
  id: number;
  session: number;
  /** The documents of the request, then the titles. */
  documents: OpenedDocument[];
  /** Of the sentences of all documents, in UTF-16 units: start, end, start, end, … */
  offsets: Uint32Array;
  /** Names of the methods that would use embeddings of these documents. */
  embeddable: string[];
  /** The same with a query. */
  asking: string[];
  /** Milliseconds. */
  timings: { split: number; encode: number };
}
export interface EmbeddedReply { kind: "embedded"; id: number }
export interface ToEmbedReply {
  kind: "toEmbed";
  id: number;
  /** Numbers of sentences, ascending. */
  sentences: Uint32Array;
}
/** Ids of the texts, one after the other; see Tokens in encoder-messages.ts. */
export interface TokenizedReply { kind: "tokenized"; id: number; ids: Uint32Array; lengths: Uint32Array; before: number }
export interface ClosedReply { kind: "closed"; id: number }

/** A summary as sent over the bridge: documents and sentences are indices from 0. */
export interface Selection {
  method: string;
  budget: Budget;
  used: number;
  overBudget: boolean;
  score: number;
  sentences: {
    document: number;
    sentence: number;
    score: number;
    gain: number;
    similar: { document: number; sentence: number; cosine: number }[];
    /** Sentences of the same document. */
    context: number[];
  }[];
  documents: { chosen: number; coverage: number; attention: number[] | null }[];
  disagreements: {
    what: string;
    update: boolean;
    /** start and end are UTF-16 offsets. */
    values: { value: string; document: number; start: number; end: number }[];
  }[];
  /** Milliseconds. */
  timings: { select: number };
}
export interface SummaryReply { kind: "summary"; id: number; summary: Selection }

export interface Progress { stage: "split" | "encode" | "select"; done: number; total: number }
export interface ProgressReply extends Progress { kind: "progress"; id: number }

/**
 * option: an invalid value, `field` is its path. empty: no text to summarize.
 * session: no such session. protocol: an invalid message. internal: a bug in the
 * core.
 */
export type ErrorCode = "option" | "empty" | "session" | "protocol" | "internal";
/** The id is 0 if the request has no valid id, as hello. */
export interface ErrorReply { kind: "error"; id: number; code: ErrorCode; message: string; field?: string }

export type Reply = HelloReply | InfoReply | OpenedReply | EmbeddedReply | ToEmbedReply | TokenizedReply | SummaryReply | ClosedReply | ProgressReply | ErrorReply;
