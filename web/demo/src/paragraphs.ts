// The quotes of a summary as running text.

import type { Quote } from "cerasum";
import type { Result } from "./engine.ts";

export interface Paragraph {
  language: string;
  quotes: { quote: Quote; index: number }[];
}

/** UTF-16 units after which a paragraph may end where the source changes, and after which it ends. */
const ENOUGH = 260;
const MOST = 600;

/** Groups the quotes into paragraphs: by document in their order, else by length; one language each. */
export function paragraphs({ summary, settings }: Result): Paragraph[] {
  const made: Paragraph[] = [];
  let length = 0;
  summary.sentences.forEach((quote, index) => {
    const { language } = summary.documents[quote.document]!;
    const last = made.at(-1);
    const before = last?.quotes.at(-1)!.quote;
    const moved = before?.document !== quote.document;
    const full = settings.order === "document" ? moved : length > (moved ? ENOUGH : MOST);
    if (!last || last.language !== language || full) {
      made.push({ language, quotes: [{ quote, index }] });
      length = 0;
    } else last.quotes.push({ quote, index });
    length += quote.text.length;
  });
  return made;
}
