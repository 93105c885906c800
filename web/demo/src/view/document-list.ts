import type { Doc, Documents } from "../documents.ts";
import { byId, h, hue, icon } from "../dom.ts";
import type { Engine } from "../engine.ts";
import { languageName, number, text as t, words } from "../strings.ts";

interface Card {
  item: HTMLLIElement;
  chip: HTMLElement;
  open: HTMLButtonElement;
  title: HTMLElement;
  meta: HTMLElement;
  meter: HTMLElement;
  fill: HTMLElement;
  share: HTMLElement;
  remove: HTMLButtonElement;
}

interface Shown extends EventTarget {
  /** The document that the reader shows. */
  readonly id: number | undefined;
}

/** The list of documents: number, title, size, language, and how much of each the summary covers. */
export function mountDocumentList(documents: Documents, engine: Engine, { open, shown }: { open: (id: number) => void; shown: Shown }): void {
  const list = byId("document-list");
  const heading = byId("documents-title");
  const clear = byId("clear");
  // Cards are kept and changed in place, so that focus stays where it is.
  const cards = new Map<number, Card>();

  const make = (id: number): Card => {
    const chip = h("span", { class: "chip", "aria-hidden": "true" });
    const title = h("span", { class: "doc-title", dir: "auto" });
    const openButton = h("button", { type: "button", class: "doc-open" }, chip, title);
    openButton.addEventListener("click", () => open(id));
    const meta = h("p", { class: "doc-meta small" });
    const fill = h("span", { class: "fill" });
    const meter = h("span", { class: "meter", role: "meter", "aria-valuemin": "0", "aria-valuemax": "100" }, fill);
    const share = h("span", { class: "small", "aria-hidden": "true" });
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
    const item = h("li", {}, openButton, remove, meta, h("p", { class: "coverage" }, meter, share));
    return { item, chip, open: openButton, title, meta, meter, fill, share, remove };
  };

  const fill = (card: Card, doc: Doc, index: number) => {
    card.item.className = `doc ${hue(index)}`;
    card.chip.textContent = number(index + 1);
    const title = doc.title || t.untitled;
    card.title.textContent = title;
    card.remove.setAttribute("aria-label", t.remove(title));
    if (doc.id === shown.id) card.open.setAttribute("aria-current", "true");
    else card.open.removeAttribute("aria-current");

    const result = engine.result;
    const at = result ? result.docs.findIndex((other) => other.id === doc.id && other.version === doc.version) : -1;
    const report = at < 0 ? undefined : result?.summary.documents[at];
    const language = doc.language ?? report?.language;
    card.title.lang = language ?? "";
    card.meta.textContent = [words(doc.words), language && languageName(language)].filter(Boolean).join(" · ");
    const share = report?.coverage ?? 0;
    card.fill.style.width = `${share * 100}%`;
    card.meter.setAttribute("aria-label", t.coverageOf(title));
    card.meter.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    card.share.textContent = report ? t.coverage(share) : "";
  };

  const render = () => {
    const docs = documents.list;
    const ids = new Set(docs.map((doc) => doc.id));
    for (const [id, card] of cards) {
      if (ids.has(id)) continue;
      card.item.remove();
      cards.delete(id);
    }
    docs.forEach((doc, index) => {
      let card = cards.get(doc.id);
      if (!card) cards.set(doc.id, (card = make(doc.id)));
      if (list.children[index] !== card.item) list.insertBefore(card.item, list.children[index] ?? null);
      fill(card, doc, index);
    });
    clear.hidden = docs.length === 0;
  };

  clear.addEventListener("click", () => {
    documents.clear(t.cleared(documents.list.length));
    heading.focus();
  });
  documents.addEventListener("change", render);
  shown.addEventListener("change", render);
  let last = engine.result;
  engine.addEventListener("change", () => {
    if (engine.result !== last) render();
    last = engine.result;
  });
  render();
}
