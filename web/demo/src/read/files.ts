import { MAX_BYTES, type NewDoc } from "../documents.ts";
import { EXTENSION, MAX_SESSION_BYTES, type Session, SessionError, open } from "../session.ts";
import { text as t } from "../strings.ts";
import { declaredCharset, decode, looksLikeHTML, sniff } from "./encoding.ts";
import type { Readable } from "../../../common/read/article.ts";
import { plainBlocks } from "../../../common/read/plain.ts";

/** A document, or the reason why there is none; a note if something was guessed. */
export type Outcome = { name: string; doc: NewDoc; note?: string } | { name: string; session: Session } | { name: string; problem: string };

const stem = (name: string) => name.replace(/^.*\//, "").replace(/\.[^.]{1,12}$/, "");

/** A name without the number that browsers give repeated downloads: "a (2).json". */
function unnumbered(name: string): string {
  const lower = name.toLowerCase();
  if (!lower.endsWith(".json")) return lower;
  let end = lower.length - ".json".length;
  const skip = (characters: string, most = end): void => {
    for (; most > 0 && end > 0 && characters.includes(lower[end - 1]!); most--) end--;
  };
  skip(")", 1);
  skip("0123456789");
  skip(" (");
  return `${lower.slice(0, end)}.json`;
}

/** Reads one file as plain text, Markdown, HTML or PDF, or as documents with settings. `charset` is what a server called its encoding. Throws nothing but the signal's reason, which ends a PDF that is being read. */
export async function readFile(file: File, path = file.name, { charset, signal }: { charset?: string | undefined; signal?: AbortSignal | undefined } = {}): Promise<Outcome> {
  const refuse = (problem: string): Outcome => ({ name: path, problem });
  const isSession = unnumbered(file.name).endsWith(EXTENSION);
  const most = isSession ? MAX_SESSION_BYTES : MAX_BYTES;
  if (file.size > most) return refuse(t.problems.tooLarge(file.size, most));
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return refuse(t.problems.unreadable);
  }
  if (isSession) {
    try {
      return { name: path, session: open(new TextDecoder().decode(bytes)) };
    } catch (error) {
      return refuse(sessionProblem(error));
    }
  }
  const kind = sniff(bytes);
  if (kind === "pdf") return readPDF(bytes, path, stem(file.name) || t.untitled, refuse, signal);
  if (kind !== "text") return refuse(t.problems[kind]);

  const extension = /\.([^./]+)$/.exec(file.name.toLowerCase())?.[1] ?? "";
  const isMarkdown = ["md", "markdown", "mdown", "mkd"].includes(extension) || file.type === "text/markdown";
  const isHTML = !isMarkdown && (["html", "htm", "xhtml"].includes(extension) || file.type === "text/html" || looksLikeHTML(bytes));

  const { text, fallback } = decode(bytes, charset ?? (isHTML ? declaredCharset(bytes) : undefined));
  let read: Readable = { title: "", text, blocks: plainBlocks(text) };
  try {
    // Loaded on demand: most visits need neither reader.
    if (isHTML) read = (await import("./html.ts")).readHTML(text);
    else if (isMarkdown) read = (await import("./markdown.ts")).readMarkdown(text);
  } catch {
    return refuse(t.problems.noReader);
  }
  if (!/[\p{L}\p{N}]/u.test(read.text)) return refuse(t.problems.noWords);
  const doc = { title: read.title || stem(file.name) || t.untitled, madeUp: !read.title, source: path, text: read.text, blocks: read.blocks, date: read.date };
  return fallback ? { name: path, doc, note: t.problems.encoding(fallback) } : { name: path, doc };
}

/** Loads the PDF reader, which is large, with the first PDF. */
async function readPDF(bytes: Uint8Array, path: string, name: string, refuse: (problem: string) => Outcome, signal: AbortSignal | undefined): Promise<Outcome> {
  const problems = { locked: t.problems.pdfLocked, scanned: t.problems.pdfScanned, garbled: t.problems.pdfGarbled, damaged: t.problems.pdfDamaged, stopped: t.problems.pdfStopped };
  try {
    const { readPDF, PDFError } = await import("../../../common/read/pdf.ts");
    try {
      const { title, text, blocks, date } = await readPDF(bytes, signal);
      return { name: path, doc: { title: title || name, madeUp: !title, source: path, text, blocks, date } };
    } catch (error) {
      if (error instanceof PDFError) return refuse(problems[error.problem]);
      throw error;
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    return refuse(problems.stopped);
  }
}

function sessionProblem(error: unknown): string {
  if (!(error instanceof SessionError) || error.problem === "invalid") return t.problems.sessionInvalid;
  return error.problem === "newer" ? t.problems.sessionNewer : t.problems.sessionField(error.where);
}

/** The title of a text that came without one: its first words. */
export function titleOf(text: string): string {
  const line = text.trim().split(/\n/, 1)[0]!.trim();
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
    if (entry.isDirectory) entries.push(...(await children(entry as FileSystemDirectoryEntry)));
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
