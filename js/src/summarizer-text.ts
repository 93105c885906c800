// Formats quoted sentences as bullets, a paragraph or a line.

import { oneLine } from "./one-line.js";
import { plain, withoutBlocks } from "./plain-text.js";
import type { SummarizerFormat, SummarizerLength, SummarizerType } from "./summarizer-options.js";

const step = (length: SummarizerLength): 0 | 1 | 2 => (length === "short" ? 0 : length === "medium" ? 1 : 2);

/** The length of a summary: sentences, or words for a headline. */
export function amountOf(type: SummarizerType, length: SummarizerLength): number {
  const amounts = { "key-points": [3, 5, 7], tldr: [1, 3, 5], teaser: [1, 3, 5], headline: [12, 17, 22] } as const;
  return amounts[type][step(length)];
}

/** The parts of the text, one sentence each; joined, they are the text. */
export function render(sentences: readonly string[], type: SummarizerType, format: SummarizerFormat, words: number): string[] {
  const clean = format === "markdown" ? withoutBlocks : plain;
  return sentences.map((sentence) => clean(oneLine(sentence))).filter(Boolean).map((text, i) => {
    let line = type === "headline" ? cut(text, words) : text;
    if (format === "markdown") line = literal(line);
    if (type !== "key-points") return i > 0 ? ` ${line}` : line;
    return `${i > 0 ? "\n" : ""}${format === "markdown" ? "*" : "•"} ${line}`;
  });
}

/** Escapes what Markdown would read as markup at the start of a line: lists, code blocks, definitions, HTML. */
const literal = (line: string): string =>
  line.replace(/^\d{1,9}(?=[.)] )|^(?=```|~~~|\[[^\]]*\]:)/, "$&\\").replace(/<(?=[a-z/!?])/gi, "\\<");

/**
 * Cuts a longer sentence after the last clause that fits or, if that would leave
 * less than half of the words, after the last word that fits.
 */
function cut(line: string, words: number): string {
  let count = 0;
  let clause = 0;
  let end = 0;
  for (const { segment, index, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(line)) {
    if (isWordLike) {
      if (count === words) return `${line.slice(0, clause || end)}…`;
      count++;
      end = index + segment.length;
    } else if (/^[,;:،、，；：—–]/.test(segment) && 2 * count >= words) {
      clause = end;
    }
  }
  return line;
}

/**
 * Picks the sentences of a teaser, best first: questions, exclamations, direct
 * speech, figures, then the most important ones.
 */
export function drawing(sentences: readonly string[], amount: number): Set<number> {
  const hooks = sentences.map((text) => Math.min(2, text.match(/[?!؟？！…]|["“„«「]|\d+/g)?.length ?? 0));
  const order = sentences.map((_, i) => i).sort((a, b) => hooks[b]! - hooks[a]! || a - b);
  return new Set(order.slice(0, amount));
}
