// Clusters that are too large for method auto. Its networks look at every word
// pair of the cluster, and a WebAssembly program has 4 GB at most. Method instant
// gets by with less; the command line program has no such bound.

import type { DocumentInput } from "./protocol.js";

/** UTF-16 units of text above which auto is not tried: docs/benchmarks.md has what was measured. */
export const MOST_TEXT = 60_000_000;

/** Why auto is not tried; undefined where it may go well. What is no list of documents is for the core to refuse. */
export function tooLarge(documents: readonly DocumentInput[]): string | undefined {
  if (!Array.isArray(documents)) return undefined;
  const length = documents.reduce((n: number, document: Partial<DocumentInput> | null) => n + (typeof document?.text === "string" ? document.text.length : 0), 0);
  return length > MOST_TEXT ? `${length} characters are too much text for method auto in 4 GB of memory, which holds ${MOST_TEXT}` : undefined;
}

/** Whether a call failed for want of memory: Go's words, and those of browsers. */
export const outOfMemory = (error: unknown): boolean =>
  error instanceof Error && /out of memory|allocation failed|allocation size|could not allocate/i.test(error.message);
