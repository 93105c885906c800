import type { Documents } from "../documents.ts";
import { byId, h } from "../dom.ts";
import { page, spoken, text as t } from "../strings.ts";

export interface Toast {
  /** Says something for a moment, to the eye and to a screen reader. */
  say(message: string): void;
}

/** The line at the bottom: what was just done, and the way back where there is one. */
export function mountToast(documents: Documents): Toast {
  const box = byId("toast");
  let timer: number | undefined;

  const show = (message: string, undo: boolean) => {
    clearTimeout(timer);
    const dismiss = h("button", { type: "button", class: "quiet" }, page.dismiss);
    dismiss.addEventListener("click", () => {
      box.replaceChildren();
      byId("documents-title").focus();
    });
    if (!undo) {
      box.replaceChildren(h("p", {}, message));
      timer = setTimeout(() => box.replaceChildren(), 6000);
      return;
    }
    // What can be undone stays until something else happens: nobody has to be quick.
    const button = h("button", { type: "button", id: "undo" }, page.undo);
    button.addEventListener("click", () => {
      documents.undo();
      show(t.undone, false);
      byId("documents-title").focus();
    });
    box.replaceChildren(h("p", {}, message), button, dismiss);
  };

  documents.addEventListener("change", () => {
    const message = documents.undoable;
    if (message) show(message, true);
    else if (box.querySelector("#undo")) box.replaceChildren();
  });
  // What was said stays as it was; the way back can be read.
  spoken.addEventListener("change", () => {
    if (box.querySelector("#undo") && documents.undoable) show(documents.undoable, true);
  });
  return { say: (message) => show(message, false) };
}
