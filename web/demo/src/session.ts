// The reader's documents and settings as one file.
//
//   { "cerasum": 1, "documents": [{ "title", "madeUp"?, "text", "source"?, "language"?, "date"?, "blocks"? }, …],
//     "settings"?: { "budget": { "words": 100 }, "order", "method", "licence"?, "query"?, "whose"?, "view"? } }
//
// Older files have "budget": { "amount": 100, "unit": "words" }, and "encoder", which is ignored.

import type { Block } from "cerasum";
import { isoDate } from "../../common/read/date.ts";
import { isBlockKind } from "../../common/read/marks.ts";
import { readWhose } from "../../common/whose.ts";
import { MAX_DOCUMENTS, type NewDoc } from "./documents.ts";

export const VERSION = 1;
export const EXTENSION = ".cerasum.json";
/** Maximum size of such a file in bytes. */
export const MAX_SESSION_BYTES = 100e6;

/** Settings as stored. Names may be unknown to the version that opens the file. */
export interface KeptSettings {
  /** With one unit. */
  budget: Record<string, number>;
  order: string;
  method: string;
  licence: "any" | undefined;
  /** What the reader wants to know. */
  query: string | undefined;
  /** Which of several languages are quoted; undefined: all. */
  whose: string | undefined;
  /** How the summary is read; undefined: as quotes. */
  view: "text" | undefined;
}

export interface Session {
  documents: NewDoc[];
  settings: KeptSettings | undefined;
}

/** The file cannot be opened: it is not a session file, a newer version wrote it, or the field `where` is invalid. */
export class SessionError extends Error {
  constructor(readonly problem: "invalid" | "newer" | "field", readonly where = "") {
    super(`${problem} ${where}`);
  }
}

/** The file's content. */
export function save({ documents, settings }: Session): string {
  const kept = documents.map(({ title, madeUp, text, source, language, date, blocks }) => ({ title, madeUp: madeUp || undefined, text, source: source || undefined, language, date, blocks }));
  return `${JSON.stringify({ cerasum: VERSION, settings, documents: kept }, null, 1)}\n`;
}

/** Whether a value of a file in JSON is meant as a session. */
export const isSession = (value: unknown): boolean => isObject(value) && Object.hasOwn(value, "cerasum");

/** Reads the value of such a file. Throws SessionError. */
export function open(file: unknown): Session {
  if (!isObject(file) || !Number.isInteger(file["cerasum"])) throw new SessionError("invalid");
  if ((file["cerasum"] as number) > VERSION) throw new SessionError("newer");
  const given = file["documents"];
  if (!Array.isArray(given) || given.length > MAX_DOCUMENTS) throw new SessionError("field", "documents");
  const documents = given.map((doc: unknown, i) => documentOf(doc, `documents[${i}]`));
  return { documents, settings: file["settings"] === undefined ? undefined : settingsOf(file["settings"]) };
}

/** Validates a document from a file or the browser's storage. Throws SessionError. */
export function documentOf(doc: unknown, at: string): NewDoc {
  if (!isObject(doc)) throw new SessionError("field", at);
  const language = string(doc, "language", at, false);
  if (language !== undefined && !/^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(language)) throw new SessionError("field", `${at}.language`);
  const date = string(doc, "date", at, false);
  if (date !== undefined && isoDate(date) !== date) throw new SessionError("field", `${at}.date`);
  const madeUp = doc["madeUp"];
  if (madeUp !== undefined && typeof madeUp !== "boolean") throw new SessionError("field", `${at}.madeUp`);
  const text = string(doc, "text", at, true)!;
  return {
    title: string(doc, "title", at, false) ?? "",
    text,
    source: string(doc, "source", at, false) ?? "",
    ...(madeUp === undefined ? {} : { madeUp }),
    ...(language === undefined ? {} : { language }),
    ...(date === undefined ? {} : { date }),
    ...(doc["blocks"] === undefined ? {} : { blocks: blocksFrom(doc["blocks"], text, `${at}.blocks`) }),
  };
}

/** Validates settings from a file or the browser's storage. Throws SessionError. */
export function settingsOf(given: unknown): KeptSettings {
  const at = "settings";
  if (!isObject(given)) throw new SessionError("field", at);
  const budget = given["budget"];
  if (!isObject(budget)) throw new SessionError("field", `${at}.budget`);
  const old = Object.hasOwn(budget, "amount");
  const unit = old ? string(budget, "unit", `${at}.budget`, true)! : Object.keys(budget)[0];
  if (unit === undefined || (!old && Object.keys(budget).length > 1)) throw new SessionError("field", `${at}.budget`);
  // No unit is named as the field of older files.
  if (unit === "amount") throw new SessionError("field", `${at}.budget.unit`);
  const amount = budget[old ? "amount" : unit];
  if (!Number.isInteger(amount) || (amount as number) < 1) throw new SessionError("field", `${at}.budget.${old ? "amount" : unit}`);
  const licence = given["licence"];
  if (licence !== undefined && licence !== "any" && licence !== "free") throw new SessionError("field", `${at}.licence`);
  return {
    budget: { [unit]: amount as number },
    order: string(given, "order", at, true)!,
    method: string(given, "method", at, true)!,
    licence: licence === "any" ? licence : undefined,
    query: string(given, "query", at, false),
    whose: readWhose(string(given, "whose", at, false)) || undefined,
    view: string(given, "view", at, false) === "text" ? "text" : undefined,
  };
}

/** Blocks as the core accepts them. */
function blocksFrom(given: unknown, text: string, at: string): Block[] {
  if (!Array.isArray(given)) throw new SessionError("field", at);
  let before = 0;
  const cuts = (i: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(i - 1, i + 1));
  return given.map((block: unknown, i): Block => {
    const [start, end, kind] = Array.isArray(block) && block.length === 3 ? (block as unknown[]) : [];
    const ordered = Number.isInteger(start) && Number.isInteger(end) && (start as number) >= before && (start as number) < (end as number) && (end as number) <= text.length;
    if (!ordered || cuts(start as number) || cuts(end as number) || typeof kind !== "string" || !isBlockKind(kind)) throw new SessionError("field", `${at}[${i}]`);
    before = end as number;
    return [start as number, before, kind];
  });
}

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function string(object: Record<string, unknown>, name: string, at: string, wanted: boolean): string | undefined {
  const value = object[name];
  if (value === undefined && !wanted) return undefined;
  if (typeof value !== "string") throw new SessionError("field", `${at}.${name}`);
  return value;
}
