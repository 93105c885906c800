// Runs in a tab, in the extension's isolated world: finds a sentence in the
// visible page and marks it with a CSS Custom Highlight, which changes no element.

import { squash, unsquash } from "./clean.ts";
import { page, textOf, walk } from "./walk.ts";

export interface Wanted {
  sentence: string;
  /** The surrounding text, to distinguish repetitions. */
  before: string;
  after: string;
  /** Its position in the text: 0 at the beginning, 1 at the end. */
  at: number;
}

/** The visible text, squashed, and its nodes. */
interface Shown {
  text: string;
  nodes: Text[];
  /** What can be seen of each node, and where that begins in it. */
  values: string[];
  offsets: number[];
  /** Where in `text` each node begins. */
  starts: number[];
}

/** Milliseconds for searching a page. */
const PATIENCE = 2500;
const NAME = "cerasum";
/** Maximum number of repetitions that are compared. */
const MAX_FOUND = 1000;

function shown(footnotes: boolean): Shown {
  const nodes: Text[] = [];
  const values: string[] = [];
  const offsets: number[] = [];
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  const until = performance.now() + PATIENCE;
  const root = page.body() ?? page.root();
  if (root) {
    walk(root, {
      // Footnote marks are not part of the extracted sentences.
      enter: (element, name) => footnotes || name !== "sup" || !/^\s*\[.*\]\s*$/s.test(textOf(element) ?? ""),
      leave: () => undefined,
      text(node, value, offset) {
        const squashed = squash(value);
        if (squashed === "") return;
        nodes.push(node);
        values.push(value);
        offsets.push(offset);
        starts.push(length);
        parts.push(squashed);
        length += squashed.length;
      },
      enough: () => performance.now() > until,
    });
  }
  return { text: parts.join(""), nodes, values, offsets, starts };
}

/** Length of the common suffix, or prefix, of two texts. */
function common(a: string, b: string, fromEnd: boolean): number {
  const most = Math.min(a.length, b.length);
  let n = 0;
  while (n < most && (fromEnd ? a[a.length - 1 - n] === b[b.length - 1 - n] : a[n] === b[n])) n++;
  return n;
}

/** The start and end of the sentence in the squashed text, and how well its context matches. */
function find({ text }: Shown, wanted: Wanted): { start: number; end: number; fit: number } | undefined {
  const sentence = squash(wanted.sentence);
  const before = squash(wanted.before).slice(-80);
  const after = squash(wanted.after).slice(0, 80);
  if (sentence === "") return undefined;
  let best: { start: number; end: number; fit: number } | undefined;
  let found = 0;
  for (let start = text.indexOf(sentence); start >= 0 && found < MAX_FOUND; start = text.indexOf(sentence, start + 1), found++) {
    const end = start + sentence.length;
    const around = common(text.slice(Math.max(0, start - before.length), start), before, true) + common(text.slice(end, end + after.length), after, false);
    // With equal context the nearer one wins: the fraction only breaks ties.
    const fit = around + 1 - Math.abs(start / Math.max(1, text.length) - wanted.at);
    if (!best || fit > best.fit) best = { start, end, fit };
  }
  return best;
}

function ranges({ nodes, values, offsets, starts, text }: Shown, start: number, end: number): Range[] {
  const made: Range[] = [];
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= start) low = middle;
    else high = middle - 1;
  }
  // One range for each node: a range cannot cross shadow trees.
  for (let i = low; i < nodes.length && starts[i]! < end; i++) {
    const value = values[i]!;
    const offset = offsets[i]!;
    const own = (starts[i + 1] ?? text.length) - starts[i]!;
    const range = new Range();
    range.setStart(nodes[i]!, offset + unsquash(value, Math.max(0, start - starts[i]!)));
    range.setEnd(nodes[i]!, offset + unsquash(value, Math.min(own, end - starts[i]!) - 1) + 1);
    made.push(range);
  }
  return made;
}

function scrollTo(first: Range): void {
  const element = first.startContainer.parentElement;
  if (!element) return;
  element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  // A paragraph may be longer than the window.
  const { top, bottom } = first.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) scrollBy({ top: top - innerHeight / 2, behavior: "instant" });
}

function locate(wanted: Wanted): { where: Shown; start: number; end: number; fit: number } | undefined {
  for (const footnotes of [false, true]) {
    const where = shown(footnotes);
    const found = find(where, wanted);
    if (found) return { where, ...found };
  }
  return undefined;
}

const clear = (): void => void CSS.highlights.delete(NAME);

/** How well the best match in this document fits, 0 if there is none, and whose document it is. */
const fit = (wanted: Wanted): { fit: number; origin: string } => ({ fit: locate(wanted)?.fit ?? 0, origin: self.origin });

/** Marks the sentence and scrolls to it. "unseen": the page contains it where no reader sees it; "absent": it does not. */
function show(wanted: Wanted): "marked" | "unseen" | "absent" {
  clear();
  const found = locate(wanted);
  const marked = found ? ranges(found.where, found.start, found.end) : [];
  if (!marked[0]) return squash(textOf(page.body() ?? document) ?? "").includes(squash(wanted.sentence)) ? "unseen" : "absent";
  CSS.highlights.set(NAME, new Highlight(...marked));
  scrollTo(marked[0]);
  return "marked";
}

export interface PageMarker {
  show: typeof show;
  fit: typeof fit;
  clear: typeof clear;
}

// Called by the next script that the extension runs here.
(globalThis as { cerasumMarker?: PageMarker }).cerasumMarker = { show, fit, clear };
