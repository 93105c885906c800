// The summary: its sentences with their tabs, progress, tabs that were left out,
// how much of each tab it covers, and export.

import { EmptyInputError } from "cerasum";
import { number, page, percent, text as t } from "../strings.ts";
import { showSentence } from "../tabs/show.ts";
import { copy, download } from "../../../common/hand-over.ts";
import { shown as line } from "../../../common/shown.ts";
import { groups } from "../../../common/disagreements.ts";
import { type Found, askedWords, marked } from "../../../common/question.ts";
import { toMarkdown, toPlainText } from "../work/export.ts";
import { fragment } from "../work/fragment.ts";
import { type Claim, type Disagreed, type LeftOut, type Quoted, type Said, type Source, type Summary, asks, minutes as minutesOf } from "../work/summary.ts";
import type { Problem, Work } from "../work/work.ts";
import { byId, h, hue, icon } from "../../../common/dom.ts";
import { favicon, keepingFocus, toast } from "./dom.ts";
import { actFor } from "./tabs.ts";

export interface SummaryHooks {
  /** Retries a tab that was left out. */
  act(act: NonNullable<ReturnType<typeof actFor>>, out: LeftOut): void;
}

export interface SummaryView {
  render(): void;
  /** Shows a stored summary, or the current one again. */
  show(kept: Summary | undefined): void;
}

export function mountSummary(work: Work, { act }: SummaryHooks): SummaryView {
  const section = byId("summary");
  const quotes = byId("quotes");
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
  /** The words of the question in a sentence. */
  let find: (text: string) => Found[] = () => [];

  byId("cancel").addEventListener("click", () => {
    work.cancel();
    byId("summarize").focus();
  });
  byId("print").addEventListener("click", () => print());
  byId("markdown").addEventListener("click", () => {
    if (shown) download(toMarkdown(shown), t.fileName, "text/markdown");
  });
  mountCopy();

  function render(): void {
    const working = kept ? undefined : work.progress;
    const summary = kept ?? work.summary;
    const found = kept ? undefined : work.problem;
    section.hidden = !working && !summary && !found && !work.cancelled;
    progress.hidden = !working;
    if (working) {
      const { stage, done, total } = working;
      byId("stage").textContent = `${t.stages[stage]}${stage === "read" && total > 0 ? ` ${t.progress(done, total)}` : ""}`;
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
    explainMarks(summary);
    quotes.replaceChildren(...(summary ? summary.quotes.map((quote, i) => item(summary, quote, i)) : []));
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
    was.hidden = !query;
    was.classList.toggle("print-only", kept === undefined);
    was.textContent = query ? t.questionWas(query) : "";
    const asked = byId("asked");
    asked.hidden = !query;
    asked.replaceChildren(...(
      !summary || !query ? []
      : !asks(method!) ? [t.askedNot]
      : summary.quotes.some(({ text }) => find(text).length > 0) ? [h("mark", { class: "asked" }, t.askedHead), ` ${t.askedMore}`]
      : [t.askedNone]));
  }

  function item(summary: Summary, quote: Quoted, i: number): HTMLLIElement {
    const said = line(quote.text);
    const tab = summary.tabs[quote.tab]!;
    const link = place(summary, quote, { class: "quote-link", id: `quote-${i}`, "aria-describedby": "source-hint" },
      h("span", { class: "chip", "aria-hidden": "true" }, number(quote.tab + 1)),
      h("span", { class: "quote-text", lang: tab.language || undefined, dir: "auto" }, ...marked(said, find(said))),
      " ",
      h("span", { class: "quote-source small" }, favicon(tab.favicon), h("span", { class: "clip", dir: "auto" }, tab.title || t.untitled), tab.host ? h("span", { class: "host" }, tab.host) : undefined));
    const also = quote.also.map((like) => place(summary, like, {
      class: `chip ${hue(like.tab)}`,
      "aria-label": t.alsoSaid(like.tab + 1, summary.tabs[like.tab]!.title || t.untitled),
      title: like.text,
    }, number(like.tab + 1)));
    const more = quote.only ? h("p", { class: "also small" }, h("span", { class: "only", title: t.onlyMore }, t.only))
      : also.length > 0 ? h("p", { class: "also small" }, `${t.also} `, ...also) : undefined;
    const before = quote.context
      ? h("p", { class: "quote-context small" }, h("span", { class: "offscreen" }, `${t.contextHead} `), h("span", { lang: tab.language || undefined, dir: "auto" }, quote.context.map(line).join(" ")))
      : undefined;
    return h("li", { class: `quote ${hue(quote.tab)}` }, before, link, more);
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
    const url = fragment(source.url, said.text);
    const link = h("a", { href: url ?? "#", ...attributes }, ...children);
    link.addEventListener("click", (event) => {
      if (url && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      void go(source, said, url);
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
      if (!(await copy(toPlainText(shown)))) {
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
