// The summary as text to carry away: every quote keeps its source.

import type { Disagreement, MethodInfo, Quote, Similar } from "cerasum";
import { between, groups } from "../../common/disagreements.ts";
import { escapeMarkdown } from "../../common/markdown.ts";
import { quotedTitle, shown, shownSource } from "../../common/shown.ts";
import type { Result } from "./engine.ts";
import { paragraphs } from "./paragraphs.ts";
import { standing } from "./standing.ts";
import { languageName, number, page, text as t } from "./strings.ts";
import { quoting, whoseSaid } from "../../common/whose.ts";

function name(result: Result, index: number): { title: string; source: string } {
  const doc = result.docs[index]!;
  const title = shown(doc.title) || t.untitled;
  const source = shownSource(doc.source);
  return { title, source: source === title ? "" : source };
}

/** What the reader asked for: the question, and whose words are quoted. */
export const asked = ({ settings, whose }: Result): string[] => [
  ...(settings.query ? [shown(t.questionWas(settings.query))] : []),
  ...(whose ? [t.whoseWas(whoseSaid(whose, t.whose, languageName))] : []),
];

/** What the documents disagree about, one per line, with the documents of each value as `where` names them. */
function disagreements({ summary }: Result, escape: (s: string) => string, where: (documents: number[]) => string): string[] {
  return summary.disagreements.map(({ what, update, values }: Disagreement) => {
    const said = groups(values, update).map(({ value, said }) => `${escape(value)} ${where(said.map(({ document }) => document))}`);
    return `${t.differs(escape(shown(what)), update)} ${said.join(between(update))}`;
  });
}

/** Plain text: the question, the sentences with the numbers of their documents, one per line or in paragraphs, what the documents disagree about, and the sources. */
export function toPlainText(result: Result, running = false): string {
  const { sentences } = result.summary;
  const line = (quote: Quote) => `${shown(quote.text)} [${number(quote.document + 1)}]`;
  const lines = running ? paragraphs(result).map(({ quotes }) => `${quotes.map(({ quote }) => line(quote)).join(" ")}\n`) : sentences.map(line);
  const disagreed = result.summary.disagreements.flatMap(({ values }) => values.map(({ document }) => document));
  const used = [...new Set([...sentences.map((quote) => quote.document), ...disagreed])].sort((a, b) => a - b);
  const sources = used.map((index) => {
    const { title, source } = name(result, index);
    return `[${number(index + 1)}] ${quotedTitle(title)}${source ? `, ${source}` : ""}`;
  });
  const differ = disagreements(result, (s) => s, (documents) => documents.map((index) => `[${number(index + 1)}]`).join(" "));
  const block = differ.length > 0 ? `${page.disagreements}\n${differ.join("\n")}\n\n` : "";
  return `${asked(result).map((line) => `${line}\n\n`).join("")}${lines.join("\n").trimEnd()}\n\n${block}${t.sourcesHead}\n${sources.join("\n")}\n`;
}

/** Markdown: the method, one block quote per sentence, what the documents disagree about, and a footnote with the source of each quote. */
export function toMarkdown(result: Result, methods: readonly MethodInfo[]): string {
  const where = (index: number, sentence: number) => {
    const { title, source } = name(result, index);
    return `*${escapeMarkdown(title)}*${source ? `, ${escapeMarkdown(source)}` : ""}, ${t.sentenceNumber(sentence + 1)}`;
  };
  const quotes = result.summary.sentences.map((quote, i) => `> ${escapeMarkdown(quote.text)}[^${i + 1}]`);
  const notes = result.summary.sentences.map((quote, i) => {
    const places = (all: readonly Similar[]) => all.map((s) => where(s.document, s.sentence)).join("; ");
    const { also, see } = standing(quote);
    return `[^${i + 1}]: ${where(quote.document, quote.sentence)}.${also.length > 0 ? ` ${t.also}: ${places(also)}.` : ""}${see.length > 0 ? ` ${t.see}: ${places(see)}.` : ""}`;
  });
  const title = (index: number) => `*${escapeMarkdown(name(result, index).title)}*`;
  const differ = disagreements(result, escapeMarkdown, (documents) => `(${documents.map(title).join(", ")})`).map((line) => `- ${line}\n`);
  const block = differ.length > 0 ? `## ${page.disagreements}\n\n${differ.join("")}\n` : "";
  const ran = result.summary.method;
  const method = t.markdownMethod(escapeMarkdown(methods.find(({ name }) => name === ran)?.title ?? ran));
  return `# ${t.markdownTitle(result.docs.length)}\n\n${asked(result).map((line) => `${escapeMarkdown(line)}\n\n`).join("")}${method}\n\n${quotes.join("\n\n")}\n\n${block}${notes.join("\n")}\n`;
}

/** JSON: the sentences with their positions, and the documents without their texts. */
export function toJSON(result: Result): string {
  const { summary, docs, settings, encoder, weights } = result;
  const sentences = summary.sentences.map(({ text, document, sentence, start, end, score, gain, similar, context }) =>
    ({ text, document, sentence, start, end, score, gain, similar, context }));
  const documents = summary.documents.map(({ language, sentences, chosen, coverage, attention }, i) =>
    ({ title: docs[i]!.title, source: docs[i]!.source, language, sentences, chosen, coverage, attention }));
  const { method, budget, used, overBudget, score, disagreements } = summary;
  return `${JSON.stringify({ method, encoder, weights, query: settings.query || undefined, ...quoting(result.whose), budget, used, overBudget, order: settings.order, score, sentences, documents, disagreements }, null, 2)}\n`;
}
