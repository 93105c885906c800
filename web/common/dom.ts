// A minimal DOM helper in place of a framework. Texts of documents only become
// text nodes and attribute values, never markup.

/** The element with this id; a missing one is a bug in the page's HTML. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

type Child = Node | string | undefined;

/** Creates an element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/** Sets an element's attributes (undefined removes one) and text if they differ: setting the same value again would cost a layout. */
export function put(element: Element, attributes: Record<string, string | undefined>, text?: string): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  if (text !== undefined && element.textContent !== text) element.textContent = text;
}

/** For put: a boolean attribute. */
export const flag = (on: boolean): string | undefined => (on ? "" : undefined);

/** Makes these the children of `container`, without touching those that stay in order. */
export function arrange(container: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const child of [...container.children]) if (!wanted.has(child)) child.remove();
  let at = container.firstElementChild;
  for (const child of children) {
    if (child === at) at = at.nextElementSibling;
    else container.insertBefore(child, at);
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon from the symbols in the page's HTML. */
export function icon(name: string, size: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("width", String(size));
  svg.setAttribute("height", String(size));
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Numbers identify documents and tabs; the eight colours repeat. */
export const hue = (index: number): string => `hue-${(index % 8) + 1}`;

/** Smooth, unless the reader prefers reduced motion. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
