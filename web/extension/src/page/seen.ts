// What a reader of a page can see, for blocks and inline elements alike. A walk
// asks it from the root downwards, so each style is read once. Nothing here
// changes the page: no layout is computed twice.

import { MAX_BLUR, MIN_FONT, MIN_OPACITY, MIN_SIZE, type Color, color, distinct, over } from "../../../common/read/legible.ts";
import { type Box, boxOf, client, common, has, isEmpty, localName, offset, parentOf, scroll, within } from "./boxes.ts";
import { coloring, filtered, painted } from "./colors.ts";
import { Covers } from "./covers.ts";

/** A background: its colours, or undefined for images, which may have any. */
interface Ground {
  colors: readonly Color[] | undefined;
  /** What it covers; undefined: all. */
  element: Element | undefined;
  box?: Box;
  below: Ground | undefined;
}

/** What is known of an element whose content may be visible. */
export interface Sight {
  style: CSSStyleDeclaration;
  display: string;
  position: string;
  above: Sight | undefined;
  opacity: number;
  /** How much its letters are blurred: CSS pixels. */
  blur: number;
  /** The filters that change its colours, the innermost first. */
  filters: readonly string[];
  ground: Ground;
  /** The background that fills its letters. */
  filled: Pick<Ground, "colors"> | undefined;
  /** Whether it is a closed <details>, whose own text is folded away. */
  folded: boolean;
  /** Where text can be seen or scrolled to, in the window's coordinates. */
  flow: Box;
  /** The same for what is positioned absolutely or fixed in it; asked for when there is something. */
  absolute?: Box;
  fixed?: Box;
  /** What clips all that is in it. */
  clip: Box | undefined;
  /** Whether its own text is visible as far as its style says; that of descendants may be visible anyway. */
  shown?: boolean;
}

/** Square CSS pixels per letter: less has been scaled or crowded to nothing. */
const MIN_AREA = 3;
/** Measurements of text that is visible in part, for a page. */
const MAX_CUTS = 5000;
/** Elements that are searched for backgrounds behind text. */
const MAX_COVERS = 20_000;

/** A text up to its last blank. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && /\S/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

// Styles

const amount = (value: string | undefined): number => (value === undefined ? 1 : value.endsWith("%") ? Number.parseFloat(value) / 100 : Number.parseFloat(value));

/** Pixels of a length or percentage; NaN for other values. */
const pixels = (value: string, of: number): number => (/^-?[\d.e-]+%$/.test(value) ? (Number.parseFloat(value) * of) / 100 : /^-?[\d.e-]+px$/.test(value) ? Number.parseFloat(value) : NaN);

/** What a clip-path leaves of a box, at most; undefined if that cannot be told. */
function clipped(path: string, box: Box): Box | undefined {
  const [, shape, inside = ""] = /^(inset|circle|ellipse|polygon)\((.*)\)/.exec(path) ?? [];
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  let left: Box | undefined;
  if (shape === "inset") {
    const sides = inside.replace(/ round .*/, "").split(" ");
    const [top, right = top, bottom = top, far = right] = sides as [string, string?, string?, string?];
    left = { left: box.left + pixels(far!, width), top: box.top + pixels(top, height), right: box.right - pixels(right!, width), bottom: box.bottom - pixels(bottom!, height) };
  } else if (shape === "circle" || shape === "ellipse") {
    const [radii, at] = inside.split(/ ?at /) as [string, string?];
    const [x, y = x] = radii.split(" ").filter(Boolean) as [string?, string?];
    const diagonal = Math.hypot(width, height) / Math.SQRT2;
    const [rx, ry] = [pixels(x ?? "", shape === "circle" ? diagonal : width), pixels(y ?? "", shape === "circle" ? diagonal : height)];
    if (rx < MIN_SIZE / 2 || ry < MIN_SIZE / 2) return { left: box.left, top: box.top, right: box.left, bottom: box.top };
    const [cx, cy] = at === undefined ? [width / 2, height / 2] : (at.split(" ").map((value, i) => pixels(value, i ? height : width)) as [number, number]);
    left = { left: box.left + cx - rx, top: box.top + cy - ry, right: box.left + cx + rx, bottom: box.top + cy + ry };
  } else if (shape === "polygon") {
    const points = inside.replace(/^(?:nonzero|evenodd), ?/, "").split(/, ?/).map((point) => point.split(" "));
    const xs = points.map(([x]) => box.left + pixels(x ?? "", width));
    const ys = points.map(([, y]) => box.top + pixels(y ?? "", height));
    left = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  }
  return left && Object.values(left).every((side) => !Number.isNaN(side)) ? left : undefined;
}

