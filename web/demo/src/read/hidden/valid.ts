// What browsers drop: declarations with an invalid value, and rules with an invalid
// selector. Same rules as cmd/cerasum/internal/legible/valid.go.

import { parse as parseSelector, type Selector } from "css-what";
import { color } from "../../../../common/read/legible.ts";
import { call, isUnit, split } from "./length.ts";

export const GLOBAL = /^(?:inherit|initial|unset|revert|revert-layer)$/;
/** A function's arguments are looked into where it hides text. */
const MATH = /^(?:-webkit-calc|calc|min|max|clamp|abs|sign|round|mod|rem|hypot|env|anchor|anchor-size|calc-size|fit-content|attr|if|random)\(/;
const NUMBER = /^([-+]?(?:\d*\.)?\d+(?:e[-+]?\d+)?)(%|[a-z]*)$/;
const IMAGE = /^(?:url|src|image|image-set|-webkit-image-set|element|-moz-element|paint|cross-fade|-webkit-cross-fade|light-dark|(?:-webkit-|-moz-)?(?:repeating-)?(?:linear|radial|conic)-gradient)\(/;
const FUNCTION = /^(?:matrix|matrix3d|translate|translatex|translatey|translatez|translate3d|scale|scalex|scaley|scalez|scale3d|rotate|rotatex|rotatey|rotatez|rotate3d|skew|skewx|skewy|perspective)$/;
const FILTER = /^(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia|url)$/;
const SHAPE = /^(?:inset|rect|xywh|circle|ellipse|polygon|path|shape|url)$/;
const BOX = /^(?:(?:border|padding|content|margin|fill|stroke|view)-box)$/;
const PAINTING = /^(?:[/]|,|none|left|right|top|bottom|center|cover|contain|auto|repeat|repeat-x|repeat-y|no-repeat|space|round|scroll|fixed|local|text|no-clip|add|subtract|intersect|exclude|alpha|luminance|match-source|border-box|padding-box|content-box|border-area|margin-box|fill-box|stroke-box|view-box)$/;
const COLOR = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|contrast-color|device-cmyk|attr|if|-internal-[a-z-]+)\(/;
const SYSTEM_COLOR = /^(?:accentcolor|accentcolortext|activetext|buttonborder|buttonface|buttontext|canvas|canvastext|field|fieldtext|graytext|highlight|highlighttext|linktext|mark|marktext|selecteditem|selecteditemtext|visitedtext|-webkit-link|-webkit-text|-webkit-activelink)$/;
const ANGLE = /^(?:deg|rad|grad|turn)$/;
const SYSTEM_FONT = /^(?:caption|icon|menu|message-box|small-caption|status-bar)$/;

/** Values of a property besides lengths, numbers and functions. */
const KEYWORDS = new Map<string, RegExp>([
  ["font-size", /^(?:(?:xx?-)?(?:small|large)|xxx-large|medium|smaller|larger|math)$/],
  ["font-size-adjust", /^(?:none|(?:(?:ex-height|cap-height|ch-width|ic-width|ic-height)\s+)?(?:from-font|(?:\d*\.)?\d+|calc\(.*\)))$/],
  ["zoom", /^(?:normal|reset|document)$/],
  ["letter-spacing", /^normal$/],
  ["text-indent", /^(?:each-line|hanging)$/],
  ["width", /^(?:auto|min-content|max-content|fit-content|stretch|-webkit-fill-available|-moz-available|-webkit-fit-content|intrinsic|min-intrinsic)$/],
  ["max-width", /^(?:none|min-content|max-content|fit-content|stretch|-webkit-fill-available|-moz-available|-webkit-fit-content)$/],
  ["left", /^auto$/],
  ["backface-visibility", /^(?:visible|hidden)$/],
  ["transform-style", /^(?:flat|preserve-3d)$/],
  ["contain", /^(?:none|strict|content|(?:(?:inline-size|size|layout|style|paint)(?: |$))+)$/],
  ["display", /^(?:none|contents|math|run-in|list-item|flow|(?:block|inline|flow-root|flex|grid|table|ruby)(?:-[a-z-]+)?(?: [a-z -]+)?|-webkit-[a-z-]+|-moz-[a-z-]+|-ms-[a-z-]+)$/],
  ["visibility", /^(?:visible|hidden|collapse)$/],
  ["content-visibility", /^(?:visible|hidden|auto)$/],
  ["position", /^(?:static|relative|absolute|fixed|sticky|-webkit-sticky)$/],
  ["overflow-x", /^(?:visible|hidden|clip|scroll|auto|overlay)$/],
  ["background-clip", /^(?:(?:border-box|padding-box|content-box|text|border-area)(?:\s*,\s*|$))+$/],
  ["-webkit-text-security", /^(?:none|disc|circle|square)$/],
]);

/** Properties that may hide text, or that others depend on. */
export const READ: ReadonlySet<string> = new Set([
  "all", "display", "visibility", "opacity", "content-visibility", "filter", "-webkit-filter", "transform", "-webkit-transform", "translate", "scale", "rotate", "zoom",
  "position", "left", "top", "right", "bottom", "inset", "inset-inline", "inset-block", "inset-inline-start", "inset-inline-end", "inset-block-start", "inset-block-end", "margin", "margin-left", "margin-top", "margin-inline", "margin-inline-start", "margin-block-start",
  "width", "height", "max-width", "max-height", "inline-size", "block-size", "max-inline-size", "max-block-size", "padding", "padding-top", "padding-bottom", "padding-left", "padding-right",
  "overflow", "overflow-x", "overflow-y", "clip", "clip-path", "-webkit-clip-path", "mask", "-webkit-mask", "mask-image", "-webkit-mask-image", "mask-size", "-webkit-mask-size",
  "font", "font-size", "font-size-adjust", "text-indent", "letter-spacing", "-webkit-text-security", "color", "-webkit-text-fill-color", "background", "background-color", "background-image",
  "background-clip", "-webkit-background-clip", "backface-visibility", "-webkit-backface-visibility", "transform-style", "-webkit-transform-style", "contain", "text-shadow", "-webkit-text-stroke", "-webkit-text-stroke-width", "-webkit-text-stroke-color", "color-scheme",
]);

const ALIASES: Record<string, string> = {
  "-webkit-backface-visibility": "backface-visibility", "-webkit-transform-style": "transform-style",
  "-webkit-filter": "filter", "-webkit-transform": "transform", "-webkit-clip-path": "clip-path", "-webkit-mask-image": "mask-image", "-webkit-mask-size": "mask-size", "-webkit-mask": "mask",
  "-webkit-background-clip": "background-clip", "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top", "inset-block-end": "bottom", "margin-inline-start": "margin-left",
  "margin-block-start": "margin-top", "inline-size": "width", "block-size": "height", "max-inline-size": "max-width", "max-block-size": "max-height",
};

export const unaliased = (property: string): string => (Object.hasOwn(ALIASES, property) ? ALIASES[property]! : property);

type Check = (part: string) => boolean;

/** Whether a property can have a value. In quirks mode, lengths need no unit. */
export function validDeclaration(property: string, value: string, quirks: boolean): boolean {
  if (value === "" || GLOBAL.test(value)) return value !== "";
  const name = unaliased(property);
  const parts = split(value, " ");
  const size: Check = (part) => isLength(part, quirks);
  const positive: Check = (part) => size(part) && !part.startsWith("-");
  const keyword = (name: string): Check => (part) => KEYWORDS.get(name)!.test(part);
  const several = (most: number, ok: Check): boolean => parts.length >= 1 && parts.length <= most && parts.every(ok);
  const either = (one: Check, other: Check): Check => (part) => one(part) || other(part);
  switch (name) {
    case "display": case "visibility": case "content-visibility": case "position": case "background-clip": case "-webkit-text-security": case "backface-visibility": case "transform-style": case "contain": case "font-size-adjust":
      return keyword(name)(value);
    case "overflow": return several(2, keyword("overflow-x"));
    case "overflow-x": case "overflow-y": return several(1, keyword("overflow-x"));
    case "opacity": return several(1, isAmount);
    case "zoom": return several(1, either(isAmount, keyword("zoom"))) && !value.startsWith("-");
    case "font-size": return several(1, either(positive, keyword("font-size")));
    case "letter-spacing": return several(1, either(size, keyword("letter-spacing")));
    case "text-indent": return several(3, either(size, keyword("text-indent"))) && parts.some(size);
    case "left": case "top": case "right": case "bottom": case "margin-left": case "margin-top":
      return several(1, either(size, keyword("left")));
    case "inset": case "margin": return several(4, either(size, keyword("left")));
    case "inset-inline": case "inset-block": case "margin-inline": return several(2, either(size, keyword("left")));
    case "padding": return several(4, positive);
    case "padding-left": case "padding-right": case "padding-top": case "padding-bottom": return several(1, positive);
    case "width": case "height": return several(1, either(positive, keyword("width")));
    case "max-width": case "max-height": return several(1, either(positive, keyword("max-width")));
    case "color": case "background-color": case "-webkit-text-fill-color": case "-webkit-text-stroke-color": return several(1, isColor);
    case "-webkit-text-stroke-width": return several(1, isStrokeWidth);
    case "-webkit-text-stroke": return several(2, either(isStrokeWidth, isColor)) && (parts.length === 1 || isStrokeWidth(parts[0]!) !== isStrokeWidth(parts[1]!));
    case "transform": return value === "none" || several(Infinity, (part) => isCall(part, FUNCTION) && split(call(part)[1], ",").every((one) => isArgument(one) || one === "none"));
    case "filter": return value === "none" || several(Infinity, (part) => isCall(part, FILTER));
    case "clip-path": return value === "none" || several(2, (part) => BOX.test(part) || isCall(part, SHAPE));
    case "clip": {
      const sides = call(value)[1].split(/[, ]/).filter(Boolean);
      return value === "auto" || (value.startsWith("rect(") && sides.length === 4 && sides.every((side) => side === "auto" || size(side)));
    }
    case "scale": return value === "none" || several(3, isAmount);
    case "translate": return value === "none" || several(3, (part) => isLength(part, false));
    case "rotate": return value === "none" || several(4, (part) => part === "x" || part === "y" || part === "z" || isArgument(part));
    case "background-image": case "mask-image": case "background": case "mask": {
      const known: Check = (part) => IMAGE.test(part) || PAINTING.test(part) || (!name.includes("-") && (isLength(part, false) || isColor(part)));
      return split(value, ",").every((layer) => layer !== "" && split(layer.replaceAll("/", " / "), " ").every(known));
    }
    case "text-shadow": return value === "none" || split(value, ",").every((shadow) => {
      const all = split(shadow, " ");
      const lengths = all.filter((part) => isLength(part, false)).length;
      return lengths >= 2 && lengths <= 3 && all.every((part) => isLength(part, false) || isColor(part));
    });
    case "font": {
      // A family follows the size.
      const at = parts.findIndex((part) => isFontSize(split(part, "/")[0] ?? ""));
      return SYSTEM_FONT.test(value) || (at >= 0 && at < parts.length - 1);
    }
  }
  return true;
}

function isLength(part: string, quirks: boolean): boolean {
  const [, value, unit] = NUMBER.exec(part) ?? [];
  if (value === undefined) return MATH.test(part) && closes(part.slice(part.indexOf("(")));
  return unit === "" ? quirks || Number(value) === 0 : unit === "%" || isUnit(unit!);
}

/** A number, a percentage, or calculated. */
const isAmount: Check = (part) => /^(?:%|)$/.test(NUMBER.exec(part)?.[2] ?? "") && isLength(part, true);

/** A number alone is the weight of a font. */
export const isFontSize: Check = (part) => (KEYWORDS.get("font-size")!.test(part) && part !== "math") || (isLength(part, false) && !part.startsWith("-"));

/** The widths of outlines that have names: all draw some. */
export const STROKE_WIDTH = /^(?:thin|medium|thick)$/;

export const isStrokeWidth: Check = (part) => STROKE_WIDTH.test(part) || (isLength(part, false) && !/^-|%$/.test(part));

/** What is in the functions of other colours is not looked into. */
const isColor: Check = (part) => color(part) !== undefined || part === "currentcolor" || SYSTEM_COLOR.test(part) || (COLOR.test(part) && closes(part.slice(part.indexOf("("))));

/** A number, a length, an angle, or calculated. */
const isArgument: Check = (part) => isLength(part, true) || ANGLE.test(NUMBER.exec(part)?.[2] ?? "");

function isCall(part: string, names: RegExp): boolean {
  const [name] = call(part);
  return names.test(name) && closes(part.slice(name.length));
}

/** Whether the parenthesis that a text begins with is closed at its end. */
export function closes(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i === text.length - 1;
  }
  return false;
}

const PSEUDO_CLASS = /^(?:active|active-view-transition|active-view-transition-type|any-link|autofill|buffering|checked|default|defined|dir|disabled|empty|enabled|first|first-child|first-of-type|focus|focus-visible|focus-within|fullscreen|future|has|has-slotted|host|host-context|hover|in-range|indeterminate|invalid|is|lang|last-child|last-of-type|left|link|matches|modal|muted|not|nth-child|nth-last-child|nth-last-of-type|nth-of-type|only-child|only-of-type|open|optional|out-of-range|past|paused|picture-in-picture|placeholder-shown|playing|popover-open|read-only|read-write|required|right|root|scope|seeking|stalled|state|target|target-current|user-invalid|user-valid|valid|visited|volume-locked|where|-webkit-any|-webkit-any-link|-webkit-autofill|-webkit-full-screen|before|after|first-line|first-letter)$/;
const PSEUDO_ELEMENT = /^(?:after|backdrop|before|checkmark|column|cue|details-content|file-selector-button|first-letter|first-line|grammar-error|highlight|marker|part|picker|picker-icon|placeholder|scroll-button|scroll-marker|scroll-marker-group|search-text|selection|slotted|spelling-error|target-text|view-transition|view-transition-[a-z-]+|-webkit-[\w-]+)$/;

/** Whether browsers know a list of selectors: the last part of one may be a pseudo-element, or a state that no file is in. */
export function validSelector(list: string): boolean {
  // The parser is lenient.
  const bare = list.replace(/\\(?:[\da-f]{1,6}\s?|[^])/gi, "a").replace(/"[^"]*(?:"|$)|'[^']*(?:'|$)/g, "").replace(/\[[^\]]*(?:\]|$)/g, "[]");
  if (/[.#](?!-?[_a-z\u0080-\uffff]|--)|[!$%@^`{};?=</]|[>+~]\s*(?:,|$)/i.test(bare)) return false;
  // Those of nested rules may begin with a combinator.
  const whole = split(list.replaceAll("&", ":is(*)"), ",").map((one) => (/^[>+~]/.test(one) ? `*${one}` : one)).join(",");
  try {
    return parseSelector(whole).every((one) => one.every(isKnown));
  } catch {
    return false;
  }
}

function isKnown(one: Selector): boolean {
  if (one.type === "pseudo-element") return PSEUDO_ELEMENT.test(one.name);
  if (one.type !== "pseudo") return true;
  if (!PSEUDO_CLASS.test(one.name)) return false;
  if (one.name === "lang") return typeof one.data === "string" && /^(?:--|-?(?:[a-z_\u0080-\uffff]|\\.))(?:[\w\u0080-\uffff-]|\\.)*$/i.test(one.data.trim());
  // The others forgive what they do not know.
  return !/^(?:not|has)$/.test(one.name) || !Array.isArray(one.data) || one.data.every((list) => list.every(isKnown));
}
