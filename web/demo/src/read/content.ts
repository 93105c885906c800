// What is in a file: decides its format and encoding, and reads it. Runs in a Worker.

import type { Readable } from "../../../common/read/article.ts";
import { plainBlocks } from "../../../common/read/plain.ts";
import { countWords } from "../documents.ts";
import { type Session, SessionError, open } from "../session.ts";
import { declaredCharset, decode, looksLikeHTML, sniff } from "./encoding.ts";

export interface File {
  /** A text needs no decoding. */
  content: Uint8Array<ArrayBuffer> | string;
  name: string;
  /** Its media type, empty if unknown. */
  type: string;
  /** What a server called its encoding. */
  charset?: string | undefined;
  /** Whether it holds documents with settings. */
  session?: boolean;
  /** The address of the page. */
  base: string;
}

export type Problem = "empty" | "binary" | "office" | "image" | "noReader" | "noWords" | "pdfLocked" | "pdfScanned" | "pdfGarbled" | "pdfDamaged" | "pdfStopped" | "sessionInvalid" | "sessionNewer";

export interface Text extends Readable {
  /** Its size, for the list. */
  words: number;
  /** What was guessed: the encoding, or that it was read as plain text. */
  encoding?: string | undefined;
  plain?: boolean | undefined;
  /** The pages that were read of a long PDF, of all. */
  pages?: readonly [read: number, all: number] | undefined;
}

export type Content = { text: Text } | { session: Session } | { problem: Problem } | { field: string };

/** Texts of more blocks are read without them: the page would be busy taking them over. */
const MAX_BLOCKS = 50_000;

const counted = <Given extends { text: string; blocks?: Readable["blocks"] }>(given: Given): Given & { words: number } =>
  ({ ...given, blocks: given.blocks && given.blocks.length <= MAX_BLOCKS ? given.blocks : undefined, words: countWords(given.text) });

/** Reads a file as plain text, Markdown, HTML or PDF, or as documents with settings. `progress` is of 1. */
export async function contentOf({ content, name, type, charset, session, base }: File, progress: (done: number) => void): Promise<Content> {
  if (typeof content === "string") return { text: counted({ title: "", text: content, blocks: plainBlocks(content) }) };
  if (session) return sessionOf(new TextDecoder().decode(content));
  const kind = sniff(content);
  if (kind === "pdf") return pdfOf(content, base, progress);
  if (kind !== "text") return { problem: kind };

  const extension = /\.([^./]+)$/.exec(name.toLowerCase())?.[1] ?? "";
  const isMarkdown = ["md", "markdown", "mdown", "mkd"].includes(extension) || type === "text/markdown";
  const isHTML = !isMarkdown && (["html", "htm", "xhtml"].includes(extension) || type === "text/html" || looksLikeHTML(content));

  const { text, fallback } = decode(content, charset ?? (isHTML ? declaredCharset(content) : undefined));
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

function sessionOf(content: string): Content {
  try {
    const { documents, settings } = open(content);
    return { session: { documents: documents.map(counted), settings } };
  } catch (error) {
    if (!(error instanceof SessionError) || error.problem === "invalid") return { problem: "sessionInvalid" };
    return error.problem === "newer" ? { problem: "sessionNewer" } : { field: error.where };
  }
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
