// Which letters of a PDF's page no reader sees: those drawn with an invisible
// rendering mode, without opacity, or in the colour of what is behind them.

import { OPS, Util } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Color, MIN_OPACITY, distinct } from "./legible.ts";

type Matrix = [number, number, number, number, number, number];

interface State {
  matrix: Matrix;
  /** Undefined for patterns. */
  fill: Color | undefined;
  stroke: Color | undefined;
  opacity: number;
  mode: number;
  leading: number;
  /** Whether something was drawn since it was saved. */
  drawn: boolean;
  moved: boolean;
}

/** A painted area of the page; without a colour a picture. */
interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
  color: Color | undefined;
}

/** What getOperatorList gives. */
export interface Operators {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
}

/** The letters of a page in drawing order, without blanks. */
export interface Letters {
  text: string[];
  hidden: boolean[];
}

const WHITE: Color = [255, 255, 255, 1];
const BLACK: Color = [0, 0, 0, 1];
/** Of the page: pictures that cover more may be scans, whose recognized text is invisible. */
const SCAN = 0.5;
/** Areas that are kept: a page of more is a drawing. */
const MAX_AREAS = 2000;

const rgb = (hex: unknown): Color | undefined => {
  const digits = typeof hex === "string" ? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex) : null;
  return digits ? [parseInt(digits[1]!, 16), parseInt(digits[2]!, 16), parseInt(digits[3]!, 16), 1] : undefined;
};

