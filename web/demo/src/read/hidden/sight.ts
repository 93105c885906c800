// What a reader could see of a page that has not been laid out, by its own style
// sheets and style attributes. The same notion as web/extension/src/page/seen.ts, as
// far as it can be told without a window. Same rules as cmd/cerasum/internal/legible/sight.go.

import { type Color, MAX_BLUR, MIN_FONT, MIN_OPACITY, MIN_SIZE, color, distinct, over } from "../../../../common/read/legible.ts";
import { type Tree, attribute, elementsIn, textIn } from "../tree.ts";
import { applies } from "./media.ts";
import { HEIGHT, ROOT_FONT, WIDTH, call, length, split } from "./length.ts";
import { type Declaration, Rules, compareLayers, inline } from "./sheet.ts";
import { GLOBAL, STROKE_WIDTH, isFontSize, isStrokeWidth, unaliased, validDeclaration } from "./valid.ts";
import { type Scope, VARIABLE, Variables } from "./variables.ts";

/** What is known of an element whose content may be visible. */
export interface Sight {
  /** Whether its own text is visible; that of descendants may be visible anyway. */
  shown: boolean;
  readonly visible: boolean;
  readonly opacity: number;
  /** CSS pixels, before it is scaled. */
  readonly font: number;
  readonly scale: number;
  /** What font-size-adjust makes of the font's size, at most 1. */
  readonly adjusted: number;
  /** Of its letters, in CSS pixels. */
  readonly blur: number;
  /** What changes its colours, the innermost first. */
  readonly filters: readonly Filter[];
  /** Whether it is turned away, and what is in it turns with it. */
  readonly back: boolean;
  readonly ink: Color | undefined;
  /** What fills the letters in place of its colour. */
  readonly fill: string;
  /** The backgrounds, one or those of a gradient; undefined for pictures, which may have any. */
  readonly ground: readonly Color[] | undefined;
  /** The background that fills its letters. */
  readonly filled: { colors: readonly Color[] | undefined } | undefined;
  readonly shadow: string;
  readonly stroke: readonly [width: string, color: string];
  /** Indented out of the window. */
  readonly indented: boolean;
  readonly spacing: number;
  readonly disguised: boolean;
  /** Of the colour scheme. */
  readonly dark: boolean;
  readonly scope: Scope | undefined;
}

/** Colours of a gradient that are looked at, at most: each element of a deep page has its own. */
const MAX_GROUND = 16;
/** Pixels: text that begins so far to the left of the window, or above it, and whose size is unknown, is out of it. */
const OUTSIDE = { x: 500, y: 300, float: 2000 };
/** Pixels to the right of the window or below it, to which nobody scrolls. */
const FAR = 5000;
/** Of the font: letters that are closer lie on top of each other. */
const MIN_SPACING = -0.5;

type Style = (property: string) => string;
/** What a function of a filter makes of a channel of a colour that is so light. */
type Filter = (channel: number, light: number) => number;

export class Sights {
  readonly #rules: Rules;
  readonly #dark: boolean;
  /** There is no DOCTYPE. */
  readonly #quirks: boolean;
  readonly #variables = new Variables();
  readonly #known = new Map<string, readonly Declaration[]>();
  /** The names of the slots in the shadow trees that elements declare. */
  readonly #shadows = new Map<Tree.Node, ReadonlySet<string>>();

  constructor(page: Tree.Document) {
    const sheets: string[] = [];
    let dark = false;
    let language = "";
    for (const element of elementsIn(page)) {
      if (element.tagName === "style" && /^(?:text\/css)?$/i.test(attribute(element, "type") ?? "") && applies((attribute(element, "media") ?? "").trim().toLowerCase())) sheets.push(textIn(element));
      if (element.tagName === "meta" && /^color-scheme$/i.test(attribute(element, "name") ?? "")) dark = isDark(attribute(element, "content") ?? "");
      if (element.tagName === "meta" && /^content-language$/i.test(attribute(element, "http-equiv") ?? "") && !attribute(element, "content")?.includes(",")) language = (attribute(element, "content") ?? "").trim();
      if (element.nodeName === "template" && element.parentNode && CAN_HOST.test(element.parentNode.nodeName) && !this.#shadows.has(element.parentNode) && /^(?:open|closed)$/.test(attribute(element, "shadowrootmode") ?? "")) {
        // A page that is nested too deeply for the parser has no fragments.
        const { content } = element as Partial<Tree.Template>;
        const slots = (content ? [content] : element.childNodes).flatMap((node) => [...elementsIn(node)]).filter(({ tagName }) => tagName === "slot");
        this.#shadows.set(element.parentNode, new Set(slots.map((slot) => attribute(slot, "name") ?? "")));
      }
    }
    this.#rules = new Rules(sheets, language, page);
    this.#dark = dark;
    this.#quirks = !page.childNodes.some(({ nodeName }) => nodeName === "#documentType");
  }

