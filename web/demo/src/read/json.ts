// Reads documents in JSON and JSON Lines as the command line program does
// (cmd/cerasum/internal/ingest/json.go, internal/jsonl/values.go): same fixtures,
// ingest/testdata/json. Runs in a Worker.

import { isoDate } from "../../../common/read/date.ts";
import type { NewDoc } from "../documents.ts";
import { SessionError, documentOf, isObject } from "../session.ts";

/** A value in JSON, or what is not one: it has no `value`. `index` is that in its array, -1 outside arrays. */
interface Item { line: number; index: number; value?: unknown }

/** Why a record, or all of a file, cannot be read; with the arguments of the page's text for it. */
export interface JSONProblem { problem: "jsonLine" | "jsonField" | "jsonNone" | "jsonClusters" | "noWords"; of?: (string | number)[] }

/** The documents of a file, `left` of them beyond the limit; `unread` records cannot be read, the first of them for a reason. */
export type Records = JSONProblem | { documents: NewDoc[]; left: number; unread: number; reason?: JSONProblem };

/** The number of documents that are read of a file, and of records that are read to find out what they are. */
const MAX_DOCUMENTS = 1000;
const SAMPLED = 10;

const isSpace = (c: string | undefined): boolean => c === " " || c === "\n" || c === "\t" || c === "\r";

