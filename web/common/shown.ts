// Texts, titles and addresses of documents as they are shown and exported: so that none
// of them passes for another's. cmd/cerasum/internal/render does the same in Go; their
// tests read the same cases.

import { oneLine } from "./one-line.ts";

/** Characters that turn the direction of the text around them, and of what follows. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Letters that are blank: enough of them look like the end of a line. */
const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]+/g;

export const withoutDirection = (text: string): string => text.replace(DIRECTION, "");

/** A text on one line, in the direction of its letters. */
export const shown = (text: string): string => oneLine(withoutDirection(text).replace(BLANK, " "));

/** UTF-16 units of a quote on a page: a file can be one sentence of megabytes, whose layout takes seconds. */
const MOST_SHOWN = 5000;

/** The beginning of a text on one line. */
export const shownInPart = (text: string): string => (text.length > MOST_SHOWN ? `${shown(text.slice(0, MOST_SHOWN).toWellFormed())}…` : shown(text));

/** A title in a line of plain text: in quotation marks that it cannot close, without what looks like the number of a source. */
export const quotedTitle = (title: string): string => `"${shown(title).replace(/["“”„‟«»＂]/g, "'").replace(/\[(\p{N}+)\]/gu, "($1)")}"`;

const ADDRESS = /^(https?):[\\/]*[^\\/?#]*(.*)$/is;

/** The host of an address, in ASCII as networks know it: letters of another script do not pass for it. Empty for other sources. */
export function hostOf(source: string): string {
  const plain = shown(source);
  return ADDRESS.test(plain) && URL.canParse(plain) ? new URL(plain).host : "";
}

/** A source: of an address the host in ASCII, without the user name, which could pass for a host. */
export function shownSource(source: string): string {
  const plain = shown(source);
  const [, scheme, rest] = ADDRESS.exec(plain) ?? [];
  if (scheme === undefined) return plain;
  const host = hostOf(plain);
  return host === "" ? plain.toWellFormed().replace(/[^ -~]+/g, encodeURIComponent) : `${scheme.toLowerCase()}://${host}${rest}`;
}
