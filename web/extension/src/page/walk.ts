// Walks over what a page shows, in the order of reading, without changing it.
// Scripts of a page cannot reach the world that this runs in, but its elements
// can be named so that they hide properties of a form or of the document: all
// of these are read by the getters of their prototypes.

import { SKIPPED } from "../../../common/read/visible.ts";

const getter = <Of extends object, Value>(prototype: Of, name: keyof Of): ((of: Of) => Value) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name)!;
  return (of) => get!.call(of) as Value;
};

const firstChild = getter<Node, Node | null>(Node.prototype, "firstChild");
const nextSibling = getter<Node, Node | null>(Node.prototype, "nextSibling");
const nodeType = getter<Node, number>(Node.prototype, "nodeType");
export const textOf = getter<Node, string | null>(Node.prototype, "textContent");
export const localName = getter<Element, string>(Element.prototype, "localName");
const namespace = getter<Element, string | null>(Element.prototype, "namespaceURI");
const openRoot = getter<Element, ShadowRoot | null>(Element.prototype, "shadowRoot");
export const attribute = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);

export const page = {
  title: () => getter<Document, string>(Document.prototype, "title")(document),
  root: () => getter<Document, Element | null>(Document.prototype, "documentElement")(document),
  body: () => getter<Document, HTMLElement | null>(Document.prototype, "body")(document),
  type: () => getter<Document, string>(Document.prototype, "contentType")(document),
  all: (selectors: string): Element[] => [...Document.prototype.querySelectorAll.call(document, selectors)],
  empty: (): Document => DOMImplementation.prototype.createHTMLDocument.call(getter<Document, DOMImplementation>(Document.prototype, "implementation")(document), ""),
};

declare global {
  interface Element {
    /** Firefox's way to what Chromium calls chrome.dom.openOrClosedShadowRoot. */
    readonly openOrClosedShadowRoot?: ShadowRoot | null;
  }
}

/** Only these, and elements of a page's own, can have one. To ask the browser for a closed one takes its time: only those without content of their own are checked. */
const HOSTS = new Set(["article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "p", "section", "span"]);

function shadow(element: Element, name: string): ShadowRoot | null {
  const own = name.includes("-");
  if (!own && !HOSTS.has(name)) return null;
  if (!own && firstChild(element)) return openRoot(element);
  const dom = (globalThis as { chrome?: { dom?: { openOrClosedShadowRoot(element: Element): ShadowRoot | null } } }).chrome?.dom;
  if (dom) {
    try {
      return dom.openOrClosedShadowRoot(element);
    } catch {
      return null;
    }
  }
  return element.openOrClosedShadowRoot ?? openRoot(element);
}

function children(element: Element, name: string): Node[] {
  const found: Node[] = [];
  if (name === "slot") {
    const assigned = HTMLSlotElement.prototype.assignedNodes.call(element as HTMLSlotElement);
    if (assigned.length > 0) return assigned;
  }
  for (let child = firstChild(shadow(element, name) ?? element); child; child = nextSibling(child)) found.push(child);
  return found;
}

export interface Visitor {
  /** An element that is shown; false keeps out of it. */
  enter(element: Element, name: string, display: string): boolean;
  leave(element: Element): void;
  text(node: Text): void;
  /** An element that is not gone into but may matter: a frame, a field. */
  skipped?(element: Element, name: string): void;
  /** Asked now and then: true ends the walk. */
  enough(): boolean;
}

/** Text that stands there for machines alone: cut to nothing, as pages do for screen readers, where it repeats what is shown. */
const CUT = /^rect\((?:0px|1px|auto)(?:, ?(?:0px|1px|auto)){3}\)$/;
const cutAway = (style: CSSStyleDeclaration): boolean =>
  (style.position === "absolute" || style.position === "fixed") && (CUT.test(style.clip) && style.clip !== "auto" || /^inset\((?:50|100)%\)$/.test(style.clipPath));

/** Elements that hold some words of a line, in nearly all pages: their styles are not looked at where they are visible. */
const INLINE = new Set(["abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "mark", "q", "s", "small", "strong", "sub", "sup", "time", "u", "var"]);

/** Walks over the shown part of a tree: shadow trees instead of what they replace, slots filled. Without recursion: trees may be deep. Returns whether it came to the end. */
export function walk(root: Element, visitor: Visitor): boolean {
  const check = Element.prototype.checkVisibility;
  interface Level {
    element: Element;
    nodes: Node[];
    next: number;
    /** Whether its own text is shown; that of elements in it may be nonetheless. */
    shown: boolean;
    /** Whether its letters have no size. */
    tiny: boolean;
  }
  const levels: Level[] = [];
  const enter = (element: Element): void => {
    const name = localName(element);
    if (SKIPPED.has(name.toUpperCase()) || SKIPPED.has(name) || namespace(element) === "http://www.w3.org/2000/svg") {
      if (visitor.skipped && name !== "script" && name !== "style" && check.call(element)) visitor.skipped(element, name);
      return;
    }
    if (INLINE.has(name) && check.call(element, { visibilityProperty: true })) {
      const above = levels[levels.length - 1];
      if (visitor.enter(element, name, "inline")) levels.push({ element, nodes: children(element, name), next: 0, shown: true, tiny: above?.tiny ?? false });
      return;
    }
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none") return;
    // An element without a box of its own is not "visible", what is in it may be.
    if (display !== "contents" && !check.call(element)) return;
    if (cutAway(style)) return;
    if (!visitor.enter(element, name, display)) return;
    levels.push({ element, nodes: children(element, name), next: 0, shown: style.visibility === "visible", tiny: style.fontSize === "0px" });
  };
  enter(root);
  for (let n = 0; levels.length > 0; n++) {
    if (n % 256 === 255 && visitor.enough()) {
      for (let level = levels.pop(); level; level = levels.pop()) visitor.leave(level.element);
      return false;
    }
    const level = levels[levels.length - 1]!;
    const node = level.nodes[level.next++];
    if (!node) {
      levels.pop();
      visitor.leave(level.element);
      continue;
    }
    const type = nodeType(node);
    if (type === 1) enter(node as Element);
    else if (type === 3 && level.shown && !level.tiny) visitor.text(node as Text);
  }
  return true;
}
