import { shown } from "./shown.ts";

/** Escapes what Markdown would read as markup in quoted text. */
export function escapeMarkdown(s: string): string {
  return shown(s)
    .replace(/[\\`*_[\]<>|~^$]/g, "\\$&")
    .replace(/&(?=#?\w+;)/g, "&amp;")
    .replace(/^([#+-])/, "\\$1")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}
