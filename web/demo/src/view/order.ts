// The order of the columns, for the eye, the keyboard and screen readers alike: the
// summary first, but the documents first where there is room for three columns.

import { byId } from "../../../common/dom.ts";

/** Three columns, as in layout.css. */
export const wide = matchMedia("(width >= 68rem)");

export function mountOrder(): void {
  const workspace = byId("workspace");
  const place = () => {
    const focused = document.activeElement as HTMLElement | null;
    workspace.prepend(byId(wide.matches ? "documents" : "summary"));
    if (focused !== document.activeElement) focused?.focus({ preventScroll: true });
  };
  wide.addEventListener("change", place);
  place();
}
