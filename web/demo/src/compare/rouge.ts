// ROUGE-1, -2 and -L, as eval/rouge computes them with its Unicode tokenizer. For
// ASCII text the scores are those of ROUGE-1.5.5 without stemming. The tests
// compare this file with that package.

/** In [0, 1], rounded to five decimals. */
export interface Score {
  /** Share of the references that the summary contains. */
  recall: number;
  /** Share of the summary that the references contain. */
  precision: number;
  /** Harmonic mean of both. */
  f1: number;
}

export interface Rouge {
  rouge1: Score;
  rouge2: Score;
  rougeL: Score;
}

/** Maximum number of tokens in a line: the memory of ROUGE-L is proportional to the product of two lines' lengths. */
export const MAX_SENTENCE = 4096;

/** A line has more than MAX_SENTENCE tokens. */
export class LongSentenceError extends RangeError {
  override name = "LongSentenceError";
}

// Invisible characters are ignored. In scripts without spaces each character
// with its marks is a token; otherwise tokens are runs of letters, digits and
// their marks.
const IGNORED = /[\u00ad\u200c\u200d\u2060\ufeff]/gu;
const UNSPACED = [
  "Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Yi", "Bopomofo", "Javanese", "Balinese", "Tai_Le", "New_Tai_Lue",
  "Tai_Tham", "Tai_Viet",
].map((script) => String.raw`\p{Script=${script}}`).join("");
const SOLID = String.raw`[〇ーｰ[\p{L}&&[${UNSPACED}]]]`;
const TOKEN = new RegExp(String.raw`${SOLID}\p{M}*|[[\p{L}\p{Nd}]--${SOLID}][[\p{L}\p{Nd}\p{M}]--${SOLID}]*`, "gv");

/** The tokens of a text, lower-cased. */
export function tokens(text: string): string[] {
  const plain = text.normalize("NFC").replace(IGNORED, "");
  return (plain.match(TOKEN) ?? []).map((token) => [...token].map((c) => (c === "İ" ? "i" : c.toLowerCase())).join("").replaceAll("ς", "σ"));
}

/**
 * Compares a summary with its references, all given as lines of one sentence
 * each (ROUGE-L compares sentences). With several references, hits and counts are
 * summed before dividing. Without a common token all scores are 0. Throws
 * LongSentenceError.
 */
export function rouge(summary: readonly string[], references: readonly (readonly string[])[]): Rouge {
  const numbers = new Map<string, number>();
  const read = (lines: readonly string[]): number[][] => lines.map((line) => {
    const found = tokens(line);
    if (found.length > MAX_SENTENCE) throw new LongSentenceError(`a sentence of ${found.length} tokens`);
    return found.map((token) => {
      const number = numbers.get(token) ?? numbers.size;
      numbers.set(token, number);
      return number;
    });
  });
  const peer = read(summary);
  const all = peer.flat();
  const one = new Total();
  const two = new Total();
  const l = new Total();
  for (const lines of references) {
    const reference = read(lines);
    const flat = reference.flat();
    one.add(clipped(flat, all), flat.length, all.length);
    two.add(clipped(pairs(flat), pairs(all)), Math.max(flat.length - 1, 0), Math.max(all.length - 1, 0));
    // A token of the summary counts as a hit only once, even if it matches several sentences.
    l.add(clipped(reference.flatMap((sentence) => union(sentence, peer)), all), flat.length, all.length);
  }
  return { rouge1: one.score(), rouge2: two.score(), rougeL: l.score() };
}

/** Bigrams as numbers; no text has 2^26 different tokens. */
const pairs = (ids: readonly number[]): number[] => ids.slice(1).map((id, i) => ids[i]! * 2 ** 26 + id);

/** Size of the multiset intersection. */
function clipped(a: readonly number[], b: readonly number[]): number {
  const left = new Map<number, number>();
  for (const id of a) left.set(id, (left.get(id) ?? 0) + 1);
  let hits = 0;
  for (const id of b) {
    const n = left.get(id) ?? 0;
    if (n === 0) continue;
    left.set(id, n - 1);
    hits++;
  }
  return hits;
}

/** The tokens of a reference sentence that are in a longest common subsequence with some sentence of the summary. */
function union(reference: readonly number[], summary: readonly (readonly number[])[]): number[] {
  const found = new Uint8Array(reference.length);
  for (const peer of summary) {
    const width = peer.length + 1;
    // lengths[i·width + j]: of the first i tokens of the reference and j of the summary's sentence.
    const lengths = new Uint16Array((reference.length + 1) * width);
    for (let i = 1; i <= reference.length; i++) {
      for (let j = 1; j < width; j++) {
        const at = i * width + j;
        lengths[at] = reference[i - 1] === peer[j - 1] ? lengths[at - width - 1]! + 1 : Math.max(lengths[at - width]!, lengths[at - 1]!);
      }
    }
    // Break ties like the official script, which prefers to skip a token of the reference.
    for (let i = reference.length, j = peer.length; i > 0 && j > 0; ) {
      const at = i * width + j;
      if (reference[i - 1] === peer[j - 1]) {
        found[i - 1] = 1;
        i--;
        j--;
      } else if (lengths[at - width]! >= lengths[at - 1]!) i--;
      else j--;
    }
  }
  return reference.filter((_, i) => found[i]);
}

/** Counts over all references of a summary. */
class Total {
  #hits = 0;
  #reference = 0;
  #summary = 0;

  add(hits: number, reference: number, summary: number): void {
    this.#hits += hits;
    this.#reference += reference;
    this.#summary += summary;
  }

  score(): Score {
    const recall = rounded(this.#reference && this.#hits / this.#reference);
    const precision = rounded(this.#summary && this.#hits / this.#summary);
    return { recall, precision, f1: recall + precision === 0 ? 0 : rounded((precision * recall) / (0.5 * precision + 0.5 * recall)) };
  }
}

/** Rounds to five decimals like printf: to even at ties, which only odd 64ths have. toFixed rounds ties up. */
function rounded(x: number): number {
  if (Math.abs(x * 64) % 2 === 1) {
    const floor = Math.floor(x * 1e5);
    return (floor + (floor % 2)) / 1e5;
  }
  return Number(x.toFixed(5));
}