/** What the older property `clip` leaves of a box. */
function cut(clip: string, box: Box): Box | undefined {
  const sides = /^rect\((\S+?),? (\S+?),? (\S+?),? (\S+?)\)$/.exec(clip)?.slice(1);
  if (!sides) return undefined;
  const [top, right, bottom, left] = sides.map((side) => Number.parseFloat(side)) as [number, number, number, number];
  const or = (value: number, other: number) => (Number.isNaN(value) ? other : value);
  return { left: box.left + or(left, 0), top: box.top + or(top, 0), right: or(box.left + right, box.right), bottom: or(box.top + bottom, box.bottom) };
}

/** Whether a mask leaves nothing: images cannot be told. */
function masked(style: CSSStyleDeclaration): boolean {
  const image = style.maskImage || style.getPropertyValue("-webkit-mask-image");
  if (!image || image === "none") return false;
  if (/^0(?:px|%)?(?: |$)|^\S+ 0(?:px|%)?$/.test(style.maskSize || style.getPropertyValue("-webkit-mask-size"))) return true;
  const found = painted(image);
  return found !== undefined && found.length > 0 && found.every(([, , , alpha]) => alpha < MIN_OPACITY);
}

const NO_BOX = /^(?:inline|contents)$/;

/** Whether an element is what elements positioned within it are placed by, the fixed ones too. */
const holds = ({ style, display }: Sight): boolean =>
  !NO_BOX.test(display) && (style.transform !== "none" || style.filter !== "none" || style.perspective !== "none" || style.translate !== "none" || style.scale !== "none" || style.rotate !== "none" ||
  /paint|strict|content|layout/.test(style.contain) || /transform|filter|perspective/.test(style.willChange) || (style.backdropFilter || "none") !== "none");

const check = Element.prototype.checkVisibility;

/** Where a document can be scrolled to. */
function reachable(root: Element, body: Element | null): Box {
  const own = getComputedStyle(root);
  const its = body ? getComputedStyle(body) : own;
  const x = { left: -scrollX, right: Infinity };
  if (!/^horizontal/.test(its.writingMode)) x.left = -Infinity;
  else if (own.direction === "rtl" || its.direction === "rtl") {
    x.left = -Infinity;
    x.right = own.direction === its.direction ? client.width(root) - scrollX : Infinity;
  }
  // A tab that was never shown may have no size. Pages lock their scrolling while a notice is in front: what is below can be read after it.
  if (innerWidth > 0 && [own, its].some(({ overflowX }) => overflowX === "hidden" || overflowX === "clip")) {
    x.left = Math.max(x.left, 0);
    x.right = Math.min(x.right, innerWidth);
  }
  return { ...x, top: -scrollY, bottom: Infinity };
}

/** Whether a document is dark where nothing has a background. */
function dark(root: Element): boolean {
  const meta = Document.prototype.querySelector.call(document, 'meta[name="color-scheme" i]');
  const schemes = `${getComputedStyle(root).colorScheme} ${(meta && Element.prototype.getAttribute.call(meta, "content")) ?? ""}`;
  return /\bdark\b/.test(schemes) && (!/\blight\b/.test(schemes) || matchMedia("(prefers-color-scheme: dark)").matches);
}

