import type { Doc, Documents } from "../documents.ts";
import { byId, flag, h, hue, put, scrollBehavior } from "../../../common/dom.ts";
import { shownSource } from "../../../common/shown.ts";
import type { Engine } from "../engine.ts";
import { languageName, number, page, spoken, text as t, words } from "../strings.ts";
import { pointWithin, pointing, sentenceName } from "./pointing.ts";
import { type Mark, type Span, anchor, markName, renderText } from "./text.ts";

interface Hooks {
  /** The reader follows a marked sentence back to the quote with this index. */
  back(quote: number): void;
  /** The sentence on show belongs to this quote. */
  selected(quote: number | undefined): void;
}

/** Shows one document: its text with the quoted sentences marked, or a form to change it. */
export function mountReader(documents: Documents, engine: Engine, { back, selected }: Hooks): Reader {
  return new Reader(documents, engine, back, selected);
}

export class Reader extends EventTarget {
  #id: number | undefined;
  /** The document that the last "change" was about. */
  #told: number | undefined;
  #active: { span: Span; quote: number | undefined } | undefined;
  #editing = false;
  /** The document as it was before it was edited. */
  #unedited: Doc | undefined;
  /** Key of the rendered text: it is rendered again only when this changes. */
  #shown = "";
  /** Timer of an edit that waits for a pause in typing. */
  #typed: { timer: number; commit: () => void } | undefined;
  readonly #text = byId("reader-text");
  readonly #editor = byId<HTMLFormElement>("editor");
  readonly #edit = byId<HTMLButtonElement>("edit");

