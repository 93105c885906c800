// The map of sentences: each is a dot in the colour of its document, close to
// similar ones; quoted ones are diamonds. Loaded when opened.

import type { Embeddings } from "cerasum";
import { h, hue } from "../../../common/dom.ts";
import { shown } from "../../../common/shown.ts";
import type { Result } from "../engine.ts";
import { number, page, text as t } from "../strings.ts";
import { strings } from "../strings/map.ts";
import { pointing } from "../view/pointing.ts";
import type { Span } from "../view/text.ts";
import { dense, project, words } from "./project.ts";
import "../styles/map.css";

/** Maximum number of dots: more are slow and less readable. */
const MOST = 2000;
/** Minimum number of sentences. */
const FEWEST = 3;
const WIDTH = 400;
const HEIGHT = 280;
const EDGE = 12;
/** Maximum distance of the pointer from a dot, in pixels. */
const NEAR = 28;

interface Dot {
  x: number;
  y: number;
  document: number;
  sentence: number;
  span: Span;
  quoted: boolean;
  mark: SVGElement;
}

/** The map in its box; `update` draws it for a summary. To the keyboard it is a slider over the dots. */
export class SentenceMap {
  readonly element: HTMLElement;
  readonly #show: (id: number, span: Span) => void;
  readonly #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  readonly #caption = h("p", { class: "map-caption", "aria-hidden": "true" });
  readonly #about = h("p", { id: "map-about", class: "small" });
  readonly #legend = h("p", { class: "map-legend small", "aria-hidden": "true" });
  readonly #words = h("details", { class: "map-words small" });
  #result: Result | undefined;
  #dots: Dot[] = [];
  /** Key of the drawn map: its sentences and the language of the labels. */
  #drawn: { split: Result["split"]; embeddings: Result["embeddings"]; shown: string; locale: string } | undefined;
  #at = 0;

  constructor(show: (id: number, span: Span) => void) {
    this.#show = show;
    this.#svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.#svg.classList.add("map");
    this.element = h("div", { class: "map-box" }, this.#svg, this.#legend, this.#caption, this.#about, this.#words);
    const focused = () => (this.#svg.matches(":focus-visible") ? this.#dots[this.#at] : undefined);
    this.#svg.addEventListener("pointermove", (event) => this.#pointAt(this.#near(event) ?? focused()));
    this.#svg.addEventListener("pointerleave", () => this.#pointAt(focused()));
    this.#svg.addEventListener("click", (event) => {
      const dot = event.detail > 0 ? this.#near(event) : this.#dots[this.#at];
      if (!dot) return;
      this.#at = this.#dots.indexOf(dot);
      this.#point();
      this.#go();
    });
    this.#svg.addEventListener("focus", () => this.#pointAt(focused()));
    this.#svg.addEventListener("blur", () => this.#pointAt(undefined));
    // Highlight the dot of a sentence that is pointed at elsewhere.
    pointing.addEventListener("change", () => {
      const at = pointing.at;
      this.#hover(this.#dots.find((dot) => at && this.#result?.docs[dot.document]?.id === at.id && dot.span.start === at.start));
    });
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Draws the map of a summary; if the sentences are unchanged, updates only which are quoted. */
  update(result: Result | undefined): void {
    this.#result = result;
    if (!result) return;
    const { split, embeddings } = result;
    const quoted = new Set(result.summary.sentences.map(({ document, sentence }) => `${document}.${sentence}`));
    const all = split.flatMap(({ sentences }, document) => sentences.map((span, sentence) => ({ document, sentence, span, quoted: quoted.has(`${document}.${sentence}`) })));
    // If there are too many, show every n-th and all quoted ones.
    const step = Math.ceil(all.length / MOST);
    const shown = [...all.keys()].filter((i) => i % step === 0 || all[i]!.quoted);
    if (shown.length < FEWEST) return this.#say(strings(page.locale).few);
    const now = { split, embeddings, shown: step > 1 ? shown.join() : "all", locale: page.locale };
    const before = this.#drawn;
    if (before && Object.keys(now).every((name) => now[name as keyof typeof now] === before[name as keyof typeof now])) {
      this.#requote(result, shown.map((i) => all[i]!.quoted));
      return;
    }
    this.#drawn = now;
    const { x, y, share } = project(embeddings ? dense(rows(embeddings, shown), embeddings.dimensions) : words(shown.map((i) => {
      const { document, span } = all[i]!;
      return result.docs[document]!.text.slice(span.start, span.end);
    })));
    this.#draw(result, shown.map((i, k) => ({ ...all[i]!, x: x[k]!, y: y[k]! })), share, all.length, embeddings !== undefined);
  }

  #say(message: string): void {
    this.#svg.replaceChildren();
    this.#svg.setAttribute("hidden", "");
    this.#dots = [];
    this.#drawn = undefined;
    for (const part of [this.#legend, this.#caption, this.#words]) part.hidden = true;
    this.#about.textContent = message;
  }

  #draw(result: Result, places: Omit<Dot, "mark">[], share: number, all: number, byMeaning: boolean): void {
    const s = strings(page.locale);
    const scale = (values: number[], size: number): ((value: number) => number) => {
      const low = Math.min(...values);
      const high = Math.max(...values);
      return (value) => (high > low ? EDGE + ((value - low) / (high - low)) * (size - 2 * EDGE) : size / 2);
    };
    const x = scale(places.map((one) => one.x), WIDTH);
    const y = scale(places.map((one) => -one.y), HEIGHT);
    const before = this.#dots[this.#at];
    this.#dots = places.map((one) => {
      const mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
      mark.setAttribute("class", `dot ${hue(one.document)}`);
      shape(mark, one.quoted);
      const dot = { ...one, x: x(one.x), y: y(-one.y), mark };
      mark.setAttribute("transform", `translate(${dot.x.toFixed(1)} ${dot.y.toFixed(1)})`);
      return dot;
    });
    // Quoted sentences are on top.
    this.#svg.replaceChildren(...[...this.#dots].sort((a, b) => Number(a.quoted) - Number(b.quoted)).map(({ mark }) => mark));
    this.#svg.removeAttribute("hidden");
    const same = this.#dots.findIndex((dot) => before && dot.span.start === before.span.start && dot.document === before.document);
    this.#at = same >= 0 ? same : Math.max(this.#dots.findIndex(({ quoted }) => quoted), 0);
    for (const [name, value] of Object.entries({
      role: "slider", tabindex: "0", "aria-label": s.label, "aria-describedby": this.#about.id, "aria-valuemin": "1", "aria-valuemax": String(this.#dots.length),
    })) this.#svg.setAttribute(name, value);
    for (const part of [this.#legend, this.#caption, this.#words]) part.hidden = false;
    this.#about.replaceChildren(
      [byMeaning ? s.byMeaning : s.byWords, s.share(share), all > this.#dots.length ? s.some(this.#dots.length, all) : ""].filter(Boolean).join(" "),
      h("span", { class: "offscreen" }, ` ${s.keys}`),
    );
    const documents = [...new Set(places.map(({ document }) => document))];
    this.#legend.replaceChildren(
      ...documents.slice(0, 12).map((i) => h("span", { class: hue(i) }, h("span", { class: "key" }), number(i + 1))),
      h("span", {}, h("span", { class: "key quoted" }), s.quoted),
    );
    this.#describe(result, documents);
    this.#point();
    this.#hoverFocused();
  }

