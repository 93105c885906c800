// Summaries of documents as the Summarizer makes them of the core's: in one
// language where that is asked for, with titles to choose a headline from.

import type { Core, SummarizeProgress } from "./core.js";
import type { EncodedSummary, SentenceEncoder } from "./encoded-summary.js";
import { EmptyInputError } from "./errors.js";
import type { Budget, DocumentInput, DocumentReport, Quote, SplitDocument, SummarizeOptions } from "./protocol.js";
import { language } from "./summarizer-options.js";

/** A quoted sentence: documents[document].text.slice(start, end) === text. */
export interface SummarizedSentence extends Quote {
  /** -1: it stands in the document's title, in which `start` and `end` are places. */
  sentence: number;
  /** DocumentReport.attention of it; null where the method weighs no sentences, and for a title. */
  attention: number | null;
}

/** `text` is put as the summarizer's type and format want it. */
export interface DocumentsSummary extends EncodedSummary {
  sentences: SummarizedSentence[];
}

/** What one summary is made with. */
export interface Job {
  core: Core;
  encoder: SentenceEncoder | undefined;
  documents: readonly DocumentInput[];
  options: SummarizeOptions & { budget: Budget };
  /** Quote this language alone. */
  outputLanguage: string | null;
  signal: AbortSignal;
  onprogress?: ((progress: SummarizeProgress) => void) | undefined;
}

/** The summary, with its sentences a line each. One of nothing is empty. Rejects as Core.summarize does; NotSupportedError where no document is in the output language. */
export async function summarizeJob(job: Job): Promise<DocumentsSummary> {
  const { core, encoder, documents, options, outputLanguage, signal, onprogress } = job;
  const headline = options.method === "headline";
  // What is asked of: documents, and after them the titles; origin says of which document each is.
  let asked = [...documents];
  let origin = documents.map((_, i) => i);
  let split: SplitDocument[] = [];
  if (outputLanguage !== null || (headline && documents.some(({ title }) => title))) {
    split = await core.split(documents, { signal });
    if (outputLanguage !== null) {
      const wanted = language(outputLanguage);
      origin = origin.filter((i) => split[i]!.language === "" || language(split[i]!.language) === wanted);
      const text = (i: number): boolean => split[i]!.sentences.length > 0;
      if (!origin.some(text) && documents.some((_, i) => text(i))) {
        throw new DOMException(`no document is in the language ${outputLanguage}: nothing is translated`, "NotSupportedError");
      }
      asked = origin.map((i) => documents[i]!);
    }
  }
  const bodies = origin.length;
  if (headline) {
    for (const i of [...origin]) {
      const { title } = documents[i]!;
      if (!title) continue;
      asked.push({ text: title, language: split[i]!.language });
      origin.push(i);
    }
  }

  let summary: EncodedSummary;
  try {
    summary = await core.summarize(asked, options, { encoder, signal, onprogress });
  } catch (error) {
    if (!(error instanceof EmptyInputError)) throw error;
    summary = {
      text: "", method: options.method ?? "auto", budget: options.budget, used: 0, overBudget: false, score: 0,
      sentences: [], documents: [], timings: { split: 0, encode: 0, select: 0 },
    };
  }
  // Of what all weigh, titles have their share; without them the rest is to add up to 1.
  const weighed = summary.documents.slice(0, bodies).flatMap(({ attention }) => attention ?? []).reduce((a, b) => a + b, 0);
  const scale = bodies < origin.length && weighed > 0 ? 1 / weighed : 1;
  const reports = documents.map((document, i): DocumentReport => {
    const at = origin.indexOf(i);
    const report = at < bodies ? summary.documents[at] : undefined;
    if (report) return { ...report, attention: report.attention?.map((x) => x * scale) ?? null };
    return {
      source: document.source ?? "", title: document.title ?? "", language: split[i]?.language ?? "",
      sentences: split[i]?.sentences.length ?? 0, chosen: 0, coverage: 0, attention: null,
    };
  });
  return {
    ...summary,
    documents: reports,
    sentences: summary.sentences.map((quote) => {
      const body = quote.document < bodies;
      const document = origin[quote.document]!;
      return {
        ...quote,
        document,
        sentence: body ? quote.sentence : -1,
        similar: quote.similar.filter((like) => like.document < bodies).map((like) => ({ ...like, document: origin[like.document]! })),
        attention: (body ? reports[document]!.attention?.[quote.sentence] : undefined) ?? null,
      };
    }),
  };
}
