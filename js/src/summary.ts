// Summaries for the caller: the core's indices and numbers, joined with the
// texts, which stay in the page.

import { oneLine } from "./one-line.js";
import type { Budget } from "./options.generated.js";
import type { DocumentInput, OpenedReply, Selection } from "./protocol.js";

/** start and end are offsets in UTF-16 units: text.slice(start, end) is the sentence. */
export interface Span { start: number; end: number }

export interface SplitDocument {
  /** As given, or detected; empty if unknown. */
  language: string;
  sentences: Span[];
}

/** A sentence of another document that shares many of the words of a quoted one. */
export interface Similar extends Span {
  document: number;
  sentence: number;
  /** 0..1 */
  cosine: number;
}

/** A preceding sentence of the same document that a quoted one depends on. */
export interface ContextSentence extends Span {
  document: number;
  sentence: number;
}

/** A quoted sentence: documents[document].text.slice(start, end) === text. */
export interface Quote extends Span {
  text: string;
  /** Index from 0. */
  document: number;
  /** Index from 0; -1 for a title (OpenOptions.titles): `start` and `end` are then offsets in the title. */
  sentence: number;
  /** Cosine of the sentence to the centroid, -1..1. */
  score: number;
  /** What it adds to the summary's score if sentences are added best first; the gains add up to the score. */
  gain: number;
  /** Nearest first. */
  similar: Similar[];
  /** The preceding sentences that it depends on, if they are not quoted, in their order: show them before the quote on request. */
  context: ContextSentence[];
}

/** What one document says: `value` stands in documents[document].text from start to end. */
export interface DisagreementValue extends Span {
  value: string;
  document: number;
}

/** One thing for which documents give different figures or dates. */
export interface Disagreement {
  /** In the documents' words: "injured". */
  what: string;
  /** Whether newer documents update older ones; `values` are then in chronological order. */
  update: boolean;
  values: DisagreementValue[];
}

export interface DocumentReport {
  source: string;
  title: string;
  language: string;
  /** Number of its sentences. */
  sentences: number;
  /** Number of its sentences that are quoted. */
  chosen: number;
  /** 0..1: how much of the document the summary covers. */
  coverage: number;
  /**
   * The weight of each sentence in the selection: at least 0; all documents
   * together sum to 1, or 0 if no sentence counts. null if the method weighs no
   * sentences.
   */
  attention: number[] | null;
}

/** Milliseconds. */
export interface Timings {
  /** Of opening the session. */
  split: number;
  /** Of opening the session, and of embedding its sentences. */
  encode: number;
  /** Of this summary. */
  select: number;
}

export interface Summary {
  /** The quoted sentences in the requested order, one per line. */
  text: string;
  /** Name of the method that ran. */
  method: string;
  /** The requested budget. */
  budget: Budget;
  /** Length of the quoted sentences, in the budget's unit. */
  used: number;
  /** No sentence fits the budget; the one nearest to the centroid is quoted. */
  overBudget: boolean;
  /** Value of the objective for the whole summary, 0..1. */
  score: number;
  sentences: Quote[];
  documents: DocumentReport[];
  disagreements: Disagreement[];
  timings: Timings;
}

/** A text of a session: a document's, or its title. */
interface Part {
  text: string;
  /** Index of the document. */
  document: number;
  title: boolean;
}

/** The texts of an opened session, and where their sentences are. */
export class OpenedTexts {
  /** Of the documents. */
  readonly documents: readonly SplitDocument[];
  readonly embeddable: ReadonlySet<string>;
  readonly asking: ReadonlySet<string>;
  readonly timings: OpenedReply["timings"];
  readonly #inputs: readonly DocumentInput[];
  /** The documents, then the titles, and the offsets of the sentences of each. */
  readonly #parts: readonly Part[];
  readonly #offsets: readonly Uint32Array[];

