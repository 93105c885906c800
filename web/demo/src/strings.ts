// All strings of the page, in its language. strings/ has a file for each language;
// the page loads English, which is used until another language has loaded, and its
// own.
//
// The exports change with the language: read them when they are shown, and show
// them again when `spoken` sends "change".

import en, { type Strings } from "./strings/en.ts";

const tables = {
  de: () => import("./strings/de.ts"),
  en: async () => ({ default: en }),
  es: () => import("./strings/es.ts"),
  fr: () => import("./strings/fr.ts"),
  it: () => import("./strings/it.ts"),
  pt: () => import("./strings/pt.ts"),
} satisfies Record<string, () => Promise<{ default(locale?: string): Strings }>>;

export type Language = keyof typeof tables;
export const languages = Object.keys(tables) as Language[];

/** Sends "change" when the language of the page changes. */
export const spoken = new EventTarget();

/** The strings that index.html refers to as {{…}}. */
export let page: Strings["page"];
export let text: Strings["text"];
export let { number, percent, bytes, list, languageName, words, documents, sentences } = use(en());

function use(strings: Strings): Strings {
  ({ page, text } = strings);
  return strings;
}

/** Sets the language of the page; false if its strings cannot be loaded. */
export async function speak(language: Language): Promise<boolean> {
  let table: { default(locale?: string): Strings };
  try {
    table = await tables[language]();
  } catch {
    return false;
  }
  // Numbers follow the reader's regional variant, such as fr-CA.
  const own = navigator.languages.find((tag) => tag.split("-")[0]!.toLowerCase() === language);
  ({ number, percent, bytes, list, languageName, words, documents, sentences } = use(table.default(own)));
  spoken.dispatchEvent(new Event("change"));
  return true;
}

/** The language that early.js has determined: the reader's choice, or the browser's first supported language. */
const wanted = document.documentElement.dataset["language"];
if (wanted && wanted !== "en" && Object.hasOwn(tables, wanted)) await speak(wanted as Language);
