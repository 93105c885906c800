// The summary: its sentences with their tabs, progress, tabs that were left out,
// how much of each tab it covers, and export.

import { EmptyInputError } from "cerasum";
import { date, number, page, percent, text as t } from "../strings.ts";
import { showSentence } from "../tabs/show.ts";
import { numberCopies } from "../../../common/copied.ts";
import { copy, download } from "../../../common/hand-over.ts";
import { shown as line } from "../../../common/shown.ts";
import { groups } from "../../../common/disagreements.ts";
import { type Found, askedWords, marked, othersAsked } from "../../../common/question.ts";
import { asked as whatWasAsked, textOf, toMarkdown, toPlainText } from "../work/export.ts";
import { fragment } from "../work/fragment.ts";
import { type Claim, type Disagreed, type LeftOut, type Quoted, type Said, type Source, type Summary, asks, minutes as minutesOf } from "../work/summary.ts";
import type { News } from "../work/news.ts";
import type { Problem, Stage, Work } from "../work/work.ts";
import { byId, h, hue, icon } from "../../../common/dom.ts";
import { favicon, keepingFocus, toast } from "./dom.ts";
import { actFor } from "./tabs.ts";

/** Stages that count tabs or sentences, which are shown. */
const COUNTED: ReadonlySet<Stage> = new Set(["read", "compare", "look"]);

export interface SummaryHooks {
  /** What is new in a summary since the last one of the same tabs. */
  news(summary: Summary): News | undefined;
  /** The reader wants to read the summary in another way. */
  viewed(): void;
  /** Retries a tab that was left out. */
  act(act: NonNullable<ReturnType<typeof actFor>>, out: LeftOut): void;
}

export interface SummaryView {
  /** Whether the summary is shown as a text. */
  text(): boolean;
  setText(on: boolean): void;
  render(): void;
  /** Shows a stored summary, or the current one again. */
  show(kept: Summary | undefined): void;
}

