// Media queries, for a window on a screen. Twin of cmd/cerasum/internal/legible/media.go.

import { HEIGHT, ROOT_FONT, WIDTH, length, split } from "./length.ts";

/** Features that a window does not have; others that cannot be told are taken to apply. */
const OTHERS = /^(?:prefers-color-scheme:dark|prefers-reduced-motion:reduce|prefers-contrast:(?:more|less|custom)|prefers-reduced-transparency:reduce|prefers-reduced-data:reduce|forced-colors:active|inverted-colors:inverted|orientation:portrait|hover:none|any-hover:none|pointer:(?:none|coarse)|any-pointer:(?:none|coarse)|scripting:none|update:(?:none|slow)|grid|grid:1|monochrome|display-mode:(?!browser).*)$/;

/** Whether a list of media queries applies. */
export const applies = (queries: string): boolean => queries === "" || split(queries.replace(/\s+/g, " "), ",").some(query);

function query(given: string): boolean {
  const words = given.split(" and ");
  let not = false;
  let all = true;
  for (let word of words) {
    word = word.trim();
    const kind = /^(?:(only|not)\s+)?([a-z-]+)$/.exec(word);
    if (kind) {
      not ||= kind[1] === "not";
      all &&= kind[2] === "screen" || kind[2] === "all";
    } else if (/^not\s*\(/.test(word)) all &&= !feature(word.slice(3));
    else all &&= word.split(" or ").some(feature);
  }
  return not ? !all : all;
}

function feature(given: string): boolean {
  const inside = /^\s*\(([^()]*(?:\([^()]*\)[^()]*)?)\)\s*$/.exec(given)?.[1]?.trim();
  if (inside === undefined) return true;
  const size = (name: string | undefined): number => (name === "width" ? WIDTH : HEIGHT);
  const plain = inside.replaceAll(" ", "");
  const parts = plain.split(/(<=|>=|<|>|=)/);
  const at = parts.findIndex((part) => part === "width" || part === "height");
  if (parts.length > 1 && at >= 0) {
    const flip: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };
    const [low, first, , second, high] = at === 0 ? [undefined, undefined, parts[0], parts[1], parts[2]] : parts;
    return (!first || compare(size(parts[at]), flip[first]!, low!)) && (!second || compare(size(parts[at]), second, high!));
  }
  const colon = plain.indexOf(":");
  const [, most, name] = /^(min-|max-)?(?:device-)?(width|height)$/.exec(plain.slice(0, Math.max(0, colon))) ?? [];
  if (name) return compare(size(name), most === "min-" ? ">=" : most === "max-" ? "<=" : "=", plain.slice(colon + 1));
  return !OTHERS.test(plain);
}

function compare(size: number, sign: string, value: string): boolean {
  const other = length(value, { font: ROOT_FONT });
  if (other === undefined) return true;
  return sign === "<" ? size < other : sign === "<=" ? size <= other : sign === ">" ? size > other : sign === ">=" ? size >= other : size === other;
}
