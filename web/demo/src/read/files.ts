import { MAX_BYTES, type NewDoc } from "../documents.ts";
import { MAX_SESSION_BYTES, type Session } from "../session.ts";
import { text as t } from "../strings.ts";
import type { Refusal, Text } from "./content.ts";
import { DEADLINE, ReadingError, read } from "./reader.ts";
import { plainBlocks } from "../../../common/read/plain.ts";

/** `count` documents, 1 by default, that were not read, and why. */
export interface Refused { name: string; problem: string; count?: number }

/** A document, or the reason why there is none; a note if something was guessed. */
export type Outcome = { name: string; doc: NewDoc; note?: string } | { name: string; session: Session } | Refused;

/** What a file holds; `left` documents of it are beyond the limit. */
export interface Reading { outcomes: Outcome[]; left: number }

const stem = (name: string) => name.replace(/^.*\//, "").replace(/\.[^.]{1,12}$/, "");

/** The most bytes that are read of a file: more if it begins as the page saves documents with settings. */
async function mostOf(file: File): Promise<number> {
  if (file.size <= MAX_BYTES) return MAX_BYTES;
  const head = await file.slice(0, 64).text().catch(() => "");
  return /^\s*\{\s*"cerasum"/.test(head) ? MAX_SESSION_BYTES : MAX_BYTES;
}

/** A reason in the language of the page. */
function why({ problem, of = [] }: Refusal): string {
  const said = t.problems[problem] as string | ((...of: readonly (string | number)[]) => string);
  return typeof said === "string" ? said : said(...of);
}

/** Reads one file as plain text, Markdown, HTML or PDF, in a format of internal/files, as documents in JSON, or as documents with settings. `charset` is what a server called its encoding. Throws nothing but the signal's reason. */
export async function readFile(file: File, path = file.name, { charset, signal, progress }: { charset?: string | undefined; signal?: AbortSignal | undefined; progress?: (done: number) => void } = {}): Promise<Reading> {
  const only = (outcome: Outcome): Reading => ({ outcomes: [outcome], left: 0 });
  const refuse = (problem: string): Reading => only({ name: path, problem });
  const most = await mostOf(file);
  if (file.size > most) return refuse(t.problems.tooLarge(file.size, most));
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return refuse(t.problems.unreadable);
  }
  try {
    const content = await read({ content: bytes, name: file.name, type: file.type, charset }, { signal, progress });
    if ("problem" in content) return refuse(why(content));
    if ("session" in content) return only({ name: path, session: content.session });
    if ("text" in content) return only(outcomeOf(content.text, path));
    const outcomes = content.found.map((found): Outcome => {
      const source = found.source.startsWith(file.name) ? path + found.source.slice(file.name.length) : found.source;
      if ("text" in found) return outcomeOf(found.text, source);
      const { unread: count } = found;
      return count ? { name: source, problem: t.problems.unread(count, why(found)), count } : { name: source, problem: why(found) };
    });
    return { outcomes, left: content.left };
  } catch (error) {
    if (error instanceof ReadingError) return refuse(error.problem === "slow" ? t.problems.slow(DEADLINE / 1000) : t.problems.noReader);
    throw error;
  }
}

/** The document of a text that was read. */
function outcomeOf({ title, text, blocks, language, date, words, encoding, plain, pages }: Text, source: string): Outcome {
  const doc = { title: title || stem(source) || t.untitled, madeUp: !title, source, text, blocks, language, date, words };
  const note = encoding ? t.problems.encoding(encoding) : pages ? t.problems.pdfPart(...pages) : plain ? t.problems.plain : undefined;
  return note ? { name: source, doc, note } : { name: source, doc };
}

/** Whether a text is nothing but addresses of pages. */
export const isLink = (text: string): boolean => {
  const words = text.trim().split(/\s+/);
  return words.every((word) => /^(?:https?:\/\/[^<>"]+|www\.[^<>"]+)$/i.test(word)) && /\/\/|\..+\./.test(words[0] ?? "");
};

/** More pasted text than this, in UTF-16 units, is read in the Worker, too. */
const MAX_HERE = 50_000;

type Plain = Pick<NewDoc, "text" | "blocks" | "words">;

/** A pasted text; at once if it is short. Rejects with ReadingError. */
export function readText(text: string): Plain | Promise<Plain> {
  if (text.length <= MAX_HERE) return { text, blocks: plainBlocks(text) };
  return read({ content: text, name: "", type: "" }).then((content) => {
    if (!("text" in content)) throw new ReadingError("stopped");
    return { text, blocks: content.text.blocks, words: content.text.words };
  });
}

/** The title of a text that came without one: its first words. */
export function titleOf(text: string): string {
  const line = /\S[^\n]{0,200}/.exec(text)?.[0].trim() ?? "";
  if (line.length <= 60) return line || t.pasted;
  const cut = line.slice(0, 60);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 30)).trimEnd()}…`;
}

/** All files of a drop, including those in dropped folders, sorted by path. */
export async function droppedFiles(data: DataTransfer): Promise<{ file: File; path: string }[]> {
  // Read the entries before the first await: the list is valid only during the event.
  const entries: FileSystemEntry[] = [];
  const loose: File[] = [];
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry?.isDirectory) entries.push(entry);
    else if (file) loose.push(file);
  }
  const found = loose.map((file) => ({ file, path: file.name }));
  while (entries.length > 0) {
    const entry = entries.shift()!;
    if (entry.isDirectory) for (const child of await children(entry as FileSystemDirectoryEntry)) entries.push(child);
    else if (!entry.name.startsWith(".")) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)).catch(() => undefined);
      if (file) found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** readEntries gives at most a hundred at a time and an empty list at the end. */
async function children(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject)).catch(() => []);
    if (some.length === 0) return all;
    all.push(...some);
  }
}