  /** Whether the children of an element, or an element in its parent, are not shown, since a shadow tree takes their place. */
  #unslotted(element: Tree.Element): boolean {
    if (this.#shadows.get(element)?.size === 0) return true;
    const slots = element.parentNode && this.#shadows.get(element.parentNode);
    return slots !== undefined && slots !== null && !slots.has(attribute(element, "slot") ?? "");
  }

  /** What an element shows within another, or as the root; undefined if nothing. Elements must be entered in the order of the document. */
  enter(element: Tree.Element, above: Sight | undefined): Sight | undefined {
    const [given, scope] = this.#style(element, above);
    const scheme = given("color-scheme");
    const outer = above ?? root(this.#dark || isDark(scheme));
    const dark = above && scheme !== "" && !GLOBAL.test(scheme) ? isDark(scheme) : outer.dark;
    const style = dark ? withoutSchemed(given) : given;
    // A page that hides all of itself waits for its scripts: nothing of it can be seen beside what is hidden.
    const all = element.tagName === "html" || element.tagName === "body";
    if (!all && (undisplayed(element, style("display")) || this.#unslotted(element) || style("content-visibility") === "hidden")) return undefined;

    let opacity = all ? 1 : outer.opacity * amount(style("opacity"));
    let { blur } = outer;
    // Of the page as a whole, its background is filtered with it.
    const filters = all ? [] : filtersOf(style("filter"), outer.filters);
    for (const one of split(style("filter"), " ")) {
      const [name, inside] = call(one);
      if (name === "opacity") opacity *= amount(inside);
      else if (name === "blur") blur = Math.hypot(blur, length(inside, { font: outer.font }) ?? 0);
    }
    if (opacity < MIN_OPACITY) return undefined;

    const font = fontOf(style("font-size"), outer.font) * (style("zoom") ? amount(style("zoom")) : 1);
    const [factor, turned] = all ? [1, false] : scaleOf(style);
    const scale = all ? 1 : outer.scale * factor;
    const back = !all && turned !== outer.back;
    if (scale === 0 || (back && style("backface-visibility") === "hidden") || !all && (away(style, font) || clipped(style, font) || masked(style))) return undefined;

    const visibility = style("visibility");
    const ink = colorOf(style("color"), outer.ink, outer.ink);
    const ground = groundOf(style, ink, outer.ground, filters);
    const indent = style("text-indent");
    const indented = indent === "" ? outer.indented : out(length(split(indent, " ")[0] ?? "", { font, percent: WIDTH }));
    const security = style("-webkit-text-security");
    const adjust = style("font-size-adjust");
    const spacing = style("letter-spacing");
    const [shadow, strokeWidth, strokeColor, fill] = ["text-shadow", "-webkit-text-stroke-width", "-webkit-text-stroke-color", "-webkit-text-fill-color"].map(style) as [string, string, string, string];
    const sight: Sight = {
      shown: true, opacity, font, scale, blur, filters, back: back && style("transform-style") === "preserve-3d", ink, ground, indented, scope, dark,
      visible: visibility === "" ? outer.visible : !/^(?:hidden|collapse)$/.test(visibility),
      filled: filledBy(style, ink, above ? above.filled : undefined),
      fill: fill || outer.fill,
      shadow: shadow || outer.shadow,
      stroke: [strokeWidth || outer.stroke[0], strokeColor || outer.stroke[1]],
      spacing: spacing === "" ? outer.spacing : (length(spacing, { font }) ?? 0),
      disguised: security === "" ? outer.disguised : security !== "none",
      adjusted: adjust === "" ? outer.adjusted : adjustedBy(adjust),
    };
    sight.shown = sight.visible && !sight.indented && !sight.disguised && font * scale * sight.adjusted >= MIN_FONT && blur <= MAX_BLUR * font && sight.spacing > MIN_SPACING * Math.max(font, 1) && inked(sight);
    return sight;
  }

  /** The values that a document declares for an element: by attributes, rules and its style, "" for none. */
  #style(element: Tree.Element, above: Sight | undefined): [Style, Scope | undefined] {
    const rules = this.#rules.of(element);
    const own = attribute(element, "style");
    const attributes = own ? inline(own) : { normal: [], important: [] };
    const reversed = rules.toSorted((a, b) => compareLayers(b, a));
    const declared: Declaration[] = [...hints(element), ...rules.flatMap(({ normal }) => normal), ...attributes.normal, ...reversed.flatMap(({ important }) => important), ...attributes.important];
    const scope = this.#variables.enter(declared, above?.scope);
    const values = new Map<string, string>();
    for (const one of declared) if (!one[0].startsWith("--")) for (const [name, value] of this.#longhands(one)) values.set(name, value);
    return [(property) => values.get(property) ?? "", scope];
  }

  /** The properties that a declaration sets, none if it is invalid. */
  #longhands([name, given]: Declaration): readonly Declaration[] {
    const varies = VARIABLE.test(given);
    const key = `${name}:${given}`;
    const known = varies ? undefined : this.#known.get(key);
    if (known) return known;
    let value = this.#variables.substituted(given);
    let valid = validDeclaration(name, value, this.#quirks);
    // With a variable, it is invalid too late for another declaration to count.
    if (!valid && varies) [valid, value] = [true, "unset"];
    const found = valid && value !== "revert" && value !== "revert-layer" ? longhands(name, value).map(resolved) : [];
    if (!varies) this.#known.set(key, found);
    return found;
  }
}

/** Matches the properties that children inherit, except color and font-size. */
const INHERITED = /^(?:visibility|font-size-adjust|text-indent|letter-spacing|text-shadow|-webkit-text-(?:security|fill-color|stroke-(?:width|color)))$/;

const INITIAL = new Map([["background-color", "transparent"], ["font-size-adjust", "none"], ["text-shadow", "none"], ["-webkit-text-security", "none"], ["-webkit-text-fill-color", "currentcolor"], ["-webkit-text-stroke-color", "currentcolor"]]);

/** A declaration without the keywords that all properties have: "" is the parent's value. */
function resolved([name, value]: Declaration): Declaration {
  if (INHERITED.test(name) && (value === "inherit" || value === "unset")) return [name, ""];
  return [name, value === "initial" ? INITIAL.get(name) ?? value : value];
}

/** Matches the elements that can have a shadow tree; custom elements have a hyphen. */
const CAN_HOST = /^(?:article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$|^[a-z][^-]*-/;

/** Matches colours that depend on the colour scheme. */
const SCHEMED = /light-dark\(|\b(?:canvas|canvastext|field|fieldtext|window|windowtext|menu|menutext|infobackground|infotext|appworkspace|activecaption|inactivecaption|captiontext|scrollbar)\b|^initial$/;

/** A style without what depends on the colour scheme, which becomes a colour or a picture that is not known: `color` has those of the light scheme. */
function withoutSchemed(style: Style): Style {
  return (property) => {
    const value = style(property);
    if (!/^(?:color|background-(?:color|image)|text-shadow|-webkit-text-(?:fill|stroke)-color)$/.test(property) || !SCHEMED.test(value)) return value;
    return property !== "background-image" ? "accentcolor" : value === "initial" ? value : "url()";
  };
}

const isDark = (scheme: string): boolean => /\bdark\b/i.test(scheme) && !/\blight\b/i.test(scheme);

const root = (dark: boolean): Sight => ({
  shown: true, visible: true, opacity: 1, font: ROOT_FONT, scale: 1, adjusted: 1, blur: 0, filters: [], back: false, ink: dark ? [255, 255, 255, 1] : [0, 0, 0, 1], fill: "", ground: [dark ? [18, 18, 18, 1] : [255, 255, 255, 1]],
  filled: undefined, shadow: "none", stroke: ["", ""], indented: false, spacing: 0, disguised: false, scope: undefined, dark,
});

/** What browsers do by attributes and names, before all rules. */
function hints(element: Tree.Element): Declaration[] {
  const found: Declaration[] = [];
  const { tagName: name } = element;
  if (name === "a" && attribute(element, "href") !== undefined) found.push(["color", "#0000ee"]);
  if (name === "mark") found.push(["background-color", "yellow"], ["color", "black"]);
  const add = (property: string, given: string | undefined): void => {
    if (given) found.push([property, /^[\da-f]{6}$/i.test(given) ? `#${given}` : given.trim()]);
  };
  if (name === "font") add("color", attribute(element, "color"));
  if (name === "body") add("color", attribute(element, "text"));
  if (/^(?:body|table|thead|tbody|tfoot|tr|td|th)$/.test(name)) add("background-color", attribute(element, "bgcolor"));
  if (attribute(element, "background") && /^(?:body|table|tr|td|th)$/.test(name)) found.push(["background-image", "url()"]);
  return found;
}

const SIDES = ["top", "right", "bottom", "left"] as const;
/** The properties that a declaration sets. */
function longhands(property: string, value: string): Declaration[] {
  const name = unaliased(property);
  const parts = split(value, " ");
  const sides = (to: (side: string) => string): Declaration[] => {
    const [top = "", right = top, bottom = top, left = right] = parts;
    return SIDES.map((side, i) => [to(side), [top, right, bottom, left][i]!]);
  };
  switch (name) {
    case "inset": return sides((side) => side);
    case "inset-inline": return [["left", parts[0] ?? ""], ["right", parts[1] ?? parts[0] ?? ""]];
    case "inset-block": return [["top", parts[0] ?? ""], ["bottom", parts[1] ?? parts[0] ?? ""]];
    case "margin": return sides((side) => `margin-${side}`);
    case "margin-inline": return [["margin-left", parts[0] ?? ""]];
    case "padding": return sides((side) => `padding-${side}`);
    case "overflow": return [["overflow-x", parts[0] ?? ""], ["overflow-y", parts[1] ?? parts[0] ?? ""]];
    case "font": return [["font-size", GLOBAL.test(value) ? value : (parts.map((part) => split(part, "/")[0] ?? part).find(isFontSize) ?? "medium")], ["font-size-adjust", GLOBAL.test(value) ? value : "none"]];
    case "background": {
      const images = /(?:url|image-set|element|paint|cross-fade|gradient)\(/.test(value);
      const plain = images ? undefined : parts.find((part) => color(part) !== undefined || part === "currentcolor");
      const last = images ? split(split(value, ",").at(-1) ?? "", " ").find((part) => !part.includes("gradient(") && color(part) !== undefined) : plain;
      return [["background-color", last ?? "transparent"], ["background-image", images ? value : "none"], ["background-clip", parts.includes("text") ? "text" : "border-box"]];
    }
    case "mask": return [["mask-image", value]];
    case "-webkit-text-stroke": {
      if (GLOBAL.test(value)) return [[`${name}-width`, value], [`${name}-color`, value]];
      return [[`${name}-width`, parts.find(isStrokeWidth) ?? "0"], [`${name}-color`, parts.find((part) => !isStrokeWidth(part)) ?? "currentcolor"]];
    }
  }
  return [[name, value]];
}

function undisplayed(element: Tree.Element, display: string): boolean {
  if (display === "none" || attribute(element, "hidden") !== undefined) return true;
  // What they hold is for browsers without them.
  if (element.tagName === "meter" || element.tagName === "progress") return true;
  if (display !== "" && display !== "revert") return false;
  return ["rp", "noembed", "noframes"].includes(element.tagName) || element.tagName === "dialog" && attribute(element, "open") === undefined || attribute(element, "popover") !== undefined;
}

/** A number or a percentage, at least 0; 1 for none. */
function amount(value: string): number {
  const found = length(value, { font: ROOT_FONT, percent: 1 });
  return found === undefined ? 1 : Math.max(0, found);
}

/** Filters within each other whose functions change colours, at most: further ones do not count. */
const MAX_FILTERS = 32;

/** The functions of a filter that change colours, and those around it. One with a function whose colours cannot be told, such as sepia(), does not count. */
function filtersOf(filter: string, outer: readonly Filter[]): readonly Filter[] {
  const found: Filter[] = [];
  for (const one of split(filter, " ")) {
    const [name, inside] = call(one);
    const by = amount(inside);
    const most = Math.min(1, by);
    if (name === "brightness") found.push((c) => c * by);
    else if (name === "contrast") found.push((c) => (c - 127.5) * by + 127.5);
    else if (name === "invert") found.push((c) => c + most * (255 - 2 * c));
    else if (name === "grayscale") found.push((c, light) => c + most * (light - c));
    else if (name === "saturate" && by <= 1) found.push((c, light) => light + by * (c - light));
    else if (name !== "opacity" && name !== "blur") return outer;
  }
  return found.length > 0 && found.length + outer.length <= MAX_FILTERS ? [...found, ...outer] : outer;
}

/** A colour behind filters. */
const filtered = (color: Color, filters: readonly Filter[]): Color => filters.reduce(([r, g, b, alpha], filter): Color => {
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [red, green, blue] = [r, g, b].map((c) => Math.min(255, Math.max(0, filter(c, light)))) as [number, number, number];
  return [red, green, blue, alpha];
}, color);

const SIZES = new Map([["xx-small", 9], ["x-small", 10], ["small", 13], ["medium", 16], ["large", 18], ["x-large", 24], ["xx-large", 32], ["xxx-large", 48], ["initial", 16], ["smaller", -1], ["larger", -1]]);

function fontOf(value: string, outer: number): number {
  if (value === "smaller") return outer / 1.2;
  if (value === "larger") return outer * 1.2;
  return SIZES.get(value) ?? Math.max(0, length(value, { font: outer, percent: outer }) ?? outer);
}

/** By font-size-adjust: a font's small letters have about half its height. 1 for keywords. */
function adjustedBy(value: string): number {
  const found = length(split(value, " ").at(-1) ?? "", { font: ROOT_FONT });
  return found === undefined ? 1 : Math.min(1, found * 2);
}

/** How much larger than its layout an element is drawn, and whether it is turned to show its back. */
function scaleOf(style: Style): [factor: number, back: boolean] {
  let factor = 1;
  let back = false;
  const times = (...values: (number | undefined)[]): void => {
    for (const value of values) if (value !== undefined) factor = Math.min(factor, factor * Math.abs(value));
  };
  const number = (value: string | undefined): number | undefined => (value === undefined ? undefined : length(value, { font: ROOT_FONT, percent: 1 }));
  const scale = style("scale");
  if (scale && scale !== "none") times(...split(scale, " ").slice(0, 2).map(number));
  const turned = (angle: string | undefined): void => {
    const [, value, unit] = /^(-?[\d.]+)(deg|turn|rad|grad)$/.exec(angle ?? "") ?? [];
    const degrees = Number(value) * (unit === "turn" ? 360 : unit === "rad" ? 180 / Math.PI : unit === "grad" ? 0.9 : 1);
    if (!value) return;
    const cos = Math.cos((degrees * Math.PI) / 180);
    if (Math.abs(cos) < 0.02) factor = 0;
    back = back !== cos < 0;
  };
  for (const one of split(style("transform"), " ")) {
    const [name, inside] = call(one);
    const given = split(inside, ",");
    const [a, b, c, d] = given.map(number);
    if (name === "scale" || name === "scale3d") times(a, b);
    else if (name === "scalex" || name === "scaley") times(a);
    else if (name === "rotatex" || name === "rotatey") turned(given[0]);
    else if (name === "matrix" && [a, b, c, d].every((one) => one !== undefined)) times(Math.min(1, Math.abs(a! * d! - b! * c!)));
  }
  const rotate = split(style("rotate"), " ");
  if (rotate[0] === "x" || rotate[0] === "y") turned(rotate[1]);
  return [factor, back];
}

/** Whether an element lies outside of the window where nobody scrolls to. */
function away(style: Style, font: number): boolean {
  const pixels = (value: string | undefined, percent?: number): number | undefined => (value ? length(value, { font, percent }) : undefined);
  const position = style("position");
  const floats = position === "absolute" || position === "fixed";
  const placed = floats || position === "relative";
  let [x, y] = [pixels(style("margin-left")) ?? 0, pixels(style("margin-top")) ?? 0];
  let moved = false;
  const move = (dx: number | undefined, dy: number | undefined): void => {
    if (dx) [x, moved] = [x + dx, true];
    if (dy) [y, moved] = [y + dy, true];
  };
  move(...(split(style("translate"), " ").slice(0, 2).map((part) => pixels(part)) as [number | undefined, number | undefined]));
  for (const one of split(style("transform"), " ")) {
    const [name, inside] = call(one);
    const [a, b] = split(inside, ",");
    if (name === "translate" || name === "translate3d") move(pixels(a), pixels(b));
    else if (name === "translatex") move(pixels(a), undefined);
    else if (name === "translatey") move(undefined, pixels(a));
    else if (name === "matrix") move(...(split(inside, ",").slice(4, 6).map((part) => pixels(part)) as [number | undefined, number | undefined]));
  }
  if (placed) {
    const [left, right] = [pixels(style("left"), WIDTH), pixels(style("right"), WIDTH)];
    const [top, bottom] = [pixels(style("top"), HEIGHT), pixels(style("bottom"), HEIGHT)];
    if (left !== undefined) move(left, undefined);
    else if (right !== undefined) move(position === "relative" || right > WIDTH || right < 0 || (position === "fixed" && right === WIDTH) ? -right : undefined, undefined);
    if (top !== undefined) move(undefined, top);
    else if (bottom !== undefined) move(undefined, position === "relative" || bottom > FAR || bottom < 0 || (position === "fixed" && bottom >= HEIGHT) ? -bottom : undefined);
  }
  // It does not scroll.
  if (position === "fixed" && (x >= WIDTH || y >= HEIGHT)) return true;
  const [width, height] = [pixels(style("width")), pixels(style("height"))];
  const [wide, high] = floats ? [width ?? OUTSIDE.x, height ?? OUTSIDE.y] : [width ?? (moved ? WIDTH : OUTSIDE.float), height ?? (moved ? HEIGHT : OUTSIDE.float)];
  return x < 0 && x + wide < MIN_SIZE || y < 0 && y + high < MIN_SIZE || moved && x > FAR || floats && style("top") === "" && y > OUTSIDE.y;
}

const out = (indent: number | undefined): boolean => indent !== undefined && (indent <= -OUTSIDE.x || indent >= WIDTH);

/** Whether an element is clipped to nothing. */
function clipped(style: Style, font: number): boolean {
  const clip = style("clip");
  if (/^(?:absolute|fixed)$/.test(style("position")) && clip.startsWith("rect(")) {
    const [top, right, bottom, left] = clip.slice(5, -1).split(/[\s,]+/).filter(Boolean).map((side) => length(side, { font }));
    if (right !== undefined && right - (left ?? 0) < MIN_SIZE || bottom !== undefined && bottom - (top ?? 0) < MIN_SIZE) return true;
  }
  if (emptyPath(style("clip-path"), font)) return true;
  const size = (property: string): number | undefined => length(style(property), { font });
  const none = (own: string, most: string, one: string, other: string): boolean => {
    const given = Math.min(size(own) ?? (style(own) === "0%" ? 0 : Infinity), size(most) ?? (style(most) === "0%" ? 0 : Infinity));
    return given + (size(one) ?? (/[1-9]/.test(style(one)) ? MIN_SIZE : 0)) + (size(other) ?? (/[1-9]/.test(style(other)) ? MIN_SIZE : 0)) < MIN_SIZE;
  };
  const cuts = (overflow: string): boolean => /^(?:hidden|clip|auto|scroll|overlay)$/.test(overflow);
  const [x, y] = [cuts(style("overflow-x")), cuts(style("overflow-y"))];
  return (x || y || /paint|strict|content/.test(style("contain"))) && (none("width", "max-width", "padding-left", "padding-right") || none("height", "max-height", "padding-top", "padding-bottom"));
}

/** Pixels of a box whose size is unknown. */
const BOX = 300;

/** Whether a clip-path leaves nothing of a box. */
function emptyPath(path: string, font: number): boolean {
  const [shape, inside] = call(path.replace(/\)\s+(?:[a-z]+-box)$/, ")"));
  const pixels = (value: string | undefined): number | undefined => (value === undefined ? undefined : length(value, { font, percent: BOX }));
  if (shape === "inset" || shape === "rect" || shape === "xywh") {
    const [top, right = top, bottom = top, left = right] = split(inside.split(/\bround\b/)[0]!, " ").map(pixels);
    if (shape === "inset") return BOX - (left ?? 0) - (right ?? 0) < MIN_SIZE || BOX - (top ?? 0) - (bottom ?? 0) < MIN_SIZE;
    if (shape === "rect") return (right ?? BOX) - (left ?? 0) < MIN_SIZE || (bottom ?? BOX) - (top ?? 0) < MIN_SIZE;
    return (bottom ?? BOX) < MIN_SIZE || (left ?? BOX) < MIN_SIZE;
  }
  if (shape === "circle" || shape === "ellipse") return split(inside.split(/\bat\b/)[0]!, " ").some((radius) => (pixels(radius) ?? BOX) < MIN_SIZE / 2);
  if (shape !== "polygon") return false;
  const points = split(inside, ",").filter((point) => !/^(?:nonzero|evenodd)$/.test(point)).map((point) => split(point, " ").map((one) => pixels(one) ?? NaN));
  return [0, 1].some((axis) => {
    const all = points.map((point) => point[axis] ?? NaN);
    return all.reduce((a, b) => Math.max(a, b), -Infinity) - all.reduce((a, b) => Math.min(a, b), Infinity) < MIN_SIZE;
  });
}

/** Whether a mask leaves nothing: pictures cannot be told. */
function masked(style: Style): boolean {
  if (/^0(?:px|%)?(?: |$)|^\S+ 0(?:px|%)?$/.test(style("mask-size"))) return true;
  const found = style("mask-image").includes("gradient(") ? painted(style("mask-image")) : [];
  return found !== undefined && found.length > 0 && found.every(([, , , alpha]) => alpha < MIN_OPACITY);
}

/** A colour; `current` is that of the text, `otherwise` what it is without one. */
function colorOf(value: string, current: Color | undefined, otherwise: Color | undefined): Color | undefined {
  if (value === "" || value === "inherit" || value === "unset") return otherwise;
  if (value === "currentcolor") return current;
  if (value === "initial") return [0, 0, 0, 1];
  return color(value);
}

/** The colours of gradients, undefined for pictures. */
function painted(image: string): Color[] | undefined {
  if (/(?:url|image-set|element|paint|cross-fade)\(/.test(image)) return undefined;
  const found: Color[] = [];
  for (const gradient of split(image, ",").flatMap((layer) => split(layer, " "))) {
    for (const stop of split(call(gradient)[1], ",")) for (const part of split(stop, " ")) {
      const one = color(part);
      if (one) found.push(one);
    }
  }
  return found;
}

function groundOf(style: Style, ink: Color | undefined, below: readonly Color[] | undefined, filters: readonly Filter[]): readonly Color[] | undefined {
  if (style("background-clip") === "text") return below;
  let ground = below;
  const plain = colorOf(style("background-color"), ink, [0, 0, 0, 0]);
  if (!plain) return undefined;
  if (plain[3] > 0) ground = plain[3] >= 1 ? [filtered(plain, filters)] : ground?.map((one) => over(filtered(plain, filters), one));
  const image = style("background-image");
  if (image === "" || image === "none") return ground;
  const colors = painted(image)?.map((one) => filtered(one, filters));
  if (!colors || !ground) return undefined;
  if (colors.length === 0) return ground;
  const lower = ground.slice(0, 4);
  const most = Math.min(colors.length, Math.floor(MAX_GROUND / lower.length));
  return Array.from({ length: most }, (_, i) => colors[Math.floor((i * colors.length) / most)]!).flatMap((upper) => lower.map((one) => over(upper, one)));
}

function filledBy(style: Style, ink: Color | undefined, outer: Sight["filled"]): Sight["filled"] {
  if (style("background-clip") !== "text") return outer;
  const image = style("background-image");
  if (image && image !== "none") return { colors: painted(image) };
  const plain = colorOf(style("background-color"), ink, [0, 0, 0, 0]);
  return { colors: plain && [plain] };
}

/** Whether letters differ from what is behind them. */
function inked({ ink, fill, ground, filled, filters, shadow, stroke, font }: Sight): boolean {
  const letters = fill === "" ? ink : colorOf(fill, ink, ink);
  if (!letters) return true;
  const legible = (one: Color | undefined): boolean => !one || one[3] >= MIN_OPACITY && (!ground || ground.some((below) => distinct(filtered(one, filters), below)));
  if (filled && (!filled.colors || filled.colors.some(legible))) return true;
  if (legible(letters)) return true;
  if ((STROKE_WIDTH.test(stroke[0]) || (length(stroke[0], { font }) ?? 0) > 0) && legible(colorOf(stroke[1], ink, ink))) return true;
  if (shadow === "none" || shadow === "") return false;
  return split(shadow, ",").some((one) => {
    const parts = split(one, " ");
    const offsets = parts.map((part) => length(part, { font })).filter((part) => part !== undefined);
    const given = parts.find((part) => length(part, { font }) === undefined);
    return offsets.every((offset) => Math.abs(offset) <= 10) && legible(colorOf(given ?? "", ink, ink));
  });
}
