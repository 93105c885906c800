// Conditions of @media and @supports, for a window on a screen. As in browsers, what
// is invalid or unknown does not apply, negated or not. Same rules as
// cmd/cerasum/internal/legible/media.go.

import { HEIGHT, ROOT_FONT, WIDTH, call, length, split } from "./length.ts";
import { READ, closes, validDeclaration, validSelector } from "./valid.ts";

/** 1 is true, 0 unknown, -1 false: min is and, max is or, minus is not. */
type Truth = 1 | 0 | -1;
type Leaf = (given: string) => Truth;

const truth = (value: boolean): Truth => (value ? 1 : -1);
const and = (a: Truth, b: Truth): Truth => (a < b ? a : b);
const or = (a: Truth, b: Truth): Truth => (a > b ? a : b);
const not = (a: Truth): Truth => (a === 0 ? 0 : a === 1 ? -1 : 1);

const MAX_DEPTH = 32;
const IDENTIFIER = /^-?[a-z_][a-z0-9_-]*$/;

/** Whether a list of media queries applies. */
export const applies = (queries: string): boolean => queries === "" || split(queries, ",").some(query);

function query(given: string): boolean {
  let words = split(given, " ");
  let negated = false;
  if (/^(?:not|only)$/.test(words[0] ?? "") && IDENTIFIER.test(words[1] ?? "")) {
    negated = words[0] === "not";
    words = words.slice(1);
  } else if (!IDENTIFIER.test(words[0] ?? "") || words[0] === "not") return condition(words, feature) === 1;
  const [type = "", joined, ...rest] = words;
  if (/^(?:not|only|and|or|layer)$/.test(type)) return false;
  let found = truth(type === "screen" || type === "all");
  if (joined !== undefined) {
    const more = joined === "and" ? condition(rest, feature, false) : undefined;
    if (more === undefined) return false;
    found = and(found, more);
  }
  return (negated ? not(found) : found) === 1;
}

/** What `and`, `or` and `not` connect; undefined if it is invalid. */
function condition(words: readonly string[], leaf: Leaf, either = true, depth = 0): Truth | undefined {
  if (words.length === 2 && words[0] === "not") {
    const found = enclosed(words[1]!, leaf, depth);
    return found === undefined ? undefined : not(found);
  }
  if (words.length % 2 === 0) return undefined;
  let found = enclosed(words[0]!, leaf, depth);
  for (let i = 1; i < words.length; i += 2) {
    const other = enclosed(words[i + 1]!, leaf, depth);
    if (found === undefined || other === undefined || words[i] !== words[1]) return undefined;
    if (words[i] === "and") found = and(found, other);
    else if (words[i] === "or" && either) found = or(found, other);
    else return undefined;
  }
  return found;
}

function enclosed(word: string, leaf: Leaf, depth: number): Truth | undefined {
  const open = word.indexOf("(");
  if (open < 0 || !closes(word.slice(open)) || (open > 0 && !IDENTIFIER.test(word.slice(0, open)))) return undefined;
  if (open > 0 || depth > MAX_DEPTH) return leaf(word);
  const inside = word.slice(1, -1).trim();
  const words = split(inside, " ");
  if (inside.startsWith("(") || (words.length > 1 && words[0] === "not")) return condition(words, leaf, true, depth + 1) ?? 0;
  return leaf(inside);
}

type Reader = (value: string) => number | undefined;

const isNumber = (value: string): boolean => /^[-+]?(?:\d*\.)?\d+(?:e[-+]?\d+)?$/.test(value);
const number: Reader = (value) => (isNumber(value) ? Number(value) : undefined);
const pixels: Reader = (value) => {
  const found = length(value, { font: ROOT_FONT });
  return isNumber(value) && found !== 0 ? undefined : found;
};
const ratio: Reader = (value) => {
  const [over, under] = [...value.split("/"), "1"].map((part) => number(part.trim()));
  return over === undefined || under === undefined ? undefined : over / under;
};
const resolution: Reader = (value) => {
  const [, digits = "", unit] = /^([^a-z]*(?:e[-+]?\d+)?)(dppx|dpi|dpcm|x)$/.exec(value) ?? [];
  const dots = unit === "dpi" ? 1 / 96 : unit === "dpcm" ? 2.54 / 96 : 1;
  return isNumber(digits) ? Number(digits) * dots : undefined;
};

