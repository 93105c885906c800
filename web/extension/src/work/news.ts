// What a summary quotes that the last one of the same tabs did not.

import type { Summary } from "./summary.ts";

export interface News {
  /** When the last summary was made. */
  since: number;
  /** For each quote, whether it is new. */
  fresh: boolean[];
}

const addresses = ({ tabs }: Summary): string => [...new Set(tabs.map(({ url }) => url.replace(/#.*$/s, "")))].sort().join("\n");

/** Summaries are compared if they were made of the same pages with the same settings: other settings quote other sentences of the same text. */
const key = (summary: Summary): string => {
  const { words, method, query = "", whose = "" } = summary.settings;
  return JSON.stringify([addresses(summary), words, method, query, whose]);
};

/** Compares a summary with the newest older one of `kept` (newest first) of the same tabs; undefined if there is none. Selections are not compared. */
export function newsOf(summary: Summary, kept: readonly Summary[]): News | undefined {
  if (summary.scope === "selection") return undefined;
  const own = key(summary);
  const last = kept.find((one) => one.at < summary.at && one.scope !== "selection" && key(one) === own);
  if (!last) return undefined;
  const said = new Set(last.quotes.flatMap(({ text, also }) => [text, ...also.map(({ text }) => text)]));
  return { since: last.at, fresh: summary.quotes.map(({ text }) => !said.has(text)) };
}
