// Media queries, for a window on a screen. Twin of cmd/cerasum/internal/ingest/css_media.go.

import { HEIGHT, ROOT_FONT, WIDTH, length, split } from "./length.ts";

/** Features that a window does not have; others that cannot be told are taken to apply. */
const OTHERS = /^(?:prefers-color-scheme:dark|prefers-reduced-motion:reduce|prefers-contrast:(?:more|less|custom)|prefers-reduced-transparency:reduce|prefers-reduced-data:reduce|forced-colors:active|inverted-colors:inverted|orientation:portrait|hover:none|any-hover:none|pointer:(?:none|coarse)|any-pointer:(?:none|coarse)|scripting:none|update:(?:none|slow)|grid|grid:1|monochrome|display-mode:(?!browser).*)$/;

/** Whether a list of media queries applies. */
export const applies = (queries: string): boolean => queries === "" || split(queries, ",").some(query);

function query(given: string): boolean {
  const words = given.split(/\s+and\s+/);
  let not = false;
  let all = true;
  for (let word of words) {
    word = word.trim();
    const kind = /^(?:(only|not)\s+)?([a-z-]+)$/.exec(word);
    if (kind) {
      not ||= kind[1] === "not";
      all &&= kind[2] === "screen" || kind[2] === "all";
    } else if (/^not\s*\(/.test(word)) all &&= !feature(word.slice(3));
    else all &&= word.split(/\s+or\s+/).some(feature);
  }
  return not ? !all : all;
}

function feature(given: string): boolean {
  const inside = /^\s*\(([^()]*(?:\([^()]*\)[^()]*)?)\)\s*$/.exec(given)?.[1]?.trim();
  if (inside === undefined) return true;
  const range = /^(?:([^<>=]+?)\s*(<=?|>=?|=)\s*)?(width|height)(?:\s*(<=?|>=?|=)\s*([^<>=]+))?$/.exec(inside);
  if (range?.[2] || range?.[4]) {
    const [, low, first, name, second, high] = range as unknown as (string | undefined)[];
    const size = name === "width" ? WIDTH : HEIGHT;
    const flip: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=" };
    return (!first || compare(size, flip[first]!, low!)) && (!second || compare(size, second, high!));
  }
  const [, most, name, value = ""] = /^(min-|max-)?(?:device-)?(width|height)\s*:\s*(.*)$/.exec(inside) ?? [];
  if (name) return compare(name === "width" ? WIDTH : HEIGHT, most === "min-" ? ">=" : most === "max-" ? "<=" : "=", value);
  return !OTHERS.test(inside.replace(/\s+/g, ""));
}

function compare(size: number, sign: string, value: string): boolean {
  const other = length(value, { font: ROOT_FONT });
  if (other === undefined) return true;
  return sign === "<" ? size < other : sign === "<=" ? size <= other : sign === ">" ? size > other : sign === ">=" ? size >= other : size === other;
}
