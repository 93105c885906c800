import { CreateMonitor } from "./create-monitor.js";
import { QuotaExceededError } from "./quota-exceeded.js";
import type { SummarizerConstructor } from "./summarizer.js";

/** Sets the classes that are missing, and with `force` the Summarizer in any case; returns globalThis.Summarizer. */
export function install(make: () => SummarizerConstructor, force = false): SummarizerConstructor {
  const scope = globalThis as { Summarizer?: SummarizerConstructor };
  if (force || !("Summarizer" in scope)) define("Summarizer", make());
  for (const [name, value] of Object.entries({ CreateMonitor, QuotaExceededError })) {
    // Other interfaces of the browser use these two.
    if (!(name in scope)) define(name, value);
  }
  return scope.Summarizer!;
}

/** Not enumerable, like the browser's own classes. */
const define = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
