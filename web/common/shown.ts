// Texts, titles and addresses of documents as they are shown and exported: so that none
// of them passes for another's. cmd/cerasum/internal/render does the same in Go; their
// tests read the same cases.

import { oneLine } from "./one-line.ts";

/** Characters that turn the direction of the text around them, and of what follows, and those that are invisible: tags outside of flags, variation selectors after other characters than ideographs, marks of annotations. */
const UNSEEN = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}|\p{Ideographic}[\u{e0100}-\u{e01ef}])|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;
/** Letters that are blank: enough of them look like the end of a line. */
const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]+/g;

export const withoutUnseen = (text: string): string => text.replace(UNSEEN, "$1");

/** A text on one line, in the direction of its letters. */
export const shown = (text: string): string => oneLine(withoutUnseen(text).replace(BLANK, " "));

/** UTF-16 units of a quote on a page: a file can be one sentence of megabytes, whose layout takes seconds. */
const MOST_SHOWN = 5000;

/** The beginning of a text on one line. */
export const shownInPart = (text: string): string => (text.length > MOST_SHOWN ? `${shown(text.slice(0, MOST_SHOWN).toWellFormed())}…` : shown(text));

/** Without what looks like the number of a source. */
const withoutNumbers = (text: string): string => text.replace(/\[(\p{N}+)\]/gu, "($1)");

/** A title in a line of plain text: in quotation marks that it cannot close, without what looks like the number of a source. */
export const quotedTitle = (title: string): string => `"${withoutNumbers(shown(title).replace(/["“”„‟«»＂]/g, "'"))}"`;

const ADDRESS = /^(https?):[\\/]*[^\\/?#]*(.*)$/is;

/** The host of an address, in ASCII as networks know it: letters of another script do not pass for it. Empty for other sources. */
export function hostOf(source: string): string {
  const plain = shown(source);
  return ADDRESS.test(plain) && URL.canParse(plain) ? new URL(plain).host : "";
}

/** A source: of an address the host in ASCII, without the user name, which could pass for a host, and without blanks. The name of a file is shown without what looks like the number of a source. */
export function shownSource(source: string): string {
  const plain = shown(source);
  const [, scheme, rest] = ADDRESS.exec(plain) ?? [];
  if (scheme === undefined) return withoutNumbers(plain);
  const host = hostOf(plain);
  const address = host === "" ? plain.toWellFormed().replace(/[^ -~]+/g, encodeURIComponent) : `${scheme.toLowerCase()}://${host}${rest}`;
  return address.replaceAll(" ", "%20");
}
