// Puts a document's text on the page with some of its sentences marked.

import { arrange, h } from "../../../common/dom.ts";
import { withoutUnseen } from "../../../common/shown.ts";
import type { Doc } from "../documents.ts";
import { sentenceName } from "./pointing.ts";

/** UTF-16 offsets into a document's text. */
export interface Span {
  start: number;
  end: number;
}

/** A span to be marked: quoted by the summary, similar to the quote with this index, or selected by the reader. */
export type Mark = Span & ({ kind: "quoted" | "similar"; quote: number } | { kind: "shown" });

/** Identifies marks that look and behave the same. */
export const markName = (mark: Mark): string => `${mark.start}${mark.kind}${mark.kind === "shown" ? "" : mark.quote}`;

/** The name of a span of a document in addresses and ids. */
export const anchor = (doc: number, span: Span): string => `d${doc}-${span.start}`;

// A text of megabytes is split into pieces, of which the browser lays out only
// the visible ones (content-visibility, in the style sheet).
const PIECE = 8_000;
const LONGEST_PIECE = 40_000;

/** Where the text can be cut into pieces: line ends outside of marks; else spaces, or anywhere in texts without either. */
function cuts(text: string, marks: readonly Mark[]): number[] {
  const found: number[] = [];
  let start = 0;
  let m = 0;
  while (text.length - start > PIECE) {
    let at = text.indexOf("\n", start + PIECE) + 1;
    if (at === 0 || at - start > LONGEST_PIECE) {
      const most = start + LONGEST_PIECE;
      const space = text.slice(start + PIECE, most).lastIndexOf(" ");
      at = space >= 0 ? start + PIECE + space + 1 : whole(text, most);
    }
    if (at >= text.length) break;
    while (m < marks.length && marks[m]!.end <= at) m++;
    const mark = marks[m];
    if (mark && mark.start < at) at = mark.end;
    found.push(at);
    start = at;
  }
  return found;
}

/** A position that divides no character. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at + 1 : at);

/** Key of each rendered piece. */
const made = new WeakMap<Element, string>();

/** Replaces the content of `container` by the text, reusing unchanged pieces. Marks must be in order and not overlap. */
export function renderText(container: HTMLElement, { id, version, text }: Doc, all: readonly Mark[], follow: (quote: number) => void): void {
  // A quote of megabytes is marked as far as a piece goes.
  const marks = all.map((mark) => (mark.end - mark.start > LONGEST_PIECE ? { ...mark, end: whole(text, mark.start + LONGEST_PIECE) } : mark));
  const before = new Map([...container.children].map((piece) => [made.get(piece)!, piece]));
  const pieces: Element[] = [];
  let from = 0;
  let m = 0;
  for (const to of [...cuts(text, marks), text.length]) {
    const own: Mark[] = [];
    while (m < marks.length && marks[m]!.end <= to) own.push(marks[m++]!);
    const key = `${id}.${version} ${from} ${to} ${own.map(markName).join()}`;
    const piece = before.get(key) ?? h("div", { class: "piece", dir: "auto" });
    pieces.push(piece);
    if (!before.delete(key)) {
      made.set(piece, key);
      for (const mark of own) {
        piece.append(withoutUnseen(text.slice(from, mark.start)), element(mark));
        from = mark.end;
      }
      piece.append(withoutUnseen(text.slice(from, to)));
    }
    from = to;
  }
  arrange(container, pieces);

  function element(mark: Mark): HTMLElement {
    const quoted = withoutUnseen(text.slice(mark.start, mark.end));
    if (mark.kind === "shown") return h("mark", { class: mark.kind, "data-sentence": sentenceName({ id, start: mark.start }) }, h("span", { id: anchor(id, mark), tabindex: "-1" }, quoted));
    const link = h("a", { id: anchor(id, mark), href: `#quote-${anchor(id, mark)}`, "aria-describedby": "back-hint" }, quoted);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      follow(mark.quote);
    });
    return h("mark", { class: mark.kind, "data-sentence": sentenceName({ id, start: mark.start }) }, link);
  }
}
