// Checks replies of the core before anything is made of them, as strictly as
// wasm/internal/protocol/decode.go checks the requests.

import { typeName } from "./errors.js";
import { BUDGET_UNITS } from "./options.generated.js";
import type { Reply } from "./protocol.js";

/** Says what v must be; throws an Error that names the path where it is not. */
type Check = (v: unknown, path: string) => void;

const fail = (path: string, message: string): never => {
  throw new Error(`${path}: ${message}`);
};

const text: Check = (v, path) => {
  if (typeof v !== "string") fail(path, `want a string, got ${typeName(v)}`);
};

const flag: Check = (v, path) => {
  if (typeof v !== "boolean") fail(path, `want a boolean, got ${typeName(v)}`);
};

const real: Check = (v, path) => {
  if (typeof v !== "number") fail(path, `want a number, got ${typeName(v)}`);
  if (!Number.isFinite(v)) fail(path, `want a finite number, got ${String(v)}`);
};

const whole: Check = (v, path) => {
  if (typeof v !== "number") fail(path, `want a whole number, got ${typeName(v)}`);
  if (!Number.isSafeInteger(v) || (v as number) < 0) fail(path, `want a whole number, got ${String(v)}`);
};

const numbers: Check = (v, path) => {
  if (!(v instanceof Uint32Array)) fail(path, `want a Uint32Array, got ${typeName(v)}`);
};

/** Finite numbers, one for each sentence: `list(real)` would make a path for each. */
const reals: Check = (v, path) => {
  if (!Array.isArray(v)) return fail(path, `want an array, got ${typeName(v)}`);
  const wrong = v.findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) real(v[wrong], `${path}[${wrong}]`);
};

const oneOf = (...values: string[]): Check => (v, path) => {
  text(v, path);
  if (!values.includes(v as string)) fail(path, `unknown value ${JSON.stringify(v)}`);
};

const list = (item: Check): Check => (v, path) => {
  if (!Array.isArray(v)) return fail(path, `want an array, got ${typeName(v)}`);
  v.forEach((x, i) => item(x, `${path}[${i}]`));
};

const orNull = (check: Check): Check => (v, path) => {
  if (v !== null) check(v, path);
};

const record = (fields: Record<string, Check>, optional: readonly string[] = []): Check => (v, path) => {
  if (typeof v !== "object" || v === null || Array.isArray(v)) {
    return fail(path || "reply", `want an object, got ${typeName(v)}`);
  }
  const prefix = path ? `${path}.` : "";
  const o = v as Record<string, unknown>;
  for (const name in o) {
    if (!Object.hasOwn(fields, name)) fail(prefix + name, "unknown field");
  }
  for (const [name, check] of Object.entries(fields)) {
    if (o[name] !== undefined || !optional.includes(name)) check(o[name], prefix + name);
  }
};

const budget: Check = (v, path) => {
  record(Object.fromEntries(BUDGET_UNITS.map((unit) => [unit, whole])), BUDGET_UNITS)(v, path);
  const given = BUDGET_UNITS.filter((unit) => (v as Record<string, unknown>)[unit] !== undefined);
  if (given.length !== 1) fail(path, `want one of ${BUDGET_UNITS.join(", ")}, got ${given.length}`);
};

const summary = record({
  method: text,
  budget,
  used: whole,
  overBudget: flag,
  score: real,
  sentences: list(record({
    document: whole,
    sentence: whole,
    score: real,
    gain: real,
    similar: list(record({ document: whole, sentence: whole, cosine: real })),
    context: list(whole),
  })),
  documents: list(record({ chosen: whole, coverage: real, attention: orNull(reals) })),
  disagreements: list(record({
    what: text,
    update: flag,
    values: list(record({ value: text, document: whole, start: whole, end: whole })),
  })),
  timings: record({ select: real }),
});

const method = record({
  name: text,
  title: text,
  description: text,
  embeddings: oneOf("none", "optional", "required"),
  weights: flag,
  query: flag,
  fill: flag,
  acrossLanguages: flag,
});

const kinds: Record<Reply["kind"], Check> = {
  hello: record({ kind: text, protocol: whole, version: text }),
  info: record({ kind: text, id: whole, methods: list(method), languages: list(text) }),
  opened: record({
    kind: text,
    id: whole,
    session: whole,
    documents: list(record({ language: text, sentences: whole })),
    offsets: numbers,
    embeddable: list(text),
    asking: list(text),
    timings: record({ split: real, encode: real }),
  }),
  embedded: record({ kind: text, id: whole }),
  toEmbed: record({ kind: text, id: whole, sentences: numbers }),
  tokenized: record({ kind: text, id: whole, ids: numbers, lengths: numbers, before: whole }),
  summary: record({ kind: text, id: whole, summary }),
  closed: record({ kind: text, id: whole }),
  progress: record({ kind: text, id: whole, stage: oneOf("split", "encode", "select"), done: whole, total: whole }),
  error: record(
    { kind: text, id: whole, code: oneOf("option", "empty", "session", "protocol", "internal"), message: text, field: text },
    ["field"],
  ),
};

/** Returns the message as a reply; throws an Error that names the field at fault. */
export function decodeReply(message: unknown): Reply {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return fail("reply", `want an object, got ${typeName(message)}`);
  }
  const kind = (message as { kind?: unknown }).kind;
  oneOf(...Object.keys(kinds))(kind, "kind");
  kinds[kind as Reply["kind"]](message, "");
  return message as Reply;
}
