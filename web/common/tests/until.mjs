import assert from "node:assert/strict";

/** Waits until an async function says that it holds. */
export async function eventually(holds, what = holds) {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `waited for in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/**
 * Waits until an async function says in the page that it holds. Playwright's
 * waitForFunction does not: it takes the promise for an answer.
 */
export const until = (page, holds, arg) => eventually(() => page.evaluate(holds, arg), holds);
