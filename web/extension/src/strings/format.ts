// Numbers, plurals, dates and times by language, formatted by the browser.

/** Plural forms by the categories of Intl.PluralRules; `other` is the default. */
export interface Counted {
  one: string;
  other: string;
}

/** `locale` is a BCP 47 tag, "fr-CA". */
export function format(locale: string) {
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: "percent" });
  const times = new Intl.NumberFormat(locale, { style: "unit", unit: "minute", unitDisplay: "short" });
  const plurals = new Intl.PluralRules(locale);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const names = new Intl.DisplayNames([locale], { type: "language", fallback: "code" });
  return {
    /** "pt" → "Portuguese"; invalid tags are returned unchanged. */
    languageName(tag: string): string {
      try {
        return names.of(tag) ?? tag;
      } catch {
        return tag;
      }
    },
    /** 1234 → "1,234". */
    number: (n: number): string => numbers.format(n),
    /** 0.427 → "43%". */
    percent: (share: number): string => percents.format(share),
    /** 3 → "3 min". */
    minutes: (n: number): string => times.format(n),
    /** "3 words". */
    count: (n: number, counted: Counted): string => `${numbers.format(n)} ${plurals.select(n) === "one" ? counted.one : counted.other}`,
    /** Milliseconds since 1970 → "Nov 21, 2026, 9:18 AM". */
    date: (at: number): string => dates.format(at),
  };
}
