// Invisible characters.

/** Soft hyphens, zero-width spaces, marks of direction, tags: what a text can be interspersed with unseen. */
const UNSEEN = /[\u00ad\u034f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** Joiners and non-joiners that join nothing: they belong to Arabic and Indic writing and to emoji. */
const IDLE = /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{M}\p{Extended_Pictographic}])[\u200c\u200d]/gu;

export const clean = (text: string): string => text.replace(UNSEEN, "").replace(IDLE, "");

const LOOSE = /[\s\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]+/gu;

/** What is left of a text for comparing: no white space, nothing unseen. */
export const squash = (text: string): string => text.replace(LOOSE, "");

/** The place in `text` of its n-th character that `squash` leaves; its length where there are fewer. UTF-16 units. */
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