/** What is behind a whole document; undefined if it is in a frame that nobody sees. */
function canvasOf(root: Element): Ground | undefined {
  const blank: Color = dark(root) ? [18, 18, 18, 1] : [255, 255, 255, 1];
  if (window === window.top) return { colors: [blank], element: undefined, below: undefined };
  // A frame without a background shows that of the page around it: what that is,
  // a page of another site does not tell.
  let colors: readonly Color[] | undefined;
  const frame = window.frameElement;
  if (!frame) return { colors, element: undefined, below: undefined };
  const box = boxOf(frame);
  if (isEmpty(box) || box.right + window.parent.scrollX <= 0 || box.bottom + window.parent.scrollY <= 0 || getComputedStyle(frame).visibility !== "visible") return undefined;
  if (!check.call(frame, { opacityProperty: true, checkOpacity: true })) return undefined;
  for (let at: Element | null = frame; at; at = parentOf(at)) {
    const { opacity, filter, backgroundColor, backgroundImage } = getComputedStyle(at);
    if (Number(opacity) < MIN_OPACITY || /opacity\(0?\.?0\d*%?\)/.test(filter)) return undefined;
    if (colors) continue;
    const plain = color(backgroundColor);
    if (backgroundImage !== "none" || !plain) return { colors: undefined, element: undefined, below: undefined };
    if (plain[3] > 0) colors = [over(plain, blank)];
  }
  // The page around it may be a frame itself.
  if (!colors && window.parent === window.top) colors = [blank];
  return { colors, element: undefined, below: undefined };
}

export class Seen {
  readonly #range = new Range();
  readonly #root: Element;
  readonly #body: Element | null;
  readonly #over = new Covers();
  #cuts = 0;
  #covers: { box: Box; color: Color | undefined; element: Element | undefined }[] | undefined;

  constructor(root: Element, body: Element | null) {
    this.#root = root;
    this.#body = body;
  }

  /** The element that a walk begins with; undefined if none of it can be seen. */
  first(element: Element): Sight | undefined {
    const above = parentOf(element);
    if (!above) return this.enter(element, undefined);
    const outer = this.first(above);
    return outer && this.enter(element, outer);
  }

