import type { Documents } from "../documents.ts";
import { byId, h } from "../../../common/dom.ts";
import type { Engine } from "../engine.ts";
import { text as t } from "../strings.ts";
import { explain } from "./explain.ts";
import type { Span } from "./text.ts";

/** The comparison of methods, which loads when first opened. */
export function mountTools(documents: Documents, engine: Engine, show: (id: number, span: Span) => void): void {
  const button = byId<HTMLButtonElement>("compare-open");
  const render = () => (button.disabled = engine.result === undefined || engine.methods.length === 0);
  engine.addEventListener("change", render);
  engine.addEventListener("info", render);
  let open = false;
  button.addEventListener("click", async () => {
    const base = engine.result;
    if (!base || open) return;
    open = true;
    try {
      const { openCompare } = await import("../compare/compare.ts");
      const enabled = [...byId<HTMLSelectElement>("method").options].filter(({ disabled }) => !disabled);
      let led = false;
      await openCompare({
        engine,
        methods: () => enabled.map(({ value, text }) => ({ name: value, title: text })),
        show: (id, span) => {
          led = true;
          show(id, span);
        },
        explain,
      }, base);
      if (!led) button.focus();
    } catch {
      complain(button, t.errors.part);
    } finally {
      open = false;
    }
  });

  /** Shows an error after the button of a tool that failed to load. */
  function complain(after: HTMLElement, message: string): void {
    const before = after.nextElementSibling;
    if (before?.matches(".problem")) before.remove();
    const problem = h("p", { class: "problem", role: "alert" }, message);
    after.after(problem);
    documents.addEventListener("change", () => problem.remove(), { once: true });
  }
}