/** Features of a size, and how their values are read. */
const RANGES = new Map<string, readonly [size: number, read: Reader]>([
  ["width", [WIDTH, pixels]], ["height", [HEIGHT, pixels]], ["device-width", [WIDTH, pixels]], ["device-height", [HEIGHT, pixels]],
  ["aspect-ratio", [WIDTH / HEIGHT, ratio]], ["device-aspect-ratio", [WIDTH / HEIGHT, ratio]],
  ["resolution", [1, resolution]], ["-webkit-device-pixel-ratio", [1, number]], ["color", [8, number]], ["color-index", [0, number]], ["monochrome", [0, number]],
]);

/** The values of other features, that of the window first. */
const CHOICES = new Map<string, readonly string[]>([
  ["orientation", ["landscape", "portrait"]], ["scan", ["progressive", "interlace"]], ["update", ["fast", "slow", "none"]], ["grid", ["0", "1"]],
  ["-webkit-transform-3d", ["1", "0"]], ["overflow-block", ["scroll", "none", "paged"]], ["overflow-inline", ["scroll", "none"]],
  ["color-gamut", ["srgb", "p3", "rec2020"]], ["dynamic-range", ["standard", "high"]], ["video-dynamic-range", ["standard", "high"]],
  ["hover", ["hover", "none"]], ["any-hover", ["hover", "none"]], ["pointer", ["fine", "coarse", "none"]],
  ["any-pointer", ["fine", "coarse", "none"]], ["prefers-reduced-motion", ["no-preference", "reduce"]],
  ["prefers-reduced-transparency", ["no-preference", "reduce"]], ["prefers-reduced-data", ["no-preference", "reduce"]],
  ["prefers-contrast", ["no-preference", "more", "less", "custom"]], ["prefers-color-scheme", ["light", "dark"]],
  ["forced-colors", ["none", "active"]], ["inverted-colors", ["none", "inverted"]], ["scripting", ["enabled", "initial-only", "none"]],
  ["display-mode", ["browser", "fullscreen", "standalone", "minimal-ui", "picture-in-picture", "window-controls-overlay"]],
]);

const FLIP: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };

function feature(given: string): Truth {
  const colon = given.indexOf(":");
  if (colon >= 0) {
    const value = given.slice(colon + 1).trim();
    const [, vendor = "", most, rest = ""] = /^(-webkit-)?(min-|max-)?(.*)$/.exec(given.slice(0, colon).trim()) ?? [];
    const range = RANGES.get(vendor + rest);
    if (range) return compare(range[0], most === "min-" ? ">=" : most === "max-" ? "<=" : "=", range[1](value));
    const choices = most ? undefined : CHOICES.get(vendor + rest);
    return choices?.includes(value) ? truth(value === choices[0]) : 0;
  }
  const [first = "", sign, second, next, third, ...more] = given.split(/(<=|>=|<|>|=)/).map((part) => part.trim());
  if (sign !== undefined) {
    const own = next === undefined ? RANGES.get(first) : undefined;
    if (own) return compare(own[0], sign, own[1](second!));
    const range = RANGES.get(second!);
    if (!range || more.length > 0 || (next !== undefined && (sign === "=" || sign[0] !== next[0]))) return 0;
    const found = compare(range[0], FLIP[sign]!, range[1](first));
    return next === undefined ? found : and(found, compare(range[0], next, range[1](third!)));
  }
  const range = RANGES.get(given);
  if (range) return truth(range[0] !== 0);
  const choices = CHOICES.get(given);
  return choices ? truth(!/^(?:none|no-preference|0)$/.test(choices[0]!)) : 0;
}

function compare(size: number, sign: string, other: number | undefined): Truth {
  if (other === undefined) return 0;
  return truth(sign === "<" ? size < other : sign === "<=" ? size <= other : sign === ">" ? size > other : sign === ">=" ? size >= other : size === other);
}

/** Whether a condition of @supports applies. Properties that are not read are taken to be supported. */
export const isSupported = (given: string): boolean => condition(split(given, " "), supported) === 1;

function supported(given: string): Truth {
  const [name, inside] = call(given);
  if (IDENTIFIER.test(name)) return name === "selector" ? truth(validSelector(inside)) : name === "font-tech" || name === "font-format" ? 1 : 0;
  const colon = given.indexOf(":");
  const property = given.slice(0, Math.max(0, colon)).trim();
  if (property.startsWith("--")) return 1;
  if (!IDENTIFIER.test(property)) return 0;
  return truth(!READ.has(property) || validDeclaration(property, given.slice(colon + 1).trim(), false));
}
