// Replies that no core would send: the decoder refuses them by an Error that says
// why, and accepts nothing with a field that it does not know.
//
// FUZZ_MINUTES is how long each property is tried (`make fuzz`), FUZZ_SEED repeats a
// run. A failure prints the counterexample and its seed.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeReply } from "../dist/decode.js";
import { effort, fixtures } from "./support.js";

const tries = effort(2000);

const good = fixtures<{ message: Record<string, unknown> }>("replies.json").map(({ message }) => message);

/** The paths of a value, with [] for all indices of a list; the keys of errors and budgets among them. */
function paths(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => paths(item, `${path}[]`));
  if (typeof value !== "object" || value === null || value instanceof Uint32Array) return [path];
  return [path, ...Object.keys(value).flatMap((key) => paths((value as Record<string, unknown>)[key], `${path}.${key}`))];
}
const known = new Set(good.flatMap((message) => paths(message).map((path) => `${String(message["kind"])}${path}`)));
for (const unit of ["words", "sentences", "characters", "paperWords"]) known.add(`summary.summary.budget.${unit}`);

function check(message: unknown): void {
  runs.all++;
  let reply: { kind: string };
  try {
    reply = decodeReply(message);
  } catch (error) {
    assert.equal(Object.getPrototypeOf(error), Error.prototype, `${String(error)}: a mistake of the decoder`);
    assert.match((error as Error).message, /: ./s);
    return;
  }
  runs.accepted++;
  assert.equal(reply, message);
  for (const path of paths(reply)) {
    assert.ok(known.has(reply.kind + path) || known.has(`${reply.kind + path}[]`) || [...known].some((one) => one.startsWith(`${reply.kind + path}[]`)), `${reply.kind}${path} was accepted`);
  }
}
const runs = { all: 0, accepted: 0 };

/** Values that break programs. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, NaN, -0, -1, 0.5, 2 ** 53, Infinity, "", "__proto__", "constructor", [], {}, [[]], true),
  fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true, maxDepth: 3 }),
);

/** Sets, adds or deletes what a walk along `steps` leads to. */
function changed(message: unknown, steps: number[], act: "set" | "add" | "delete", name: string, value: unknown): unknown {
  const copy = structuredClone(message);
  let at = copy as Record<string, unknown>;
  for (const step of steps) {
    const inner = Object.keys(at).filter((key) => typeof at[key] === "object" && at[key] !== null && !ArrayBuffer.isView(at[key]));
    if (inner.length === 0) break;
    at = at[inner[step % inner.length]!] as Record<string, unknown>;
  }
  if (Array.isArray(at) && (act === "add" || at.length === 0)) return at.push(value), copy;
  const keys = Object.keys(at);
  const key = act === "add" || keys.length === 0 ? name : keys[(steps.at(-1) ?? 0) % keys.length]!;
  if (act === "delete") delete at[key];
  else Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

function fuzz<T>(name: string, property: fc.IRawProperty<T>): void {
  test(`replies: ${name}`, (t) => {
    runs.all = runs.accepted = 0;
    const begun = performance.now();
    fc.assert(property, tries);
    t.diagnostic(`${runs.all} executions in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${runs.accepted} accepted`);
  });
}

fuzz("anything", fc.property(odd, check));
fuzz("anything of a known kind", fc.property(
  fc.constantFrom(...good), fc.dictionary(fc.string(), odd),
  (message, fields) => check({ ...fields, kind: message["kind"] }),
));
fuzz("good replies with one change", fc.property(
  fc.constantFrom(...good), fc.array(fc.nat(50), { maxLength: 5 }), fc.constantFrom("set" as const, "add" as const, "delete" as const),
  fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", "length", "kind"), fc.string()), odd,
  (message, steps, act, key, value) => check(changed(message, steps, act, key, value)),
));
