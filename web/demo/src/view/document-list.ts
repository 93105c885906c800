import type { Doc, Documents } from "../documents.ts";
import { arrange, byId, flag, h, hue, icon, put } from "../../../common/dom.ts";
import type { Engine, Result } from "../engine.ts";
import { languageName, number, spoken, text as t, words } from "../strings.ts";
import { pointing } from "./pointing.ts";
import { Strip, type StripData } from "./strip.ts";
import type { Span } from "./text.ts";

interface Card {
  item: HTMLLIElement;
  chip: HTMLElement;
  open: HTMLButtonElement;
  title: HTMLElement;
  meta: HTMLElement;
  meter: HTMLElement;
  covered: HTMLElement;
  strip: Strip;
  /** Key of the rendered strip. */
  drawn: { summary: Result["summary"] | undefined; title: string } | undefined;
  remove: HTMLButtonElement;
}

interface Shown extends EventTarget {
  /** The document that the reader shows. */
  readonly id: number | undefined;
  /** Where its sentence on show begins. */
  readonly start: number | undefined;
}

interface Hooks {
  open(id: number): void;
  /** Shows a sentence of a document. */
  show(id: number, span: Span): void;
  shown: Shown;
}

/**
 * The list of documents: number, title, size, language, how much of each the
 * summary covers, and how much each sentence weighs.
 */
