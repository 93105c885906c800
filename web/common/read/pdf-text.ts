// Joins the text fragments of a PDF's pages into running text: lines, paragraphs,
// words hyphenated at line ends. Running heads and page numbers are left out.

import type { BlockKind } from "cerasum";
import type { Part } from "./parts.ts";
import { type Piece, directions, hasLeftward, isLeftwardLine, readingOrder } from "./pdf-direction.ts";
import { endsSentence, kindOfText } from "./plain.ts";

export interface Page {
  width: number;
  height: number;
  /** In drawing order, which is the reading order in almost all files. */
  pieces: readonly Piece[];
}

export interface Line {
  text: string;
  x: number;
  y: number;
  right: number;
  height: number;
  page: number;
  /** Read from right to left. */
  toLeft: boolean;
}

/** A line while its pieces are read. */
interface Drawn extends Line {
  /** Has letters that are written to the left. */
  leftward: boolean;
  pieces: Piece[];
}

/** A document's text, and its title if the first lines look like one. */
export interface Laid {
  title: string;
  parts: Part[];
}

/** Lines of a page, in the order in which they are drawn. */
export function lines(page: Page, index: number): Line[] {
  const found: Drawn[] = [];
  let line: Drawn | undefined;
  let ends = false; // line ends with a blank
  const { left, right } = directions(page.pieces);
  for (const piece of page.pieces) {
    if (piece.text === "") continue;
    const blank = piece.text.trim() === "";
    // Superscripts and subscripts belong to their line; table cells and adjacent columns are lines of their own.
    const size = line ? Math.max(line.height, piece.height) : 0;
    const leftward = left > 0 && hasLeftward(piece.text);
    // Lines that are read to the left may be drawn in that order, too.
    const follows = line && (piece.x > line.right - size || (line.leftward || leftward) && piece.x + piece.width > line.x - 3 * size);
    const same = line && follows && Math.abs(piece.y - line.y) < 0.5 * size && piece.x < line.right + 3 * size;
    if (blank) {
      // Ignore its width, which is unreliable in justified lines.
      if (same && !ends) line!.text += " ";
      if (same) {
        line!.pieces.push(piece);
        ends = true;
      }
      continue;
    }
    if (!line || !same) {
      line = { text: piece.text, x: piece.x, y: piece.y, right: piece.x + piece.width, height: piece.height, page: index, toLeft: false, leftward, pieces: [piece] };
      found.push(line);
      ends = /\s/.test(piece.text.slice(-1));
      continue;
    }
    const gap = piece.x - line.right > 0.2 * size;
    if (gap && !ends && !/^\s/.test(piece.text)) line.text += " ";
    line.text += piece.text;
    ends = /\s/.test(piece.text.slice(-1));
    line.right = Math.max(line.right, piece.x + piece.width);
    line.pieces.push(piece);
    line.leftward ||= leftward;
    if (line.leftward) line.x = Math.min(line.x, piece.x);
    // Larger characters determine the base line.
    if (piece.height > line.height) {
      line.height = piece.height;
      line.y = piece.y;
    }
  }
  for (const one of found) {
    if (one.leftward) {
      one.toLeft = isLeftwardLine(one.pieces, left > right);
      one.text = readingOrder(one.pieces, one.toLeft);
    } else one.text = one.text.replace(/[ \t\u00a0]+/g, " ").trim();
  }
  return found.filter(({ text }) => text !== "");
}

/** Maximum distance of a running head from the edge of the page, relative to its height. */
const MARGIN = 0.13;
/** Lines at each edge that may be running heads. */
const HEADS = 3;

const LONE_NUMBER = /^(?:[–—-]|(?:page|p\.|seite|pagina|página|pág\.?|стр\.?|sayfa)\s)?\s*\d{1,4}\s*(?:[–—-]|(?:of|de|von|sur|di|из|van|\/)\s*\d{1,4})?$/iu;

