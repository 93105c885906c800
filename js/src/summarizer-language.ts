// Short texts whose detected language is not expected.

import { language } from "./summarizer-options.js";

/** In letters: the core calls the same texts short. */
const SHORT = 60;

const script = (tag: string): string | undefined => new Intl.Locale(tag).maximize().script;

/** Whether a text may be in the language of `tag` although another one was detected: it is short, and the other language is not expected and has the same script. */
export const maybeIn = (tag: string, text: string, detected: string, expected: readonly string[]): boolean =>
  expected.length > 0 && !expected.includes(language(detected)) && script(detected) === script(tag)
  // Spares the count in long texts.
  && text.length < 10 * SHORT && (text.match(/\p{L}/gu)?.length ?? 0) < SHORT;
