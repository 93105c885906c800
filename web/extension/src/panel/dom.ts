// DOM helpers of the panel, in addition to web/common/dom.ts.

import { byId, h, icon } from "../../../common/dom.ts";

/** The icon of a site, or a generic one. */
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

/** Changes the page and keeps the focus, if the focused element has an id that still exists. */
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
  // Messages with an action stay until it is taken.
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
