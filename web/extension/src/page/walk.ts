// Walks over the visible content of a page in reading order, without changing it.
// The page's scripts cannot reach this isolated world, but its elements can have
// names that hide properties of a form or of the document: read these with the
// getters of their prototypes.

import { SKIPPED } from "../../../common/read/visible.ts";
import { Seen, type Sight } from "./seen.ts";

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
    /** Firefox's equivalent of chrome.dom.openOrClosedShadowRoot. */
    readonly openOrClosedShadowRoot?: ShadowRoot | null;
  }
}

/** Only these and custom elements can have a shadow root. Asking for a closed one is slow: only elements without children are checked. */
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
  /** Called for a visible element; false skips its content. */
  enter(element: Element, name: string, display: string): boolean;
  leave(element: Element): void;
  /** The part of a text that can be seen, `value`, which begins at an offset. */
  text(node: Text, value: string, start: number): void;
  /** Called for an element that is not entered, such as a frame or a field. */
  skipped?(element: Element, name: string): void;
  /** Called regularly: true ends the walk. */
  enough(): boolean;
}

/** Inline elements in nearly all pages: inline for a visitor, however the page displays them. */
const INLINE = new Set(["abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "mark", "q", "s", "small", "strong", "sub", "sup", "time", "u", "var"]);

/** Walks over the visible part of a tree, with shadow trees and slots as displayed. Without recursion, since trees may be deep. Returns whether it reached the end. */
export function walk(root: Element, visitor: Visitor): boolean {
  const check = Element.prototype.checkVisibility;
  interface Level {
    element: Element;
    nodes: Node[];
    next: number;
    sight: Sight;
  }
  const seen = new Seen(page.root() ?? root, page.body());
  const levels: Level[] = [];
  const enter = (element: Element): void => {
    const name = localName(element);
    if (SKIPPED.has(name.toUpperCase()) || SKIPPED.has(name) || namespace(element) === "http://www.w3.org/2000/svg") {
      if (visitor.skipped && name !== "script" && name !== "style" && check.call(element)) visitor.skipped(element, name);
      return;
    }
    const above = levels[levels.length - 1]?.sight;
    const sight = above ? seen.enter(element, above) : seen.first(element);
    if (!sight || !visitor.enter(element, name, INLINE.has(name) ? "inline" : sight.display)) return;
    levels.push({ element, nodes: children(element, name), next: 0, sight });
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
    else if (type === 3) {
      const value = textOf(node) ?? "";
      for (const [start, end] of seen.parts(node as Text, value, level.sight)) visitor.text(node as Text, value.slice(start, end), start);
    }
  }
  return true;
}
