import assert from "node:assert/strict";

/** How many cases a test takes: fewer in `make test` than in `make test-slow` (NAME.slow.mjs). */
export const count = (few, all) => (process.env.CERASUM_SLOW ? all : few);

/**
 * Holds a time to a limit, both in milliseconds, in `make test-slow` alone, where
 * nothing else runs meanwhile (NAME.timed.mjs): elsewhere it is the machine's.
 */
export function within(took, limit, what = "it") {
  if (process.env.CERASUM_TIMED) assert.ok(took < limit, `${what} took ${Math.round(took)} ms, limit ${limit}`);
}
