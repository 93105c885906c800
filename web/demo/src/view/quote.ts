// A quote as a card: the sentence with its source, what other documents say, and
// its context, which opens in place.

import type { Quote, Similar } from "cerasum";
import { h, hue } from "../../../common/dom.ts";
import { type Found, marked } from "../../../common/question.ts";
import { hostOf, shownInPart } from "../../../common/shown.ts";
import type { Result } from "../engine.ts";
import { onlyHere, standing } from "../standing.ts";
import { number, text as t } from "../strings.ts";
import { sentenceName } from "./pointing.ts";
import { type Span, anchor } from "./text.ts";

/** Sentences before and after a quote that its context shows. */
const AROUND = 2;

export interface CardHooks {
  /** Shows a span in its document. */
  show(id: number, span: Span): void;
  /** The words of a text that the reader asks for. */
  asked(text: string): Found[];
  /** Whether following the quote opens its context in place, as there is no room for the document beside it. */
  narrow(): boolean;
}

export interface Card {
  item: HTMLLIElement;
  /** Opens or closes the context. */
  turn(open: boolean): void;
}

/** `prefix` makes its ids unique. */
export function quoteCard(result: Result, quote: Quote, prefix: string, { show, asked, narrow }: CardHooks): Card {
  const doc = result.docs[quote.document]!;
  const lang = result.summary.documents[quote.document]!.language;
  const single = result.docs.length === 1;
  const id = `${prefix}${anchor(doc.id, quote)}`;
  const said = shownInPart(quote.text);
  const host = hostOf(doc.source);
  const passage = (quotes: readonly Span[]) => quotes.map(({ start, end }) => shownInPart(doc.text.slice(start, end))).join(" ");

  const link = h(
    "a",
    { class: "quote-link", id, href: `#${anchor(doc.id, quote)}`, "aria-describedby": "source-hint" },
    h("span", { class: "chip", "aria-hidden": "true" }, number(quote.document + 1)),
    h("span", { class: "quote-text", lang, dir: "auto" }, ...marked(said, asked(said))),
    ...(single ? [] : [" ", h("span", { class: "quote-source small" }, h("bdi", {}, doc.title || t.untitled), ...(host ? [" ", h("bdi", { class: "host" }, host)] : []))]),
  );
  follow(link, () => (narrow() ? turn(!open) : show(doc.id, quote)));

  const leaning = quote.context.length > 0
    ? h("p", { class: "quote-context small" }, h("span", { class: "offscreen" }, `${t.contextHead} `), h("span", { lang, dir: "auto" }, passage(quote.context)))
    : undefined;

  const at = quote.sentence;
  const before = h("p", { class: "around", hidden: "" });
  const after = h("p", { class: "around", hidden: "" });
  const whole = h("a", { href: `#${anchor(doc.id, quote)}`, hidden: "" }, h("span", {}, ...(single ? [t.whole] : [`${t.wholeOf} `, h("bdi", {}, doc.title || t.untitled)])));
  follow(whole, () => show(doc.id, quote));
  const button = h("button", { type: "button", class: "in-context", "aria-expanded": "false", "aria-controls": id }, t.context);
  let open = false;
  const turn = (on: boolean) => {
    open = on;
    if (on && !before.hasChildNodes()) {
      const { sentences } = result.split[quote.document]!;
      const from = Math.max(0, at - AROUND);
      const to = at + 1 + AROUND;
      const grey = (text: string) => h("span", { lang, dir: "auto" }, text);
      before.append(at > 0 ? grey(`${from > 0 ? "… " : ""}${passage(sentences.slice(from, at))}`) : t.beginning);
      after.append(at + 1 < sentences.length ? grey(`${passage(sentences.slice(at + 1, to))}${to < sentences.length ? " …" : ""}`) : t.end);
    }
    for (const part of [before, after, whole]) part.hidden = !on;
    if (leaning) leaning.hidden = on;
    button.setAttribute("aria-expanded", String(on));
    button.textContent = on ? t.contextClose : t.context;
    item.classList.toggle("open", on);
  };
  button.addEventListener("click", () => turn(!open));

  const names: string[] = [];
  /** Chips of the documents with similar sentences, after what these have in common. */
  const others = (said: string, similar: readonly Similar[]) => {
    if (similar.length === 0) return undefined;
    return h("span", { class: "others" }, `${said} `, ...similar.map((one) => {
      const other = result.docs[one.document]!;
      const name = sentenceName({ id: other.id, start: one.start });
      names.push(name);
      const chip = h(
        "a",
        { class: `chip ${hue(one.document)}`, href: `#${anchor(other.id, one)}`, "aria-label": t.alsoIn(one.document + 1, other.title || t.untitled), title: other.title, "data-sentence": name },
        number(one.document + 1),
      );
      follow(chip, () => show(other.id, one));
      return chip;
    }));
  };
  const { also, see } = standing(quote);
  const line = h(
    "p",
    { class: "also small" },
    button,
    whole,
    others(t.also, also),
    others(t.see, see),
    onlyHere(result, quote) ? h("span", { class: "only" }, `${t.onlyIn} `, h("span", { class: "chip" }, number(quote.document + 1))) : undefined,
  );
  const item: HTMLLIElement = h(
    "li",
    { class: `quote ${hue(quote.document)}`, "data-sentence": sentenceName({ id: doc.id, start: quote.start }), "data-similar": names.join(" ") },
    leaning, before, link, after, line,
  );
  return { item, turn };
}

/** Does something instead of following a link, unless the reader wants it elsewhere. */
export function follow(link: HTMLAnchorElement, act: () => void): void {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act();
  });
}
