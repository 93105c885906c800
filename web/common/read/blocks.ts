// The blocks of a tree. Same rules as cmd/cerasum/internal/ingest/html_blocks.go:
// testdata/blocks there holds both together.

import type { BlockKind } from "cerasum";
import { ELEMENT, MARK, HEADINGS, TEXT, attribute, contentOf, isBlockKind, oneLineOf } from "./marks.ts";
import type { Part } from "./parts.ts";
import { characters, endsSentence, kindOfText, looksLikeProse, plainBlocks } from "./plain.ts";
import { BLOCKS, SKIPPED } from "./visible.ts";

/** What the ancestors of a text say about it. */
interface Place {
  readonly kind: BlockKind;
  /** Elements inside do not change the kind. */
  readonly fixed: boolean;
  /** The blocks inside are cells of a row. */
  readonly row: boolean;
  /** The rows inside are of a table of data. */
  readonly data: boolean;
  readonly pre: boolean;
  readonly link: boolean;
  readonly code: boolean;
  readonly time: boolean;
}

const OUTSIDE: Place = { kind: "paragraph", fixed: false, row: false, data: false, pre: false, link: false, code: false, time: false };

const hidden = (element: Element): boolean =>
  element.hasAttribute("hidden") || attribute(element, "aria-hidden") === "true" || /display:none|visibility:hidden/i.test(attribute(element, "style").replace(/\s+/g, ""));

/** Walks without recursion, so that a deep tree cannot exhaust the stack. */
export function blocksOf(root: Node): Part[] {
  const parts: Part[] = [];
  let line: string[] = [];
  /** Lengths: of the line, and of what in it are links, code and times. */
  let length = 0;
  let linked = 0;
  let coded = 0;
  let timed = 0;
  /** White space and line breaks before the next word. */
  let space = "";
  let breaks = 0;

  const flush = ({ kind, fixed, pre }: Place): void => {
    const joined = line.join("");
    const text = pre ? joined.replace(/^\n+/, "").trimEnd() : joined.trim();
    const [links, codes, times] = [linked, coded, timed];
    line = [];
    length = linked = coded = timed = breaks = 0;
    space = "";
    if (text.trim() === "") return;
    let own = kind;
    if (!fixed) {
      if (codes >= text.length) own = "code";
      else if (times >= text.length) own = "metadata";
      else if (links >= text.length && !endsSentence(text)) own = "navigation";
      else if (kind === "paragraph" || kind === "listItem") own = kindOfText(text, kind);
    }
    if (own === "code" && pre && looksLikeProse(text)) for (const [start, end, kind] of plainBlocks(text)) parts.push({ kind, text: text.slice(start, end) });
    else parts.push({ kind: own, text });
  };
  const gap = (): void => void (space ||= " ");
  const word = (given: string, place: Place): void => {
    // A soft hyphen only marks a possible line break and would prevent word matches.
    const text = given.replaceAll("\u00ad", "");
    if (text === "") return;
    const before = length === 0 ? "" : "\n".repeat(Math.min(breaks, 2)) + (breaks === 0 || place.pre ? space : "");
    breaks = 0;
    space = "";
    line.push(before, text);
    const n = before.length + text.length;
    length += n;
    if (place.link) linked += n;
    if (place.code) coded += n;
    if (place.time) timed += n;
  };
  const write = (value: string, place: Place): void => {
    if (place.pre) {
      value.split("\n").forEach((one, i) => {
        if (i > 0) {
          breaks++;
          space = "";
        }
        const shown = trimLine(one);
        word(shown, place);
        space += one.slice(shown.length);
      });
      return;
    }
    for (const [piece] of value.matchAll(/[ \t\n\r\f]+|[^ \t\n\r\f]+/g)) {
      if (/^[ \t\n\r\f]/.test(piece)) gap();
      else word(piece, place);
    }
  };

  type Step = { node: Node; place: Place } | (() => void);
  const steps: Step[] = [{ node: root, place: OUTSIDE }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    if (typeof step === "function") {
      step();
      continue;
    }
    const { node, place: outer } = step;
    let place = outer;
    if (node.nodeType === TEXT) {
      write(node.nodeValue ?? "", place);
      continue;
    }
    if (node.nodeType === ELEMENT) {
      const element = node as Element;
      const name = element.nodeName;
      if (SKIPPED.has(name) || hidden(element)) continue;
      if (name === "BR" || name === "HR" && place.row) {
        if (place.row) gap();
        else if (++breaks > 1 && !place.pre) flush(place);
        continue;
      }
      if ((name === "TD" || name === "TH") && place.row) {
        if (length > 0) space = "\t";
      } else if (BLOCKS.has(name) && place.row) {
        gap();
        steps.push(gap);
      } else if (BLOCKS.has(name) && place.pre) {
        const most = name === "P" ? 2 : 1;
        const broken = (): void => void (breaks = Math.max(breaks, most));
        broken();
        steps.push(broken);
      } else if (BLOCKS.has(name)) {
        flush(place);
        place = enter(element, place);
        const inside = place;
        steps.push(() => flush(inside));
      } else {
        place = enter(element, place);
        if (place.kind !== outer.kind) {
          flush(outer);
          const inside = place;
          steps.push(() => flush(inside));
        }
      }
    }
    for (let child = node.lastChild; child; child = child.previousSibling) steps.push({ node: child, place });
  }
  flush(OUTSIDE);
  return parts;
}