/** Lines that repeat, except for numbers, at the same place on several pages; and lone page numbers. */
function runningHeads(pages: readonly Page[], all: readonly Line[][]): Set<Line> {
  const places = new Map<string, Line[]>();
  const heads = new Set<Line>();
  all.forEach((own, index) => {
    const { height } = pages[index]!;
    const byHeight = [...own].sort((a, b) => a.y - b.y);
    const top = byHeight.slice(0, HEADS).filter(({ y }) => y < MARGIN * height);
    const bottom = byHeight.slice(-HEADS).filter(({ y }) => y > (1 - MARGIN) * height);
    for (const line of [...top, ...bottom]) {
      const key = `${line.y < height / 2} ${Math.round(line.y / 6)} ${line.text.toLowerCase().replace(/\d+|\b[ivxlc]+\b/g, "#")}`;
      places.set(key, [...(places.get(key) ?? []), line]);
      if (LONE_NUMBER.test(line.text)) heads.add(line);
    }
  });
  // Left and right pages may have heads of their own.
  const enough = Math.max(2, Math.ceil(pages.length / 4));
  for (const found of places.values()) if (found.length >= enough) for (const line of found) heads.add(line);
  return heads;
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** The size of most characters. */
function bodyHeight(all: readonly Line[]): number {
  const sizes = new Map<number, number>();
  for (const { height, text } of all) {
    const size = Math.round(height * 2) / 2;
    sizes.set(size, (sizes.get(size) ?? 0) + text.length);
  }
  return [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

/** Matches the end of a sentence. */
const ENDS = /[.!?…:。！？؟۔।][\p{Pe}\p{Pf}"'’”»)]*$/u;
/** Matches the marker of a list item. */
const BULLET = /^(?:[•▪◦‣●○■–—*·-]\s|\(?\d{1,2}[.)]\s|[a-z]\)\s)/u;

/** Whether a new paragraph begins with `line`. `gap` is the usual distance of lines. */
function begins(line: Line, before: Line, gap: number, left: number): boolean {
  const size = Math.max(line.height, before.height);
  const smaller = Math.min(line.height, before.height);
  if (smaller < 0.87 * size) return true;
  if (BULLET.test(line.text)) return true;
  const goesOn = !ENDS.test(before.text) && /^[\p{Ll}\d(«“"'’‘—–-]/u.test(line.text);
  const below = line.page === before.page && line.y > before.y;
  // An unfinished sentence continues at the top of the next column or page.
  if (!below) return !(line.y < before.y || line.page > before.page) || !goesOn && (ENDS.test(before.text) || /^\p{Lu}/u.test(line.text) && before.right < left + 20 * size);
  if (line.y - before.y > 1.45 * Math.max(gap, 1.05 * size)) return true;
  // An indented line after one that is not.
  const indent = line.toLeft ? before.right - line.right : line.x - before.x;
  return indent > 0.8 * size && indent < 6 * size && ENDS.test(before.text);
}

/** The words inside a text's lines, including hyphenated ones and their beginnings ("well-"). */
function vocabulary(all: readonly Line[]): Set<string> {
  const words = new Set<string>();
  for (const { text } of all) {
    for (const [word] of text.toLowerCase().replaceAll("‐", "-").matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu)) {
      words.add(word);
      if (word.includes("-")) words.add(word.slice(0, word.indexOf("-") + 1));
    }
  }
  return words;
}

/** Longer words are not looked up. */
const MAX_WORD = 100;

/** The word before a hyphen at the end of the text, with the hyphens in it. A pattern would take quadratic time on long words. */
function divided(text: string): string | undefined {
  if (!/[-‐\u00ad]/.test(text.slice(-1))) return undefined;
  const tail = [...text.slice(-MAX_WORD - 1, -1)];
  const letter = (i: number): boolean => i >= 0 && /[\p{L}\p{M}]/u.test(tail[i]!);
  let start = tail.length;
  while (letter(start - 1) || start < tail.length && /[-‐]/.test(tail[start - 1] ?? "") && letter(start - 2)) start--;
  return tail.slice(start).join("") || undefined;
}

/** Appends a line to the text. A hyphen at the end is removed if it only divided a word. */
function join(text: string, line: string, words: ReadonlySet<string>): string {
  const first = divided(text);
  const next = /^\p{L}[\p{L}\p{M}]*/u.exec(line)?.[0];
  if (first && next) {
    const stem = text.slice(0, -1);
    if (text.endsWith("\u00ad")) return stem + line;
    const lower = first.toLowerCase();
    const kept = (words.has(`${lower}-${next.toLowerCase()}`) || words.has(`${lower}-`)) && !words.has(lower + next.toLowerCase());
    // A capital or a digit after the hyphen: part of a name, keep it.
    return kept || /^\p{Lu}/u.test(next) ? text + line : stem + line;
  }
  // Patterns that match at the end read all before it.
  const end = text.slice(-3);
  if (/[\p{L}\p{N}][-‐]$/u.test(end) && /^\p{N}/u.test(line)) return text + line;
  // Scripts without spaces are joined without one.
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？」』）]$/u.test(end) && /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}「『（、。]/u.test(line);
  return unspaced ? text + line : `${text} ${line}`;
}

/** Headings of lists of references, in the languages of most papers. */
const REFERENCES = /^(?:\d+\.?\s*)?(?:references|bibliography|works cited|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|referências|bibliografia|riferimenti|referenties|literatura|piśmiennictwo|(?:список )?литератур[аы]|література|参考文献|參考文獻|참고\s*문헌|kaynakça|kaynaklar|المراجع|संदर्भ|tài liệu tham khảo)\s*$/iu;
const MAX_HEADING = 150;
const MAX_NOTE = 400;

/** The kind of a paragraph, by its size relative to that of most text and by how it begins. */
function kindOf(text: string, size: number): BlockKind {
  if (size >= 1.12 && text.length <= MAX_HEADING && !endsSentence(text) || REFERENCES.test(text)) return "heading";
  if (size <= 0.85 && text.length <= MAX_NOTE) return /^[\d*†‡§¹²³]/.test(text) ? "reference" : "caption";
  return kindOfText(text, BULLET.test(text) && !/^[–—-]/.test(text) ? "listItem" : "paragraph");
}

/** The paragraphs of all pages. */
export function layOut(pages: readonly Page[]): Laid {
  const perPage = pages.map(lines);
  const heads = runningHeads(pages, perPage);
  const all = perPage.flat().filter((line) => !heads.has(line));
  const body = bodyHeight(all);
  const gaps = all.slice(1).map((line, i) => (line.page === all[i]!.page ? line.y - all[i]!.y : 0)).filter((gap) => gap > 0.5 * body && gap < 3 * body);
  const gap = median(gaps);
  const left = median(all.map(({ x }) => x));
  const words = vocabulary(all);
  const paragraphs: { text: string; height: number; page: number }[] = [];
  all.forEach((line, i) => {
    const last = paragraphs.at(-1);
    if (!last || begins(line, all[i - 1]!, gap, left)) paragraphs.push({ text: line.text, height: line.height, page: line.page });
    else last.text = join(last.text, line.text, words);
  });

  // A large first line on the first page is the title, which is not quoted.
  let title = "";
  const [first] = paragraphs;
  const largest = paragraphs.reduce((most, { page, height }) => (page === 0 ? Math.max(most, height) : most), 0);
  if (first && first.height >= 1.25 * body && first.height >= 0.95 * largest && first.text.length <= 200 && paragraphs.length > 1) {
    title = first.text;
    paragraphs.shift();
  }
  let cited = false;
  const parts = paragraphs.map(({ text, height }): Part => {
    const own = text.replaceAll("\u00ad", "").normalize("NFC");
    const kind = kindOf(own, body > 0 ? height / body : 1);
    if (kind === "heading") cited = REFERENCES.test(own);
    return { kind: cited && kind !== "heading" ? "reference" : kind, text: own };
  });
  return { title: title.normalize("NFC"), parts };
}
