// QuotaExceededError as a class, which not every browser has yet.

import { describeInterface, dictionary } from "./web-idl.js";

export interface QuotaExceededErrorOptions {
  quota?: number | undefined;
  requested?: number | undefined;
}

/** A DOMException with the quota and the requested amount. */
export interface QuotaExceededError extends DOMException {
  readonly quota: number | null;
  readonly requested: number | null;
}

export interface QuotaExceededErrorConstructor {
  readonly prototype: QuotaExceededError;
  /** Throws a RangeError for negative numbers, and if requested is less than quota. */
  new(message?: string, options?: QuotaExceededErrorOptions): QuotaExceededError;
}

/** The browser's class, if it has one. */
export const QuotaExceededError: QuotaExceededErrorConstructor = /* @__PURE__ */ (() =>
  (globalThis as { QuotaExceededError?: QuotaExceededErrorConstructor }).QuotaExceededError ?? standIn())();

/** Exported for tests. */
export function standIn(): QuotaExceededErrorConstructor {
  class QuotaExceededError extends DOMException {
    readonly #quota: number | null;
    readonly #requested: number | null;

    constructor(...[message, options]: [string?, QuotaExceededErrorOptions?]) {
      // Converted in this order, before any of it is judged.
      const text = message === undefined ? "" : `${message}`;
      const given = dictionary(options, "options");
      const quota = double(given, "quota");
      const requested = double(given, "requested");
      super(text, "QuotaExceededError");
      if ((quota ?? 0) < 0 || (requested ?? 0) < 0 || (quota ?? 0) > (requested ?? Infinity)) {
        throw new RangeError("quota and requested: want 0 or more, and requested at least quota");
      }
      this.#quota = quota;
      this.#requested = requested;
    }

    get quota(): number | null {
      return this.#quota;
    }

    get requested(): number | null {
      return this.#requested;
    }
  }
  describeInterface(QuotaExceededError, "QuotaExceededError", ["quota", "requested"]);
  return QuotaExceededError as QuotaExceededErrorConstructor;
}

function double(options: QuotaExceededErrorOptions, name: "quota" | "requested"): number | null {
  const value: unknown = options[name];
  if (value === undefined) return null;
  // Number() takes a BigInt, unlike the operator.
  const number = +(value as number);
  if (!Number.isFinite(number)) throw new TypeError(`${name}: want a finite number`);
  return number;
}
