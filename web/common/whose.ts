// Whose words a summary of documents in several languages quotes: all languages (""),
// one only ("de"), or one where it says the same as another ("de+").

import type { SummarizeOptions } from "cerasum";
import { h } from "./dom.ts";

export interface WhoseWords {
  all: string;
  first(language: string): string;
  only(language: string): string;
}

/** The value, or "" if it is none. */
export const readWhose = (value: string | null | undefined): string => (/^[a-z]{2,3}\+?$/.test(value ?? "") ? value! : "");

/** The languages that are quoted from, in the order of the documents. */
export const languagesOf = (documents: readonly { language: string; sentences: number | readonly unknown[] }[]): string[] =>
  [...new Set(documents.filter(({ language, sentences }) => language !== "" && (typeof sentences === "number" ? sentences : sentences.length) > 0).map(({ language }) => language))];

/** The choice as far as it concerns documents in these languages: a language that none of them is in chooses nothing. */
export function applied(whose: string, languages: readonly string[]): string {
  return languages.length > 1 && languages.includes(whose.replace("+", "")) ? whose : "";
}

/** The options of the summary for a choice that applies. */
export function quoting(whose: string): Pick<SummarizeOptions, "quoteLanguages" | "quoteOthers"> {
  if (whose === "") return {};
  return whose.endsWith("+") ? { quoteLanguages: [whose.slice(0, -1)], quoteOthers: "untranslated" } : { quoteLanguages: [whose] };
}

/** The choice in words. */
export function whoseSaid(whose: string, words: WhoseWords, languageName: (tag: string) => string): string {
  const name = languageName(whose.replace("+", ""));
  const said = whose === "" ? words.all : whose.endsWith("+") ? words.first(name) : words.only(name);
  // Names of languages begin with a small letter in most languages.
  return said.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(document.documentElement.lang));
}

/** Lists what can be chosen, unless it is listed already. */
export function listWhose(select: HTMLSelectElement, languages: readonly string[], whose: string, words: WhoseWords, languageName: (tag: string) => string): void {
  const values = ["", ...languages.flatMap((language) => [`${language}+`, language])];
  const said = values.map((value) => whoseSaid(value, words, languageName));
  if (said.join("\n") !== [...select.options].map(({ text }) => text).join("\n")) {
    select.replaceChildren(...values.map((value, i) => h("option", { value }, said[i]!)));
  }
  select.value = applied(whose, languages);
}
