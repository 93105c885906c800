// Reads files in the formats of internal/files: Word, OpenDocument, Rich Text, e-books,
// mail, subtitles, tables of texts, and archives; and guesses the encodings of texts. The
// Go program that does it is loaded with the first of them.

import { filesPath } from "virtual:files";
import { type Decoded, decode, decodeAs } from "./encoding.ts";

/** Why a file cannot be read: the problems of internal/files/files.go. */
export type PackedProblem =
  | "damaged" | "encrypted" | "protected" | "old" | "spreadsheet" | "presentation" | "pages" | "outlook"
  | "unpacked" | "members" | "deep" | "nested" | "method" | "noTexts" | "noWords" | "noFiles";

/** A document; of HTML if it has pages, of plain text otherwise. */
export interface PackedDocument { title: string; source: string; date: string; pages: string[]; text: string }

/** A file of an archive, which is to be read as any other, or the reason why it cannot be. */
export type Member = { name: string; data: Uint8Array<ArrayBuffer> } | { name: string; problem: PackedProblem };

/** `left` is the number of documents beyond the limit, `unread` that of those that cannot be read, the first of them for a reason. */
export type Packed = { problem: PackedProblem } | { documents: PackedDocument[]; members: Member[]; left: number; unread: number; reason?: PackedProblem };

interface Host {
  decode(bytes: Uint8Array<ArrayBuffer>, label: string): string;
  /** These are set by the program. */
  guess?(bytes: Uint8Array): string;
  read?(bytes: Uint8Array, name: string): Packed;
}

let starting: Promise<Host> | undefined;
/** The encoding that the last file was read in without stating one. */
let guessed: string | undefined;

const host: Host = {
  decode(bytes, label) {
    if (label !== "") return new TextDecoder(label).decode(bytes);
    const found = decode(bytes);
    const { text, fallback } = found.unsure ? decodeAs(bytes, host.guess!(bytes)) : found;
    if (text.includes("\0")) throw new Error("not text");
    guessed ??= fallback;
    return text;
  },
};

async function start(base: string): Promise<Host> {
  await import("virtual:go");
  Object.assign(globalThis, { cerasumFiles: host });
  const go = new Go();
  const response = await fetch(new URL(filesPath, base));
  if (!response.ok) throw new Error(`status ${String(response.status)}`);
  delete host.read;
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  void go.run(instance);
  if (!host.read) throw new Error("the program has not started");
  return host;
}

/** Decodes a text by the encoding that its bytes look like. Rejects as readPacked does. */
export async function guess(content: Uint8Array<ArrayBuffer>, base: string): Promise<Decoded> {
  starting ??= start(base);
  try {
    return decodeAs(content, (await starting).guess!(content));
  } catch (error) {
    starting = undefined;
    throw error;
  }
}

/** Reads a file of a name; `base` is the address of the page. Rejects if the program cannot be loaded or ends. */
export async function readPacked(content: Uint8Array, name: string, base: string): Promise<{ packed: Packed; encoding: string | undefined }> {
  starting ??= start(base);
  try {
    const { read } = await starting;
    guessed = undefined;
    const packed = read!(content, name) as Packed | undefined;
    // A program that ended, for want of memory say, returns nothing.
    if (!packed) throw new Error("the program has ended");
    return { packed, encoding: guessed };
  } catch (error) {
    starting = undefined;
    throw error;
  }
}
