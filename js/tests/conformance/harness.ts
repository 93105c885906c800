// What the cases of the standard run with: under Node and in a page, with the
// library's class, and with the browser's own where no model is needed. Nothing
// here may import what a page does not have.

import type { StandardSummarizer, StandardSummarizerConstructor } from "../standard.js";

export interface Env {
  Summarizer: StandardSummarizerConstructor & { prototype: StandardSummarizer };
  QuotaExceededError: new (...list: never[]) => DOMException;
  CreateMonitor: { new(): EventTarget; prototype: EventTarget };
  /** Whether it runs in a page. */
  page: boolean;
  /** Whether the classes are the browser's own. */
  own: boolean;
}

export interface Case {
  /** Section of the standard, or the standard. */
  of: string;
  says: string;
  /** Needs no model: the browser's own class must pass it too. */
  oracle: boolean;
  run(env: Env): Promise<void> | void;
}

export const cases: Case[] = [];

let section = "";
export const of = (name: string): void => void (section = name);

/** A case for ours alone. */
export const says = (what: string, run: Case["run"]): void => void cases.push({ of: section, says: what, oracle: false, run });
/** A case that the browser's own class passes too. */
export const both = (what: string, run: Case["run"]): void => void cases.push({ of: section, says: what, oracle: true, run });

const show = (value: unknown): string => {
  try {
    return typeof value === "object" && value !== null && !(value instanceof Error) ? JSON.stringify(value) : String(value);
  } catch {
    return typeof value;
  }
};

export function equal(got: unknown, want: unknown, what = ""): void {
  if (!Object.is(got, want)) throw new Error(`${what}: got ${show(got)}, want ${show(want)}`);
}

export function same(got: readonly unknown[] | null, want: readonly unknown[] | null, what = ""): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: got ${show(got)}, want ${show(want)}`);
}

export function ok(value: unknown, what = "it"): void {
  if (!value) throw new Error(`${what} does not hold`);
}

type Kind = (new (...list: never[]) => unknown) | string | { exactly: unknown };

export function check(error: unknown, kind: Kind, what = ""): void {
  const fits = typeof kind === "string" ? error instanceof DOMException && error.name === kind
    : typeof kind === "function" ? error instanceof kind : Object.is(error, kind.exactly);
  if (!fits) throw new Error(`${what}: failed with ${show(error)}`);
}

/** The promise rejects; an exception is no rejection. */
export async function rejects(call: () => Promise<unknown>, kind: Kind, what = ""): Promise<void> {
  const promise = call();
  ok(promise instanceof Promise, `${what}: a promise`);
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return check(error, kind, what);
  }
  throw new Error(`${what}: resolved with ${show(value)}`);
}

export function throws(call: () => unknown, kind: Kind, what = ""): void {
  let value: unknown;
  try {
    value = call();
  } catch (error) {
    return check(error, kind, what);
  }
  throw new Error(`${what}: returned ${show(value)}`);
}

export const tick = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const text = "The ferry Alma ran aground off Port Selby on Tuesday night with 214 people aboard. All passengers were taken ashore by lifeboats before dawn. "
  + "The captain said the steering had failed in heavy fog. Nobody was seriously hurt. The harbour will stay closed until the wreck has been secured. "
  + "Fishermen complained that the channel lights had been dark for a week. An inquiry starts on Monday. The company said the ship had passed an inspection.";

/** A summarizer for the case, destroyed after it. */
export async function using<T>({ Summarizer }: Env, options: object, work: (summarizer: StandardSummarizer) => Promise<T> | T): Promise<T> {
  const summarizer = await Summarizer.create(options);
  try {
    return await work(summarizer);
  } finally {
    summarizer.destroy();
  }
}

/** An object whose members are logged as they are read and converted. */
export function recorder(members: Record<string, unknown>): { options: object; log: string[] } {
  const log: string[] = [];
  const options = {};
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(options, name, {
      enumerable: true,
      get: () => {
        log.push(name);
        return typeof value !== "string" ? value : { toString: () => (log.push(`${name} converted`), value) };
      },
    });
  }
  return { options, log };
}
