import assert from "node:assert/strict";
import { test as nodeTest } from "node:test";

const repeated = Boolean(process.env.CERASUM_SLOW || process.env.CERASUM_TIMED);

/** A test that `make test-slow` repeats: with all of its cases (count), or with its times held to their limits (within). */
export const again = nodeTest;

/** A test that `make test-slow` alone runs (NAME.slow.mjs): a variation of another one, or long. */
export const slow = process.env.CERASUM_SLOW ? nodeTest : () => {};

/** A test of times that `make test-slow` alone runs (NAME.timed.mjs): what it does has a test of its own. */
export const timed = process.env.CERASUM_TIMED ? nodeTest : () => {};

/** Any other test of a file that `make test-slow` runs again: it is left out there. */
export const test = repeated ? () => {} : nodeTest;

/** How many cases a test takes: fewer in `make test` than in `make test-slow` (NAME.slow.mjs). */
export const count = (few, all) => (process.env.CERASUM_SLOW ? all : few);

/**
 * Holds a time to a limit, both in milliseconds, in `make test-slow` alone, where
 * nothing else runs meanwhile (NAME.timed.mjs): elsewhere it is the machine's.
 */
export function within(took, limit, what = "it") {
  if (process.env.CERASUM_TIMED) assert.ok(took < limit, `${what} took ${Math.round(took)} ms, limit ${limit}`);
}

/**
 * How long fast-check tries a property: FUZZ_MINUTES (`make fuzz`), else so many runs.
 * FUZZ_SEED repeats a run; without either, all runs are the same: a failure must not
 * go away when the test is tried again.
 */
export function effort(numRuns) {
  const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
  const start = process.env.FUZZ_SEED || (minutes === 0 && 1);
  return {
    ...(minutes > 0 ? { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: minutes * 60_000 } : { numRuns }),
    ...(start && { seed: Number(start) }),
  };
}
