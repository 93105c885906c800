// What the panel finds in the browser's storage, checked: another version may have
// written it. All look-ups are of own properties.

import { isBlockKind } from "../../../common/read/marks.ts";
import { readWhose } from "../../../common/whose.ts";
import { REASONS } from "../tabs/list.ts";
import type { TabText } from "../tabs/read.ts";
import type { Group } from "./read-tabs.ts";
import { DEFAULTS, LONGEST, LONGEST_QUERY, METHODS, ORDERS, SCOPES, SHORTEST, type Settings, type Summary } from "./summary.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const real: Check = (value) => Number.isFinite(value);
const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const id: Check = Number.isSafeInteger;
const flag: Check = (value) => typeof value === "boolean";
const oneOf = (...values: readonly unknown[]): Check => (value) => values.includes(value);
const maybe = (check: Check): Check => (value) => value === undefined || check(value);
const list = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);
const record = (fields: Record<string, Check>): Check => (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.entries(fields).every(([name, check]) => check(own(value, name)));

const own = (object: object, name: string): unknown => (Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined);

const place = { tab: whole, text, before: text, after: text, at: real };
const said = record(place);
const source = record({ tabId: id, title: text, url: text, host: text, favicon: maybe(text), language: maybe(text), words: whole, sentences: whole, chosen: whole, coverage: real, partial: flag });
const settings = record({ words: real, order: text, method: text, query: maybe(text), whose: maybe(text) });
const summary = record({
  at: real, scope: oneOf(...SCOPES), settings, method: text, used: whole, overBudget: flag, fallback: maybe(text), unlooked: maybe(oneOf("many", "failed")),
  tabs: list(source),
  quotes: list(record({ ...place, also: list(said), only: maybe(flag), context: maybe(list(text)) })),
  disagreements: maybe(list(record({ what: text, update: flag, values: (value) => list(record({ ...place, value: text }))(value) && (value as unknown[]).length > 0 }))),
  out: list(record({ tabId: id, title: text, url: text, reason: oneOf(...REASONS), detail: maybe(text) })),
});

/** A summary whose places are all in its tabs. */
export function isSummary(value: unknown): value is Summary {
  if (!summary(value)) return false;
  const { tabs, quotes, disagreements = [] } = value as Summary;
  const places = [...quotes, ...quotes.flatMap(({ also }) => also), ...disagreements.flatMap(({ values }) => values)];
  return places.every(({ tab }) => tab < tabs.length);
}

const block: Check = (value) => Array.isArray(value) && value.length === 3 && whole(value[0]) && whole(value[1]) && typeof value[2] === "string" && isBlockKind(value[2]);
const tab = record({ id, windowId: id, index: id, title: text, url: text, host: text, favicon: maybe(text), active: flag, problem: maybe(oneOf(...REASONS)) });
const texts = list(record({ tab, title: text, text, blocks: list(block), date: text, language: maybe(text), words: whole, partial: flag }));
export const areTexts = (value: unknown): value is TabText[] => texts(value);

const groups = list(record({ name: text, tabs: list(record({ tabId: id, url: text })) }));
export const areGroups = (value: unknown): value is Group[] => groups(value);

export const areIds: (value: unknown) => value is number[] = list(id) as (value: unknown) => value is number[];

const running = record({ scope: oneOf(...SCOPES), tabIds: (value) => list(id)(value) && (value as unknown[]).length > 0, text: maybe(text), from: maybe(text) });
export const isRunning = (value: unknown): value is { scope: (typeof SCOPES)[number]; tabIds: number[]; text: string | undefined } => running(value);

export const isRequest: Check = record({ kind: oneOf(...SCOPES), tabId: id, windowId: id, text: maybe(text), from: maybe(text), at: real });

/** Settings clamped to valid values. */
export function sane(given: unknown): Settings {
  if (typeof given !== "object" || given === null) return { ...DEFAULTS };
  const [words, order, method, query, whose] = ["words", "order", "method", "query", "whose"].map((name) => own(given, name));
  return {
    words: real(words) ? Math.min(Math.max(Math.round(words as number), SHORTEST), LONGEST) : DEFAULTS.words,
    order: oneOf(...ORDERS)(order) ? (order as Settings["order"]) : DEFAULTS.order,
    method: oneOf(...METHODS)(method) ? (method as string) : DEFAULTS.method,
    query: typeof query === "string" ? query.trim().replace(/\s+/gu, " ").toWellFormed().slice(0, LONGEST_QUERY) : "",
    whose: typeof whose === "string" ? readWhose(whose) : "",
  };
}
