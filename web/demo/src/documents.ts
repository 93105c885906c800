// The reader's documents, with one level of undo.

import type { Block } from "cerasum";
import { plainBlocks } from "../../common/read/plain.ts";
import { withoutUnseen } from "../../common/shown.ts";

export interface Doc {
  /** Stays the same for as long as the page is open. */
  readonly id: number;
  /** Unique for each change of text or language, so that a summary knows whether it is up to date. */
  readonly version: number;
  readonly title: string;
  /** The title is only for the list: the name of a file without a title, the first words of a text. */
  readonly madeUp: boolean;
  readonly source: string;
  /** Well-formed: lone surrogates have been replaced by U+FFFD, as any export would do. */
  readonly text: string;
  /** ISO 639-1: set by the reader, or detected. */
  readonly language: string | undefined;
  /** What the parts of the text are, where the file told it. */
  readonly blocks: readonly Block[] | undefined;
  /** When it was published, in ISO 8601. */
  readonly date: string | undefined;
  /** Size in words, for the list. */
  readonly words: number;
}

export interface NewDoc {
  title: string;
  madeUp?: boolean | undefined;
  text: string;
  source?: string;
  language?: string | undefined;
  blocks?: readonly Block[] | undefined;
  date?: string | undefined;
  /** Counted here if it is not known. */
  words?: number;
}

/**
 * The title that the core is told: the document's own or the reader's, else the
 * name of its file or its address, as the command line program has it.
 */
export const ownTitle = ({ title, madeUp, source }: Doc): string =>
  !madeUp ? title : source.includes("://") ? source : source.slice(source.lastIndexOf("/") + 1);

/** Identifies what the core is told of the documents. */
export const keyOf = (docs: readonly Doc[]): string => JSON.stringify(docs.map((doc) => [doc.id, doc.version, ownTitle(doc)]));

/** The most documents that the page takes, and the most bytes of one file. */
export const MAX_DOCUMENTS = 500;
export const MAX_BYTES = 25e6;

// Scripts that do not put spaces between words are counted by character, as
// UAX #29 does without a dictionary.
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+(?:['’.:·](?=\p{L})(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}])[\p{L}\p{M}\p{N}_])+)*/gu;

/** Approximate number of words, to show the size of a text. */
export function countWords(text: string): number {
  let n = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) n++;
  return n;
}

export class Documents extends EventTarget {
  #list: readonly Doc[] = [];
  #before: { list: readonly Doc[]; message: string } | undefined;
  #nextId = 1;
  #nextVersion = 1;

  get list(): readonly Doc[] {
    return this.#list;
  }

  /** Describes what `undo` would revert; undefined if nothing. */
  get undoable(): string | undefined {
    return this.#before?.message;
  }

  get(id: number): Doc | undefined {
    return this.#list.find((doc) => doc.id === id);
  }

  index(id: number): number {
    return this.#list.findIndex((doc) => doc.id === id);
  }

  add(...news: NewDoc[]): readonly Doc[] {
    const docs = news.map((doc) => this.#make(doc));
    this.#set([...this.#list, ...docs]);
    return docs;
  }

  /** Replaces all documents; can be undone. */
  replace(news: NewDoc[], message: string): void {
    const docs = news.map((doc) => this.#make(doc));
    this.#set(docs, this.#list.length > 0 ? message : undefined);
  }

  remove(id: number, message: string): void {
    this.#set(this.#list.filter((doc) => doc.id !== id), message);
  }

  clear(message: string): void {
    this.#set([], message);
  }

  update(id: number, change: { title?: string; text?: string; language?: string | undefined }): void {
    this.#set(
      this.#list.map((doc) => {
        if (doc.id !== id) return doc;
        const next = { ...doc, ...change };
        next.title = withoutUnseen(next.title);
        if (next.title !== doc.title) next.madeUp = false;
        next.text = next.text.toWellFormed();
        if (next.text !== doc.text) {
          next.words = countWords(next.text);
          next.blocks = plainBlocks(next.text);
        }
        if (next.text !== doc.text || next.language !== doc.language) next.version = this.#nextVersion++;
        return next;
      }),
    );
  }

  /** Makes the latest updates of a document undoable. */
  changed(before: Doc, message: string): void {
    const now = this.get(before.id);
    if (!now || (now.title === before.title && now.text === before.text && now.language === before.language)) return;
    this.#set(this.#list, message, this.#list.map((doc) => (doc === now ? before : doc)));
  }

  undo(): void {
    if (this.#before) this.#set(this.#before.list);
  }

  #make(doc: NewDoc): Doc {
    return {
      id: this.#nextId++,
      version: this.#nextVersion++,
      title: withoutUnseen(doc.title),
      madeUp: doc.madeUp ?? false,
      source: withoutUnseen(doc.source ?? ""),
      text: doc.text.toWellFormed(),
      language: doc.language,
      blocks: doc.blocks,
      date: doc.date,
      words: doc.words ?? countWords(doc.text),
    };
  }

  #set(list: readonly Doc[], message?: string, before = this.#list): void {
    this.#before = message === undefined ? undefined : { list: before, message };
    this.#list = list;
    this.dispatchEvent(new Event("change"));
  }
}
