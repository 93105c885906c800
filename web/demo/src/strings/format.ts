// Numbers, sizes, plurals, lists and names of languages, formatted by the browser.

/** Plural forms by the categories of Intl.PluralRules; `other` is the default. */
export interface Counted {
  one: string;
  other: string;
}

export type Format = ReturnType<typeof format>;

/** `locale` is a BCP 47 tag such as "fr-CA"; `several` is the label for several languages. */
export function format(locale: string, several: string) {
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: "percent" });
  const multiples = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  const plurals = new Intl.PluralRules(locale);
  const conjunction = new Intl.ListFormat(locale, { type: "conjunction" });
  const names = new Intl.DisplayNames([locale], { type: "language", fallback: "code" });
  const number = (n: number): string => numbers.format(n);
  return {
    /** 1234 → "1,234". */
    number,
    /** 0.427 → "43%". */
    percent: (share: number): string => percents.format(share),
    /** 1.2345 → "1.2". */
    times: (n: number): string => multiples.format(n < 0.01 ? 0 : n),
    /** A readable size: "10 MB". */
    bytes(n: number): string {
      const [amount, unit] = n >= 1e6 ? [n / 1e6, "megabyte"] : n >= 1e3 ? [n / 1e3, "kilobyte"] : [n, "byte"];
      return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: n >= 1e3 ? "short" : "long", maximumFractionDigits: amount < 10 ? 1 : 0 }).format(amount);
    },
    /** "3 words". */
    count: (n: number, counted: Counted): string => `${number(n)} ${plurals.select(n) === "one" ? counted.one : counted.other}`,
    /** The form without its number. */
    form: (n: number, counted: Counted): string => (plurals.select(n) === "one" ? counted.one : counted.other),
    /** "one, two and three". */
    list: (items: string[]): string => conjunction.format(items),
    /** "pt" → "Portuguese"; invalid tags are returned unchanged. */
    languageName(tag: string): string {
      if (tag === "mul") return several;
      try {
        return names.of(tag) ?? tag;
      } catch {
        return tag;
      }
    },
    /** A message as a sentence, capitalized unless it begins with the name of a file, model or program. */
    sentence: (s: string): string => (/[.!?]$/.test(s) ? s : `${s}.`).replace(/^(?!cerasum\b)\p{Ll}(?=[\p{L}'’]*(?:[\s,;:!?]|\.$))/u, (c) => c.toLocaleUpperCase(locale)),
  };
}