export function mountDocumentList(documents: Documents, engine: Engine, { open, show, shown }: Hooks): void {
  const list = byId("document-list");
  const heading = byId("documents-title");
  const clear = byId("clear");
  const legend = byId("legend");
  // Cards are kept and changed in place, so that focus stays where it is.
  const cards = new Map<number, Card>();

  const make = (id: number): Card => {
    const chip = h("span", { class: "chip", "aria-hidden": "true" });
    const title = h("span", { class: "doc-title", dir: "auto" });
    const openButton = h("button", { type: "button", class: "doc-open" }, chip, title);
    openButton.addEventListener("click", () => open(id));
    const meta = h("p", { class: "doc-meta small" });
    const covered = h("span", {});
    const meter = h("div", { class: "meter small", role: "meter", "aria-valuemin": "0", "aria-valuemax": "100" }, covered, h("span", { class: "meter-bar" }));
    const strip = new Strip(`strip-${id}`, (span) => show(id, span), (span) => pointing.set(span && { id, start: span.start }));
    const remove = h("button", { type: "button", class: "icon quiet remove" }, icon("close", 14));
    remove.addEventListener("click", () => {
      const at = documents.index(id);
      const doc = documents.get(id);
      if (!doc) return;
      documents.remove(id, t.removed(doc.title));
      const next = documents.list[Math.min(at, documents.list.length - 1)];
      if (next) cards.get(next.id)!.remove.focus();
      else heading.focus();
    });
    const item = h("li", {}, openButton, remove, h("div", { class: "doc-line" }, meta, meter), ...strip.parts);
    return { item, chip, open: openButton, title, meta, meter, covered, strip, drawn: undefined, remove };
  };

  const fill = (card: Card, doc: Doc, index: number) => {
    const title = doc.title || t.untitled;
    put(card.item, { class: `doc ${hue(index)}${pointing.at?.id === doc.id ? " pointed" : ""}` });
    put(card.chip, {}, number(index + 1));
    put(card.remove, { "aria-label": t.remove(title) });
    put(card.open, { "aria-current": doc.id === shown.id ? "true" : undefined });

    const result = engine.result;
    const at = result ? result.docs.findIndex((other) => other.id === doc.id && other.version === doc.version) : -1;
    const report = at < 0 ? undefined : result?.summary.documents[at];
    const language = doc.language ?? report?.language;
    put(card.title, { lang: language ?? "" }, title);
    put(card.meta, {}, [words(doc.words), language && languageName(language)].filter(Boolean).join(" · "));
    const share = report?.coverage ?? 0;
    const covered = t.coverage(share);
    // Reserve its space, so that the list does not move.
    put(card.meter, {
      class: `meter small${report ? "" : " unknown"}`,
      "aria-label": t.coverageOf(title), "aria-valuenow": String(Math.round(share * 100)), "aria-valuetext": covered,
    });
    card.meter.style.setProperty("--share", share.toFixed(2));
    put(card.covered, {}, covered);

    const summary = report && result!.summary;
    if (!card.drawn || card.drawn.summary !== summary || card.drawn.title !== title) {
      card.drawn = { summary, title };
      card.strip.show(report && data(result!, at, title, doc.text));
    }
    card.strip.mark(doc.id === shown.id ? shown.start : undefined);
    mark(card, doc.id);
  };

  /** Marks the card of the sentence that is pointed at, and its cell. */
  const mark = (card: Card, id: number) => {
    const start = pointing.at?.id === id ? pointing.at.start : undefined;
    card.item.classList.toggle("pointed", start !== undefined);
    card.strip.point(start);
  };

  const describe = () => {
    put(legend, { hidden: flag(documents.list.length === 0) });
    const all = weighed(engine.result);
    const most = (all ?? []).reduce((a, one) => one.reduce((a, b) => Math.max(a, b), a), 0);
    const alike = all?.every((one) => one.every((weight) => weight === 0 || Math.abs(weight / most - 1) < 1e-6));
    const blank = engine.result !== undefined && !all;
    legend.classList.toggle("blank", blank);
    legend.classList.toggle("alike", alike === true);
    put(byId("legend-text"), {}, blank ? t.strip.legendBlank : alike ? t.strip.legendAlike : t.strip.legend);
  };

  const render = () => {
    const docs = documents.list;
    const ids = new Set(docs.map((doc) => doc.id));
    for (const id of cards.keys()) if (!ids.has(id)) cards.delete(id);
    arrange(list, docs.map((doc, index) => {
      let card = cards.get(doc.id);
      if (!card) cards.set(doc.id, (card = make(doc.id)));
      fill(card, doc, index);
      return card.item;
    }));
    put(clear, { hidden: flag(docs.length === 0) });
    describe();
  };

  clear.addEventListener("click", () => {
    documents.clear(t.cleared(documents.list.length));
    heading.focus();
  });
  documents.addEventListener("change", render);
  shown.addEventListener("change", render);
  spoken.addEventListener("change", () => {
    for (const card of cards.values()) card.drawn = undefined;
    render();
  });
  pointing.addEventListener("change", () => {
    for (const [id, card] of cards) mark(card, id);
  });
  let last = engine.result;
  let waiting = false;
  engine.addEventListener("change", () => {
    if (engine.result === last) return;
    last = engine.result;
    // One frame after the summary: hundreds of cells may change colour.
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => setTimeout(() => {
      waiting = false;
      render();
    }));
  });
  render();
}

function data(result: Result, at: number, title: string, text: string): StripData {
  const quoted = new Set(result.summary.sentences.filter(({ document }) => document === at).map(({ sentence }) => sentence));
  return { title, text, spans: result.split[at]!.sentences, weights: weighed(result)?.[at], quoted };
}

/** The weight of each sentence of each document, relative to the average; undefined if the method weighs none. */
function weighed(result: Result | undefined): number[][] | undefined {
  if (!result) return undefined;
  const { documents } = result.summary;
  let all = known.get(documents);
  if (!all) {
    const given = documents.map(({ attention }) => attention ?? []);
    const N = given.reduce((n, one) => n + one.length, 0);
    const sum = given.reduce((s, one) => one.reduce((a, b) => a + b, s), 0);
    all = sum > 0 ? given.map((one) => one.map((weight) => weight * N / sum)) : "none";
    known.set(documents, all);
  }
  return all === "none" ? undefined : all;
}

/** The results of weighed, by the summary's documents. */
const known = new WeakMap<object, number[][] | "none">();
