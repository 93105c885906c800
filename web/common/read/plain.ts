// The blocks of a plain text. Same rules as cmd/cerasum/internal/ingest/plain.go.

import type { Block, BlockKind } from "cerasum";

const SENTENCE_END = /[.!?…‥。．！？｡।॥؟۔։።]["'”’»›)\]」』）】]*$/;
const COLON_END = /[:：]$/;
const ENTRY = /^(?:\[\d{1,4}\]|\[\^[^\]\s]{1,20}\]:|[\^↑])\s/;
/** Begins a caption in the languages whose papers and reports number figures and tables. */
const NUMBERED = /^(?:fig(?:ure|ura|uur)?|abb(?:ildung)?|tab(?:le|elle|ela|ella|la|leau|lica|el)?|рис(?:унок)?|табл(?:ица)?|图|圖|図|表|그림|표|şekil|tablo|rys(?:unek)?|hình|bảng|चित्र|तालिका|شكل|جدول)\.?[\t\n\f\r ]*\d{1,3}[\t\n\f\r ]*(?:[.:：–—]|$)/i;
const LIST_ITEM = /^[\t\f\r ]*(?:[-*+•‣◦▪■●○▶►➢✓]|\(?\d{1,3}[.)]|[a-z]\))[\t\f\r ]+[^\t\n\f\r ]/;
const COLUMNS = /[^\t\n\f\r ](?:\t+| {3,})[^\t\n\f\r ]|^[\t\f\r ]*\|.*\||\.\.\.\.\./;
const QUOTED = /^[\t\f\r ]*>/;
const FENCE = /^[\t\f\r ]*(?:```|~~~)/;
const TITLE = /^#{1,6}[\t\f\r ]+[^\t\n\f\r ]/;
/** Blanks at the end of a line. */
const TRAILING = " \t\r\f\v\u00a0\u2028\u2029";

/** Whether a text ends with a terminal mark. */
export const endsSentence = (text: string): boolean => SENTENCE_END.test(text);

/** The kind of a paragraph or list item that its text alone tells, else the kind it has. */
export function kindOfText(text: string, kind: BlockKind): BlockKind {
  if (ENTRY.test(text)) return "reference";
  return kind === "paragraph" && NUMBERED.test(text) ? "caption" : kind;
}

/** Characters of a heading in plain text, at most. */
const MAX_HEADING = 80;

interface Line { start: number; end: number }
/** The lines between two blank ones, or a block of code between fences. */
interface Group { lines: Line[]; code: boolean }

export const characters = (text: string): number => {
  let n = 0;
  for (const _ of text) n++;
  return n;
};

/** The blocks of a plain text: its stretches between blank lines, and the lines of lists and tables. */
export function plainBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const add = (start: number, end: number, kind: BlockKind): void => {
    if (start < end) blocks.push([start, end, kind]);
  };
  const groups = groupsOf(text);
  const lineText = ({ start, end }: Line): string => text.slice(start, end);
  const whole = ({ lines }: Group): string => text.slice(lines[0]!.start, lines.at(-1)!.end);
  const isHeading = (group: Group): boolean => {
    const own = whole(group).trim();
    return group.lines.length === 1 && characters(own) <= MAX_HEADING && !endsSentence(own) && !COLON_END.test(own);
  };
  groups.forEach((group, i) => {
    const { lines, code } = group;
    const first = lines[0]!;
    const last = lines.at(-1)!;
    const all = (pattern: RegExp): boolean => lines.every((line) => pattern.test(lineText(line)));
    const items = lines.filter((line) => LIST_ITEM.test(lineText(line))).length;
    const own = whole(group);
    if (code) add(first.start, last.end, "code");
    else if (all(QUOTED)) add(first.start, last.end, "blockQuotation");
    else if (all(COLUMNS)) for (const line of lines) add(line.start, line.end, "tableRow");
    else if (items > 1 || items === 1 && LIST_ITEM.test(lineText(first)) && (endsSentence(own) || !isHeading(group))) {
      let start = first.start;
      let kind: BlockKind = "paragraph";
      lines.forEach((line, j) => {
        if (!LIST_ITEM.test(lineText(line))) return;
        if (j > 0) add(start, lines[j - 1]!.end, kind);
        start = line.start;
        kind = "listItem";
      });
      add(start, last.end, kind);
    } else if (TITLE.test(own) && lines.length === 1 || i + 1 < groups.length && isHeading(group) && endsSentence(whole(groups[i + 1]!))) add(first.start, last.end, "heading");
    else add(first.start, last.end, kindOfText(own.trim(), "paragraph"));
  });
  return blocks;
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let group: Group = { lines: [], code: false };
  const end = (): void => {
    if (group.lines.length > 0) groups.push(group);
    group = { lines: [], code: false };
  };
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf("\n", at);
    const next = found < 0 ? text.length : found + 1;
    let stop = found < 0 ? text.length : found;
    // A pattern would take quadratic time on long runs.
    while (stop > at && TRAILING.includes(text[stop - 1]!)) stop--;
    const line = { start: at, end: stop };
    const content = text.slice(at, stop);
    at = next;
    if (FENCE.test(content)) {
      const { code } = group;
      if (!code) end();
      group.lines.push(line);
      if (code) end();
      else group.code = true;
    } else if (content === "" && !group.code) end();
    else group.lines.push(line);
  }
  end();
  return groups;
}

/** Preformatted text of so many characters is prose where at most one in MAX_SYMBOLS of them is a symbol of programs. */
const MIN_PROSE = 400;
const MAX_SYMBOLS = 50;

/** Whether preformatted text is running text, as in archives of mail and standards. */
export function looksLikeProse(text: string): boolean {
  const visible = text.replace(/[ \t\n\r\f]+/g, "");
  const symbols = visible.match(/[{}<>=;\\|~^$@#&]/g)?.length ?? 0;
  const all = characters(visible);
  return all >= MIN_PROSE && MAX_SYMBOLS * symbols <= all;
}