  /** Throws an Error if the reply does not fit the documents. */
  constructor(inputs: readonly DocumentInput[], titles: boolean, reply: OpenedReply) {
    const parts = inputs.map(({ text }, document): Part => ({ text, document, title: false }));
    if (titles) inputs.forEach(({ title }, document) => title && parts.push({ text: title, document, title: true }));
    if (reply.documents.length !== parts.length) throw new Error(`documents: want ${parts.length}, got ${reply.documents.length}`);
    this.#inputs = inputs;
    this.#parts = parts;
    const want = 2 * reply.documents.reduce((sum, { sentences }) => sum + sentences, 0);
    if (reply.offsets.length !== want) throw new Error(`offsets: want ${want}, got ${reply.offsets.length}`);
    let from = 0;
    this.#offsets = reply.documents.map(({ sentences }, i) => {
      const offsets = reply.offsets.subarray(from, from += 2 * sentences);
      check(offsets, parts[i]!.text.length, `sentences of documents[${i}]`);
      return offsets;
    });
    this.documents = inputs.map((_, i) => splitDocument(reply.documents[i]!.language, this.#offsets[i]!));
    this.embeddable = new Set(reply.embeddable);
    this.asking = new Set(reply.asking);
    this.timings = reply.timings;
  }

  /** The sentences, in the order of the rows of an embedding matrix. */
  texts(): string[] {
    return this.#parts.flatMap(({ text }, i) => spans(this.#offsets[i]!).map(({ start, end }) => text.slice(start, end)));
  }

  /** Throws an Error if the selection does not fit the texts. */
  join(selection: Selection, encode: number): Summary {
    const parts = this.#parts;
    if (selection.documents.length !== parts.length) throw new Error(`summary.documents: want ${parts.length}, got ${selection.documents.length}`);
    const span = (document: number, sentence: number, path: string): Span => {
      const offsets = this.#offsets[document];
      if (!offsets || 2 * sentence >= offsets.length) throw new Error(`${path}: document ${document} has no sentence ${sentence}`);
      return { start: offsets[2 * sentence]!, end: offsets[2 * sentence + 1]! };
    };
    const sentences = selection.sentences.map(({ document, sentence, similar, context, ...numbers }, i): Quote => {
      const place = span(document, sentence, `summary.sentences[${i}]`);
      const part = parts[document]!;
      return {
        ...place,
        text: part.text.slice(place.start, place.end),
        document: part.document,
        sentence: part.title ? -1 : sentence,
        ...numbers,
        similar: similar
          .map((one, k) => ({ ...span(one.document, one.sentence, `summary.sentences[${i}].similar[${k}]`), ...one }))
          .filter((one) => !parts[one.document]!.title),
        context: part.title ? [] : context.map((one, k) => ({ ...span(document, one, `summary.sentences[${i}].context[${k}]`), document, sentence: one })),
      };
    });
    return {
      text: sentences.map(({ text }) => oneLine(text)).join("\n"),
      method: selection.method,
      budget: selection.budget,
      used: selection.used,
      overBudget: selection.overBudget,
      score: selection.score,
      sentences,
      documents: this.#reports(selection),
      disagreements: this.#disagreements(selection),
      timings: { split: this.timings.split, encode: this.timings.encode + encode, select: selection.timings.select },
    };
  }

  #disagreements({ disagreements }: Selection): Disagreement[] {
    return disagreements.map(({ what, update, values }, i) => ({
      what,
      update,
      values: values.filter(({ document, start, end }, k) => {
        const part = this.#parts[document];
        const path = `summary.disagreements[${i}].values[${k}]`;
        if (!part) throw new Error(`${path}: there is no document ${document}`);
        if (start > end || end > part.text.length) throw new Error(`${path}: ${start} to ${end} is out of range in a text of ${part.text.length} characters`);
        return !part.title;
      }),
    })).filter(({ values }) => values.length > 1);
  }

  #reports({ documents }: Selection): DocumentReport[] {
    const own = documents.slice(0, this.#inputs.length);
    // Titles have a share of the attention: scale the documents' share to 1.
    const titled = own.length < documents.length;
    const total = titled ? own.flatMap(({ attention }) => attention ?? []).reduce((a, b) => a + b, 0) : 0;
    const scale = total > 0 ? 1 / total : 1;
    return own.map(({ chosen, coverage, attention }, i) => ({
      source: this.#inputs[i]!.source ?? "",
      title: this.#inputs[i]!.title ?? "",
      language: this.documents[i]!.language,
      sentences: this.#offsets[i]!.length / 2,
      chosen,
      coverage,
      attention: scale === 1 ? attention : attention?.map((x) => x * scale) ?? null,
    }));
  }
}

function check(offsets: Uint32Array, length: number, path: string): void {
  for (let i = 0; i < offsets.length; i += 2) {
    const start = offsets[i]!;
    const end = offsets[i + 1]!;
    if (start > end || end > length) throw new Error(`${path}: ${start} to ${end} is out of range in a text of ${length} characters`);
  }
}

/** A loop: Array.from takes several times as long. */
function spans(offsets: Uint32Array): Span[] {
  const list: Span[] = [];
  for (let i = 0; i < offsets.length; i += 2) list.push({ start: offsets[i]!, end: offsets[i + 1]! });
  return list;
}

/** Makes the spans when they are read for the first time: there may be a million, and few callers need them. */
function splitDocument(language: string, offsets: Uint32Array): SplitDocument {
  let made: Span[] | undefined;
  return {
    language,
    get sentences() {
      return (made ??= spans(offsets));
    },
    set sentences(other) {
      made = other;
    },
  };
}