  /** Another summary of the sentences on show. */
  #requote(result: Result, quoted: readonly boolean[]): void {
    this.#dots.forEach((dot, i) => {
      if (dot.quoted === quoted[i]) return;
      dot.quoted = quoted[i]!;
      shape(dot.mark, dot.quoted);
      if (dot.quoted) this.#svg.append(dot.mark);
      else this.#svg.prepend(dot.mark);
    });
    this.#describe(result, [...new Set(this.#dots.map(({ document }) => document))]);
    this.#point();
    this.#hoverFocused();
  }

  #hoverFocused(): void {
    this.#hover(document.activeElement === this.#svg ? this.#dots[this.#at] : undefined);
  }

  /** A text alternative of the map: for each document the numbers of sentences and quotes, and the nearest document. */
  #describe(result: Result, documents: number[]): void {
    const s = strings(page.locale);
    const middles = new Map(documents.map((i) => {
      const own = this.#dots.filter(({ document }) => document === i);
      const mean = (of: "x" | "y") => own.reduce((sum, dot) => sum + dot[of], 0) / own.length;
      return [i, { x: mean("x"), y: mean("y") }] as const;
    }));
    const items = documents.map((i) => {
      const from = middles.get(i)!;
      const away = (j: number) => Math.hypot(middles.get(j)!.x - from.x, middles.get(j)!.y - from.y);
      const nearest = documents.filter((j) => j !== i).sort((a, b) => away(a) - away(b))[0];
      const { sentences, chosen } = result.summary.documents[i]!;
      const parts = [s.line(sentences, chosen), ...(nearest === undefined ? [] : [s.nearest([s.document(nearest + 1)])])];
      return h("li", {}, `${number(i + 1)}. `, h("bdi", {}, result.docs[i]!.title || t.untitled), `: ${parts.join("; ")}.`);
    });
    const { open } = this.#words;
    this.#words.replaceChildren(h("summary", {}, s.inWords), h("ol", {}, ...items));
    this.#words.open = open;
  }

  #text({ document, sentence, span, quoted }: Dot): { place: string; text: string } {
    const doc = this.#result!.docs[document]!;
    const text = shown(doc.text.slice(span.start, span.end));
    return {
      place: strings(page.locale).place(document + 1, sentence + 1, this.#result!.summary.documents[document]!.sentences, quoted),
      text: text.length > 160 ? `${text.slice(0, 159).trimEnd()}…` : text,
    };
  }

  /** Points at a dot's sentence, here and in the other views. */
  #pointAt(dot: Dot | undefined): void {
    const id = dot && this.#result?.docs[dot.document]?.id;
    pointing.set(id === undefined ? undefined : { id, start: dot!.span.start });
    this.#hover(dot);
  }

  /** Shows a dot's sentence below the map. */
  #hover(dot: Dot | undefined): void {
    for (const one of this.#dots) one.mark.classList.toggle("here", one === dot);
    if (!dot) {
      this.#caption.textContent = this.#dots.length > 0 ? strings(page.locale).hint : "";
      this.#caption.className = "map-caption small";
      return;
    }
    if (this.#svg.lastChild !== dot.mark) this.#svg.append(dot.mark);
    const { place, text } = this.#text(dot);
    this.#caption.className = `map-caption ${hue(dot.document)}`;
    this.#caption.replaceChildren(
      h("span", { class: "chip" }, number(dot.document + 1)),
      h("span", { dir: "auto", lang: this.#result!.summary.documents[dot.document]!.language, title: place }, text),
    );
  }

  #near(event: MouseEvent): Dot | undefined {
    const box = this.#svg.getBoundingClientRect();
    const scale = WIDTH / box.width;
    const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let best: Dot | undefined;
    let nearest = NEAR * scale;
    for (const dot of this.#dots) {
      // Prefer diamonds: they are larger and more interesting.
      const away = Math.hypot(dot.x - px, dot.y - py) - (dot.quoted ? 4 : 0);
      if (away < nearest) [best, nearest] = [dot, away];
    }
    return best;
  }

  #key(event: KeyboardEvent): void {
    if (this.#dots.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.#dots.length - 1;
    const quoted = this.#dots.flatMap((dot, i) => (dot.quoted ? [i] : []));
    const to: Record<string, () => number | undefined> = {
      ArrowRight: () => this.#towards(1, 0), ArrowLeft: () => this.#towards(-1, 0), ArrowUp: () => this.#towards(0, -1), ArrowDown: () => this.#towards(0, 1),
      Home: () => 0, End: () => last,
      PageDown: () => quoted.find((i) => i > this.#at) ?? quoted[0],
      PageUp: () => quoted.findLast((i) => i < this.#at) ?? quoted.at(-1),
    };
    if (event.key === "Enter" || event.key === " ") this.#go();
    else if (Object.hasOwn(to, event.key)) {
      this.#at = to[event.key]!() ?? this.#at;
      this.#point();
      this.#pointAt(this.#dots[this.#at]);
    } else return;
    event.preventDefault();
  }

  /** The nearest dot in a direction; sideways distance counts more. */
  #towards(dx: number, dy: number): number | undefined {
    const from = this.#dots[this.#at]!;
    let best: number | undefined;
    let nearest = Infinity;
    this.#dots.forEach((dot, i) => {
      const along = (dot.x - from.x) * dx + (dot.y - from.y) * dy;
      const aside = Math.abs((dot.x - from.x) * dy) + Math.abs((dot.y - from.y) * dx);
      // Dots at the same position are visited in order.
      const ahead = along > 1e-6 || (along === 0 && aside === 0 && (dx + dy > 0 ? i > this.#at : i < this.#at));
      const away = along + 2 * aside;
      if (ahead && away < nearest) [best, nearest] = [i, away];
    });
    return best;
  }

  #go(): void {
    const dot = this.#dots[this.#at];
    const id = dot && this.#result?.docs[dot.document]?.id;
    if (id !== undefined) this.#show(id, dot!.span);
  }

  #point(): void {
    const dot = this.#dots[this.#at];
    if (!dot) return;
    const { place, text } = this.#text(dot);
    this.#svg.setAttribute("aria-valuenow", String(this.#at + 1));
    this.#svg.setAttribute("aria-valuetext", `${place}: ${text}`);
  }
}

/** Different shapes: dots must not differ by colour alone. */
function shape(mark: SVGElement, quoted: boolean): void {
  mark.classList.toggle("quoted", quoted);
  mark.setAttribute("d", quoted ? "M0-7 7 0 0 7-7 0z" : "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0");
}

/** The rows of some sentences. */
function rows({ embeddings, dimensions: D }: Embeddings, sentences: readonly number[]): Float32Array {
  const found = new Float32Array(sentences.length * D);
  sentences.forEach((i, k) => found.set(embeddings.subarray(i * D, (i + 1) * D), k * D));
  return found;
}
