// A summary of tabs as the panel shows, stores and exports it: without the tabs'
// texts, so that it is small, but with the context to find each sentence in its
// page.

import type { EncodedSummary, Order, SplitDocument } from "cerasum";
import { sentenceOf } from "../../../common/disagreements.ts";
import { applied, languagesOf } from "../../../common/whose.ts";
import type { Reason, TabInfo } from "../tabs/list.ts";
import type { TabText } from "../tabs/read.ts";

export const SCOPES = ["tabs", "page", "selection"] as const;
export type Scope = (typeof SCOPES)[number];

export interface Settings {
  /** The length in words. */
  words: number;
  order: Order;
  /** One of METHODS. */
  method: string;
  /** What the reader wants to know; empty, and absent in older versions: a general summary. */
  query?: string | undefined;
  /** Which of several languages are quoted, see whose.ts; empty, and absent in older versions: all. */
  whose?: string | undefined;
}

/** The methods that a reader chooses from. */
export const METHODS = ["auto", "instant", "multilingual", "lead"] as const;
/** Whether a method uses the question. */
export const asks = (method: string): boolean => method !== "lead";
export const ORDERS = ["story", "document", "rank"] as const satisfies readonly Order[];
export const DEFAULTS: Settings = { words: 100, order: "story", method: "auto" };
export const SHORTEST = 20;
export const LONGEST = 500;
/** UTF-16 units of a question, as the panel's field has it. */
export const LONGEST_QUERY = 300;

/** A sentence and its place in the tab's text: the text before and after it, and its position, 0…1. */
export interface Said {
  /** Index into Summary.tabs. */
  tab: number;
  text: string;
  before: string;
  after: string;
  at: number;
}

/** There are too many sentences to compare, or the encoder failed. */
export type Unlooked = "many" | "failed";

export interface Quoted extends Said {
  /** The most similar sentence of each other tab that says much the same. */
  also: Said[];
  /** Whether no other tab says it; undefined if not compared. */
  only: boolean | undefined;
  /** The sentences before it that it leans on; older versions stored none. */
  context?: string[] | undefined;
}

/** A value that a tab gives for something, with the sentence that holds it. */
export interface Claim extends Said {
  value: string;
}

/** One thing for which tabs give different values. */
export interface Disagreed {
  what: string;
  /** Newer tabs update older ones: `values` are in the order of time. */
  update: boolean;
  values: Claim[];
}

export interface Source {
  tabId: number;
  title: string;
  url: string;
  host: string;
  favicon: string | undefined;
  language: string;
  words: number;
  sentences: number;
  chosen: number;
  /** 0…1. */
  coverage: number;
  /** Whether only part of the page was read. */
  partial: boolean;
}

/** A tab that is not part of the summary. */
export interface LeftOut {
  tabId: number;
  title: string;
  url: string;
  reason: Reason;
  detail: string | undefined;
}

export interface Summary {
  /** Milliseconds since 1970; its id in the history. */
  at: number;
  scope: Scope;
  settings: Settings;
  /** The method that ran. */
  method: string;
  used: number;
  overBudget: boolean;
  /** Why the encoder was not used, or why auto fell back to instant. */
  fallback: string | undefined;
  /** Why sentences were not compared across tabs. */
  unlooked?: Unlooked | undefined;
  tabs: Source[];
  quotes: Quoted[];
  /** Older versions stored none. */
  disagreements?: Disagreed[] | undefined;
  out: LeftOut[];
}

/** Settings.whose as far as it concerns the tabs. */
export const whoseOf = ({ settings, tabs }: Summary): string => applied(settings.whose ?? "", languagesOf(tabs));

/** Reading speed, words per minute. */
const PACE = 230;
export const minutes = (words: number): number => Math.max(1, Math.round(words / PACE));

/** UTF-16 units of context that identify a repeated sentence. */
const CONTEXT = 48;

/** The sentence text[start, end) of a tab, with its surroundings. */
export function said(tab: number, text: string, start: number, end: number): Said {
  return {
    tab,
    text: text.slice(start, end),
    before: text.slice(Math.max(0, start - CONTEXT), start),
    after: text.slice(end, end + CONTEXT),
    at: text.length > 0 ? start / text.length : 0,
  };
}

/** Minimum cosine of words at which two sentences are taken to say much the same. */
const ALSO = 0.4;

/** Converts the library's summary to the panel's form; `split` are the sentences of the texts. */
export function summaryOf(made: EncodedSummary, split: readonly SplitDocument[], texts: readonly TabText[], out: readonly LeftOut[], settings: Settings, scope: Scope, at: number): Summary {
  const quotes = made.sentences.map((quote): Quoted => {
    const nearest = new Map<number, Said>();
    for (const like of quote.similar) {
      if (like.cosine >= ALSO && !nearest.has(like.document)) nearest.set(like.document, said(like.document, texts[like.document]!.text, like.start, like.end));
    }
    const { text } = texts[quote.document]!;
    const context = quote.context.map(({ start, end }) => text.slice(start, end));
    return { ...said(quote.document, text, quote.start, quote.end), also: [...nearest.values()], only: undefined, ...(context.length > 0 && { context }) };
  });
  const disagreements = made.disagreements.map(({ what, update, values }): Disagreed => ({
    what,
    update,
    values: values.map(({ value, document, ...place }) => {
      const { start, end } = sentenceOf(split[document]!.sentences, place);
      return { value, ...said(document, texts[document]!.text, start, end) };
    }),
  }));
  const tabs = made.documents.map(({ language, sentences, chosen, coverage }, i): Source => {
    const { tab, title, words, partial } = texts[i]!;
    return { ...sourceOf(tab), title: title || tab.title, language, words, partial, sentences, chosen, coverage };
  });
  const { method, used, overBudget, fallback } = made;
  return { at, scope, settings: { ...settings }, method, used, overBudget, fallback, tabs, quotes, disagreements, out: [...out] };
}

const sourceOf = ({ id, url, host, favicon }: TabInfo) => ({ tabId: id, url, host, favicon });