/** A line without the blanks at its end. A pattern would take quadratic time on long runs. */
function trimLine(line: string): string {
  let end = line.length;
  while (end > 0 && " \t\r".includes(line[end - 1]!)) end--;
  return line.slice(0, end);
}

/** The place inside of an element. */
function enter(element: Element, outer: Place): Place {
  const name = element.nodeName;
  const place: Place = {
    ...outer,
    link: outer.link || name === "A" && attribute(element, "href") !== "",
    code: outer.code || name === "CODE" || name === "SAMP" || name === "KBD" || name === "TT",
    time: outer.time || name === "TIME",
  };
  if (place.fixed) return place;
  const marked = attribute(element, MARK);
  if (isBlockKind(marked)) return { ...place, kind: marked, fixed: true, pre: name === "PRE" };
  if (HEADINGS.has(name)) return { ...place, kind: "heading", fixed: true };
  switch (name) {
    case "PRE":
      return { ...place, kind: "code", fixed: true, pre: true };
    case "FIGCAPTION":
    case "CAPTION":
      return { ...place, kind: "caption", fixed: true };
    case "BLOCKQUOTE":
      return { ...place, kind: "blockQuotation" };
    case "LI":
    case "DT":
    case "DD":
      return { ...place, kind: holdsParagraphs(element) ? "paragraph" : "listItem" };
    case "TABLE":
      return { ...place, data: isData(element) };
    case "TR":
      return place.data ? { ...place, kind: "tableRow", fixed: true, row: true } : place;
  }
  return place;
}

/** Whether a list item is a section: it has a heading or two paragraphs. */
const holdsParagraphs = (item: Element): boolean => item.querySelector("h1, h2, h3, h4, h5, h6") !== null || item.querySelectorAll("p").length > 1;

/** Elements that a table of data does not have in its cells, unless they are short. */
const NESTED = "p, ul, ol, dl, blockquote, h1, h2, h3, h4, h5, h6, div, figure";
/** Mean number of characters of the cells from which those with blocks are a layout. */
const LONG_CELL = 80;
/** Number of characters from which a cell of a table without headers is one. */
const LONGEST_CELL = 300;

/** Whether a table holds data. Others lay out a page: their cells hold its blocks. */
function isData(table: Element): boolean {
  const role = attribute(table, "role");
  if (role === "presentation" || role === "none" || table.querySelector("table, pre")) return false;
  const cells = [...table.querySelectorAll("td, th")];
  const lengths = cells.map((cell) => characters(oneLineOf(contentOf(cell))));
  const rows = new Set(cells.map(({ parentNode }) => parentNode));
  const sum = lengths.reduce((a, b) => a + b, 0);
  if (rows.size === cells.length) return false; // No row has two cells.
  if (table.querySelector(NESTED) && sum > LONG_CELL * cells.length) return false;
  return table.querySelector("th") !== null || lengths.every((length) => length < LONGEST_CELL);
}
