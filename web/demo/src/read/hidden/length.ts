// Lengths and numbers of CSS. Same rules as cmd/cerasum/internal/legible/length.go.

/** CSS pixels: no window has a size where a file is read. */
export const WIDTH = 1280;
export const HEIGHT = 800;
export const ROOT_FONT = 16;

/** What relative units refer to, in pixels. A percentage is unknown where there is none. */
export interface Reference {
  font: number;
  percent?: number | undefined;
}

const UNITS: Record<string, number> = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6 };
const FONT_UNITS: Record<string, number> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 };

/** How many units of a dimension a pixel has, or the reverse for numbers. */
function unit(name: string, { font, percent }: Reference): number | undefined {
  if (name === "") return 1;
  if (name === "%") return percent === undefined ? undefined : percent / 100;
  if (Object.hasOwn(UNITS, name)) return UNITS[name];
  if (Object.hasOwn(FONT_UNITS, name)) return FONT_UNITS[name]! * font;
  const root = name.startsWith("r") ? name.slice(1) : "";
  if (Object.hasOwn(FONT_UNITS, root)) return FONT_UNITS[root]! * ROOT_FONT;
  const port = /^[sldc]?(?:v|q)(w|h|i|b|min|max)$/.exec(name)?.[1];
  if (port) return (port === "h" || port === "b" || port === "min" ? HEIGHT : WIDTH) / 100;
  return undefined;
}

export const isUnit = (name: string): boolean => name !== "" && unit(name, { font: ROOT_FONT, percent: 1 }) !== undefined;

const TOKEN = /\s*(?:([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)|(-?[a-z-]*\()|([-+*/(),]))/iy;
/** Nested parentheses, at most. */
const MAX_DEPTH = 32;

/**
 * The pixels of a length, or the value of a number: also of calc(), min(), max()
 * and clamp(). Undefined for keywords and lengths that cannot be computed.
 */
export function length(value: string, reference: Reference): number | undefined {
  const text = value.trim();
  let at = 0;
  let depth = 0;
  const next = (): RegExpExecArray | null => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found) at = TOKEN.lastIndex;
    return found;
  };
  const peek = (): string => /^\s*(.?)/.exec(text.slice(at, at + 20))![1]!;
  const sum = (): number | undefined => {
    let total = product();
    while (total !== undefined && (peek() === "+" || peek() === "-")) {
      // A sign that belongs to a number is an operator, too: "1px -2px" is no sum of CSS, but is none of its lengths either.
      const sign = peek();
      at = text.indexOf(sign, at) + 1;
      const more = product();
      total = more === undefined ? undefined : sign === "+" ? total + more : total - more;
    }
    return total;
  };
  const product = (): number | undefined => {
    let total = term();
    while (total !== undefined && (peek() === "*" || peek() === "/")) {
      const [, , , , sign] = next()!;
      const more = term();
      total = more === undefined || sign === "/" && more === 0 ? undefined : sign === "*" ? total * more : total / more;
    }
    return total;
  };
  const term = (): number | undefined => {
    const [, number, name = "", call, sign] = next() ?? [];
    if (number !== undefined) {
      const one = unit(name.toLowerCase(), reference);
      return one === undefined ? undefined : Number(number) * one;
    }
    const kind = sign === "(" ? "(" : call?.toLowerCase();
    if (!kind || ++depth > MAX_DEPTH) return undefined;
    const all: number[] = [];
    for (;;) {
      const one = sum();
      if (one === undefined) return undefined;
      all.push(one);
      const end = next()?.[4];
      if (end === ")") break;
      if (end !== ",") return undefined;
    }
    depth--;
    if (kind === "min(") return all.reduce((a, b) => Math.min(a, b));
    if (kind === "max(") return all.reduce((a, b) => Math.max(a, b));
    if (kind === "clamp(" && all.length === 3) return Math.max(all[0]!, Math.min(all[1]!, all[2]!));
    if (kind === "abs(") return Math.abs(all[0]!);
    return kind === "calc(" || kind === "-webkit-calc(" || kind === "(" ? all[0] : undefined;
  };
  const total = sum();
  return at === text.length && total !== undefined && Number.isFinite(total) ? total : undefined;
}

/** The parts of a value that blanks or commas separate, outside of parentheses. */
export function split(value: string, separator: " " | "," | "/"): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  for (const c of value) {
    if (c === "(") depth++;
    if (c === ")") depth--;
    const ends = depth === 0 && (separator === " " ? /\s/.test(c) : c === separator);
    if (!ends) {
      part += c;
      continue;
    }
    if (part || separator !== " ") parts.push(part.trim());
    part = "";
  }
  if (part.trim() || separator !== " " && parts.length > 0) parts.push(part.trim());
  return parts;
}

/** A function's name and arguments, "" for none. */
export function call(value: string): [name: string, inside: string] {
  const open = value.indexOf("(");
  return open > 0 && value.endsWith(")") ? [value.slice(0, open).toLowerCase(), value.slice(open + 1, -1)] : ["", ""];
}
