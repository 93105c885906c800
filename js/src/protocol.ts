// The messages that cross the bridge between a page (TypeScript) and the core
// (Go, WebAssembly). Twin of wasm/protocol/protocol.go: change both, and the
// fixtures in wasm/protocol/testdata that the tests of both sides read.
//
// Every message is a plain object with a `kind`. The page speaks first:
// hello, answered by hello with the same PROTOCOL. Requests carry an `id` that
// every answer to them repeats. Unknown kinds, fields and option values are
// refused by name.

/** Raised by one with every change that an older twin would misread. */
export const PROTOCOL = 1;

export interface DocumentInput {
  text: string;
  title?: string;
  /** Where the text comes from: a file name, a URL. */
  source?: string;
  /** ISO 639-1, e.g. "pt". Detected where absent. */
  language?: string;
}

export type BudgetUnit = "words" | "sentences" | "characters";
export type Order = "document" | "rank";

export interface SummarizeOptions {
  /** One of the core's methods; default "auto". */
  method?: string;
  /** Default 100 words. */
  budget?: { amount: number; unit: BudgetUnit };
  /** Default "document". */
  order?: Order;
}

export interface HelloRequest { kind: "hello"; protocol: number }
export interface MethodsRequest { kind: "methods"; id: number }
export interface SplitRequest { kind: "split"; id: number; documents: DocumentInput[] }
export interface SummarizeRequest { kind: "summarize"; id: number; documents: DocumentInput[]; options?: SummarizeOptions }
export type Request = HelloRequest | MethodsRequest | SplitRequest | SummarizeRequest;

export interface HelloReply { kind: "hello"; protocol: number; version: string }
export interface MethodInfo { name: string; title: string; description: string }
export interface MethodsReply { kind: "methods"; id: number; methods: MethodInfo[] }

/** start and end are UTF-16 units: text.slice(start, end) is the sentence. */
export interface SplitDocument { language: string; sentences: { start: number; end: number }[] }
export interface SplitReply { kind: "split"; id: number; documents: SplitDocument[] }

export interface Similar { document: number; sentence: number; start: number; end: number; cosine: number }
export interface Quote {
  text: string;
  document: number;
  sentence: number;
  start: number;
  end: number;
  /** Cosine of the sentence to the centroid. */
  score: number;
  /** What it adds to the summary's score, best first. */
  gain: number;
  similar: Similar[];
}
export interface DocumentReport {
  source: string;
  title: string;
  language: string;
  sentences: number;
  chosen: number;
  /** 0..1: how much of the document the summary covers. */
  coverage: number;
}
export interface Summary {
  text: string;
  method: string;
  budget: { amount: number; unit: BudgetUnit };
  /** What the sentences take of the budget, in its unit. */
  used: number;
  overBudget: boolean;
  score: number;
  sentences: Quote[];
  documents: DocumentReport[];
  /** Milliseconds. */
  timings: { split: number; encode: number; select: number };
}
export interface SummaryReply { kind: "summary"; id: number; summary: Summary }

export interface ProgressReply { kind: "progress"; id: number; stage: "split" | "encode" | "select"; done: number; total: number }

/** code: "option" (a bad value; field names it), "empty" (no text to summarize), "protocol", "internal". */
export interface ErrorReply { kind: "error"; id: number; code: "option" | "empty" | "protocol" | "internal"; message: string; field?: string }

export type Reply = HelloReply | MethodsReply | SplitReply | SummaryReply | ProgressReply | ErrorReply;