  constructor(
    readonly documents: Documents,
    readonly engine: Engine,
    readonly back: (quote: number) => void,
    readonly selected: (quote: number | undefined) => void,
  ) {
    super();
    documents.addEventListener("change", () => this.#documentsChanged());
    let last = engine.result;
    engine.addEventListener("change", () => {
      if (engine.result === last) return;
      last = engine.result;
      // A sentence on show stays if its quote does.
      const { span, quote = -1 } = this.#active ?? {};
      const now = last?.summary.sentences[quote];
      if (!now || now.start !== span!.start || last!.docs[now.document]!.id !== this.#id) this.#select(undefined);
      this.#render();
    });
    byId("previous").addEventListener("click", () => this.#step(-1));
    byId("next").addEventListener("click", () => this.#step(1));
    engine.addEventListener("info", () => this.#editing && this.#fillLanguages());
    this.#mountEditor();
    pointWithin(this.#text);
    pointing.addEventListener("change", () => this.#point());
    spoken.addEventListener("change", () => {
      if (this.#editing) this.#fillLanguages();
      this.#render();
    });
  }

  get id(): number | undefined {
    return this.#id;
  }

  /** Where in the document the sentence on show begins. */
  get start(): number | undefined {
    return this.#active?.span.start;
  }

  /** Shows a document from its beginning. */
  open(id: number): void {
    this.#goTo(id);
    this.#select(undefined);
    this.#render();
    this.#text.focus({ preventScroll: true });
    byId("reader").scrollTop = 0;
    byId("reader").scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }

  /** Shows a span of a document and moves the focus there. It may belong to a quote. */
  show(id: number, span: Span, quote?: number): void {
    this.#goTo(id);
    const doc = this.documents.get(id);
    const mark = doc && this.#marks(doc).find(({ start }) => start === span.start);
    this.#select({ span, quote: quote ?? (mark?.kind === "quoted" ? mark.quote : undefined) });
    this.#render();
    const link = document.getElementById(anchor(id, span));
    if (!link) return;
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "center", behavior: scrollBehavior() });
  }

  #goTo(id: number): void {
    this.#endEditing();
    if (this.#id === id) return;
    this.#id = id;
    this.#active = undefined;
  }

  #select(active: { span: Span; quote: number | undefined } | undefined): void {
    if (!active && !this.#active && this.#id === this.#told) return;
    this.#active = active;
    this.#told = this.#id;
    this.selected(active?.quote);
    this.dispatchEvent(new Event("change"));
  }

  #step(by: number): void {
    const at = this.#id === undefined ? -1 : this.documents.index(this.#id);
    const next = this.documents.list[at + by];
    if (!next) return;
    this.#goTo(next.id);
    this.#select(undefined);
    this.#render();
    byId("reader").scrollTop = 0;
  }

  #documentsChanged(): void {
    const list = this.documents.list;
    if (this.#id === undefined || this.documents.index(this.#id) < 0) {
      this.#editing = false;
      this.#id = list[0]?.id;
      this.#select(undefined);
    }
    this.#render();
  }

  /** The sentences of the document to mark; none if the summary is of an older text. */
  #marks(doc: Doc): Mark[] {
    const result = this.engine.result;
    const at = result ? result.docs.findIndex((other) => other.id === doc.id && other.version === doc.version) : -1;
    if (!result || at < 0) return [];
    const marks = new Map<number, Mark>();
    result.summary.sentences.forEach((quote, i) => {
      if (quote.document === at) marks.set(quote.start, { start: quote.start, end: quote.end, quote: i, kind: "quoted" });
    });
    result.summary.sentences.forEach((quote, i) => {
      for (const { document, start, end } of quote.similar) {
        if (document === at && !marks.has(start)) marks.set(start, { start, end, quote: i, kind: "similar" });
      }
    });
    const span = doc.id === this.#id ? this.#active?.span : undefined;
    if (span && !marks.has(span.start)) marks.set(span.start, { start: span.start, end: span.end, kind: "shown" });
    return [...marks.values()].sort((a, b) => a.start - b.start);
  }

  #render(): void {
    const index = this.#id === undefined ? -1 : this.documents.index(this.#id);
    const doc = this.documents.list[index];
    for (const id of ["reader-document", "reader-buttons"]) put(byId(id), { hidden: flag(!doc) });
    if (!doc) {
      this.#text.replaceChildren();
      this.#shown = "";
      return;
    }
    const result = this.engine.result;
    const at = result?.docs.findIndex((other) => other.id === doc.id && other.version === doc.version) ?? -1;
    const report = at < 0 ? undefined : result?.summary.documents[at];
    const language = doc.language ?? report?.language;

    put(byId("reader-document"), { class: hue(index) });
    put(byId("reader-chip"), {}, number(index + 1));
    put(byId("reader-name"), { lang: language ?? "" }, doc.title || t.untitled);
    const source = doc.source === doc.title ? "" : shownSource(doc.source);
    const about = [language && languageName(language), report ? t.quotedOf(report.chosen, report.sentences) : words(doc.words)].filter(Boolean).join(" · ");
    byId("reader-meta").replaceChildren(...(source ? [h("bdi", {}, source), ` · ${about}`] : [about]));
    put(byId("previous"), { disabled: flag(index === 0) });
    put(byId("next"), { disabled: flag(index === this.documents.list.length - 1) });
    put(this.#edit, {}, this.#editing ? page.done : page.edit);
    put(this.#text, { hidden: flag(this.#editing), lang: language ?? "" });
    put(this.#editor, { hidden: flag(!this.#editing) });
    if (this.#editing) return put(byId("reader-marks"), { hidden: "" }, "");

    const marks = this.#marks(doc);
    const kinds = new Set(marks.map(({ kind }) => kind));
    const meant = [kinds.has("quoted") ? t.markQuoted : "", kinds.has("similar") ? t.markSimilar : ""].filter(Boolean).join(" ");
    put(byId("reader-marks"), { hidden: flag(meant === "") }, meant);
    const key = `${doc.id}.${doc.version} ${marks.map(markName).join()}`;
    if (key !== this.#shown) {
      renderText(this.#text, doc, marks, (quote) => this.back(quote));
      this.#shown = key;
      this.#point();
    }
    for (const mark of this.#text.querySelectorAll("mark")) {
      const link = mark.firstElementChild!;
      const active = this.#active !== undefined && link.id === anchor(doc.id, this.#active.span);
      mark.classList.toggle("active", active);
      put(link, { "aria-current": active ? "true" : undefined });
    }
  }

  /** Marks the sentence that is pointed at, here or elsewhere. */
  #point(): void {
    const name = pointing.at && sentenceName(pointing.at);
    for (const mark of this.#text.querySelectorAll("mark")) mark.classList.toggle("pointed", mark.dataset["sentence"] === name);
  }

  #mountEditor(): void {
    const title = byId<HTMLInputElement>("edit-title");
    const language = byId<HTMLSelectElement>("edit-language");
    const text = byId<HTMLTextAreaElement>("edit-text");
    const finish = () => {
      this.#endEditing();
      this.#render();
      this.#edit.focus();
    };
    this.#edit.addEventListener("click", () => {
      const doc = this.#id === undefined ? undefined : this.documents.get(this.#id);
      if (!doc) return;
      if (this.#editing) return finish();
      this.#unedited = doc;
      title.value = doc.title;
      this.#fillLanguages();
      text.value = doc.text;
      this.#editing = true;
      this.#select(undefined);
      this.#render();
      title.focus();
    });
    this.#editor.addEventListener("submit", (event) => {
      event.preventDefault();
      finish();
    });
    const change = (what: { title?: string; text?: string; language?: string | undefined }) => {
      if (this.#id !== undefined) this.documents.update(this.#id, what);
    };
    title.addEventListener("input", () => change({ title: title.value }));
    language.addEventListener("change", () => change({ language: language.value || undefined }));
    // Do not count and compare a text of megabytes at every key.
    text.addEventListener("input", () => {
      clearTimeout(this.#typed?.timer);
      const commit = () => change({ text: text.value });
      this.#typed = { commit, timer: setTimeout(() => this.#commit(), 400) };
    });
  }

  #fillLanguages(): void {
    const doc = this.documents.get(this.#id!)!;
    const result = this.engine.result;
    const at = result?.docs.findIndex((other) => other.id === doc.id) ?? -1;
    const known = new Set([...this.engine.languages, ...(doc.language ? [doc.language] : [])]);
    const options = [...known].map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) => a.name.localeCompare(b.name, page.locale));
    const select = byId<HTMLSelectElement>("edit-language");
    select.replaceChildren(
      h("option", { value: "" }, t.detect(doc.language ? undefined : result?.summary.documents[at]?.language)),
      ...options.map(({ tag, name }) => h("option", { value: tag }, name)),
    );
    select.value = doc.language ?? "";
  }

  /** What was changed can be undone as one step. */
  #endEditing(): void {
    this.#commit();
    if (!this.#editing) return;
    this.#editing = false;
    const before = this.#unedited;
    if (before) this.documents.changed(before, t.changed(before.title || t.untitled));
  }

  #commit(): void {
    const typed = this.#typed;
    if (!typed) return;
    clearTimeout(typed.timer);
    this.#typed = undefined;
    typed.commit();
  }
}
