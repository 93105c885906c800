// The quotes of a summary as running text.

export interface Passage {
  text: string;
  /** Index of its document. */
  document: number;
  language: string;
}

export interface Paragraph<Quote> {
  language: string;
  quotes: { quote: Quote; index: number }[];
}

/** UTF-16 units after which a paragraph may end where the source changes, and after which it ends. */
const ENOUGH = 260;
const MOST = 600;

/** Groups quotes into paragraphs: by document if they are in the documents' order, else by length; one language each. */
export function paragraphs<Quote extends Passage>(quotes: readonly Quote[], order: string): Paragraph<Quote>[] {
  const made: Paragraph<Quote>[] = [];
  let length = 0;
  quotes.forEach((quote, index) => {
    const { language, document, text } = quote;
    const last = made.at(-1);
    const moved = last?.quotes.at(-1)!.quote.document !== document;
    const full = order === "document" ? moved : length > (moved ? ENOUGH : MOST);
    if (!last || last.language !== language || full) {
      made.push({ language, quotes: [{ quote, index }] });
      length = 0;
    } else last.quotes.push({ quote, index });
    length += text.length;
  });
  return made;
}