/** The letters of a page; undefined if all can be seen. `box` is that of the page. */
export function hiddenLetters({ fnArray, argsArray }: Operators, [left, bottom, right, top]: readonly number[]): Letters | undefined {
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], fill: BLACK, stroke: BLACK, opacity: 1, mode: 0, leading: 0, drawn: false, moved: false };
  const saved: State[] = [];
  let line: Matrix = [1, 0, 0, 1, 0, 0];
  const areas: Area[] = [];
  const letters: Letters = { text: [], hidden: [] };
  let invisible = 0;
  let seen = 0;
  let pictured = 0;
  const paint = (box: readonly number[], color: Color | undefined): void => {
    const [a, b, c, d] = box as [number, number, number, number];
    const points = [[a, b], [c, b], [a, d], [c, d]].map(([x, y]) => {
      const point: [number, number] = [x!, y!];
      Util.applyTransform(point, state.matrix);
      return point;
    });
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const area = { left: Math.max(Math.min(...xs), left!), right: Math.min(Math.max(...xs), right!), top: Math.max(Math.min(...ys), bottom!), bottom: Math.min(Math.max(...ys), top!), color };
    if (!color) pictured += Math.max(0, area.right - area.left) * Math.max(0, area.bottom - area.top);
    if (areas.length < MAX_AREAS) areas.push(area);
  };
  const show = (glyphs: unknown): void => {
    const [x, y] = (() => {
      const point: [number, number] = [0, 0];
      Util.applyTransform(point, line);
      Util.applyTransform(point, state.matrix);
      return point;
    })();
    let ground: Color | undefined = WHITE;
    for (const area of areas) if (x >= area.left - 1 && x <= area.right + 1 && y >= area.top - 1 && y <= area.bottom + 1) ground = area.color;
    const none = state.mode === 3 || state.mode === 7;
    const inks = state.mode % 4 === 1 ? [state.stroke] : state.mode % 4 === 2 ? [state.fill, state.stroke] : [state.fill];
    const unseen = none || state.opacity < MIN_OPACITY || ground !== undefined && inks.every((ink) => ink && !distinct([ink[0], ink[1], ink[2], state.opacity], ground));
    for (const glyph of Array.isArray(glyphs) ? glyphs : []) {
      const unicode = (glyph as { unicode?: unknown } | null)?.unicode;
      // pdf.js leaves format characters out of its texts: a soft hyphen, for one.
      if (typeof unicode !== "string" || /^\p{Cf}+$/u.test(unicode)) continue;
      for (const c of unicode.replace(/\s+/g, "")) {
        letters.text.push(c);
        letters.hidden.push(unseen);
        if (none) invisible++;
        else if (!unseen) seen++;
      }
    }
  };
  fnArray.forEach((fn, i) => {
    const args = (argsArray[i] ?? []) as unknown[];
    const numbers = args as number[];
    switch (fn) {
      case OPS.save:
      case OPS.paintFormXObjectBegin:
      case OPS.beginGroup:
      case OPS.beginAnnotation:
        saved.push({ ...state });
        state = { ...state, drawn: false, moved: false };
        if (fn === OPS.paintFormXObjectBegin && Array.isArray(args[0])) state.matrix = Util.transform(state.matrix, args[0]) as Matrix;
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
      case OPS.endGroup:
      case OPS.endAnnotation: {
        // Pictures are not decoded: what was moved and drew nothing is one.
        if (fn === OPS.restore && state.moved && !state.drawn) paint([0, 0, 1, 1], undefined);
        const before = saved.pop();
        if (before) state = { ...before, drawn: true };
        break;
      }
      case OPS.transform:
        state.matrix = Util.transform(state.matrix, numbers) as Matrix;
        state.moved = true;
        break;
      case OPS.setFillRGBColor:
        state.fill = rgb(args[0]);
        break;
      case OPS.setStrokeRGBColor:
        state.stroke = rgb(args[0]);
        break;
      case OPS.setFillColorN:
        state.fill = undefined;
        break;
      case OPS.setStrokeColorN:
        state.stroke = undefined;
        break;
      case OPS.setGState:
        for (const [key, value] of (args[0] ?? []) as [string, unknown][]) if (key === "ca" && typeof value === "number") state.opacity = value;
        break;
      case OPS.constructPath: {
        state.drawn = true;
        const [kind, , box] = args as [number, unknown, ArrayLike<number> | null];
        const fills = kind === OPS.fill || kind === OPS.eoFill || kind === OPS.fillStroke || kind === OPS.eoFillStroke || kind === OPS.closeFillStroke || kind === OPS.closeEOFillStroke;
        if (fills && box) paint(Array.from(box), state.opacity > 0.5 ? state.fill : undefined);
        break;
      }
      case OPS.shadingFill:
        state.drawn = true;
        if (areas.length < MAX_AREAS) areas.push({ left: left!, right: right!, top: bottom!, bottom: top!, color: undefined });
        break;
      case OPS.setTextRenderingMode:
        state.mode = numbers[0]!;
        break;
      case OPS.setLeading:
        state.leading = -numbers[0]!;
        break;
      case OPS.beginText:
        line = [1, 0, 0, 1, 0, 0];
        state.drawn = true;
        break;
      case OPS.setTextMatrix:
        line = Array.from((Array.isArray(args[0]) || ArrayBuffer.isView(args[0]) ? args[0] : args) as ArrayLike<number>) as Matrix;
        break;
      case OPS.moveText:
      case OPS.setLeadingMoveText:
        if (fn === OPS.setLeadingMoveText) state.leading = numbers[1]!;
        line = Util.transform(line, [1, 0, 0, 1, numbers[0]!, numbers[1]!]) as Matrix;
        break;
      case OPS.nextLine:
        line = Util.transform(line, [1, 0, 0, 1, 0, state.leading]) as Matrix;
        break;
      case OPS.showText:
      case OPS.showSpacedText:
        show(args[0]);
        break;
      case OPS.nextLineShowText:
      case OPS.nextLineSetSpacingShowText:
        line = Util.transform(line, [1, 0, 0, 1, 0, state.leading]) as Matrix;
        show(args.at(-1));
        break;
    }
  });
  if (!letters.hidden.includes(true)) return undefined;
  // Text that was recognized in a scan is drawn behind its picture.
  if (seen === 0 && invisible === letters.text.length && pictured > SCAN * (right! - left!) * (top! - bottom!)) return undefined;
  return letters;
}

/** Letters that are compared to find a text among those of its page. */
const SEARCHED = 5000;

/** Removes the hidden letters from the texts of a page, which come in drawing order. */
export class Revealed {
  #at = 0;

  constructor(readonly letters: Letters) {}

  /** What can be seen of a text: "" for nothing; all of it if it is not found among the letters, unless the next ones are all hidden. */
  of(text: string): string {
    const all = [...text];
    const own = all.filter((c) => /\S/.test(c));
    if (own.length === 0) return text;
    const { text: letters, hidden } = this.letters;
    const turned = [...own].reverse();
    const found = (start: number, list: readonly string[]): boolean => list.every((c, i) => letters[start + i] === c);
    for (let start = this.#at; start < Math.min(letters.length, this.#at + SEARCHED); start++) {
      const reversed = !found(start, own);
      if (reversed && !found(start, turned)) continue;
      this.#at = start + own.length;
      const flags = hidden.slice(start, start + own.length);
      if (reversed) flags.reverse();
      let i = 0;
      return all.filter((c) => !/\S/.test(c) || !flags[i++]).join("");
    }
    return hidden.slice(this.#at, this.#at + own.length).every(Boolean) ? "" : text;
  }
}
