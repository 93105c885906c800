// The summary as text for export, with the source of every sentence.

import { between, groups } from "../../../common/disagreements.ts";
import { escapeMarkdown } from "../../../common/markdown.ts";
import { paragraphs } from "../../../common/paragraphs.ts";
import { quotedTitle, shown } from "../../../common/shown.ts";
import { date, languageName, number, page, text as t } from "../strings.ts";
import { fragment, isPage } from "./fragment.ts";
import { whoseSaid } from "../../../common/whose.ts";
import { type Claim, type Said, type Source, type Summary, whoseOf } from "./summary.ts";

/** Escapes an address for a Markdown link. */
const target = (url: string): string => url.replace(/[()<>\s\\]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const titleOf = ({ title }: Source): string => shown(title) || t.untitled;

/** The tabs that are quoted or disagree, by number. */
const quoted = ({ quotes, disagreements = [] }: Summary): number[] =>
  [...new Set([...quotes, ...disagreements.flatMap(({ values }) => values)].map(({ tab }) => tab))].sort((a, b) => a - b);

/** What the tabs disagree about, one per line, with the marks of the tabs. */
function differing({ disagreements = [] }: Summary, escape: (s: string) => string, mark: (claim: Claim) => string): string[] {
  return disagreements.map(({ what, update, values }) =>
    `${t.differs(escape(shown(what)), update)} ${groups(values, update).map(({ value, said }) => `${escape(value)} ${said.map(mark).join(" ")}`).join(between(update))}`);
}

/** What the reader asked for: the question, and whose words are quoted. */
export function asked(summary: Summary): string[] {
  const { query } = summary.settings;
  const whose = whoseOf(summary);
  return [...(query ? [t.questionWas(query)] : []), ...(whose ? [t.whoseWas(whoseSaid(whose, t.whose, languageName))] : [])];
}

/** The quotes as paragraphs. */
export const textOf = ({ quotes, tabs, settings }: Summary) =>
  paragraphs(quotes.map((quote) => ({ quote, text: quote.text, document: quote.tab, language: tabs[quote.tab]!.language })), settings.order);

/** The sentences with the numbers of their tabs, one per line or in paragraphs, then what the tabs disagree about, then the tabs. */
export function toPlainText(summary: Summary, running = false): string {
  const said = ({ text, tab }: Said) => `${shown(text)} [${number(tab + 1)}]`;
  const lines = running ? textOf(summary).map(({ quotes }) => `${quotes.map(({ quote: { quote } }) => said(quote)).join(" ")}\n`) : summary.quotes.map(said);
  const sources = quoted(summary).map((i) => `[${number(i + 1)}] ${quotedTitle(titleOf(summary.tabs[i]!))}${isPage(summary.tabs[i]!.url) ? `, ${summary.tabs[i]!.url}` : ""}`);
  const differ = differing(summary, (s) => s, ({ tab }) => `[${number(tab + 1)}]`);
  const block = differ.length > 0 ? `${page.disagreements}\n${differ.join("\n")}\n\n` : "";
  return `${asked(summary).map((line) => `${line}\n\n`).join("")}${lines.join("\n").trimEnd()}\n\n${block}${t.sources}\n${sources.join("\n")}\n`;
}

/** One block quote per sentence, with a link to it in its page; then what the tabs disagree about, and the tabs. */
export function toMarkdown(summary: Summary): string {
  const link = (label: string, url: string | undefined) => (url === undefined ? label : `[${label}](${target(url)})`);
  const mark = ({ text, tab }: Said) => link(`\\[${number(tab + 1)}\\]`, fragment(summary.tabs[tab]!.url, text));
  const quotes = summary.quotes.map((quote) => `> ${escapeMarkdown(quote.text)} ${mark(quote)}`);
  const differ = differing(summary, escapeMarkdown, mark).map((line) => `- ${line}\n`);
  const block = differ.length > 0 ? `## ${page.disagreements}\n\n${differ.join("")}\n` : "";
  const sources = quoted(summary).map((i) => {
    const { url, host } = summary.tabs[i]!;
    return `- \\[${number(i + 1)}\\] ${link(escapeMarkdown(titleOf(summary.tabs[i]!)), isPage(url) ? url : undefined)}${host ? ` (${escapeMarkdown(host)})` : ""}`;
  });
  const head = summary.tabs.length === 1 ? escapeMarkdown(titleOf(summary.tabs[0]!)) : t.markdownTitle(summary.tabs.length);
  return `# ${head}\n\n${date(summary.at)}\n\n${asked(summary).map((line) => `${escapeMarkdown(line)}\n\n`).join("")}${quotes.join("\n\n")}\n\n${block}## ${t.sources}\n\n${sources.join("\n")}\n`;
}