export function mountSummary(work: Work, { act, news, viewed }: SummaryHooks): SummaryView {
  const section = byId("summary");
  const quotes = byId("quotes");
  const prose = byId("prose");
  const views = byId("views");
  const isText = () => views.querySelector<HTMLInputElement>(":checked")!.value === "text";
  const made = byId("made");
  const progress = byId("progress");
  const bar = byId<HTMLProgressElement>("bar");
  const problem = byId("problem");
  const left = byId<HTMLDetailsElement>("left");
  const coverage = byId("coverage");
  /** From the history, shown instead of the current one. */
  let kept: Summary | undefined;
  let shown: Summary | undefined;
  let looked: Problem | undefined;
  /** The quotes that are shown in context. */
  const opened = new Set<string>();
  /** The words of the question in a sentence. */
  let find: (text: string) => Found[] = () => [];
  /** For each quote, whether it is new; empty if there is no earlier summary. */
  let fresh: readonly boolean[] = [];

  byId("cancel").addEventListener("click", () => {
    work.cancel();
    byId("summarize").focus();
  });
  byId("print").addEventListener("click", () => print());
  byId("markdown").addEventListener("click", () => {
    if (shown) download(toMarkdown(shown), t.fileName, "text/markdown");
  });
  mountCopy();
  numberCopies(prose);
  views.addEventListener("change", () => {
    fillText(shown);
    explainMarks(shown);
    viewed();
  });

  /** Only one of the two ways to read is on show. */
  function fillText(summary: Summary | undefined): void {
    const text = isText();
    quotes.hidden = text;
    prose.hidden = !text;
    prose.replaceChildren(...(text && summary ? running(summary) : []));
  }

  /** The summary as paragraphs with the numbers of the tabs, which open the quote in its context below. */
  function running(summary: Summary): Element[] {
    const used = [...new Set(summary.quotes.map(({ tab }) => tab))].sort((a, b) => a - b);
    return [
      ...textOf(summary).map(({ language, quotes }) => {
        const below = h("ol", { class: "quotes", hidden: "" });
        let shown: HTMLElement | undefined;
        const parts = quotes.flatMap(({ quote: { quote }, index }) => {
          const said = line(quote.text);
          const attributes = { class: "ref", id: `text-${index}`, "aria-label": t.sourceOf(quote.tab + 1, summary.tabs[quote.tab]!.title || t.untitled), "aria-expanded": "false" };
          const ref = linkTo(summary, quote, () => {
            shown?.setAttribute("aria-expanded", "false");
            shown = shown === ref ? undefined : ref;
            shown?.setAttribute("aria-expanded", "true");
            below.hidden = shown === undefined;
            below.replaceChildren(...(shown ? [item(summary, quote, index, "in-text-", new Set([quote.text]))] : []));
          }, attributes, number(quote.tab + 1));
          return [" ", h("span", { class: `passage ${hue(quote.tab)}`, "data-fresh": fresh[index] ? t.fresh : undefined }, ...marked(said, find(said)), h("sup", {}, ref))];
        });
        return h("div", { class: "paragraph" }, h("p", { class: "prose-text", lang: language || undefined, dir: "auto" }, ...parts), below);
      }),
      h("ol", { class: "prose-sources small" }, ...used.map((i) => {
        const { title, host } = summary.tabs[i]!;
        return h("li", { class: hue(i) }, h("span", { class: "source-number" }, number(i + 1)), h("span", {}, h("bdi", {}, title || t.untitled), ...(host ? [", ", h("bdi", {}, host)] : [])));
      })),
    ];
  }

  function render(): void {
    const working = kept ? undefined : work.progress;
    const summary = kept ?? work.summary;
    const found = kept ? undefined : work.problem;
    section.hidden = !working && !summary && !found && !work.cancelled;
    progress.hidden = !working;
    if (working) {
      const { stage, done, total } = working;
      byId("stage").textContent = `${t.stages[stage]}${COUNTED.has(stage) && total > 0 ? ` ${t.progress(done, total)}` : ""}`;
      if (total > 0) bar.value = done / total;
      else bar.removeAttribute("value");
    }
    quotes.setAttribute("aria-busy", String(working !== undefined));
    problem.hidden = !found;
    if (found !== looked) problem.replaceChildren(...(found ? explain(found) : []));
    looked = found;
    byId("carry").hidden = !summary;
    if (summary !== shown) {
      shown = summary;
      keepingFocus(section, () => fill(summary));
    }
    if (!summary) made.textContent = work.cancelled && !kept ? t.cancelled : "";
  }

  function fill(summary: Summary | undefined): void {
    const { query = "", method = "" } = summary?.settings ?? {};
    find = summary && query && asks(method) ? askedWords(query, [page.locale, ...summary.tabs.map(({ language }) => language)]) : () => [];
    const found = summary && news(summary);
    fresh = found?.fresh ?? [];
    quotes.replaceChildren(...(summary ? summary.quotes.map((quote, i) => item(summary, quote, i)) : []));
    fillText(summary);
    explainMarks(summary);
    views.hidden = !summary;
    byId("news").hidden = !found;
    if (found) byId("news").textContent = t.news(fresh.filter(Boolean).length, summary!.quotes.length, date(found.since));
    const disagreed = summary?.disagreements ?? [];
    byId("disagreements").hidden = disagreed.length === 0;
    byId("disagreement-list").replaceChildren(...disagreed.map((one, i) => differing(summary!, one, i)));
    byId("over").hidden = !summary?.overBudget;
    byId("fallback").hidden = summary?.fallback === undefined;
    if (summary?.overBudget) byId("over").textContent = t.overBudget(summary.settings.words);
    if (summary?.fallback !== undefined) byId("fallback").textContent = summary.settings.method === "auto" && summary.method === "instant" ? t.tooLarge : t.fallback;
    byId("unlooked").hidden = summary?.unlooked === undefined;
    if (summary?.unlooked !== undefined) byId("unlooked").textContent = t.unlooked[summary.unlooked];
    const out = summary?.out ?? [];
    left.hidden = out.length === 0;
    byId("left-title").textContent = t.left(out.length);
    byId("left-list").replaceChildren(...out.map(leftOut));
    coverage.hidden = !summary || summary.tabs.length < 2;
    if (!summary) return;
    const from = new Set(summary.quotes.map(({ tab }) => tab)).size;
    const all = summary.tabs.reduce((n, { words }) => n + words, 0);
    const parts = [t.made(summary.quotes.length, from, summary.tabs.length), ...(all > 2 * summary.used && minutesOf(all) > 1 ? [t.instead(minutesOf(all))] : [])];
    made.replaceChildren(h("strong", {}, t.used(summary.used, summary.settings.words)), ...parts.map((part) => ` · ${part}`));
    byId("coverage-list").replaceChildren(...(summary.tabs.length > 1 ? summary.tabs.map((tab, i) => covered(summary, tab, i)) : []));
  }

  /** The question of a stored summary, and what the marks mean. */
  function explainMarks(summary: Summary | undefined): void {
    const { query, method } = summary?.settings ?? {};
    const was = byId("question-was");
    // On paper always.
    was.textContent = summary ? whatWasAsked(summary).join("\n") : "";
    was.hidden = was.textContent === "";
    was.classList.toggle("print-only", kept === undefined);
    const asked = byId("asked");
    asked.hidden = !query;
    const quoted = summary?.quotes.map(({ text, tab }) => ({ language: summary.tabs[tab]!.language, found: find(text).length > 0 })) ?? [];
    asked.replaceChildren(...(
      !summary || !query ? []
      : !asks(method!) ? [t.askedNot]
      : [
        ...(quoted.some(({ found }) => found) ? [h("mark", { class: "asked" }, t.askedHead), ` ${t.askedMore}`] : [t.askedNone]),
        ...(othersAsked(query, quoted, page.locale) ? [` ${t.askedOthers}`] : []),
      ]));
    const all = summary?.quotes ?? [];
    const said = [all.some(({ also }) => also.length > 0) ? t.marksAlso : "", all.some(({ only }) => only) ? t.marksOnly : ""].filter(Boolean).join(" ");
    byId("marks").hidden = said === "" || isText();
    byId("marks").textContent = said;
  }

  /** A quote as a card. `prefix` makes its ids unique; `open` are the texts of those whose context is open. */
  function item(summary: Summary, quote: Quoted, i: number, prefix = "", open = opened): HTMLLIElement {
    const said = line(quote.text);
    const tab = summary.tabs[quote.tab]!;
    const link = place(summary, quote, { class: "quote-link", id: `${prefix}quote-${i}`, "aria-describedby": "source-hint" },
      h("span", { class: "chip", "aria-hidden": "true" }, number(quote.tab + 1)),
      h("span", { class: "quote-text", lang: tab.language || undefined, dir: "auto" }, ...marked(said, find(said))),
      " ",
      h("span", { class: "quote-source small" }, favicon(tab.favicon), h("span", { class: "clip", dir: "auto" }, tab.title || t.untitled), tab.host ? h("span", { class: "host" }, tab.host) : undefined));
    const also = quote.also.map((like) => place(summary, like, {
      class: `chip ${hue(like.tab)}`,
      "aria-label": t.alsoSaid(like.tab + 1, summary.tabs[like.tab]!.title || t.untitled),
      title: like.text,
    }, number(like.tab + 1)));
    const context = quote.context
      ? h("p", { class: "quote-context small" }, h("span", { class: "offscreen" }, `${t.contextHead} `), h("span", { lang: tab.language || undefined, dir: "auto" }, quote.context.map(line).join(" ")))
      : undefined;
    const near = kept ? undefined : work.around(quote);
    const around = near && inContext(near, quote, `${prefix}context-${i}`, tab.language, context, open);
    const more = h("p", { class: "also small" },
      around?.button,
      fresh[i] ? h("span", { class: "only" }, t.fresh) : undefined,
      also.length > 0 ? h("span", { class: "others" }, `${t.also} `, ...also) : undefined,
      quote.only ? h("span", { class: "only" }, t.only) : undefined);
    return h("li", { class: `quote ${hue(quote.tab)}` }, context, around?.before, link, around?.after, more.hasChildNodes() ? more : undefined);
  }

  /** A button that shows the sentences around a quote in place; what the quote leans on is among them. */
  function inContext({ before, after }: { before: string; after: string }, { text }: Quoted, id: string, language: string, context: HTMLElement | undefined, open: Set<string>) {
    const grey = (text: string, none: string) => h("p", { class: "around", hidden: "" }, text === "" ? none : h("span", { lang: language || undefined, dir: "auto" }, line(text)));
    const parts = [grey(before, t.beginning), grey(after, t.end)] as const;
    const button = h("button", { type: "button", class: "in-context", id });
    const turn = (on: boolean) => {
      for (const part of parts) part.hidden = !on;
      if (context) context.hidden = on;
      button.setAttribute("aria-expanded", String(on));
      button.textContent = on ? t.contextClose : t.context;
    };
    button.addEventListener("click", () => {
      if (!open.delete(text)) open.add(text);
      turn(open.has(text));
    });
    turn(open.has(text));
    return { button, before: parts[0], after: parts[1] };
  }

  /** One thing that tabs disagree about, with a link for each tab. */
  function differing(summary: Summary, { what, update, values }: Disagreed, i: number): HTMLLIElement {
    const language = ({ tab }: Claim) => summary.tabs[tab]!.language || undefined;
    const claim = (one: Claim, value: string | undefined, id: string) => place(summary, one, { id, class: hue(one.tab), title: one.text, "aria-describedby": "source-hint" },
      h("span", { class: value === undefined ? "offscreen" : "said", lang: language(one), dir: "auto" }, value ?? line(one.value)),
      h("span", { class: "chip", "aria-hidden": "true" }, number(one.tab + 1)),
      h("span", { class: "offscreen" }, `, ${t.inTab(one.tab + 1, summary.tabs[one.tab]!.title || t.untitled)}`));
    return h("li", {},
      h("span", { class: "differs", lang: language(values[0]!), dir: "auto" }, line(what)),
      update ? h("span", { class: "small" }, t.updated) : undefined,
      ...groups(values, update).flatMap(({ value, said }, k) => [
        update && k > 0 ? h("span", { class: "arrow", "aria-hidden": "true" }, "→") : undefined,
        h("span", { class: "value" }, ...said.map((one, n) => claim(one, n === 0 ? value : undefined, `disagreement-${i}-${k}-${n}`))),
      ]));
  }

  /** A link to a sentence, in its tab if that is still open. */
  function place(summary: Summary, said: Said, attributes: Record<string, string | undefined>, ...children: (Node | string | undefined)[]): HTMLAnchorElement {
    const source = summary.tabs[said.tab]!;
    return linkTo(summary, said, () => void go(source, said, fragment(source.url, said.text)), attributes, ...children);
  }

  /** A link to a sentence that does something else, unless the reader wants it elsewhere. */
  function linkTo(summary: Summary, said: Said, act: () => void, attributes: Record<string, string | undefined>, ...children: (Node | string | undefined)[]): HTMLAnchorElement {
    const url = fragment(summary.tabs[said.tab]!.url, said.text);
    const link = h("a", { href: url ?? "#", ...attributes }, ...children);
    link.addEventListener("click", (event) => {
      if (url && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      act();
    });
    return link;
  }

  async function go(source: Source, said: Said, url: string | undefined): Promise<void> {
    const place = { tabId: source.tabId, url: source.url, sentence: said.text, before: said.before, after: said.after, at: said.at };
    const found = await showSentence(place).catch(() => "gone" as const);
    const reopen = url ? { label: t.reopen, run: () => void chrome.tabs.create({ url }) } : undefined;
    if (found === "highlighted") toast(t.shown);
    else if (found === "fragment") toast(t.shownRoughly);
    else toast(found === "unseen" ? t.unseen : found === "changed" ? t.changed : t.gone, reopen, page.dismiss);
  }

  function leftOut(one: LeftOut): HTMLLIElement {
    const name = actFor(one.reason);
    const button = name && !kept ? h("button", { type: "button", class: "inline" }, t.acts[name]) : undefined;
    button?.addEventListener("click", () => act(name!, one));
    return h("li", { class: "small" }, h("span", { class: "left-title", dir: "auto" }, one.title || one.url || t.untitled), h("br"), `${t.reasons[one.reason]} `, button);
  }

  function covered(summary: Summary, tab: Source, i: number): HTMLLIElement {
    const share = Math.min(1, Math.max(0, tab.coverage));
    const fill = h("span", { class: "fill" });
    fill.style.width = `${share * 100}%`;
    const only = h("details", { class: "fold only-fold" }, h("summary", { id: `only-${i}` }, t.onlyThis));
    only.addEventListener("toggle", () => {
      if (only.open && only.childElementCount === 1) void unfold(summary, i, only);
    });
    return h("li", { class: `cover ${hue(i)}` },
      h("div", { class: "cover-head" }, h("span", { class: "chip", "aria-hidden": "true" }, number(i + 1)), h("span", { class: "cover-title", dir: "auto" }, tab.title || t.untitled)),
      h("div", { class: "meter", role: "meter", "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(Math.round(share * 100)), "aria-valuetext": percent(share), "aria-label": t.coverageOf(tab.title || t.untitled) }, fill),
      h("p", { class: "small" }, [t.covered(share), t.quoted(tab.chosen, tab.sentences)].join(" · ")),
      tab.partial ? h("p", { class: "small" }, t.partial) : undefined,
      kept ? undefined : only);
  }

  async function unfold(summary: Summary, i: number, only: HTMLDetailsElement): Promise<void> {
    const body = h("div", { class: "only-body small", "aria-live": "polite" }, t.onlyLooking);
    only.append(body);
    const end = new AbortController();
    only.addEventListener("toggle", () => end.abort(), { once: true });
    const found = await work.only(i, end.signal).catch(() => undefined);
    if (!found) {
      body.remove();
      return;
    }
    body.replaceChildren(typeof found === "string" ? t.onlyNot[found] : found.length === 0 ? t.onlyNone
      : h("ul", {}, ...found.map((said) => h("li", { lang: summary.tabs[i]!.language || undefined }, place(summary, said, { class: "only-link", dir: "auto" }, said.text)))));
  }

  function explain(found: Problem): (Node | string)[] {
    if (found.kind === "unread") {
      const [one] = found.out;
      if (found.scope === "selection" && one?.reason === "empty") return [t.problems.noSelection];
      // Without the address, permission for the site cannot be requested.
      if (found.scope !== "tabs" && one?.reason === "permission" && one.url === "") return [t.problems.callUp];
      return [h("p", {}, t.problems.unread(found.out.length)), h("ul", {}, ...found.out.map(leftOut))];
    }
    const { error } = found;
    if (error instanceof EmptyInputError) return [t.problems.nothing];
    const message = error instanceof Error ? error.message : String(error);
    return [/memory/i.test(message) ? t.problems.memory : t.problems.core(message)];
  }

  function mountCopy(): void {
    const button = byId("copy");
    const label = byId("copy-label");
    let timer: ReturnType<typeof setTimeout> | undefined;
    button.addEventListener("click", async () => {
      if (!shown) return;
      if (!(await copy(toPlainText(shown, isText())))) {
        toast(t.copyFailed);
        return;
      }
      clearTimeout(timer);
      label.textContent = t.copied;
      button.classList.add("confirmed");
      timer = setTimeout(() => {
        label.textContent = page.copy;
        button.classList.remove("confirmed");
      }, 2500);
    });
  }

  const back = h("button", { type: "button", id: "back", class: "quiet", hidden: "" }, icon("close", 14), page.back);
  back.addEventListener("click", () => view.show(undefined));
  section.prepend(back);

  const view: SummaryView = {
    render,
    text: isText,
    setText(on) {
      for (const radio of views.querySelectorAll("input")) radio.checked = (radio.value === "text") === on;
      fillText(shown);
    },
    show(next) {
      kept = next;
      shown = undefined;
      document.body.classList.toggle("kept", kept !== undefined);
      back.hidden = kept === undefined;
      // Also if nothing is left to show.
      keepingFocus(section, () => fill(undefined));
      render();
      if (kept) byId("summary-title").focus();
    },
  };
  return view;
}
