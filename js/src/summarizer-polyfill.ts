import { QuotaExceededError } from "./quota-exceeded.js";
import type { SummarizerConstructor } from "./summarizer.js";

/** Sets the two classes if they are missing; returns globalThis.Summarizer. */
export function install(make: () => SummarizerConstructor): SummarizerConstructor {
  const scope = globalThis as { Summarizer?: SummarizerConstructor };
  if (!("Summarizer" in scope)) define("Summarizer", make());
  if (!("QuotaExceededError" in scope)) define("QuotaExceededError", QuotaExceededError);
  return scope.Summarizer!;
}

/** Not enumerable, like the browser's own classes. */
const define = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
