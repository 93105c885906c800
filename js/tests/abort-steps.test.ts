// Steps that are done when a signal is aborted.

import assert from "node:assert/strict";
import { it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { onAbort, ownSignal } from "../dist/abort-steps.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("keeps the caller's signal, which nobody else may hold: in earlier Node.js a timeout that was collected never came", async () => {
  // In a function of its own, whose variables are gone afterwards.
  const follow = (signal: AbortSignal): [AbortSignal, WeakRef<AbortSignal>] => [ownSignal(signal), new WeakRef(signal)];
  const [[timeout], [own, source]] = [follow(AbortSignal.timeout(1000)), follow(new AbortController().signal)];
  // What a job has made is not collected before its end.
  for (let i = 0; i < 3; i++) {
    await new Promise((done) => setTimeout(done, 1));
    collectGarbage();
  }
  assert.ok(source.deref());
  let steps = 0;
  onAbort(timeout, () => steps++);
  // Timers come in the order in which they are due.
  await new Promise((done) => setTimeout(done, 1100));
  assert.deepEqual([own.aborted, timeout.aborted, steps], [false, true, 1]);
});
