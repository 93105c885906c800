import type { Block } from "cerasum";
import { Readability } from "@mozilla/readability";
import { blocksOf } from "./blocks.ts";
import { dateOf } from "./date.ts";
import { markBlocks, oneLineOf } from "./marks.ts";
import { type Part, join } from "./parts.ts";
import { characters } from "./plain.ts";

/** The readable content of a page. */
export interface Readable {
  title: string;
  text: string;
  /** What the parts of the text are; undefined if unknown. */
  blocks?: readonly Block[] | undefined;
  /** When it was published, in ISO 8601. */
  date?: string | undefined;
}

/** The parts of a page, before they are joined. */
export interface Article {
  /** Of the page, without the site's name; of a page without one, the first heading. */
  title: string;
  parts: Part[];
  /** Empty if unknown. */
  date: string;
}

/** Characters from which an article is not compared with the rest of the page. */
const MIN_ARTICLE = 200;

/**
 * The depths of all elements, summed, up to which an article is searched for: Readability
 * looks at what is in each element many times. Of ten thousand elements, the average is 200
 * deep then; those of an article are about 15 deep. Same limit as in
 * cmd/cerasum/internal/ingest/html.go.
 */
const MAX_DEPTHS = 2_000_000;

/** Whether an article can be searched for in a time that grows with the size of a page only. */
function isShallow(body: Element): boolean {
  let sum = 0;
  let depth = 1;
  for (let at: Element | null = body; at; at = at === body ? null : at.nextElementSibling) {
    for (let inner: Element | null = at; inner; inner = inner.firstElementChild) {
      at = inner;
      sum += depth++;
    }
    if (sum > MAX_DEPTHS) return false;
    depth--;
    for (; at !== body && !at.nextElementSibling; at = at.parentElement!) depth--;
  }
  return true;
}

const lengthOf = (parts: readonly Part[]): number => parts.reduce((sum, { text }) => sum + characters(text), 0);

/** The first heading of a level that has text. */
const headingOf = (page: Document, name: string): string => {
  for (const heading of page.querySelectorAll(name)) {
    const text = oneLineOf(heading.textContent ?? "");
    if (text) return text;
  }
  return "";
};

/**
 * The article of a page, its title and its date, by Readability; everything visible
 * if that finds no article or only a small part of a short page, or if the page is nested too
 * deeply for it. Changes the
 * document, which must have no window.
 */
export function articleOf(page: Document): Article {
  const own = oneLineOf(page.title);
  const title = own || headingOf(page, "h1") || headingOf(page, "h2");
  const date = dateOf(page);
  markBlocks(page);
  const everything = blocksOf(page.body);
  if (!isShallow(page.body)) return { title, parts: everything, date };
  try {
    // Readability changes the document: everything else has been read by now.
    const article = new Readability<Node>(page, { maxElemsToParse: 100_000, serializer: (node) => node }).parse();
    if (article?.content) {
      const parts = blocksOf(article.content);
      const length = lengthOf(parts);
      if (length >= MIN_ARTICLE || length > 0 && 2 * length >= lengthOf(everything)) return { title: own && oneLineOf(article.title ?? "") || title, parts, date };
    }
  } catch {
    // Too many elements, or a page that Readability cannot parse.
  }
  return { title, parts: everything, date };
}

/** The article of a page as a text with blocks. */
export function readArticle(page: Document): Readable {
  const { title, parts, date } = articleOf(page);
  return { title, ...join(parts), ...(date && { date }) };
}
