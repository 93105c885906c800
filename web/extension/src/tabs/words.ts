/** Average number of characters per word in scripts without spaces. */
const UNSPACED = 2;
const LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Approximate number of words, for estimating the reading time. */
export function countWords(text: string): number {
  let unspaced = 0;
  const spaced = text.replace(LETTERS, () => (unspaced++, " "));
  const words = spaced.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.,-](?=[\p{L}\p{N}]))*/gu)?.length ?? 0;
  return words + Math.ceil(unspaced / UNSPACED);
}
