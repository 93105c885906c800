// Opaque boxes that lie on top of text. What is in front only for now does not count:
// headers and notices that stay in the window, which a reader scrolls away from or
// closes.

import { color } from "../../../common/read/legible.ts";
import { type Box, boxOf, common, getter, localName, parentOf } from "./boxes.ts";

interface Cover {
  element: Element;
  /** A pseudo-element of it. */
  pseudo: "::before" | "::after" | undefined;
  box: Box;
  /** The elements that it is in, from the root, and itself. */
  chain: Element[];
}

/** How an element is painted among others (CSS 2, appendix E). */
interface Layer {
  /** Its level in the stacking context around it; undefined: that of the text. */
  level: number | undefined;
  /** Whether it is a stacking context of its own. */
  context: boolean;
  /** Whether it is painted at once where it stands in the text, its background included. */
  atomic: boolean;
}

/** Where text and the backgrounds of blocks are painted: below what is positioned, above what has a negative z-index. */
const TEXT = -0.5;
/** Elements that are searched, and opaque boxes that are compared with each text. */
const MAX_ELEMENTS = 20_000;
const MAX_COVERS = 2000;
/** CSS pixels: smaller boxes hide no sentence. */
const MIN_SIDE = 10;
const MIN_ALPHA = 0.9;
/** The share of a text that has to be covered. */
const MOST = 0.9;

const firstChild = getter<Node | null>(Node.prototype, "firstChild");
const inWindow = /^(?:fixed|sticky)$/;

/** The elements from the root to this one, through shadow roots. */
function chainOf(element: Element | null): Element[] {
  const chain: Element[] = [];
  for (let at = element; at; at = parentOf(at) ?? (Node.prototype.getRootNode.call(at) as Partial<ShadowRoot>).host ?? null) chain.push(at);
  return chain.reverse();
}

export class Covers {
  #all: Cover[] | undefined;
  readonly #layers = new Map<Element, Layer>();

  /** Whether an opaque box that a text is not in hides most of a line of it. */
  over(node: Text, line: Box): boolean {
    this.#all ??= this.#collect();
    const area = (line.right - line.left) * (line.bottom - line.top);
    let chain: Element[] | undefined;
    return this.#all.some((cover) => {
      const shared = common(cover.box, line);
      if (shared.right <= shared.left || shared.bottom <= shared.top) return false;
      if ((shared.right - shared.left) * (shared.bottom - shared.top) < MOST * area) return false;
      return this.#above(cover, node, (chain ??= chainOf(parentOf(node as Node as Element))));
    });
  }

  /** Whether a box is painted after a text in an element with this chain. */
  #above({ element, pseudo, chain: own }: Cover, node: Text, chain: readonly Element[]): boolean {
    let shared = 0;
    while (shared < chain.length && own[shared] === chain[shared]) shared++;
    const within = shared === own.length;
    if (within && !pseudo) return false;
    const text = this.#levelOf(chain.slice(shared).map((at) => this.#layer(at)));
    const box = this.#levelOf([...own.slice(shared).map((at) => this.#layer(at)), ...(pseudo ? [layerOf(getComputedStyle(element, pseudo), undefined)] : [])]);
    if (box.level !== text.level) return box.level > text.level;
    if (box.level === TEXT && !box.atomic) return false;
    return within ? pseudo === "::after" : (Node.prototype.compareDocumentPosition.call(node, element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  }

  /** Of the layers from a common ancestor down: where what is in the last one is painted. */
  #levelOf(layers: readonly Layer[]): { level: number; atomic: boolean } {
    let level = TEXT;
    let atomic = false;
    for (const layer of layers) {
      atomic ||= layer.atomic;
      if (layer.level === undefined) continue;
      level = layer.level;
      if (layer.context) break;
    }
    return { level, atomic };
  }

  #layer(element: Element): Layer {
    let layer = this.#layers.get(element);
    if (!layer) {
      const above = parentOf(element);
      this.#layers.set(element, (layer = layerOf(getComputedStyle(element), above ? getComputedStyle(above).display : undefined)));
    }
    return layer;
  }

  #collect(): Cover[] {
    const found: Cover[] = [];
    const all = Document.prototype.querySelectorAll.call(document, "body *");
    for (let i = 0; i < Math.min(all.length, MAX_ELEMENTS) && found.length < MAX_COVERS; i++) {
      const element = all[i]!;
      const style = getComputedStyle(element);
      if (opaque(style)) {
        const seen = shown(element, boxOf(element));
        if (seen) found.push({ element, pseudo: undefined, box: seen, chain: chainOf(element) });
      }
      if (style.position === "static" || !firstChild(element)) continue;
      for (const pseudo of ["::before", "::after"] as const) {
        const own = getComputedStyle(element, pseudo);
        if (own.content === "none" || own.content === "normal" || own.position !== "absolute" || !opaque(own)) continue;
        const { left, top } = boxOf(element);
        const box = { left: left + Number.parseFloat(own.left), top: top + Number.parseFloat(own.top), right: 0, bottom: 0 };
        box.right = box.left + Number.parseFloat(own.width);
        box.bottom = box.top + Number.parseFloat(own.height);
        const seen = Object.values(box).every((side) => !Number.isNaN(side)) && shown(element, box);
        if (seen) found.push({ element, pseudo, box: seen, chain: chainOf(element) });
      }
    }
    return found;
  }
}

/** Whether a box has a background of one colour that lets nothing through. */
const opaque = ({ backgroundColor, backgroundClip, visibility, opacity }: CSSStyleDeclaration): boolean =>
  backgroundColor !== "rgba(0, 0, 0, 0)" && visibility === "visible" && Number(opacity) >= MIN_ALPHA && !/text/.test(backgroundClip) && (color(backgroundColor)?.[3] ?? 0) >= MIN_ALPHA;

/** What of a box is painted, as the elements say that it is in; undefined if that is nothing, or may be, or stays in the window. */
function shown(element: Element, box: Box): Box | undefined {
  let seen: Box = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
  let opacity = 1;
  for (let at: Element | null = element; at; at = parentOf(at)) {
    if (seen.right - seen.left < MIN_SIDE || seen.bottom - seen.top < MIN_SIDE) return undefined;
    const style = getComputedStyle(at);
    opacity *= Number(style.opacity);
    if (opacity < MIN_ALPHA || inWindow.test(style.position) || style.display === "none") return undefined;
    if (style.clipPath !== "none" || style.filter !== "none" || style.clip !== "auto" || (style.maskImage || "none") !== "none" || style.contentVisibility === "hidden") return undefined;
    if (at !== element && style.overflow !== "visible" && !/^(?:body|html)$/.test(localName(at))) seen = common(seen, boxOf(at));
  }
  return seen;
}

function layerOf(style: CSSStyleDeclaration, around: string | undefined): Layer {
  const item = around !== undefined && /flex|grid/.test(around);
  const positioned = style.position !== "static";
  const z = style.zIndex === "auto" || !(positioned || item) ? undefined : Number(style.zIndex);
  if (z !== undefined) return { level: z, context: true, atomic: false };
  const context = inWindow.test(style.position) || Number(style.opacity) < 1 || style.transform !== "none" || style.translate !== "none" || style.scale !== "none" || style.rotate !== "none" ||
    style.filter !== "none" || style.isolation === "isolate" || style.mixBlendMode !== "normal" || style.willChange !== "auto" || /paint|layout|strict|content/.test(style.contain);
  return { level: positioned || context ? 0 : undefined, context, atomic: item || /^inline-/.test(style.display) };
}
