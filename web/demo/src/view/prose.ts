// The summary as a text: paragraphs with small numbers, which open the quote with
// its source and context below the paragraph.

import type { Quote } from "cerasum";
import { h, hue } from "../../../common/dom.ts";
import { marked } from "../../../common/question.ts";
import { shownInPart, shownSource } from "../../../common/shown.ts";
import type { Result } from "../engine.ts";
import { paragraphs } from "../paragraphs.ts";
import { number, text as t } from "../strings.ts";
import { sentenceName } from "./pointing.ts";
import { type CardHooks, follow, quoteCard } from "./quote.ts";
import { anchor } from "./text.ts";

/** Shows a result in `box`, or nothing. */
export function fillProse(box: HTMLElement, result: Result | undefined, hooksOf: (quote: Quote) => CardHooks): void {
  if (!result) return box.replaceChildren();
  const used = [...new Set(result.summary.sentences.map(({ document }) => document))].sort((a, b) => a - b);
  box.replaceChildren(
    ...paragraphs(result).map(({ language, quotes }) => {
      const place = h("ol", { class: "quotes", hidden: "" });
      let shown: HTMLAnchorElement | undefined;
      const parts = quotes.flatMap(({ quote, index }, i) => {
        const doc = result.docs[quote.document]!;
        const said = shownInPart(quote.text);
        const hooks = hooksOf(quote);
        const ref = h(
          "a",
          { class: "ref", id: `text-${anchor(doc.id, quote)}`, href: `#${anchor(doc.id, quote)}`, "aria-label": t.sourceOf(quote.document + 1, doc.title || t.untitled), "aria-expanded": "false", "data-quote": String(index) },
          number(quote.document + 1),
        );
        follow(ref, () => {
          const again = shown === ref;
          shown?.setAttribute("aria-expanded", "false");
          shown = again ? undefined : ref;
          place.hidden = again;
          if (again) return place.replaceChildren();
          ref.setAttribute("aria-expanded", "true");
          const { item, turn } = quoteCard(result, quote, "in-text-", { ...hooks, narrow: () => false });
          turn(true);
          place.replaceChildren(item);
        });
        return [
          i > 0 ? " " : "",
          h("span", { class: `passage ${hue(quote.document)}`, "data-sentence": sentenceName({ id: doc.id, start: quote.start }) }, ...marked(said, hooks.asked(said)), h("sup", {}, ref)),
        ];
      });
      return h("div", { class: "paragraph" }, h("p", { class: "prose-text", lang: language, dir: "auto" }, ...parts), place);
    }),
    h("ol", { class: "prose-sources small" }, ...used.map((i) => {
      const { title, source } = result.docs[i]!;
      return h("li", { class: hue(i) }, h("span", { class: "source-number" }, number(i + 1)), h("span", {}, h("bdi", {}, title || t.untitled), ...(source && source !== title ? [", ", h("bdi", {}, shownSource(source))] : [])));
    })),
  );
}
