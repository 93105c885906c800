// How the quotes of a summary stand to the other documents.

import type { Quote, Similar } from "cerasum";
import type { Result } from "./engine.ts";

/** Minimum cosine of words at which two sentences are taken to say much the same; below it, down to the core's limit, they share a part. */
const SAME = 0.5;
/** Share of words that two quotes have in common, from which neither is said by one document only. */
const SHARED = 0.5;

/** The sentences of other documents, one each, that say much the same, and those that say a part of it. */
export function standing({ similar }: Quote): { also: Similar[]; see: Similar[] } {
  const all = [...similar].sort((a, b) => a.document - b.document);
  return { also: all.filter(({ cosine }) => cosine >= SAME), see: all.filter(({ cosine }) => cosine < SAME) };
}

/**
 * Whether no other document has a sentence in similar words. Words tell nothing
 * across languages: undefined if there are several, or one document.
 */
export function onlyHere({ summary, docs }: Result, quote: Quote): boolean | undefined {
  if (docs.length < 2 || new Set(summary.documents.map(({ language }) => language)).size > 1) return undefined;
  if (quote.similar.length > 0) return false;
  // The core does not list quoted sentences as similar.
  const own = wordsOf(quote.text);
  return summary.sentences.every(({ document, text }) => document === quote.document || share(own, wordsOf(text)) < SHARED);
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

const share = (a: Set<string>, b: Set<string>): number => [...a].filter((word) => b.has(word)).length / Math.sqrt(a.size * b.size || 1);