  /** An element within another; undefined if none of it can be seen. */
  enter(element: Element, above: Sight | undefined): Sight | undefined {
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none") return undefined;
    // It has no box of its own: only what is inherited applies.
    if (display === "contents" && above) return { style, display, position: "static", above, opacity: above.opacity, blur: above.blur, filters: above.filters, ground: above.ground, filled: above.filled, folded: false, flow: above.flow, clip: undefined };
    // Visible descendants of what is hidden by `visibility` are seen, and what
    // `content-visibility: auto` leaves out is painted when scrolled to.
    if (!check.call(element, { opacityProperty: true, checkOpacity: true, visibilityProperty: false, checkVisibilityCSS: false, contentVisibilityAuto: false })) return undefined;
    const content = style.contentVisibility ?? style.getPropertyValue("content-visibility");
    if (content === "hidden") return undefined;
    const { filter } = style;
    let opacity = (above?.opacity ?? 1) * Number(style.opacity);
    let blur = above?.blur ?? 0;
    let filters = above?.filters ?? [];
    const outer = element === this.#root || element === this.#body;
    if (filter !== "none") {
      for (const [, name, value] of filter.matchAll(/(opacity|blur)\(([^()]*)\)/g)) {
        if (name === "opacity") opacity *= amount(value);
        else blur = Math.hypot(blur, Number.parseFloat(value!));
      }
      // Of the page as a whole, its background is filtered with it.
      const colors = outer ? "" : coloring(filter);
      if (colors) filters = [colors, ...filters];
    }
    if (opacity < MIN_OPACITY || masked(style)) return undefined;

    const { position, clipPath } = style;
    const away = position === "absolute" || position === "fixed";
    let flow = !above ? reachable(this.#root, this.#body) : outer || !away ? above.flow : position === "fixed" ? this.#fixed(above) : this.#absolute(above);
    let own: DOMRect | undefined;
    const clip = clipPath !== "none" ? clipped(clipPath, (own = boxOf(element))) : away && style.clip !== "auto" ? cut(style.clip, (own = boxOf(element))) : undefined;
    if (clip) {
      flow = common(flow, clip);
      if (isEmpty(flow)) return undefined;
    }
    if (!outer && !NO_BOX.test(display)) flow = this.#clip(element, style, content, flow, own);

    let ground = above?.ground;
    let filled = above?.filled;
    if (!ground) {
      const behind = canvasOf(this.#root);
      if (!behind) return undefined;
      ground = behind;
    }
    const { backgroundColor, backgroundImage } = style;
    if (backgroundColor !== "rgba(0, 0, 0, 0)" || backgroundImage !== "none") {
      const drawn = (colors: readonly Color[] | undefined) => colors?.map((one) => filtered(one, filters));
      const plain = color(backgroundColor);
      if (/text/.test(style.backgroundClip || style.getPropertyValue("-webkit-background-clip"))) filled = { colors: drawn(backgroundImage !== "none" ? painted(backgroundImage) : [plain ?? [0, 0, 0, 1]]) };
      else {
        const place = outer ? undefined : element;
        if (!plain || plain[3] > 0) ground = { colors: drawn(plain && [plain]), element: place, below: ground };
        if (backgroundImage !== "none") ground = { colors: drawn(painted(backgroundImage)), element: place, below: ground };
      }
    }
    const folded = localName(element) === "details" && !has(element, "open");
    return { style, display, position, above, opacity, blur, filters, ground, filled, folded, flow, clip };
  }

  /** Where what is positioned absolutely in an element can be seen. */
  #absolute(sight: Sight): Box {
    sight.absolute ??= sight.position !== "static" || !sight.above || holds(sight) ? sight.flow : sight.clip ? common(this.#absolute(sight.above), sight.clip) : this.#absolute(sight.above);
    return sight.absolute;
  }

  /** Where what is fixed in an element can be seen. */
  #fixed(sight: Sight): Box {
    const around = () => (sight.above ? this.#fixed(sight.above) : { left: 0, top: 0, right: innerWidth || Infinity, bottom: innerHeight || Infinity });
    sight.fixed ??= sight.above && holds(sight) ? sight.flow : sight.clip ? common(around(), sight.clip) : around();
    return sight.fixed;
  }

  /** Where the content of an element can be seen: what it clips is lost, what it scrolls is not. */
  #clip(element: Element, style: CSSStyleDeclaration, content: string, flow: Box, own: DOMRect | undefined): Box {
    const { overflow, contain } = style;
    if (overflow === "visible" && contain === "none") return flow;
    const contained = /paint|strict|content/.test(contain);
    const mode = (overflow: string) => (overflow === "auto" || overflow === "scroll" ? "scroll" : overflow !== "visible" || contained ? "cut" : "");
    let [x, y] = [mode(style.overflowX), mode(style.overflowY)];
    // Until it is scrolled to, its height is not that of its content.
    if (content === "auto" && y === "cut" && style.maxHeight === "none" && this.#given(element) === "auto") y = "";
    if (x === "" && y === "") return flow;
    const border = own ?? boxOf(element);
    const [width, height] = [client.width(element), client.height(element)];
    const outer = element instanceof HTMLElement ? [offset.width(element), offset.height(element)] : [width, height];
    const [sx, sy] = [outer[0] ? border.width / outer[0] : 1, outer[1] ? border.height / outer[1] : 1];
    const box = { left: border.left + client.left(element) * sx, top: border.top + client.top(element) * sy, right: 0, bottom: 0 };
    box.right = box.left + width * sx;
    box.bottom = box.top + height * sy;
    const seen = common(flow, { left: x ? box.left : -Infinity, right: x ? box.right : Infinity, top: y ? box.top : -Infinity, bottom: y ? box.bottom : Infinity });
    if (isEmpty(seen)) return seen;
    const open = !/^horizontal/.test(style.writingMode) || /reverse/.test(style.flexDirection);
    if (x === "scroll") {
      const [far, at] = [scroll.width(element) * sx, scroll.left(element) * sx];
      const rtl = style.direction === "rtl";
      seen.left = open ? box.left - far : rtl ? box.right - at - far : box.left - at;
      seen.right = open ? box.right + far : rtl ? box.right - at : box.left - at + far;
    }
    if (y === "scroll") {
      const [far, at] = [scroll.height(element) * sy, scroll.top(element) * sy];
      seen.top = open ? box.top - far : box.top - at;
      seen.bottom = open ? box.bottom + far : box.top - at + far;
    }
    return seen;
  }

  /** The height that a style sheet gives to an element, "auto" for none. */
  #given(element: Element): string {
    try {
      return String((Element.prototype.computedStyleMap as Element["computedStyleMap"] | undefined)?.call(element).get("height") ?? "auto");
    } catch {
      return "auto";
    }
  }

  /** The parts of a text that can be seen, as offsets: all of it, none, or what is not clipped. */
  parts(node: Text, value: string, sight: Sight): [start: number, end: number][] {
    const { style } = sight;
    const font = Number.parseFloat(style.fontSize);
    sight.shown ??= !sight.folded && style.visibility === "visible" && font >= MIN_FONT && sight.blur <= MAX_BLUR * font && (style.getPropertyValue("-webkit-text-security") || "none") === "none";
    if (!sight.shown || isEmpty(sight.flow)) return [];
    // Space between words has no rectangle where a line ends.
    if (!/\S/.test(value)) return [[0, value.length]];
    this.#range.setStart(node, 0);
    this.#range.setEnd(node, value.length);
    // Around all lines: nearly always all of them can be seen, or there is only one.
    let some = this.#range.getBoundingClientRect();
    let whole = within(some, sight.flow) && this.#share(some, sight.flow) === "all";
    let area = some.width * some.height;
    if (!whole) {
      const rects = this.#rects(node, 0, value.length);
      const all = rects.map((rect) => this.#share(rect, sight.flow));
      const first = rects.find((_, i) => all[i] !== "none");
      if (!first) return [];
      some = first;
      whole = all.every((share) => share === "all");
      area = rects.reduce((sum, { width, height }) => sum + width * height, 0);
    }
    if (area < MIN_AREA * value.length && area < MIN_AREA * value.replace(/[\s\p{M}\p{Cf}]+/gu, "").length) return [];
    if (!this.#inked(some, sight, node) || this.#over.over(node, some)) return [];
    if (whole) return [[0, value.length]];
    return this.#cutAt(node, value, sight.flow);
  }

  /** The rectangles of a text, line by line: none for line breaks, whose width is zero. */
  #rects(node: Text, start: number, end: number): DOMRect[] {
    this.#range.setStart(node, start);
    this.#range.setEnd(node, end);
    return [...this.#range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  }

  /** How much of a line of text is within a box. */
  #share(line: DOMRect, box: Box): "all" | "some" | "none" {
    const { width, height } = line;
    const w = Math.min(line.right, box.right) - Math.max(line.left, box.left);
    const h = Math.min(line.bottom, box.bottom) - Math.max(line.top, box.top);
    const [size, thick, long, seen] = width >= height ? [height, h, width, w] : [width, w, height, h];
    if (Math.max(width, height) < MIN_FONT || size <= 0.3 || thick < 0.4 * size || seen < Math.min(MIN_SIZE, long)) return "none";
    return long - seen <= 0.4 * size ? "all" : "some";
  }

  /** The words of a text that are not clipped; whole sentences where there are any. */
  #cutAt(node: Text, value: string, box: Box): [number, number][] {
    const found: [number, number][] = [];
    const search = (start: number, end: number): void => {
      if (++this.#cuts > MAX_CUTS) return;
      const shares = this.#rects(node, start, end).map((rect) => this.#share(rect, box));
      if (shares.length > 0 && shares.every((share) => share === "none")) return;
      if (end - start > 1 && !shares.every((share) => share === "all")) {
        const middle = (start + end) >> 1;
        search(start, middle);
        search(middle, end);
        return;
      }
      const last = found[found.length - 1];
      if (last?.[1] === start) last[1] = end;
      else if (shares.length > 0) found.push([start, end]);
    };
    search(0, value.length);
    return found.flatMap(([start, end]): [number, number][] => {
      if (start > 0 && /\S/.test(value[start - 1]!)) start += /^\S*/.exec(value.slice(start, end))![0].length;
      if (end < value.length) {
        const seen = value.slice(start, end);
        const words = withoutLastWord(seen);
        const whole = /^.*[.!?…。！？]["'”’»)\]]*(?=\s|$)/s.exec(/\s/.test(value[end]!) ? seen : words)?.[0];
        end = start + (whole ?? words).length;
      }
      return /\S/.test(value.slice(start, end)) ? [[start, end]] : [];
    });
  }

  /** Whether the letters differ from what is behind them. */
  #inked(line: DOMRect, { style, ground, filled, filters }: Sight, node: Text): boolean {
    if (filled && !filled.colors) return true;
    const [x, y] = [line.left + line.width / 2, line.top + line.height / 2];
    // From the nearest background that is behind the text down to one that hides the others.
    const layers: (readonly Color[])[] = [];
    for (let at: Ground | undefined = ground; at; at = at.below) {
      if (at.element) {
        const box = (at.box ??= boxOf(at.element));
        if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
      }
      // An image: the text is only invisible if it has no colour.
      if (!at.colors) return (color(style.webkitTextFillColor || style.color)?.[3] ?? 1) >= MIN_OPACITY || style.textShadow !== "none";
      layers.push(at.colors);
      if (at.colors.length > 0 && at.colors.every(([, , , alpha]) => alpha === 1)) break;
    }
    let grounds: Color[] = [[255, 255, 255, 1]];
    for (const layer of layers.reverse()) if (layer.length > 0) grounds = layer.flatMap((upper) => grounds.slice(0, 4).map((lower) => over(upper, lower)));
    const drawn: Color[] = [];
    const legible = (ink: string): boolean => {
      const own = color(ink);
      if (!own) return true;
      if (own[3] < MIN_OPACITY) return false;
      const known = filtered(own, filters);
      drawn.push(known);
      return grounds.some((ground) => distinct(known, ground));
    };
    if (legible(style.webkitTextFillColor || style.color)) return true;
    if (filled?.colors?.some((ink) => ink[3] >= MIN_OPACITY && grounds.some((ground) => distinct(ink, ground)))) return true;
    if (Number.parseFloat(style.webkitTextStrokeWidth) > 0 && legible(style.webkitTextStrokeColor)) return true;
    const shadow = /^(.*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/.exec(style.textShadow);
    if (shadow && shadow.slice(2, 5).every((length) => Math.abs(Number(length)) <= 10) && legible(shadow[1]!)) return true;
    return drawn.length > 0 && this.#covered(line, drawn, node);
  }

  /** Whether an image, or an element that the text is not in, lies where the text is and makes it legible. */
  #covered(line: DOMRect, drawn: Color[], node: Text): boolean {
    if (!this.#covers) {
      this.#covers = [];
      const all = Document.prototype.querySelectorAll.call(document, "body *");
      for (let i = 0; i < Math.min(all.length, MAX_COVERS); i++) {
        const element = all[i]!;
        const image = /^(?:img|video|canvas|svg|iframe|object|embed)$/.test(localName(element));
        for (const pseudo of image ? [""] : ["", "::before", "::after"]) {
          const style = getComputedStyle(element, pseudo || undefined);
          if (pseudo && (style.content === "none" || style.content === "normal" || style.position === "static")) continue;
          if (!image && style.backgroundColor === "rgba(0, 0, 0, 0)" && style.backgroundImage === "none") continue;
          if (style.visibility !== "visible" || Number(style.opacity) < MIN_OPACITY) continue;
          let box: Box = boxOf(element);
          if (pseudo) box = { left: box.left, top: box.top, right: box.left + Number.parseFloat(style.width), bottom: box.top + Number.parseFloat(style.height) };
          if (!(box.right - box.left > 10 && box.bottom - box.top > 10)) continue;
          this.#covers.push({ box, color: image || style.backgroundImage !== "none" ? undefined : color(style.backgroundColor), element: pseudo ? undefined : element });
        }
      }
    }
    const area = line.width * line.height;
    return this.#covers.some(({ box, color, element }) => {
      const shared = common(box, line);
      const part = Math.max(0, shared.right - shared.left) * Math.max(0, shared.bottom - shared.top);
      if (part < area / 2 || (element && Node.prototype.contains.call(element, node))) return false;
      return !color || (color[3] >= 0.5 && drawn.some((ink) => distinct(ink, color)));
    });
  }
}
