import { EmptyInputError } from "cerasum";
import { text as t } from "../strings.ts";

/** Messages for the core's errors. */
export function explain(error: unknown): string {
  if (error instanceof EmptyInputError) return t.errors.noText;
  const message = error instanceof Error ? error.message : String(error);
  // The words of service-worker.js.
  if (message.endsWith("the stored copy is damaged")) return t.errors.damaged;
  if (message.endsWith("the site has another version of this page")) return t.errors.newer;
  if (error instanceof DOMException && error.name === "NetworkError") return t.errors.load;
  if (message.startsWith("cerasum cannot start")) return t.errors.start;
  if (/memory/i.test(message)) return t.errors.memory;
  return t.errors.core(message);
}
