// What only one tab says: sentences whose embedding is not close to that of any
// sentence in another tab.

import type { Vectors } from "./topics.ts";

/**
 * Two sentences with a cosine from here on are taken to say the same. Chosen on
 * the sentences of tests/topics.mjs: what says the same, in other words or
 * another language, is above it, what else is said of the same event below.
 */
export const SAME_SAID = 0.36;

/** Sentences shorter than this, in words, are titles, dates and captions, which no tab has to itself in earnest. */
const SHORT = 6;
/** Of a tab so many sentences are looked at, those that count most. */
const LOOKED_AT = 200;

export interface Row {
  /** Index of the tab. */
  tab: number;
  text: string;
}

/** The highest cosine of row `i` to a row of another tab, -1 where there is none. The vectors are of length 1. */
export function nearestElsewhere(i: number, rows: readonly Row[], { embeddings, dimensions: D }: Vectors): number {
  let best = -1;
  for (let j = 0; j < rows.length; j++) {
    if (rows[j]!.tab === rows[i]!.tab) continue;
    let sum = 0;
    for (let k = 0; k < D; k++) sum += embeddings[i * D + k]! * embeddings[j * D + k]!;
    if (sum > best) best = sum;
  }
  return best;
}

/** Whether no other tab says what row `i` says. */
export const isOnly = (i: number, rows: readonly Row[], vectors: Vectors): boolean => nearestElsewhere(i, rows, vectors) < SAME_SAID;

/**
 * The rows of a tab that no other tab says, at most `limit`, in the order of
 * the page: of those that count most (`attention`, a number a row) the first
 * that are alone.
 */
export function onlyRows(tab: number, rows: readonly Row[], attention: readonly number[], vectors: Vectors, limit: number): number[] {
  const own = [...rows.keys()]
    .filter((i) => rows[i]!.tab === tab && rows[i]!.text.split(/\s+/).length >= SHORT)
    .sort((a, b) => attention[b]! - attention[a]! || a - b)
    .slice(0, LOOKED_AT);
  const found: number[] = [];
  for (const i of own) {
    if (isOnly(i, rows, vectors)) found.push(i);
    if (found.length === limit) break;
  }
  return found.sort((a, b) => a - b);
}
