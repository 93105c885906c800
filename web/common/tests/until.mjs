import assert from "node:assert/strict";

/**
 * Waits until an async function says in the page that it holds. Playwright's
 * waitForFunction does not: it takes the promise for an answer.
 */
export async function until(page, holds, arg) {
  const end = Date.now() + 60_000;
  while (!(await page.evaluate(holds, arg))) {
    assert.ok(Date.now() < end, `waited for in vain: ${holds}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
