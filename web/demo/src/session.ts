// The reader's documents and settings as one file.
//
//   { "cerasum": 1, "documents": [{ "title", "text", "source"?, "language"? }, …],
//     "settings"?: { "budget": { "words": 100 }, "order", "method", "encoder", "licence"? } }
//
// Older files have "budget": { "amount": 100, "unit": "words" }.

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
  /** "shipped", "none", or the id of a model. */
  encoder: string;
  licence: "any" | undefined;
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
  const kept = documents.map(({ title, text, source, language }) => ({ title, text, source: source || undefined, language }));
  return `${JSON.stringify({ cerasum: VERSION, settings, documents: kept }, null, 1)}\n`;
}

/** Reads such a file. Throws SessionError. */
export function open(content: string): Session {
  let file: unknown;
  try {
    file = JSON.parse(content);
  } catch {
    throw new SessionError("invalid");
  }
  if (!isObject(file) || !Number.isInteger(file["cerasum"])) throw new SessionError("invalid");
  if ((file["cerasum"] as number) > VERSION) throw new SessionError("newer");
  const given = file["documents"];
  if (!Array.isArray(given) || given.length > MAX_DOCUMENTS) throw new SessionError("field", "documents");
  const documents = given.map((doc: unknown, i): NewDoc => {
    const at = `documents[${i}]`;
    if (!isObject(doc)) throw new SessionError("field", at);
    const language = string(doc, "language", at, false);
    if (language !== undefined && !/^[a-z]{2,3}(-[a-z\d]{1,8})*$/i.test(language)) throw new SessionError("field", `${at}.language`);
    return {
      title: string(doc, "title", at, false) ?? "",
      text: string(doc, "text", at, true)!,
      source: string(doc, "source", at, false) ?? "",
      ...(language === undefined ? {} : { language }),
    };
  });
  return { documents, settings: file["settings"] === undefined ? undefined : settingsOf(file["settings"]) };
}

/** Validates settings from a file or the browser's storage. Throws SessionError. */
export function settingsOf(given: unknown): KeptSettings {
  const at = "settings";
  if (!isObject(given)) throw new SessionError("field", at);
  const budget = given["budget"];
  if (!isObject(budget)) throw new SessionError("field", `${at}.budget`);
  const old = "amount" in budget;
  const unit = old ? string(budget, "unit", `${at}.budget`, true)! : Object.keys(budget)[0];
  if (unit === undefined || (!old && Object.keys(budget).length > 1)) throw new SessionError("field", `${at}.budget`);
  const amount = budget[old ? "amount" : unit];
  if (!Number.isInteger(amount) || (amount as number) < 1) throw new SessionError("field", `${at}.budget.${old ? "amount" : unit}`);
  const licence = given["licence"];
  if (licence !== undefined && licence !== "any" && licence !== "free") throw new SessionError("field", `${at}.licence`);
  return {
    budget: { [unit]: amount as number },
    order: string(given, "order", at, true)!,
    method: string(given, "method", at, true)!,
    encoder: string(given, "encoder", at, true)!,
    licence: licence === "any" ? licence : undefined,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function string(object: Record<string, unknown>, name: string, at: string, wanted: boolean): string | undefined {
  const value = object[name];
  if (value === undefined && !wanted) return undefined;
  if (typeof value !== "string") throw new SessionError("field", `${at}.${name}`);
  return value;
}
