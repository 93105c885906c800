// The quotes of a summary as running text.

import type { Quote } from "cerasum";
import { paragraphs as grouped } from "../../common/paragraphs.ts";
import type { Result } from "./engine.ts";

export interface Paragraph {
  language: string;
  quotes: { quote: Quote; index: number }[];
}

export function paragraphs({ summary, settings }: Result): Paragraph[] {
  const passages = summary.sentences.map((quote) => ({ quote, text: quote.text, document: quote.document, language: summary.documents[quote.document]!.language }));
  return grouped(passages, settings.order).map(({ language, quotes }) => ({ language, quotes: quotes.map(({ quote: { quote }, index }) => ({ quote, index })) }));
}
