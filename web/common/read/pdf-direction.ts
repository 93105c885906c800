// The order of reading of lines with text that is written to the left. A PDF only says
// where the pieces of a line are: most programs draw them from left to right, some in
// the order of reading. cmd/cerasum/internal/ingest/pdf_direction.go does the same.

/** A run of characters in one font. Units are points; y grows downwards. */
export interface Piece {
  text: string;
  x: number;
  /** Of the base line. */
  y: number;
  width: number;
  /** Of the font. */
  height: number;
}

/** A class of pieces, by the letters and digits in them. */
type Class = "neutral" | "number" | "leftward" | "rightward";

const LEFTWARD = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Whether a text has letters that are written to the left. */
export const hasLeftward = (text: string): boolean => LEFTWARD.test(text);

const ALL_LEFTWARD = new RegExp(LEFTWARD.source, "gu");

const MARKS = /^\p{M}+$/u;

const classOf = (text: string): Class => (LEFTWARD.test(text) ? "leftward" : /\p{L}/u.test(text) ? "rightward" : /\p{N}/u.test(text) ? "number" : "neutral");

/** Counts the letters that are written to the left, and the others. */
export function directions(pieces: readonly Piece[]): { left: number; right: number } {
  let left = 0;
  let all = 0;
  for (const { text } of pieces) {
    left += text.match(ALL_LEFTWARD)?.length ?? 0;
    all += text.match(/\p{L}/gu)?.length ?? 0;
  }
  return { left, right: all - left };
}

/** Whether a line is read from right to left; `page` tells whether its page has more such letters than others. */
export function isLeftwardLine(pieces: readonly Piece[], page: boolean): boolean {
  const { left, right } = directions(pieces);
  return left > right || page && 8 * left > right;
}

/** The classes of the nearest unit on a side of another that is not neutral, and of the nearest with letters; neutral if there is none. */
interface Side {
  any: Class;
  letters: Class;
}

/** The sides before and after each unit, by the classes of all. */
function nearest(classes: readonly Class[]): { before: Side[]; after: Side[] } {
  const none: Side = { any: "neutral", letters: "neutral" };
  const pass = (side: Side, own: Class): Side => (own === "neutral" ? side : own === "number" ? { any: own, letters: side.letters } : { any: own, letters: own });
  const before = classes.map(() => none);
  const after = classes.map(() => none);
  for (let i = 1; i < classes.length; i++) before[i] = pass(before[i - 1]!, classes[i - 1]!);
  for (let i = classes.length - 2; i >= 0; i--) after[i] = pass(after[i + 1]!, classes[i + 1]!);
  return { before, after };
}

/**
 * The text of a line whose pieces are each in the order of reading. Undoes what the
 * bidirectional algorithm of Unicode (UAX #9) does to show a line: rule L2, with the
 * levels that its other rules would give most texts.
 */
export function readingOrder(pieces: readonly Piece[], toLeft: boolean): string {
  const given = pieces.map(({ text, x, width, height }) => ({ text, x, width, height }));
  const line: typeof given = [];
  // The pieces that marks may belong to, by the index of the mark.
  const following: ((typeof given)[number] | undefined)[] = [];
  for (let i = given.length - 1, next: (typeof given)[number] | undefined; i >= 0; i--) {
    following[i] = next;
    const { text } = given[i]!;
    if (text.trim() !== "" && !MARKS.test(text)) next = given[i];
  }
  given.forEach((piece, i) => {
    if (MARKS.test(piece.text)) {
      // A mark is drawn after its letter in the order of reading, before it in that of the line.
      const last = line.at(-1);
      const next = following[i];
      if (next && (!last || next.x >= last.x)) next.text += piece.text;
      else if (last) last.text += piece.text;
      // A blank without a width is between a mark and its letter.
    } else if (piece.text.trim() !== "" || piece.width > 0.01 * piece.height) line.push(piece);
  });
  line.sort((a, b) => a.x - b.x);
  const units: string[] = [];
  let right = 0;
  for (const piece of line) {
    if (units.length > 0 && piece.x - right > 0.2 * piece.height && !/\s$/.test(units.at(-1)!.slice(-1)) && !/^\s/.test(piece.text)) units.push(" ");
    units.push(piece.text);
    right = Math.max(right, piece.x + piece.width);
  }

  const classes = units.map(classOf);
  // Points and the like within a number belong to it.
  for (let i = 1; i + 1 < units.length; i++) {
    if (classes[i] === "neutral" && classes[i - 1] === "number" && classes[i + 1] === "number" && /^[.,:/–-]*$/.test(units[i]!)) classes[i] = "number";
  }
  const { before, after } = nearest(classes);
  const levels = classes.map((own, i) => {
    if (own === "leftward") return 1;
    if (!toLeft) {
      const enclosed = before[i]!.letters === "leftward" && after[i]!.letters === "leftward";
      return !enclosed || own === "rightward" ? 0 : own === "number" ? 2 : 1;
    }
    return own === "neutral" && !(before[i]!.any === "rightward" && /^(?:rightward|number)$/.test(after[i]!.any)) ? 1 : 2;
  });
  const order = units.map((_, i) => i);
  for (const level of [1, 2]) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && levels[order[to]!]! >= level) to++;
      for (let a = from, b = to - 1; a < b; a++, b--) [order[a], order[b]] = [order[b]!, order[a]!];
      from = Math.max(from, to);
    }
  }
  const text = order.map((i) => units[i]!).join("").replace(/[\ufb50-\ufdff\ufe70-\ufefc]/g, (shape) => shape.normalize("NFKC"));
  return turnBrackets(text.replace(/[ \t\u00a0]+/g, " ").trim());
}

const MIRRORED: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "«": "»", "»": "«" };

/** Turns the brackets that open where they should close: some programs name them as they look, others as they are meant. */
function turnBrackets(text: string): string {
  const characters = [...text];
  const isWord = (character: string): boolean => /[\p{L}\p{N}\p{M}]/u.test(character);
  const isLoose = (character: string): boolean => /[\s\p{P}]/u.test(character);
  characters.forEach((character, i) => {
    const other = MIRRORED[character];
    if (!other) return;
    const before = characters[i - 1] ?? " ";
    const after = characters[i + 1] ?? " ";
    if (/[([{«]/.test(character) ? isWord(before) && isLoose(after) : isLoose(before) && isWord(after)) characters[i] = other;
  });
  return characters.join("");
}
