// Invisible characters.

/** Soft hyphens, zero-width spaces, direction marks, marks of annotations, tags: characters that are invisible in a text. */
const UNSEEN = /[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Joiners and non-joiners without effect: they belong in Arabic and Indic scripts and in emoji. */
const IDLE = /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}\p{Extended_Pictographic}])[\u200c\u200d]/gu;

/** Variation selectors without effect: they belong to ideographs. */
const VARIATION = /(?<!\p{Ideographic})[\u{e0100}-\u{e01ef}]/gu;

export const clean = (text: string): string => text.replace(UNSEEN, "").replace(IDLE, "").replace(VARIATION, "");

const LOOSE = /[\s\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]+/gu;

/** A text without white space and invisible characters, for comparisons. */
export const squash = (text: string): string => text.replace(LOOSE, "");

/** The offset in `text`, in UTF-16 units, of the n-th character that `squash` keeps; its length if there are fewer. */
export function unsquash(text: string, n: number): number {
  let left = n;
  let at = 0;
  for (const gap of text.matchAll(LOOSE)) {
    const run = gap.index - at;
    if (left < run) return at + left;
    left -= run;
    at = gap.index + gap[0].length;
  }
  return Math.min(text.length, at + left);
}
