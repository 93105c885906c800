// What documents disagree about, in groups of those that say the same.

import type { Span } from "cerasum";
import { shown } from "./shown.ts";

export interface Group<T> {
  value: string;
  /** Not empty. */
  said: T[];
}

/** Joins equal values; in an update only neighbours, as the order is that of time. */
export function groups<T extends { value: string }>(values: readonly T[], update: boolean): Group<T>[] {
  const made: Group<T>[] = [];
  for (const one of values) {
    const value = shown(one.value);
    const group = (update ? made.slice(-1) : made).find((other) => other.value === value);
    if (group) group.said.push(one);
    else made.push({ value, said: [one] });
  }
  return made;
}

/** The sentence that holds a value; the value itself where it stands outside of sentences. */
export const sentenceOf = (sentences: readonly Span[], { start, end }: Span): Span =>
  sentences.find((one) => one.start <= start && start < one.end) ?? { start, end };

/** Between the groups: an update goes from one to the next. */
export const between = (update: boolean): string => (update ? " → " : ", ");
