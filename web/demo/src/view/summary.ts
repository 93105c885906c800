import type { Quote, Similar } from "cerasum";
import type { Documents } from "../documents.ts";
import { arrange, byId, flag, h, hue, put, scrollBehavior } from "../../../common/dom.ts";
import type { Engine, Result, State } from "../engine.ts";
import { copy, download } from "../../../common/hand-over.ts";
import { oneLine } from "../../../common/one-line.ts";
import { toMarkdown, toPlainText } from "../export.ts";
import { lengthOf } from "../length.ts";
import { number, page, spoken, text as t } from "../strings.ts";
import { fillDisagreements } from "./disagreements.ts";
import { explain } from "./explain.ts";
import { pointWithin, pointing, sentenceName } from "./pointing.ts";
import { type Span, anchor } from "./text.ts";

/** UTF-16 units of a quote that are shown: a file can be one sentence of megabytes, whose layout takes seconds. */
const MAX_SHOWN = 5000;
const shownOf = (text: string): string => (text.length > MAX_SHOWN ? `${oneLine(text.slice(0, MAX_SHOWN).toWellFormed())}…` : oneLine(text));

interface Hooks {
  /** Shows a span of a document; `quote` is the index of the quote it belongs to, if any. */
  show(id: number, span: Span, quote?: number): void;
}

export interface SummaryView {
  /** Goes to a quote. */
  focus(quote: number): void;
  /** Marks the quote whose sentence the reader shows. */
  mark(quote: number | undefined): void;
}

