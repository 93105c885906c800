// Compares two methods side by side, and scores them against a reference
// summary. Loaded when first opened.

import type { Quote } from "cerasum";
import { h, hue, icon } from "../../../common/dom.ts";
import { shownInPart } from "../../../common/shown.ts";
import type { Engine, Result } from "../engine.ts";
import { lengthOf } from "../length.ts";
import { number, page, text as t } from "../strings.ts";
import { strings } from "../strings/compare.ts";
import type { Span } from "../view/text.ts";
import { LongSentenceError, MAX_SENTENCE, type Rouge, type Score, rouge, tokens } from "./rouge.ts";
import "../styles/compare.css";

interface Hooks {
  engine: Engine;
  /** The methods that can be chosen, "auto" first. */
  methods(): { name: string; title: string }[];
  /** Shows a sentence in its document. */
  show(id: number, span: Span): void;
  /** The message for an error. */
  explain(error: unknown): string;
}

/** One of the two. */
interface Side {
  select: HTMLSelectElement;
  status: HTMLElement;
  quotes: HTMLOListElement;
  result: Result | undefined;
  running: AbortController | undefined;
}

/** Keeps the pasted reference summary while the page is open. */
let pasted = "";

/** Opens the view for the current summary. Resolves when it is closed. */
export function openCompare({ engine, methods, show, explain }: Hooks, base: Result): Promise<void> {
  const s = strings(page.locale);
  const title = h("h2", { id: "compare-title" }, s.title);
  const close = h("button", { type: "button", class: "icon", "aria-label": s.close, title: s.close }, icon("close", 16));
  const common = h("p", { class: "status", role: "status" });
  const sides = [s.first, s.second].map((label, i) => side(label, i));
  const measure = measuring();
  const dialog = h(
    "dialog",
    { id: "compare", class: "compare", "aria-labelledby": "compare-title" },
    h("div", { class: "compare-head" }, title, close),
    h("p", { class: "small" }, s.more),
    h("div", { class: "sides" }, ...sides.map(({ element }) => element)),
    common,
    measure.element,
  );

  function side(label: string, i: number): Side & { element: HTMLElement } {
    const select = h("select", { id: `compare-${i}` }, ...methods().map(({ name, title }) => h("option", { value: name }, title)));
    const status = h("p", { class: "small", role: "status" });
    const quotes = h("ol", { class: "quotes" });
    const element = h("section", { class: "side", "aria-label": label }, h("label", { for: select.id, class: "small" }, label), select, status, quotes);
    const made: Side & { element: HTMLElement } = { element, select, status, quotes, result: undefined, running: undefined };
    select.addEventListener("change", () => void make(made));
    return made;
  }

  async function make(one: Side): Promise<void> {
    one.running?.abort();
    const running = (one.running = new AbortController());
    one.status.textContent = s.working;
    one.quotes.setAttribute("aria-busy", "true");
    try {
      const own = one.select.value === base.settings.method;
      const result = own ? base : await engine.once(base.docs, { ...base.settings, method: one.select.value }, running.signal);
      if (running.signal.aborted) return;
      one.result = result;
      const { summary, settings, fallback } = result;
      one.status.textContent = [t.used(summary.used, ...lengthOf(settings.budget)), fallback].filter(Boolean).join(" · ");
    } catch (error) {
      if (running.signal.aborted) return;
      one.result = undefined;
      one.status.textContent = explain(error);
    }
    one.quotes.removeAttribute("aria-busy");
    render();
  }

  function render(): void {
    const keys = sides.map(({ result }) => new Set(result?.summary.sentences.map(key)));
    sides.forEach(({ result, quotes }, i) => {
      const others = keys[1 - i]!;
      quotes.replaceChildren(...(result?.summary.sentences.map((quote) => item(result, quote, others.has(key(quote)))) ?? []));
    });
    common.textContent = sides.every(({ result }) => result) ? s.common([...keys[0]!].filter((one) => keys[1]!.has(one)).length) : "";
    void measure.render();
  }

  function item(result: Result, quote: Quote, shared: boolean): HTMLLIElement {
    const doc = result.docs[quote.document]!;
    const link = h(
      "a",
      { class: "quote-link", href: `#d${doc.id}-${quote.start}`, title: s.show },
      h("span", { class: "chip", "aria-hidden": "true" }, number(quote.document + 1)),
      h("span", { class: "quote-text", lang: result.summary.documents[quote.document]!.language, dir: "auto" }, shownInPart(quote.text)),
      " ",
      h("span", { class: "quote-source small" }, ...(shared ? [h("span", { class: "in-both" }, s.inBoth), " · "] : []), h("span", { dir: "auto" }, doc.title || t.untitled)),
    );
    link.addEventListener("click", (event) => {
      event.preventDefault();
      dialog.close();
      show(doc.id, quote);
    });
    return h("li", { class: `quote ${hue(quote.document)}${shared ? " shared" : ""}` }, link);
  }

  /** The reference summary and the score table. */
  function measuring(): { element: HTMLElement; render(): Promise<void> } {
    const area = h("textarea", { id: "compare-reference", rows: "4", dir: "auto", "aria-describedby": "compare-reference-more" });
    const said = h("p", { class: "small", role: "status" });
    const table = h("div", {});
    const details = h(
      "details",
      { class: "measure" },
      h("summary", {}, s.measure),
      h("label", { for: area.id }, s.reference),
      h("p", { id: "compare-reference-more", class: "small" }, s.referenceMore),
      area,
      said,
      table,
      h("p", { class: "small" }, s.explain),
    );
    area.value = pasted;
    details.open = pasted !== "";
    let timer: number | undefined;
    let last = 0;
    const render = async () => {
      const own = ++last;
      pasted = area.value;
      said.textContent = "";
      if (tokens(pasted).length === 0) {
        table.replaceChildren();
        if (pasted.trim() !== "") said.textContent = s.noWords;
        return;
      }
      try {
        const reference = await engine.split(pasted);
        if (own !== last) return;
        table.replaceChildren(scores(sides.map(({ result }) => result && rouge(result.summary.sentences.map(({ text }) => text), [reference]))));
      } catch (error) {
        if (own !== last) return;
        table.replaceChildren();
        said.textContent = error instanceof LongSentenceError ? s.tooLong(MAX_SENTENCE) : explain(error);
      }
    };
    area.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void render(), 250);
    });
    return { element: details, render };
  }

  function scores(all: (Rouge | undefined)[]): HTMLTableElement {
    const rows = (["rouge1", "rouge2", "rougeL"] as const).map((metric, i) => {
      const cells = (figure: keyof Score) => {
        const values = all.map((one) => one?.[metric][figure]);
        const best = Math.max(...values.map((value) => value ?? 0));
        return values.map((value) => {
          const higher = value !== undefined && value === best && values.some((other) => other !== undefined && other < best);
          return h("td", higher ? { class: "higher", title: s.better } : {}, value === undefined ? "–" : s.tenths(value));
        });
      };
      const [recall, f] = [cells("recall"), cells("f1")];
      return h("tr", {}, h("th", { scope: "row" }, `ROUGE-${["1", "2", "L"][i]}`), ...all.flatMap((_, k) => [recall[k]!, f[k]!]));
    });
    const titles = sides.map(({ select }) => select.selectedOptions[0]?.textContent ?? "");
    return h(
      "table",
      { class: "scores" },
      h("caption", { class: "small" }, s.rouge),
      h(
        "thead",
        {},
        h("tr", {}, h("td", {}), ...titles.map((title) => h("th", { scope: "colgroup", colspan: "2" }, title))),
        h("tr", {}, h("td", {}), ...titles.flatMap(() => [h("th", { scope: "col" }, s.recall), h("th", { scope: "col" }, s.f)])),
      ),
      h("tbody", {}, ...rows),
    );
  }

  const [left, right] = [sides[0]!, sides[1]!];
  left.select.value = base.settings.method;
  // The default second method is the lead baseline.
  right.select.value = base.settings.method === "lead" ? "auto" : "lead";
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.showModal();
  void make(left);
  void make(right);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      for (const one of sides) one.running?.abort();
      dialog.remove();
      resolve();
    });
  });
}

/** Identifies a sentence across summaries. */
const key = ({ document, sentence }: Quote): string => `${document}.${sentence}`;
