// QuotaExceededError as a class, which not every browser has yet.

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
  (globalThis as { QuotaExceededError?: QuotaExceededErrorConstructor }).QuotaExceededError ??
  class QuotaExceededError extends DOMException {
    readonly quota: number | null;
    readonly requested: number | null;

    constructor(message = "", { quota, requested }: QuotaExceededErrorOptions = {}) {
      super(message, "QuotaExceededError");
      if ((quota ?? 0) < 0 || (requested ?? 0) < 0 || (quota ?? 0) > (requested ?? Infinity)) {
        throw new RangeError("quota and requested: want 0 or more, and requested at least quota");
      }
      this.quota = quota ?? null;
      this.requested = requested ?? null;
    }
  })();
