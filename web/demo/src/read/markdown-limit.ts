// Limits for Markdown: its parsers take time and memory quadratic in the quotations
// and lists within each other, and in the marks of a paragraph that may begin or end
// markup. Same rules as cmd/cerasum/internal/ingest/markdown_limit.go.

const MAX_NESTING = 256;
const MAX_MARKS = 4000;

/** Why a source is read as plain text, undefined if it is not. */
export function limit(source: string): "nesting" | "marks" | undefined {
  const outline = new Outline();
  for (const line of source.split("\n")) {
    outline.line(line);
    if (outline.open.length > MAX_NESTING) return "nesting";
    if (outline.marks > MAX_MARKS) return "marks";
  }
  return undefined;
}

/** Follows the blocks of Markdown, line by line, as CommonMark says. Where it is less exact, it takes lines for one paragraph. */
class Outline {
  /** The blocks that hold others: list items, by the columns that their content is indented, and quotations, 0. */
  open: number[] = [];
  /** Of the paragraph, heading or table row. */
  marks = 0;
  /** Whether the next line may continue a paragraph. */
  #text = false;
  /** Whether each line is a row. */
  #table = false;
  /** Of the line before. */
  #cells = 0;

  line(line: string): void {
    let text = trimmedEnd(expanded(line));
    let inside = 0;
    for (; inside < this.open.length; inside++) {
      const rest = content(text, this.open[inside]!);
      if (rest === undefined) break;
      text = rest;
    }
    // Within a paragraph, or after one that a line continues without the markers of its quotation or list.
    const all = inside === this.open.length;
    let begun = false;
    while (!isRule(text)) {
      const found = marker(text, this.#text && all && !begun);
      if (!found) break;
      if (!begun) this.open.length = inside;
      begun = true;
      if (this.open.push(found.width) > MAX_NESTING) return;
      text = found.rest;
    }
    const cells = cellsOf(text);
    if (begun) {
      this.#next(text !== "");
    } else if (text === "" || isRule(text) || isHeading(text) || !this.#text || (this.#table && !all)) {
      this.open.length = inside;
      this.#next(text !== "" && !isRule(text) && !isHeading(text));
    } else if (this.#table) {
      this.marks = 0;
    } else if (all && cells === this.#cells && isDelimiter(text)) {
      this.#table = true;
    }
    this.#cells = cells;
    for (const c of text) if ("*_~[]`<".includes(c)) this.marks++;
  }

  #next(text: boolean): void {
    this.marks = 0;
    this.#text = text;
    this.#table = false;
  }
}

/** A line with blanks for its tabs. */
function expanded(line: string): string {
  if (!line.includes("\t")) return line;
  const parts = line.split("\t");
  let column = 0;
  return parts.map((part, i) => {
    if (i === parts.length - 1) return part;
    column += part.length;
    const blanks = 4 - (column % 4);
    column += blanks;
    return part + " ".repeat(blanks);
  }).join("");
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\r")) end--;
  return text.slice(0, end);
}

/** How many blanks a text begins with. */
function blanksOf(text: string, from = 0): number {
  let end = from;
  while (text[end] === " ") end++;
  return end - from;
}

/** What a line has in an open block, undefined if it is outside. */
function content(text: string, width: number): string | undefined {
  if (width === 0) return text[blanksOf(text)] === ">" ? marker(text, true)?.rest : undefined;
  if (text === "") return text;
  return blanksOf(text) < width ? undefined : text.slice(width);
}

/** Cuts the marker of a quotation or list item off a line; its width is that of Outline.open. Not all markers interrupt a paragraph. */
function marker(text: string, interrupts: boolean): { rest: string; width: number } | undefined {
  const indent = blanksOf(text);
  if (indent > 3 || indent === text.length) return undefined;
  if (text[indent] === ">") return { rest: text.slice(indent + (text[indent + 1] === " " ? 2 : 1)), width: 0 };
  let end = indent + 1;
  if (!"-+*".includes(text[indent]!)) {
    const number = /^\d{1,9}(?=[.)])/.exec(text.slice(indent, indent + 10))?.[0];
    if (number === undefined || (interrupts && number !== "1")) return undefined;
    end = indent + number.length + 1;
  }
  let blanks = blanksOf(text, end);
  if (end + blanks === text.length) return interrupts ? undefined : { rest: "", width: end + 1 };
  if (blanks === 0) return undefined;
  // Indented code.
  if (blanks > 4) blanks = 1;
  return { rest: text.slice(end + blanks), width: end + blanks };
}

/** Whether a line divides: * * * */
function isRule(text: string): boolean {
  const indent = blanksOf(text);
  const mark = text[indent];
  if (indent > 3 || !mark || !"-*_".includes(mark)) return false;
  let marks = 0;
  for (const c of text) {
    if (c === mark) marks++;
    else if (c !== " ") return false;
  }
  return marks >= 3;
}

function isHeading(text: string): boolean {
  const indent = blanksOf(text);
  return indent <= 3 && /^#{1,6}(?: |$)/.test(text.slice(indent, indent + 7));
}

/** A line of a table without the bars at its edges. */
function rowOf(text: string): string {
  const start = blanksOf(text);
  const row = text.slice(text[start] === "|" ? start + 1 : start);
  return row.endsWith("|") && !row.endsWith("\\|") ? row.slice(0, -1) : row;
}

/** How many cells a line of a table has. */
function cellsOf(text: string): number {
  if (!text.includes("|")) return 1;
  const row = rowOf(text);
  let cells = 1;
  for (let i = row.indexOf("|"); i >= 0; i = row.indexOf("|", i + 1)) if (row[i - 1] !== "\\") cells++;
  return cells;
}

/** Whether a line divides the head of a table from its rows. */
const isDelimiter = (text: string): boolean => text.includes("|") && rowOf(text).split("|").every((cell) => /^:?-+:?$/.test(cell.trim()));
