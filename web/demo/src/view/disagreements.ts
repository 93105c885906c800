import type { Disagreement, DisagreementValue } from "cerasum";
import { groups, sentenceOf } from "../../../common/disagreements.ts";
import { byId, h, hue } from "../../../common/dom.ts";
import { shown } from "../../../common/shown.ts";
import type { Result } from "../engine.ts";
import { number, text as t } from "../strings.ts";
import { type Span, anchor } from "./text.ts";

/** Lists what the documents of a result give different values for, each with a link to its sentence. */
export function fillDisagreements(result: Result | undefined, show: (id: number, span: Span) => void): void {
  const all = result?.summary.disagreements ?? [];
  const section = byId("disagreements");
  const list = byId("disagreement-list");
  section.hidden = all.length === 0;
  const focused = section.contains(document.activeElement) ? document.activeElement?.id : undefined;
  list.replaceChildren(...all.map((one, i) => item(one, i)));
  if (focused !== undefined) (document.getElementById(focused) ?? byId("summary-title")).focus({ preventScroll: true });

  function item({ what, update, values }: Disagreement, i: number): HTMLLIElement {
    const made = groups(values, update);
    return h(
      "li",
      {},
      h("span", { class: "differs", lang: language(values[0]!), dir: "auto" }, shown(what)),
      update ? h("span", { class: "small" }, t.updated) : undefined,
      ...made.flatMap(({ value, said }, k) => [
        update && k > 0 ? h("span", { class: "arrow", "aria-hidden": "true" }, "→") : undefined,
        h("span", { class: "value" }, ...said.map((one, n) => link(one, n === 0 ? value : undefined, `disagreement-${i}-${k}-${n}`))),
      ]),
    );
  }

  /** Only the first link of a value shows it. */
  function link(one: DisagreementValue, value: string | undefined, id: string): HTMLAnchorElement {
    const doc = result!.docs[one.document]!;
    const span = sentenceOf(result!.split[one.document]!.sentences, one);
    const made = h(
      "a",
      { id, class: hue(one.document), href: `#${anchor(doc.id, span)}`, title: doc.title, "aria-describedby": "source-hint" },
      h("span", { class: value === undefined ? "offscreen" : "said", lang: language(one), dir: "auto" }, value ?? shown(one.value)),
      h("span", { class: "chip", "aria-hidden": "true" }, number(one.document + 1)),
      h("span", { class: "offscreen" }, `, ${t.inDocument(one.document + 1, doc.title || t.untitled)}`),
    );
    made.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show(doc.id, span);
    });
    return made;
  }

  function language({ document }: DisagreementValue): string | undefined {
    return result!.summary.documents[document]!.language || undefined;
  }
}
