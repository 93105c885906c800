// When a page was published. Same rules as cmd/cerasum/internal/ingest/date.go.

import { attribute, contentOf } from "./marks.ts";

/** Names of meta elements with the date of publication. */
const PUBLISHED = /^(?:(?:og:)?(?:article:)?published(?:_time)?|datePublished|date|pub-?date|publish-?date|dc(?:terms)?\.(?:date|issued|created)(?:\.issued)?|citation_(?:publication_)?date|parsely-pub-date|sailthru\.date)$/i;
const LINKED = /"datePublished"\s*:\s*"([^"]*)"/;
const WRITTEN = /^\s*(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?/;

/** The date as far as the page says it to programs: in a meta element, in linked data, or in its only time element. Empty if unknown. */
export function dateOf(page: Document): string {
  let named = "";
  for (const meta of page.querySelectorAll("meta")) {
    if (["property", "name", "itemprop"].some((key) => PUBLISHED.test(attribute(meta, key)))) named ||= isoDate(attribute(meta, "content"));
  }
  if (named) return named;
  for (const script of page.querySelectorAll('script[type="application/ld+json"]')) {
    const data = isoDate(LINKED.exec(contentOf(script))?.[1] ?? "");
    if (data) return data;
  }
  const times = page.querySelectorAll("time");
  return times.length === 1 ? isoDate(attribute(times[0]!, "datetime")) : "";
}

/** A date as the core takes it, without a time whose zone is unknown; empty if it is none. */
export function isoDate(given: string): string {
  const [, year, month, day, time, zone] = WRITTEN.exec(given) ?? [];
  if (!year || month! < "01" || month! > "12" || day! < "01" || day! > "31") return "";
  const date = `${year}-${month}-${day}`;
  if (!time || !zone || time > "24") return date;
  return `${date}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`;
}
