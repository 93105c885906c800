// What is in a file: decides its format and encoding, and reads it. Runs in a Worker.

import type { Readable } from "../../../common/read/article.ts";
import { plainBlocks } from "../../../common/read/plain.ts";
import { countWords } from "../documents.ts";
import { type Session, SessionError, isSession, open } from "../session.ts";
import { type JSONProblem, isJSON, readJSON, startsAsJSON } from "./json.ts";
import type { PackedProblem, readPacked } from "./packed.ts";
import type { readPages } from "./pages.ts";
import { declaredCharset, decode, looksLikeHTML, sniff } from "./encoding.ts";

export interface File {
  /** A text needs no decoding. */
  content: Uint8Array<ArrayBuffer> | string;
  name: string;
  /** Its media type, empty if unknown. */
  type: string;
  /** What a server called its encoding. */
  charset?: string | undefined;
  /** Whether it is a file of an archive or a mail. */
  member?: boolean;
  /** Whether it was compressed. */
  unpacked?: boolean;
  /** The address of the page. */
  base: string;
}

export type Problem = "zstd" | "gzip" | "empty" | "binary" | "image" | "filesStopped" | PackedProblem | JSONProblem["problem"] | "jsonPacked" | "noReader" | "pdfLocked" | "pdfScanned" | "pdfGarbled" | "pdfDamaged" | "pdfStopped" | "sessionInvalid" | "sessionDamaged" | "sessionNewer" | "sessionField";

/** Why there is no document, with the arguments of the page's text for it. */
export interface Refusal { problem: Problem; of?: readonly (string | number)[] }

export interface Text extends Readable {
  /** Its size, for the list. */
  words: number;
  /** As the file states it. */
  language?: string | undefined;
  /** What was guessed: the encoding, or that it was read as plain text. */
  encoding?: string | undefined;
  plain?: boolean | undefined;
  /** The pages that were read of a long PDF, of all. */
  pages?: readonly [read: number, all: number] | undefined;
}

/** A document of a file of several, or a file of an archive that cannot be read; with `unread`, so many documents of a file that cannot be, and why the first cannot. */
export type Found = { source: string; text: Text } | ({ source: string; unread?: number } & Refusal);

/** `left` is the number of documents beyond the limit. */
export type Content = { text: Text } | { found: Found[]; left: number } | { session: Session } | Refusal;

/** Texts of more blocks are read without them: the page would be busy taking them over. */
const MAX_BLOCKS = 50_000;

/** What a compressed file may unpack to, in bytes, as for archives. */
const MAX_UNPACKED = 64 * 1024 * 1024;

const isGzip = (content: Uint8Array): boolean => content[0] === 0x1f && content[1] === 0x8b;
const isZstd = (content: Uint8Array): boolean => content[0] === 0x28 && content[1] === 0xb5 && content[2] === 0x2f && content[3] === 0xfd;

/** How often the first bytes of a gzip stream may occur within one, by chance. */
const MAX_CHANCE = 8;

