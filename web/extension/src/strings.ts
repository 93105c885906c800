// All strings of the panel, in the first of the browser's languages that it
// supports. strings/ has a file for each language, of which one is loaded.

import en, { type Strings } from "./strings/en.ts";

const tables: Record<string, () => Promise<{ default(locale?: string): Strings }>> = {
  de: () => import("./strings/de.ts"),
  en: async () => ({ default: en }),
  es: () => import("./strings/es.ts"),
  fr: () => import("./strings/fr.ts"),
  it: () => import("./strings/it.ts"),
  pt: () => import("./strings/pt.ts"),
};

const base = (tag: string): string => tag.split("-")[0]!.toLowerCase();
const own = navigator.languages.find((tag) => Object.hasOwn(tables, base(tag))) ?? "en";

export const { page, text, number, percent, date, languageName } = (await tables[base(own)]!()).default(own);