/** The start of a file that has documents in JSON, whatever its name. */
export const startsAsJSON = (head: string): boolean => /^(?:\[\s*)?\{\s*"/.test(head) && /"(?:documents|text)"\s*:/.test(head);

/** Whether a text is JSON in any layout, and nothing else. */
export function isJSON(text: string): boolean {
  if (!/^\s*(?:\[\s*)?\{\s*"/.test(text)) return false;
  for (const item of itemsOf(text)) if (!("value" in item)) return false;
  return true;
}

/** The item that begins on a line. */
function itemOf(raw: string, line: number, index: number): Item {
  try {
    return { line, index, value: JSON.parse(raw) };
  } catch (error) {
    // The line within it, if the browser tells: after the text that its message may quote.
    const message = String(error);
    const within = /line (\d+) column/.exec(message.slice(message.lastIndexOf('"') + 1))?.[1];
    return { line: line + Number(within ?? 1) - 1, index };
  }
}

/** Where the value ends that begins at an index, by its brackets and strings; if that is not clear, the complement of where it breaks off. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let last = "";
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"' || c === "{" || c === "[") {
      // Without this, a line that lacks its end would take in all that follow.
      if (last === '"' || last === "}" || last === "]") return ~i;
      last = c;
      if (c !== '"') {
        depth++;
        continue;
      }
      for (i++; text[i] !== '"'; i++) {
        if (text[i] === "\\" && text[i + 1] !== "\n") i++;
        if (i >= text.length || text[i] === "\n") return ~Math.min(i, text.length);
      }
      if (depth === 0) return i + 1;
    } else if (c === "}" || c === "]") {
      last = c;
      if (--depth <= 0) return i + 1;
    } else if (!isSpace(c)) {
      last = c;
      const next = text[i + 1];
      if (depth === 0 && (next === undefined || isSpace(next) || next === "," || next === "]" || next === "}")) return i + 1;
    }
  }
  return ~text.length;
}

/** Whether these are JSON Lines, as the first value from an index on tells. */
function isLines(text: string, from: number): boolean {
  if (text[from] === "[") return false;
  const line = text.indexOf("\n", from);
  if (text[from] !== "{" || line < 0) return true;
  const end = endOf(text, from);
  if ((end < 0 ? ~end : end) <= line) return true;
  if (end >= 0) return false;
  // If the second line is an object by itself, these are lines, and the first is broken.
  const second = /\S[^\n]*/.exec(text.slice(line))?.[0] ?? "";
  return isObject(itemOf(second, 0, -1).value);
}

/** The records of a file: its lines, or else its objects and the elements of its arrays, up to where it is not clear how it goes on. */
function* itemsOf(text: string): Generator<Item> {
  let at = 0;
  while (isSpace(text[at])) at++;
  if (isLines(text, at)) {
    let line = 0;
    for (let start = 0, end: number; start < text.length; start = end + 1) {
      end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      line++;
      const raw = text.slice(start, end).trim();
      if (raw !== "") yield itemOf(raw, line, -1);
    }
    return;
  }
  let line = 1;
  let counted = 0;
  const lineOf = (index: number): number => {
    for (let next: number; (next = text.indexOf("\n", counted)) >= 0 && next < index; counted = next + 1) line++;
    return line;
  };
  let index = -1;
  let inArray = false;
  /** What is before a record in its array: a value, a comma or nothing. */
  let after = "";
  for (;;) {
    while (isSpace(text[at])) at++;
    const c = text[at];
    if (c === undefined && !inArray) return;
    if (c !== undefined && !inArray && c === "[") [inArray, index, after, at] = [true, -1, "", at + 1];
    else if (inArray && c === "]" && after !== ",") [inArray, index, at] = [false, -1, at + 1];
    else if (inArray && c === "," && after === "value") [after, at] = [",", at + 1];
    else {
      const value = c !== undefined && (inArray ? !",]}:".includes(c) && after !== "value" : c === "{");
      const end = value ? endOf(text, at) : ~at;
      if (value && inArray) index++;
      if (end < 0) {
        yield { line: lineOf(~end), index };
        return;
      }
      yield itemOf(text.slice(at, end), lineOf(at), index);
      [at, after] = [end, "value"];
    }
  }
}

/** What a record is: an object with documents, or a text or an object with one. */
function kindOf(value: unknown): "cluster" | "document" | undefined {
  if (typeof value === "string") return "document";
  if (!isObject(value)) return undefined;
  return Object.hasOwn(value, "documents") ? "cluster" : Object.hasOwn(value, "text") ? "document" : undefined;
}

/** A document of a record. Throws SessionError. */
function readDocument(value: unknown, at: string): NewDoc {
  if (typeof value === "string") return { title: "", text: value };
  if (!isObject(value)) throw new SessionError("field", at);
  // The name for the list is the page's own field.
  const { madeUp: _, language, date, ...rest } = value;
  const doc = documentOf({
    ...rest,
    ...(date !== undefined && { date: typeof date === "string" ? isoDate(date) || date : date }),
    ...(language !== undefined && { language: typeof language === "string" ? language.replaceAll("_", "-") : language }),
  }, at);
  return doc.language === undefined ? doc : { ...doc, language: new Intl.Locale(doc.language.split("-")[0]!).language };
}

/** The documents of a record of a kind. Throws SessionError. */
function readRecord(value: unknown, kind: "cluster" | "document", at: string): NewDoc[] {
  if (kind === "document") return [readDocument(value, at)];
  const documents = isObject(value) ? value["documents"] : undefined;
  if (!Array.isArray(documents)) throw new SessionError("field", `${at}.documents`);
  return documents.map((one: unknown, i) => readDocument(one, `${at}.documents[${i}]`));
}

/** The documents of a file of a name in JSON. */
export function readJSON(text: string, name: string): Records {
  const items = [...itemsOf(text)];
  if (items.length === 0) return { problem: "noWords" };
  const invalid = ({ line }: Item): JSONProblem => ({ problem: "jsonLine", of: [line] });
  const sample = items.slice(0, SAMPLED);
  const kind = sample.map(({ value }) => kindOf(value)).find((one) => one !== undefined);
  if (!kind) {
    const bad = sample.find((item) => !("value" in item));
    return bad ? invalid(bad) : { problem: "jsonNone" };
  }
  const documents: NewDoc[] = [];
  let [left, unread, clusters] = [0, 0, 0];
  let reason: JSONProblem | undefined;
  for (const [n, item] of items.entries()) {
    if (documents.length >= MAX_DOCUMENTS && kind === "document") {
      left++;
      continue;
    }
    try {
      if (!("value" in item)) throw invalid(item);
      const found = readRecord(item.value, kind, item.index < 0 ? "" : `[${item.index}]`);
      clusters += Number(kind === "cluster");
      const several = kind === "cluster" ? found.length > 1 : items.length > 1;
      for (const [i, doc] of found.entries()) documents.push({ ...doc, source: doc.source || (several ? `${name} (${(kind === "cluster" ? i : n) + 1})` : name) });
    } catch (error) {
      unread++;
      reason ??= error instanceof SessionError ? { problem: "jsonField", of: [item.line, error.where.replace(/^\./, "") || "text"] } : error as JSONProblem;
    }
  }
  // Each has a summary of its own, and the page has one.
  if (clusters > 1) return { problem: "jsonClusters", of: [clusters] };
  if (documents.length === 0) return reason ?? { problem: "noWords" };
  left += Math.max(0, documents.length - MAX_DOCUMENTS);
  return { documents: documents.slice(0, MAX_DOCUMENTS), left, unread, ...(reason && { reason }) };
}
