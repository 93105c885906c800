// Finds what only one tab says: sentences whose embedding is not close to that of
// any sentence in another tab.

import type { Vectors } from "./topics.ts";

/**
 * Minimum cosine of two sentences that say the same. Chosen on the sentences of
 * tests/topics.mjs: paraphrases and translations are above it, other sentences
 * about the same event below.
 */
export const SAME_SAID = 0.585;

/** Shorter sentences, in words, are ignored: titles, dates and captions. */
const SHORT = 6;
/** Number of sentences of a tab to consider, by highest attention. */
const LOOKED_AT = 200;

export interface Row {
  /** Index of the tab. */
  tab: number;
  text: string;
}

/** The highest cosine of row `i` to a row of another tab, -1 if there is none. Vectors must have length 1. */
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
 * The rows that only this tab says, at most `limit`, in the order of the page:
 * those with the highest attention (one number per row).
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
