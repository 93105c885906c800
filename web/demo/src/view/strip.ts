// The heat strip of a document: one cell per sentence, with the width of its
// length and the colour of its weight; quoted ones are underlined.

import { h, put } from "../../../common/dom.ts";
import { shown } from "../../../common/shown.ts";
import { text as t } from "../strings.ts";
import type { Span } from "./text.ts";

/** What a strip shows of one document. */
export interface StripData {
  title: string;
  text: string;
  spans: readonly Span[];
  /** One number per sentence: 1 is the average of all documents. Undefined if the method weighs none. */
  weights: readonly number[] | undefined;
  /** Indices of sentences. */
  quoted: ReadonlySet<number>;
}

/** More sentences than this share cells, which would be narrower than two pixels. */
const CELLS = 120;
/** Maximum number of cells with gaps between them. */
const APART = 48;
/** Colours that differ by less look the same. */
const VISIBLE = 1 / 64;
/** Number of sentences that PageUp and PageDown skip. */
const PAGE = 10;

/** 0..1: half the colour for a sentence of average weight, and never all of it, so that outliers do not pale the rest. */
const tone = (weight: number): number => weight ** 2 / (weight ** 2 + 1);

/** A cell: sentences from..to-1, and the one that it leads to. */
interface Cell {
  from: number;
  to: number;
  leads: number;
  length: number;
  quoted: boolean;
  /** As it is drawn. */
  tone: number;
}

/**
 * To the keyboard and to screen readers the strip is a slider over the
 * sentences, one stop of the Tab key however many there are.
 */
export class Strip {
  readonly element = h("div", { class: "strip" });
  readonly #about = h("p", { hidden: "" });
  readonly #follow: (span: Span) => void;
  readonly #pointAt: (span: Span | undefined) => void;
  #data: StripData | undefined;
  #cells: Cell[] = [];
  #at = 0;

