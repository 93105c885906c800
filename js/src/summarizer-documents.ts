// Summaries of documents for the Summarizer: optionally in one language, with
// titles as headlines, and empty if there is no text.

import type { EncodedSummary, SentenceEncoder, SummarizeProgress } from "./calls.js";
import type { Core } from "./core.js";
import { EmptyInputError } from "./errors.js";
import type { Budget } from "./options.generated.js";
import type { DocumentInput, SummarizeOptions } from "./protocol.js";
import type { Session } from "./session.js";
import { maybeIn } from "./summarizer-language.js";
import { language } from "./summarizer-options.js";
import type { Quote } from "./summary.js";

/** A quoted sentence: documents[document].text.slice(start, end) === text; if `sentence` is -1, the same with its title. */
export interface SummarizedSentence extends Quote {
  /** Its weight in DocumentReport.attention; null if the method weighs no sentences, and for a title. */
  attention: number | null;
}

/** `text` is in the summarizer's type and format. */
export interface DocumentsSummary extends EncodedSummary {
  sentences: SummarizedSentence[];
}

/** The documents of summaries. */
export interface DocumentsJob {
  documents: readonly DocumentInput[];
  /** Quote only this language. */
  outputLanguage: string | null;
  /** Languages of the input; empty: any. */
  expected: readonly string[];
  /** Quote titles too. */
  titles: boolean;
  encoder: SentenceEncoder | undefined;
  signal: AbortSignal;
  onprogress?: ((progress: SummarizeProgress) => void) | undefined;
}

/** The options of one summary. */
export type DocumentsOptions = SummarizeOptions & { method: string; budget: Budget };

/** Gives `use` a function that summarizes the documents. Rejects as Core.open does; NotSupportedError if no document is in the output language. */
export async function withDocuments<T>(core: Core, job: DocumentsJob, use: (summarize: (options: DocumentsOptions) => Promise<DocumentsSummary>) => Promise<T>): Promise<T> {
  const { documents, outputLanguage, expected, titles, signal, onprogress } = job;
  const open = (documents: readonly DocumentInput[]): Promise<Session> =>
    core.open(documents, { ...(outputLanguage !== null && { languages: [outputLanguage] }), titles, signal, onprogress });
  let session = await open(documents);
  try {
    if (outputLanguage !== null) {
      const guessed = session.documents.map(({ sentences, language }, i) =>
        sentences.length === 0 && language !== "" && !documents[i]!.language && maybeIn(outputLanguage, documents[i]!.text, language, expected));
      if (guessed.includes(true)) {
        session.close();
        session = await open(documents.map((document, i) => (guessed[i] ? { ...document, language: language(outputLanguage) } : document)));
      }
      if (leftOut(session, documents)) throw new DOMException(`no document is in the language ${outputLanguage}: nothing is translated`, "NotSupportedError");
    }
    return await use((options) => summarize(session, job, options));
  } finally {
    session.close();
  }
}

/** Whether there is text, but none in the output language. */
const leftOut = ({ documents }: Session, inputs: readonly DocumentInput[]): boolean =>
  documents.every(({ sentences }) => sentences.length === 0)
  && documents.some(({ language }, i) => language !== "" && /[\p{L}\p{N}]/u.test(inputs[i]!.text));

/** The summary, one sentence per line; empty if there is no text. Rejects as Session.summarize does. */
async function summarize(session: Session, { documents, encoder, signal, onprogress }: DocumentsJob, options: DocumentsOptions): Promise<DocumentsSummary> {
  try {
    const summary = await session.summarize(options, { encoder, signal, onprogress });
    return {
      ...summary,
      sentences: summary.sentences.map((quote) => ({ ...quote, attention: summary.documents[quote.document]!.attention?.[quote.sentence] ?? null })),
    };
  } catch (error) {
    if (!(error instanceof EmptyInputError)) throw error;
    return {
      text: "", method: options.method, budget: options.budget, used: 0, overBudget: false, score: 0, sentences: [],
      documents: documents.map(({ source = "", title = "" }, i) => ({
        source, title, language: session.documents[i]!.language, sentences: session.documents[i]!.sentences.length, chosen: 0, coverage: 0, attention: null,
      })),
      disagreements: [],
      timings: { split: 0, encode: 0, select: 0 },
    };
  }
}
