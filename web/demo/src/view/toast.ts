import type { Documents } from "../documents.ts";
import { byId, h } from "../../../common/dom.ts";
import { page, spoken, text as t } from "../strings.ts";

export interface Toast {
  /** Shows a message briefly, and announces it to screen readers. */
  say(message: string): void;
  /** Shows work in progress with a cancel button until it is done. */
  work(message: string, stop: () => void): Work;
}

export interface Work {
  /** `done` of `total`, both in any unit. */
  progress(done: number, total: number): void;
  end(): void;
}

/** The line at the bottom: the last action, with undo where possible. */
export function mountToast(documents: Documents): Toast {
  const box = byId("toast");
  let timer: number | undefined;
  /** Work in progress stays visible whatever else is shown. */
  let working: HTMLElement | undefined;
  const fill = (...parts: Node[]) => {
    // Its button may have the focus, which moving it would lose.
    for (const child of [...box.childNodes]) if (child !== working) child.remove();
    box.append(...parts);
  };

  const show = (message: string, undo: boolean) => {
    clearTimeout(timer);
    const dismiss = h("button", { type: "button", class: "quiet" }, page.dismiss);
    dismiss.addEventListener("click", () => {
      fill();
      byId("documents-title").focus();
    });
    if (!undo) {
      fill(h("p", {}, message));
      timer = setTimeout(() => fill(), 6000);
      return;
    }
    // An undoable message stays until the next action.
    const button = h("button", { type: "button", id: "undo" }, page.undo);
    button.addEventListener("click", () => {
      documents.undo();
      show(t.undone, false);
      byId("documents-title").focus();
    });
    fill(h("p", {}, message), button, dismiss);
  };

  documents.addEventListener("change", () => {
    const message = documents.undoable;
    if (message) show(message, true);
    else if (box.querySelector("#undo")) fill();
  });
  // The message keeps its language; the undo button is translated.
  spoken.addEventListener("change", () => {
    if (box.querySelector("#undo") && documents.undoable) show(documents.undoable, true);
  });

  const work = (message: string, stop: () => void): Work => {
    const bar = h("progress", { max: "1", "aria-label": message });
    const button = h("button", { type: "button", id: "stop" }, page.cancel);
    const own = h("div", { class: "toast-work" }, h("p", {}, message), bar, button);
    button.addEventListener("click", stop);
    // Most work ends before this could be read.
    const begin = setTimeout(() => {
      working = own;
      box.prepend(own);
    }, 300);
    return {
      progress: (done, total) => (bar.value = done / total),
      end() {
        clearTimeout(begin);
        if (working !== own) return;
        const focused = own.contains(document.activeElement);
        working = undefined;
        own.remove();
        if (focused) byId("choose").focus();
      },
    };
  };
  return { say: (message) => show(message, false), work };
}
