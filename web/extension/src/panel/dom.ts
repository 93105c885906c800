// The few lines that stand in for a framework. Texts of tabs become text
// nodes and attributes that hold no markup, never anything else.

/** The element with this id; a missing one is a mistake in panel.html. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`panel.html has no #${id}`);
  return found as T;
}

type Child = Node | string | undefined;

/** Makes an element with attributes and children, in order. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string | undefined> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** One of the symbols of panel.html. */
export function icon(name: string, size: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: String(size), height: String(size), "aria-hidden": "true" })) svg.setAttribute(key, value);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Tabs are told apart by number first; the eight colours repeat. */
export const hue = (index: number): string => `hue-${(index % 8) + 1}`;

/** The picture of a site; where there is none, of a page. */
export function favicon(url: string | undefined): Element {
  if (url === undefined) return placeholder();
  const image = h("img", { class: "favicon", src: url, alt: "", width: "16", height: "16" });
  image.addEventListener("error", () => image.replaceWith(placeholder()), { once: true });
  return image;
}

function placeholder(): SVGSVGElement {
  const svg = icon("page", 16);
  svg.classList.add("favicon");
  return svg;
}

/** Does something to the page without losing the place of the focus, where that has an id that is still there. */
export function keepingFocus(container: HTMLElement, render: () => void): void {
  const { activeElement } = document;
  const id = container.contains(activeElement) ? activeElement!.id : "";
  render();
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
}

export function toast(message: string, act?: { label: string; run(): void }, dismiss = ""): void {
  const box = byId("toast");
  clearTimeout(timer);
  const clear = () => box.replaceChildren();
  if (!act) {
    box.replaceChildren(h("p", {}, message));
    timer = setTimeout(clear, 6000);
    return;
  }
  // What can be acted on stays: nobody has to be quick.
  const button = h("button", { type: "button" }, act.label);
  button.addEventListener("click", () => {
    clear();
    act.run();
  });
  const close = h("button", { type: "button", class: "icon quiet", "aria-label": dismiss }, icon("close", 14));
  close.addEventListener("click", clear);
  box.replaceChildren(h("p", {}, message), button, close);
}
let timer: ReturnType<typeof setTimeout> | undefined;