  /** `id` is unique on the page; `follow` gets the sentence that the reader of the page wants to see, `pointAt` the one they point at. */
  constructor(id: string, follow: (span: Span) => void, pointAt: (span: Span | undefined) => void) {
    this.#follow = follow;
    this.#pointAt = pointAt;
    this.#about.id = id;
    this.element.addEventListener("click", (event) => {
      // Clicks by a keyboard or a screen reader have no position.
      const cell = event.detail > 0 ? this.#under(event.clientX) : undefined;
      if (cell) this.#at = cell.leads;
      this.#go();
    });
    this.element.addEventListener("pointerover", ({ target }) => {
      const cell = this.#cells[[...this.element.children].indexOf(target as Element)];
      if (!cell || !this.#data) return;
      (target as HTMLElement).title = this.#describe(cell.leads);
      this.#pointAt(this.#data.spans[cell.leads]);
    });
    const focused = () => (this.element.matches(":focus-visible") ? this.#data?.spans[this.#at] : undefined);
    this.element.addEventListener("pointerleave", () => this.#pointAt(focused()));
    this.element.addEventListener("focus", () => this.#pointAt(focused()));
    this.element.addEventListener("blur", () => this.#pointAt(undefined));
    this.element.addEventListener("keydown", (event) => {
      if (!this.#data || event.altKey || event.ctrlKey || event.metaKey) return;
      const last = this.#data.spans.length - 1;
      const to: Record<string, number> = {
        ArrowRight: this.#at + 1, ArrowUp: this.#at + 1, ArrowLeft: this.#at - 1, ArrowDown: this.#at - 1,
        PageUp: this.#at + PAGE, PageDown: this.#at - PAGE, Home: 0, End: last,
      };
      if (event.key === "Enter" || event.key === " ") this.#go();
      else if (Object.hasOwn(to, event.key)) {
        this.#at = Math.min(Math.max(to[event.key]!, 0), last);
        this.#point();
        this.#pointAt(this.#data.spans[this.#at]);
      } else return;
      event.preventDefault();
    });
  }

  /** The strip and its description, for the page. */
  get parts(): HTMLElement[] {
    return [this.element, this.#about];
  }

  /** Without data the strip is an empty track. */
  show(data: StripData | undefined): void {
    const { element } = this;
    const before = this.#data;
    this.#data = data?.spans.length ? data : undefined;
    if (!this.#data) {
      this.#cells = [];
      element.replaceChildren();
      for (const name of element.getAttributeNames()) if (name !== "class") element.removeAttribute(name);
      element.setAttribute("aria-hidden", "true");
      this.#about.textContent = "";
      return;
    }
    const { spans, weights, quoted, title } = this.#data;
    if (before?.spans !== spans || before.title !== title) {
      this.#at = (weights ?? []).reduce((best, weight, i) => (weight > weights![best]! ? i : best), 0);
    }
    // Reuse cells, and colours that look the same: another length changes all of them a little.
    let old = this.#cells;
    this.#cells = cells(this.#data);
    if (old.length !== this.#cells.length) {
      old = [];
      element.replaceChildren(...this.#cells.map(() => h("span", { class: "cell" })));
    }
    const colours = this.#cells.some(({ tone }, i) => !(Math.abs(tone - old[i]?.tone!) < VISIBLE));
    this.#cells.forEach((now, i) => {
      const cell = element.children[i] as HTMLElement;
      cell.removeAttribute("title");
      if (now.quoted !== old[i]?.quoted) cell.classList.toggle("quoted", now.quoted);
      if (now.length !== old[i]?.length) cell.style.flexGrow = String(now.length);
      if (colours) cell.style.setProperty("--tone", now.tone.toFixed(3));
      else now.tone = old[i]!.tone;
    });
    element.classList.toggle("fine", this.#cells.length > APART);
    put(element, {
      role: "slider", tabindex: "0", "aria-label": t.strip.label(title), "aria-describedby": this.#about.id,
      "aria-valuemin": "1", "aria-valuemax": String(spans.length), "aria-hidden": undefined,
    });
    const strongest = highest(weights ?? [], 3);
    put(this.#about, {}, t.strip.about(
      strongest.map((i) => t.strip.weighed(i + 1, weights![i]!)),
      [...quoted].sort((a, b) => a - b).map((i) => i + 1),
    ));
    this.#point();
  }

  /** Marks the sentence that the reader shows, by where it begins. */
  mark(start: number | undefined): void {
    const at = start === undefined ? -1 : (this.#data?.spans.findIndex((span) => span.start === start) ?? -1);
    this.element.classList.toggle("shown", at >= 0);
    if (at < 0) return;
    this.#at = at;
    this.#point();
  }

  /** Marks the sentence that is pointed at here or elsewhere, by where it begins. */
  point(start: number | undefined): void {
    const at = start === undefined ? -1 : (this.#data?.spans.findIndex((span) => span.start === start) ?? -1);
    this.#cells.forEach(({ from, to }, i) => this.element.children[i]!.classList.toggle("pointed", from <= at && at < to));
  }

  #go(): void {
    const span = this.#data?.spans[this.#at];
    if (!span) return;
    this.#point();
    this.#follow(span);
  }

  #point(): void {
    put(this.element, { "aria-valuenow": String(this.#at + 1), "aria-valuetext": this.#describe(this.#at) });
    this.#cells.forEach(({ from, to }, i) => this.element.children[i]!.classList.toggle("here", from <= this.#at && this.#at < to));
  }

  #describe(i: number): string {
    const { spans, weights, quoted, text } = this.#data!;
    const { start, end } = spans[i]!;
    return t.strip.sentence(i + 1, spans.length, weights?.[i], quoted.has(i), shown(text.slice(start, end)));
  }

  /** The cell nearest to a place on the screen. */
  #under(x: number): Cell | undefined {
    let nearest = Infinity;
    return this.#cells.reduce<Cell | undefined>((best, cell, i) => {
      const { left, right } = this.element.children[i]!.getBoundingClientRect();
      const away = Math.max(left - x, x - right, 0);
      if (away >= nearest) return best;
      nearest = away;
      return cell;
    }, undefined);
  }
}

/** The indices of the highest weights, highest first; a document can have a million. */
function highest(weights: readonly number[], most: number): number[] {
  const found: number[] = [];
  weights.forEach((weight, i) => {
    if (found.length === most && weight <= weights[found[most - 1]!]!) return;
    const before = found.findIndex((other) => weight > weights[other]!);
    found.splice(before < 0 ? found.length : before, 0, i);
    if (found.length > most) found.pop();
  });
  return found;
}

/** One cell for every sentence, or as many as fit, with about the same number of characters each. */
function cells({ spans, weights, quoted }: StripData): Cell[] {
  const lengthOf = ({ start, end }: Span) => Math.max(end - start, 1);
  const share = spans.reduce((sum, span) => sum + lengthOf(span), 0) / CELLS;
  const found: Omit<Cell, "tone">[] = [];
  let done = 0;
  spans.forEach((span, i) => {
    const length = lengthOf(span);
    const last = found.at(-1);
    if (!last || spans.length <= CELLS || done >= share * found.length) found.push({ from: i, to: i + 1, leads: i, length, quoted: quoted.has(i) });
    else {
      last.to = i + 1;
      last.length += length;
      // Lead to a quoted sentence if there is one.
      if (!last.quoted && (quoted.has(i) || (weights && weights[i]! > weights[last.leads]!))) last.leads = i;
      last.quoted ||= quoted.has(i);
    }
    done += length;
  });
  return found.map((cell) => ({ ...cell, tone: weights ? tone(Math.max(...weights.slice(cell.from, cell.to))) : 0 }));
}
