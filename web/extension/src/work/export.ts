// The summary as text for export, with the source of every sentence.

import { escapeMarkdown } from "../../../common/markdown.ts";
import { oneLine } from "../../../common/one-line.ts";
import { date, number, text as t } from "../strings.ts";
import { fragment, isPage } from "./fragment.ts";
import type { Source, Summary } from "./summary.ts";

/** Escapes an address for a Markdown link. */
const target = (url: string): string => url.replace(/[()<>\s\\]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const titleOf = ({ title }: Source): string => oneLine(title) || t.untitled;

/** The tabs that are quoted, by number. */
const quoted = ({ quotes }: Summary): number[] => [...new Set(quotes.map(({ tab }) => tab))].sort((a, b) => a - b);

/** One sentence per line with the number of its tab, then the tabs. */
export function toPlainText(summary: Summary): string {
  const lines = summary.quotes.map(({ text, tab }) => `${oneLine(text)} [${number(tab + 1)}]`);
  const sources = quoted(summary).map((i) => `[${number(i + 1)}] ${titleOf(summary.tabs[i]!)}${isPage(summary.tabs[i]!.url) ? `, ${summary.tabs[i]!.url}` : ""}`);
  return `${lines.join("\n")}\n\n${t.sources}\n${sources.join("\n")}\n`;
}

/** One block quote per sentence, with a link to it in its page; then the quoted tabs. */
export function toMarkdown(summary: Summary): string {
  const link = (label: string, url: string | undefined) => (url === undefined ? label : `[${label}](${target(url)})`);
  const quotes = summary.quotes.map(({ text, tab }) => `> ${escapeMarkdown(text)} ${link(`\\[${number(tab + 1)}\\]`, fragment(summary.tabs[tab]!.url, text))}`);
  const sources = quoted(summary).map((i) => {
    const { url, host } = summary.tabs[i]!;
    return `- \\[${number(i + 1)}\\] ${link(escapeMarkdown(titleOf(summary.tabs[i]!)), isPage(url) ? url : undefined)}${host ? ` (${escapeMarkdown(host)})` : ""}`;
  });
  const head = summary.tabs.length === 1 ? escapeMarkdown(titleOf(summary.tabs[0]!)) : t.markdownTitle(summary.tabs.length);
  return `# ${head}\n\n${date(summary.at)}\n\n${quotes.join("\n\n")}\n\n## ${t.sources}\n\n${sources.join("\n")}\n`;
}