/** Unpacks a gzip file, of one stream or several. Rejects if it is damaged; undefined if it holds too much. */
async function inflate(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let left = MAX_UNPACKED;
  // DecompressionStream refuses what follows a stream and does not tell where that ends:
  // where another may begin, if what is before it is whole.
  for (let start = 0, end = 0, tries = 0; start < content.length;) {
    do end = content.indexOf(0x1f, end + 1);
    while (end > 0 && !(content[end + 1] === 0x8b && content[end + 2] === 8));
    if (end < 0 || ++tries > MAX_CHANCE) end = content.length;
    try {
      const part = await inflateStream(content.subarray(start, end), left);
      if (!part) return undefined;
      parts.push(part);
      left -= part.length;
      [start, tries] = [end, 0];
    } catch (error) {
      if (end === content.length) throw error;
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function inflateStream(content: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const counted = <Given extends { text: string; blocks?: Readable["blocks"] }>(given: Given): Given & { words: number } =>
  ({ ...given, blocks: given.blocks && given.blocks.length <= MAX_BLOCKS ? given.blocks : undefined, words: countWords(given.text) });

/** Reads a file as plain text, Markdown, HTML or PDF, in a format of internal/files, as documents in JSON, or as documents with settings. `progress` is of 1. */
export async function contentOf({ content, name, type, charset, member, unpacked, base }: File, progress: (done: number) => void): Promise<Content> {
  if (typeof content === "string") return { text: counted({ title: "", text: content, blocks: plainBlocks(content) }) };
  // Without such a name, only once: a file can unpack to itself.
  if (isGzip(content) && (!unpacked || /\.gz$/i.test(name))) {
    let inflated: Uint8Array<ArrayBuffer> | undefined;
    try {
      inflated = await inflate(content);
    } catch {
      return { problem: "gzip" };
    }
    return inflated ? contentOf({ content: inflated, name: name.replace(/\.gz$/i, ""), type: "", charset, unpacked: true, base }, progress) : { problem: "unpacked" };
  }
  if (isZstd(content)) return { problem: "zstd" };
  const head = decode(content.subarray(0, 4096)).text.trimStart();
  if (/^\{\s*"/.test(head)) {
    const session = sessionOf(content, head);
    if (session) return member ? { problem: "jsonPacked" } : session;
  }
  const kind = sniff(content, name);
  if (kind === "pdf") return pdfOf(content, base, progress);
  if (kind === "packed") return packedOf(content, name, base, progress);
  if (kind !== "text") return { problem: kind };

  const extension = /\.([^./]+)$/.exec(name.toLowerCase())?.[1] ?? "";
  const isMarkdown = ["md", "markdown", "mdown", "mkd"].includes(extension) || type === "text/markdown";
  const isHTML = !isMarkdown && (["html", "htm", "xhtml"].includes(extension) || type === "text/html" || looksLikeHTML(content));

  let decoded = decode(content, charset ?? (isHTML ? declaredCharset(content) : undefined));
  if (decoded.unsure) {
    try {
      decoded = await (await import("./packed.ts")).guess(content, base);
    } catch {
      // Without the program, the text is read as most files are.
    }
  }
  const { text, fallback } = decoded;
  const namesJSON = /^(?:json|jsonl|ndjson)$/.test(extension) || /^application\/(?:json|jsonl|x-jsonlines|x-ndjson|ndjson)$/.test(type);
  if (namesJSON || !isHTML && !isMarkdown && (startsAsJSON(head) || isJSON(text))) return member ? { problem: "jsonPacked" } : recordsOf(text, name, fallback);
  let read: Readable & { plain?: boolean };
  try {
    // Loaded on demand: most visits need neither reader.
    if (isHTML) read = (await import("./html.ts")).readHTML(text);
    else if (isMarkdown) read = (await import("./markdown.ts")).readMarkdown(text);
    else read = { title: "", text, blocks: plainBlocks(text) };
  } catch {
    return { problem: "noReader" };
  }
  if (!/[\p{L}\p{N}]/u.test(read.text)) return { problem: "noWords" };
  return { text: { ...counted(read), encoding: fallback } };
}

/** The documents of a file, and of the files of an archive. */
async function packedOf(content: Uint8Array<ArrayBuffer>, name: string, base: string, progress: (done: number) => void): Promise<Content> {
  let result: Awaited<ReturnType<typeof readPacked>>;
  let pagesOf: typeof readPages;
  try {
    result = await (await import("./packed.ts")).readPacked(content, name, base);
    pagesOf = (await import("./pages.ts")).readPages;
  } catch {
    return { problem: "filesStopped" };
  }
  const { packed, encoding } = result;
  if ("problem" in packed) return packed;
  const { documents, members, unread, reason } = packed;
  let { left } = packed;
  const found: Found[] = documents.map(({ title, source, date, pages, text }) => {
    const read = pages.length > 0 ? pagesOf(pages) : { text, blocks: plainBlocks(text) };
    return /[\p{L}\p{N}]/u.test(read.text) ? { source, text: { title, ...(date && { date }), ...counted(read), encoding } } : { source, problem: "noWords" };
  });
  if (reason) found.push({ source: name, problem: reason, unread });
  for (const [i, member] of members.entries()) {
    const source = `${name}/${member.name}`;
    if ("problem" in member) found.push({ source, problem: member.problem });
    // A file within it would be unpacked beyond the limits of the archive.
    else if (isGzip(member.data) || isZstd(member.data)) found.push({ source, problem: "nested" });
    else {
      const of = await contentOf({ content: member.data, name: source, type: "", member: true, base }, () => undefined);
      if ("text" in of) found.push({ source, text: of.text });
      else if ("found" in of) {
        found.push(...of.found);
        left += of.left;
      } else if ("problem" in of) found.push({ source, ...of });
    }
    progress((i + 1) / members.length);
  }
  const [only] = found;
  return found.length === 1 && only && "problem" in only && members.length === 0 ? { problem: only.problem } : { found, left };
}

/** The documents with settings that the page has saved, whatever the name of the file is now; undefined if these are none. */
function sessionOf(content: Uint8Array<ArrayBuffer>, head: string): Content | undefined {
  let file: unknown;
  try {
    file = JSON.parse(decode(content).text);
  } catch {
    return /^\{\s*"cerasum"\s*:\s*\d/.test(head) ? { problem: "sessionDamaged" } : undefined;
  }
  if (!isSession(file)) return undefined;
  try {
    const { documents, settings } = open(file);
    return { session: { documents: documents.map(counted), settings } };
  } catch (error) {
    if (!(error instanceof SessionError) || error.problem === "invalid") return { problem: "sessionInvalid" };
    return error.problem === "newer" ? { problem: "sessionNewer" } : { problem: "sessionField", of: [error.where] };
  }
}

/** The documents of a file in JSON that is no session. */
function recordsOf(text: string, name: string, encoding: string | undefined): Content {
  const records = readJSON(text, name);
  if ("problem" in records) return records;
  const found = records.documents.map(({ source = name, ...document }): Found =>
    /[\p{L}\p{N}]/u.test(document.text) ? { source, text: { ...counted(document), encoding } } : { source, problem: "noWords" });
  if (records.reason) found.push({ source: name, unread: records.unread, ...records.reason });
  return { found, left: records.left };
}

/** Loads the PDF reader, which is large, with the first PDF. */
async function pdfOf(content: Uint8Array, base: string, progress: (done: number) => void): Promise<Content> {
  const problems = { locked: "pdfLocked", scanned: "pdfScanned", garbled: "pdfGarbled", damaged: "pdfDamaged", stopped: "pdfStopped" } as const;
  try {
    const { PDFError, readHere } = await import("./pdf.ts");
    try {
      const { pages, ...read } = await readHere(content, base, progress);
      return { text: { ...counted(read), ...(pages[0] < pages[1] && { pages }) } };
    } catch (error) {
      if (error instanceof PDFError) return { problem: problems[error.problem] };
      throw error;
    }
  } catch {
    return { problem: problems.stopped };
  }
}
