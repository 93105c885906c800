// Every string that a reader of the page sees or hears, in the language that
// the page speaks. There is a file a language in strings/; that of the page
// alone is loaded, and English, which stands in until another is there.
//
// What is exported here changes with the language: use it where it is shown,
// and show it again when `spoken` sends "change".

import en, { type Strings } from "./strings/en.ts";

const tables = {
  en: async () => ({ default: en }),
  es: () => import("./strings/es.ts"),
  fr: () => import("./strings/fr.ts"),
  pt: () => import("./strings/pt.ts"),
} satisfies Record<string, () => Promise<{ default(locale?: string): Strings }>>;

export type Language = keyof typeof tables;
export const languages = Object.keys(tables) as Language[];

/** Sends "change" when the page speaks another language. */
export const spoken = new EventTarget();

/** What index.html names in {{…}}. */
export let page: Strings["page"];
export let text: Strings["text"];
export let { number, percent, bytes, list, languageName, words, documents, sentences } = use(en());

function use(strings: Strings): Strings {
  ({ page, text } = strings);
  return strings;
}

/** Makes the page speak a language; false where its strings cannot be loaded. */
export async function speak(language: Language): Promise<boolean> {
  let table: { default(locale?: string): Strings };
  try {
    table = await tables[language]();
  } catch {
    return false;
  }
  // A reader of fr-CA reads numbers as one does there.
  const own = navigator.languages.find((tag) => tag.split("-")[0]!.toLowerCase() === language);
  ({ number, percent, bytes, list, languageName, words, documents, sentences } = use(table.default(own)));
  spoken.dispatchEvent(new Event("change"));
  return true;
}

/** What early.js has found before the first paint: the language that the reader chose, else the first that the browser asks for. */
const wanted = document.documentElement.dataset["language"];
if (wanted && wanted !== "en" && wanted in tables) await speak(wanted as Language);
