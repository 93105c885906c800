import { marked } from "marked";
import type { Readable } from "../../../common/read/article.ts";
import { blocksOf } from "../../../common/read/blocks.ts";
import { markBlocks, oneLineOf } from "../../../common/read/marks.ts";
import { join } from "../../../common/read/parts.ts";
import { plainBlocks } from "../../../common/read/plain.ts";
import { documentOf } from "./document.ts";
import { flatten } from "./flat.ts";
import { TooDeep } from "./tree.ts";

/** Between two lines of --- (YAML) or +++ (TOML). */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??(?:\1|\.\.\.)[ \t]*(?:\r?\n|$)/;
const NAMED = /^title[ \t]*[:=](.*)$/m;

/** Quotations and lists within each other, and marks of a paragraph that may begin or end markup, at most: parsers take time quadratic in their number. */
const MAX_NESTING = 256;
const MAX_MARKS = 4000;
/** Begins a line that is a block of its own. */
const BEGINS = /^[ \t]*(?:[>|]|[-+*](?:\s|$)|#{1,6}[ \t]|\d{1,9}[.)][ \t])/;
const MARKER = /[ \t]*(?:>|[-+*](?=\s|$)|\d{1,9}[.)](?=\s|$))/y;

/** Whether a source is read as plain text. Twin of limit in cmd/cerasum/internal/ingest/markdown.go. */
function limited(source: string): boolean {
  let marks = 0;
  for (const line of source.split("\n")) {
    if (line.trim() === "" || BEGINS.test(line)) marks = 0;
    marks += line.match(/[*_~[\]`<]/g)?.length ?? 0;
    if (marks > MAX_MARKS || nesting(line) > MAX_NESTING) return true;
  }
  return false;
}

/** The quotation and list markers at the start of a line, and those that its indentation may stand for. */
function nesting(line: string): number {
  let markers = 0;
  let blanks = 0;
  MARKER.lastIndex = 0;
  for (let found = MARKER.exec(line); found; found = MARKER.exec(line)) {
    markers++;
    for (const c of found[0]) blanks += c === " " ? 1 : c === "\t" ? 4 : 0;
  }
  return markers === 0 ? 0 : markers + Math.max(0, blanks - markers) / 2;
}

/** Without the quotation marks around it. */
function unquoted(value: string): string {
  const mark = (i: number): boolean => value[i] === '"' || value[i] === "'";
  let start = 0;
  let end = value.length;
  while (mark(start)) start++;
  while (end > start && mark(end - 1)) end--;
  return value.slice(start, end);
}

/**
 * The text of a Markdown file without markup. The title is that of the front
 * matter, else the first heading. A heading of level one that comes first is not in
 * the text, since titles are not quoted.
 */
export function readMarkdown(source: string): Readable & { plain?: boolean } {
  const front = FRONT_MATTER.exec(source);
  const body = front ? source.slice(front[0].length) : source;
  let title = unquoted(NAMED.exec(front?.[2] ?? "")?.[1]?.trim() ?? "");
  if (limited(body)) return { title, text: body, blocks: plainBlocks(body), plain: true };
  const markup = marked.parse(body, { async: false, gfm: true });
  let page: Document;
  try {
    page = documentOf(markup);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { ...flatten(markup), ...(title && { title }) };
  }
  const heading = [...page.body.querySelectorAll("h1, h2, h3, h4, h5, h6")].find(({ textContent }) => textContent?.trim());
  title ||= oneLineOf(heading?.textContent ?? "");
  const first = page.body.firstElementChild;
  if (first?.tagName === "H1" && first.nextElementSibling) first.remove();
  markBlocks(page);
  return { title, ...join(blocksOf(page.body)) };
}
