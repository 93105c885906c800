import type { Quote } from "cerasum";
import type { Documents } from "../documents.ts";
import { arrange, byId, flag, h, put, scrollBehavior } from "../../../common/dom.ts";
import type { Engine, Result, State } from "../engine.ts";
import { numberCopies } from "../../../common/copied.ts";
import { copy, download } from "../../../common/hand-over.ts";
import { shown } from "../../../common/shown.ts";
import { type Found, askedWords, othersAsked } from "../../../common/question.ts";
import { toMarkdown, toPlainText } from "../export.ts";
import { lengthOf } from "../length.ts";
import { onlyHere, standing } from "../standing.ts";
import { page, spoken, text as t } from "../strings.ts";
import { fillDisagreements } from "./disagreements.ts";
import { explain } from "./explain.ts";
import { pointWithin, pointing, sentenceName } from "./pointing.ts";
import { fillProse } from "./prose.ts";
import { type CardHooks, quoteCard } from "./quote.ts";
import type { Span } from "./text.ts";

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
  const prose = byId("prose");
  const asked = byId("asked");
  const marks = byId("marks");
  const views = byId("views");
  const isText = () => views.querySelector<HTMLInputElement>(":checked")!.value === "text";
  /** No room for a document beside the summary. */
  const narrow = matchMedia("(width < 46rem)");
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
  numberCopies(prose);
  for (const box of [quotes, prose]) pointWithin(box);
  views.addEventListener("change", () => {
    fillText();
    explainMarks(rendered);
  });
  pointing.addEventListener("change", point);
  engine.addEventListener("change", () => render(engine.state));
  engine.occupied = occupied;
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
      const { stage, done, total } = state.kind === "working" ? state : refining!;
      put(label, {}, stage === "read" ? t.closely.reading(done, total) : t.stages[stage]);
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
      const before = rendered;
      rendered = engine.result;
      fill(rendered, before);
    }
    if (state.kind === "done") {
      const { summary, settings, docs, encoder, weights } = state.result;
      const from = new Set(summary.sentences.map((quote) => quote.document)).size;
      const parts = [t.made(summary.sentences.length, from, docs.length)];
      const all = summary.documents.reduce((n, { sentences }) => n + sentences, 0);
      if (encoder !== undefined) parts.push(t.closely.done(summary.embedded ?? all, all));
      if (weights !== undefined) parts.push(t.madeWithWeights(weights));
      const used = t.used(summary.used, ...lengthOf(settings.budget));
      const rest = parts.map((part) => ` · ${part}`).join("");
      if (status.textContent !== used + rest) status.replaceChildren(h("strong", {}, used), rest);
    }
    for (const button of [copyButton, downloadButton]) put(button, { disabled: flag(rendered === undefined) });
    freshen();
  }

  /** Only one of the two ways to read is on show. */
  function fillText(): void {
    const text = isText();
    put(quotes, { hidden: flag(text) });
    put(prose, { hidden: flag(!text) });
    fillProse(prose, text ? rendered : undefined, (quote) => hooksOf(rendered!, quote));
  }

  function fill(result: Result | undefined, before: Result | undefined): void {
    const focused = document.activeElement && (quotes.contains(document.activeElement) || prose.contains(document.activeElement)) ? document.activeElement.id : undefined;
    pointing.set(undefined);
    // After a close reading, which the reader did not wait for, quotes in use stay as they are.
    const used = new Map(before && before.settings === result?.settings ? [...items.values()].filter(inUse).map((item) => [item.dataset["sentence"]!, item]) : []);
    const now = new Map(result?.summary.sentences.map((quote) => {
      const key = keyOf(result, quote);
      return [key, items.get(key) ?? used.get(nameOf(result, quote)) ?? quoteCard(result, quote, "quote-", hooksOf(result, quote)).item];
    }));
    items = now;
    arrange(quotes, [...now.values()]);
    fillText();
    explainMarks(result);
    fillDisagreements(result, show);
    const tooLong = result?.summary.overBudget;
    put(over, { hidden: flag(!tooLong) }, tooLong ? t.overBudget(...lengthOf(result.settings.budget)) : "");
    put(fallback, { hidden: flag(result?.fallback === undefined) }, result?.fallback ?? "");
    // The focused quote may be gone or may have moved.
    if (focused !== undefined && (document.activeElement === document.body || document.activeElement?.id !== focused)) (document.getElementById(focused) ?? byId("summary-title")).focus({ preventScroll: true });
  }

  /** Items with the same key are interchangeable. */
  function keyOf(result: Result, quote: Quote): string {
    const { docs, settings } = result;
    return JSON.stringify([page.locale, docs.length, settings.query, result.queried, onlyHere(result, quote), ...[quote, ...quote.similar, ...quote.context].map(({ document, start }) => {
      const { id, version, title, language } = docs[document]!;
      return [document, id, version, start, title, language];
    })]);
  }

  function hooksOf(result: Result, quote: Quote): CardHooks {
    const name = nameOf(result, quote);
    return {
      show: (id, span) => show(id, span, [...quotes.children].findIndex((item) => (item as HTMLElement).dataset["sentence"] === name)),
      asked: wordsAsked(result),
      narrow: () => narrow.matches,
    };
  }

  /** What the marks on show mean, in words. */
  function explainMarks(result: Result | undefined): void {
    const { query } = result?.settings ?? { query: "" };
    const supported = result?.queried !== false;
    const quoted = result && query && supported ? result.summary.sentences.map(({ text, document }) => ({
      language: result.summary.documents[document]!.language,
      found: wordsAsked(result)(shown(text)).length > 0,
    })) : [];
    put(asked, { hidden: flag(!query) });
    asked.replaceChildren(...(
      !query ? []
      : !supported ? [t.askedNot]
      : [
        ...(quoted.some(({ found }) => found) ? [h("mark", { class: "asked" }, t.askedHead), ` ${t.askedMore}`] : [t.askedNone]),
        ...(othersAsked(query, quoted, page.locale) ? [` ${t.askedOthers}`] : []),
      ]));
    const all = result?.summary.sentences ?? [];
    const said = [
      all.some((quote) => standing(quote).also.length > 0) ? t.marksAlso : "",
      all.some((quote) => standing(quote).see.length > 0) ? t.marksSee : "",
      all.some((quote) => onlyHere(result!, quote)) ? t.marksOnly : "",
    ].filter(Boolean).join(" ");
    put(marks, { hidden: flag(said === "" || isText()) }, said);
  }

  /** Whether the reader has begun to read the quotes: has scrolled into them, follows or opened one, or has selected text in them. */
  function occupied(): boolean {
    const box = isText() ? prose : quotes;
    // Where the summary scrolls by itself, it begins below the top of the window.
    if (box.getBoundingClientRect().top < Math.max(0, byId("summary").getBoundingClientRect().top)) return true;
    return inUse(box) || box.querySelector(".open, .current") !== null;
  }

  /** Marks the quote of the sentence that is pointed at, or the quote that it is similar to. */
  function point(): void {
    const { at } = pointing;
    const name = at && sentenceName(at);
    const items = [...quotes.children] as HTMLElement[];
    const found = name === undefined ? undefined
      : items.find(({ dataset }) => dataset["sentence"] === name) ?? items.find(({ dataset }) => dataset["similar"]!.split(" ").includes(name));
    for (const passage of prose.querySelectorAll<HTMLElement>(".passage")) passage.classList.toggle("pointed", passage.dataset["sentence"] === name);
    for (const item of items) {
      item.classList.toggle("pointed", item === found);
      for (const chip of item.querySelectorAll<HTMLElement>(".others .chip")) chip.classList.toggle("pointed", item === found && chip.dataset["sentence"] === name);
    }
  }

  /** Quotes of changed documents are not links until the next summary. */
  function freshen(): void {
    const current = !rendered || (rendered.docs.length === documents.list.length && rendered.docs.every((doc, i) => {
      const now = documents.list[i];
      return now?.id === doc.id && now.version === doc.version;
    }));
    for (const part of [quotes, prose, disagreements]) {
      if (!current && part.contains(document.activeElement)) byId("summary-title").focus({ preventScroll: true });
      part.inert = !current;
    }
  }

  function mountExport(): void {
    const copyLabel = byId("copy-label");
    let timer: number | undefined;
    copyButton.addEventListener("click", async () => {
      if (!rendered) return;
      const done = await copy(toPlainText(rendered, isText()));
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
      const link = isText() ? prose.querySelector<HTMLElement>(`[data-quote="${quote}"]`) : quotes.children[quote]?.querySelector<HTMLElement>(".quote-link");
      link?.focus({ preventScroll: true });
      link?.scrollIntoView({ block: "center", behavior: scrollBehavior() });
    },
    mark(quote) {
      [...quotes.children].forEach((child, i) => child.classList.toggle("current", i === quote));
    },
  };
}

/** Whether the reader has the focus or a selection in an element, or has opened it. */
function inUse(element: HTMLElement): boolean {
  const selection = getSelection();
  return element.classList.contains("open") || element.contains(document.activeElement)
    || (selection !== null && !selection.isCollapsed && selection.containsNode(element, true));
}

const nameOf = ({ docs }: Result, { document, start }: Quote): string => sentenceName({ id: docs[document]!.id, start });

/** Finds the words of the question in the quotes of a result. */
function wordsAsked(result: Result): (text: string) => Found[] {
  let find = finders.get(result);
  if (!find) {
    const { query } = result.settings;
    const languages = new Set([page.locale, ...result.summary.documents.map(({ language }) => language)]);
    finders.set(result, (find = query && result.queried ? askedWords(query, languages) : () => []));
  }
  return find;
}

/** The results of wordsAsked. */
const finders = new WeakMap<Result, (text: string) => Found[]>();
