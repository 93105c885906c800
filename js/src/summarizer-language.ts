// Texts that are too short for their language to be certain.

import { language } from "./summarizer-options.js";

/** In letters. The detection errs in 1 to 9 % of shorter texts, as measured on FLORES; the core calls the same texts short. */
const SHORT = 60;
/** The same for a text whose detected language is not expected. */
const SHORT_UNEXPECTED = 200;

/** Scripts of several languages; the language of a text in another one is certain. */
const SHARED: Readonly<Record<string, RegExp>> = {
  Latn: /\p{Script=Latn}/gu, Cyrl: /\p{Script=Cyrl}/gu, Arab: /\p{Script=Arab}/gu,
  Jpan: /\p{Script=Hani}/gu, Hans: /\p{Script=Hani}/gu, Hant: /\p{Script=Hani}/gu,
};

/** Whether the text can be in the given language although another one was detected. */
export function maybeIn(tag: string, text: string, detected: string, expected: readonly string[]): boolean {
  const limit = expected.length > 0 && !expected.includes(language(detected)) ? SHORT_UNEXPECTED : SHORT;
  // Spares the count in long texts.
  if (text.length > 10 * limit) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const { script } = new Intl.Locale(tag).maximize();
  return letters < limit && 2 * (text.match(SHARED[script ?? ""] ?? /$^/)?.length ?? 0) > letters;
}
