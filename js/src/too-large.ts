// Detects clusters that are too large for method auto: its networks use every
// word pair of the cluster, and WebAssembly memory is limited to 4 GB. Method
// instant needs less; the command line program has no such limit.

import type { DocumentInput } from "./protocol.js";

/** UTF-16 units of text above which auto is not tried; measured in docs/benchmarks.md. */
export const MOST_TEXT = 60_000_000;

/** Why auto is not tried; undefined if it may succeed. Invalid documents are left for the core to reject. */
export function tooLarge(documents: readonly DocumentInput[]): string | undefined {
  if (!Array.isArray(documents)) return undefined;
  const length = documents.reduce((n: number, document: Partial<DocumentInput> | null) => n + (typeof document?.text === "string" ? document.text.length : 0), 0);
  return length > MOST_TEXT ? `${length} characters exceed the ${MOST_TEXT} that method auto can process in 4 GB of memory` : undefined;
}

/** Whether a call ran out of memory, by the messages of Go and of browsers. */
export const outOfMemory = (error: unknown): boolean =>
  error instanceof Error && /out of memory|allocation failed|allocation size|could not allocate/i.test(error.message);
