// The summary as text to carry away: every quote keeps its source.

import type { MethodInfo } from "cerasum";
import { escapeMarkdown } from "../../common/markdown.ts";
import { oneLine } from "../../common/one-line.ts";
import type { Result } from "./engine.ts";
import { number, text as t } from "./strings.ts";

function name(result: Result, index: number): { title: string; source: string } {
  const doc = result.docs[index]!;
  const title = oneLine(doc.title) || t.untitled;
  const source = oneLine(doc.source);
  return { title, source: source === title ? "" : source };
}

/** Plain text: one sentence per line with the number of its document, then the sources. */
export function toPlainText(result: Result): string {
  const { sentences } = result.summary;
  const lines = sentences.map((quote) => `${oneLine(quote.text)} [${number(quote.document + 1)}]`);
  const used = [...new Set(sentences.map((quote) => quote.document))].sort((a, b) => a - b);
  const sources = used.map((index) => {
    const { title, source } = name(result, index);
    return `[${number(index + 1)}] ${title}${source ? `, ${source}` : ""}`;
  });
  return `${lines.join("\n")}\n\n${t.sourcesHead}\n${sources.join("\n")}\n`;
}

/** Markdown: the method, one block quote per sentence, and a footnote with its source. */
export function toMarkdown(result: Result, methods: readonly MethodInfo[]): string {
  const where = (index: number, sentence: number) => {
    const { title, source } = name(result, index);
    return `*${escapeMarkdown(title)}*${source ? `, ${escapeMarkdown(source)}` : ""}, ${t.sentenceNumber(sentence + 1)}`;
  };
  const quotes = result.summary.sentences.map((quote, i) => `> ${escapeMarkdown(quote.text)}[^${i + 1}]`);
  const notes = result.summary.sentences.map((quote, i) => {
    const also = quote.similar.map((s) => where(s.document, s.sentence)).join("; ");
    return `[^${i + 1}]: ${where(quote.document, quote.sentence)}.${also ? ` ${t.compareIntro}: ${also}.` : ""}`;
  });
  const ran = result.summary.method;
  const method = t.markdownMethod(escapeMarkdown(methods.find(({ name }) => name === ran)?.title ?? ran));
  return `# ${t.markdownTitle(result.docs.length)}\n\n${method}\n\n${quotes.join("\n\n")}\n\n${notes.join("\n")}\n`;
}

/** JSON: the sentences with their positions, and the documents without their texts. */
export function toJSON(result: Result): string {
  const { summary, docs, settings, encoder, weights } = result;
  const sentences = summary.sentences.map(({ text, document, sentence, start, end, score, gain, similar }) =>
    ({ text, document, sentence, start, end, score, gain, similar }));
  const documents = summary.documents.map(({ language, sentences, chosen, coverage, attention }, i) =>
    ({ title: docs[i]!.title, source: docs[i]!.source, language, sentences, chosen, coverage, attention }));
  const { method, budget, used, overBudget, score } = summary;
  return `${JSON.stringify({ method, encoder, weights, budget, used, overBudget, order: settings.order, score, sentences, documents }, null, 2)}\n`;
}