/** The quotes, the progress, and export. */
export function mountSummary(documents: Documents, engine: Engine, { show }: Hooks): SummaryView {
  const quotes = byId("quotes");
  const disagreements = byId("disagreements");
  const status = byId("status");
  const progress = byId("progress");
  const bar = byId<HTMLProgressElement>("progress-bar");
  const label = byId("progress-label");
  const again = byId("again");
  const problem = byId("problem");
  const over = byId("over-budget");
  const fallback = byId("fallback");
  const copyButton = byId<HTMLButtonElement>("copy");
  const downloadButton = byId<HTMLButtonElement>("download");
  let rendered: Result | undefined;
  /** The items on show, by what they were made from. */
  let items = new Map<string, HTMLLIElement>();
  let progressTimer: number | undefined;

  mountExport();
  pointWithin(quotes);
  pointing.addEventListener("change", point);
  engine.addEventListener("change", () => render(engine.state));
  documents.addEventListener("change", freshen);
  spoken.addEventListener("change", () => {
    rendered = undefined;
    items.clear();
    byId("copy-label").textContent = page.copy;
    render(engine.state);
  });

  function render(state: State): void {
    const refining = state.kind === "done" ? state.refining : undefined;
    if (state.kind === "working" || refining) {
      // Most summaries are ready before a progress bar could be read.
      progressTimer ??= setTimeout(() => {
        progress.hidden = false;
        if (engine.state.kind === "working") status.textContent = t.working;
      }, 300);
      const { done, total } = state.kind === "working" ? state : refining!;
      put(label, {}, state.kind === "working" ? t.stages[state.stage] : t.refining[refining!.stage]);
      put(bar, { value: total > 0 ? String(done / total) : undefined });
    } else {
      clearTimeout(progressTimer);
      progressTimer = undefined;
      if (progress.contains(document.activeElement)) byId("summary-title").focus();
      put(progress, { hidden: "" });
    }
    put(again, { hidden: flag(state.kind !== "cancelled" && state.kind !== "failed") });
    put(problem, { hidden: flag(state.kind !== "failed") }, state.kind === "failed" ? explain(state.error) : "");
    put(quotes, { "aria-busy": String(state.kind === "working" || refining !== undefined) });
    if (state.kind === "cancelled") status.textContent = t.cancelled;
    else if (state.kind === "failed" || state.kind === "empty") status.textContent = "";

    if (engine.result !== rendered) {
      rendered = engine.result;
      fill(rendered);
    }
    if (state.kind === "done") {
      const { summary, settings, docs, encoder, weights, fallback } = state.result;
      const from = new Set(summary.sentences.map((quote) => quote.document)).size;
      const parts = [t.made(summary.sentences.length, from, docs.length)];
      if (encoder !== undefined) parts.push(t.madeWith(encoder));
      else if (fallback !== undefined) parts.push(t.fellBack);
      if (weights !== undefined) parts.push(t.madeWithWeights(weights));
      const used = t.used(summary.used, ...lengthOf(settings.budget));
      const rest = parts.map((part) => ` · ${part}`).join("");
      if (status.textContent !== used + rest) status.replaceChildren(h("strong", {}, used), rest);
    }
    for (const button of [copyButton, downloadButton]) put(button, { disabled: flag(rendered === undefined) });
    freshen();
  }

  function fill(result: Result | undefined): void {
    const focused = quotes.contains(document.activeElement) ? document.activeElement?.id : undefined;
    pointing.set(undefined);
    const now = new Map(result?.summary.sentences.map((quote) => {
      const key = keyOf(result, quote);
      return [key, items.get(key) ?? item(result, quote)];
    }));
    items = now;
    arrange(quotes, [...now.values()]);
    fillDisagreements(result, show);
    const tooLong = result?.summary.overBudget;
    put(over, { hidden: flag(!tooLong) }, tooLong ? t.overBudget(...lengthOf(result.settings.budget)) : "");
    put(fallback, { hidden: flag(result?.fallback === undefined) }, result?.fallback ?? "");
    // The focused quote may be gone or may have moved.
    if (focused !== undefined && document.activeElement?.id !== focused) (document.getElementById(focused) ?? byId("summary-title")).focus({ preventScroll: true });
  }

  /** Items with the same key are interchangeable. */
  function keyOf({ docs }: Result, quote: Quote): string {
    return JSON.stringify([page.locale, ...[quote, ...quote.similar, ...quote.context].map(({ document, start }) => {
      const { id, version, title, language } = docs[document]!;
      return [document, id, version, start, title, language];
    })]);
  }

  function item(result: Result, quote: Quote): HTMLLIElement {
    const doc = result.docs[quote.document]!;
    const report = result.summary.documents[quote.document]!;
    const link = h(
      "a",
      { class: "quote-link", id: `quote-${anchor(doc.id, quote)}`, href: `#${anchor(doc.id, quote)}`, "aria-describedby": "source-hint" },
      h("span", { class: "chip", "aria-hidden": "true" }, number(quote.document + 1)),
      h("span", { class: "quote-text", lang: report.language, dir: "auto" }, shownOf(quote.text)),
      " ",
      h("span", { class: "quote-source small", dir: "auto" }, doc.title || t.untitled),
    );
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show(doc.id, quote, place(made));
    });
    const before = quote.context.length > 0
      ? h("p", { class: "quote-context small" }, h("span", { class: "offscreen" }, `${t.contextHead} `), h("span", { lang: report.language, dir: "auto" }, quote.context.map(({ start, end }) => shownOf(doc.text.slice(start, end))).join(" ")))
      : undefined;
    const also = quote.similar.length > 0 ? h("p", { class: "also small" }, `${t.compare} `, ...similar(result, quote.similar, () => place(made))) : undefined;
    const made: HTMLLIElement = h("li", { class: `quote ${hue(quote.document)}`, "data-sentence": sentenceName({ id: doc.id, start: quote.start }), "data-similar": quote.similar.map(({ document, start }) => sentenceName({ id: result.docs[document]!.id, start })).join(" ") }, before, link, also);
    return made;
  }

  const place = (item: Element): number => [...quotes.children].indexOf(item);

  /** A chip for every other document with a similar sentence. Similar means similar words: whether it says the same is for the reader to judge. */
  function similar(result: Result, all: Similar[], place: () => number): HTMLElement[] {
    const nearest = new Map<number, Similar>();
    for (const one of all) if (!nearest.has(one.document)) nearest.set(one.document, one);
    return [...nearest.values()].map((one) => {
      const doc = result.docs[one.document]!;
      const link = h(
        "a",
        { class: `chip ${hue(one.document)}`, href: `#${anchor(doc.id, one)}`, "aria-label": t.compareWith(one.document + 1, doc.title || t.untitled), title: doc.title, "data-sentence": sentenceName({ id: doc.id, start: one.start }) },
        number(one.document + 1),
      );
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        show(doc.id, one, place());
      });
      return link;
    });
  }

  /** Marks the quote of the sentence that is pointed at, or the quote that it is similar to. */
  function point(): void {
    const { at } = pointing;
    const name = at && sentenceName(at);
    const items = [...quotes.children] as HTMLElement[];
    const found = name === undefined ? undefined
      : items.find(({ dataset }) => dataset["sentence"] === name) ?? items.find(({ dataset }) => dataset["similar"]!.split(" ").includes(name));
    for (const item of items) {
      item.classList.toggle("pointed", item === found);
      for (const chip of item.querySelectorAll<HTMLElement>(".also .chip")) chip.classList.toggle("pointed", item === found && chip.dataset["sentence"] === name);
    }
  }

  /** Quotes of changed documents are not links until the next summary. */
  function freshen(): void {
    const current = !rendered || (rendered.docs.length === documents.list.length && rendered.docs.every((doc, i) => {
      const now = documents.list[i];
      return now?.id === doc.id && now.version === doc.version;
    }));
    for (const part of [quotes, disagreements]) {
      if (!current && part.contains(document.activeElement)) byId("summary-title").focus({ preventScroll: true });
      part.inert = !current;
    }
  }

  function mountExport(): void {
    const copyLabel = byId("copy-label");
    let timer: number | undefined;
    copyButton.addEventListener("click", async () => {
      if (!rendered) return;
      const done = await copy(toPlainText(rendered));
      clearTimeout(timer);
      copyLabel.textContent = done ? t.copied : page.copy;
      copyButton.classList.toggle("confirmed", done);
      byId("announcement").textContent = done ? t.copied : "";
      problem.hidden = done;
      problem.textContent = done ? "" : t.copyFailed;
      timer = setTimeout(() => {
        copyLabel.textContent = page.copy;
        copyButton.classList.remove("confirmed");
        byId("announcement").textContent = "";
      }, 2500);
    });
    downloadButton.addEventListener("click", () => {
      if (rendered) download(toMarkdown(rendered, engine.methods), t.fileName, "text/markdown");
    });
  }

  return {
    focus(quote) {
      const link = quotes.children[quote]?.querySelector<HTMLElement>(".quote-link");
      link?.focus({ preventScroll: true });
      link?.scrollIntoView({ block: "center", behavior: scrollBehavior() });
    },
    mark(quote) {
      [...quotes.children].forEach((child, i) => child.classList.toggle("current", i === quote));
    },
  };
}
