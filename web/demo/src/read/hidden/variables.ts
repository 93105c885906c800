// Custom properties. Same rules as cmd/cerasum/internal/legible/variables.go.

import type { Declaration } from "./sheet.ts";

/** The names of the variables that an element sets. */
export type Scope = ReadonlySet<string>;

/** Matches a variable of the page, or of the browser. */
export const VARIABLE = /(?:var|env)\(/i;

/** Longer values, with their variables, are not read: UTF-16 units. */
const MAX_VALUE = 10_000;

/**
 * The custom properties of the element that was entered last. An element has those
 * of its ancestors: a copy for each would take memory quadratic in the depth of a page.
 */
export class Variables {
  /** The innermost value last. */
  readonly #values = new Map<string, string[]>();
  readonly #open: Scope[] = [];

  /** Leaves the scopes of elements that are closed, and returns that of an element within `outer`: `outer` itself if the element sets no variables. */
  enter(declared: readonly Declaration[], outer: Scope | undefined): Scope | undefined {
    while (this.#open.length > 0 && this.#open.at(-1) !== outer) {
      for (const name of this.#open.pop()!) {
        const values = this.#values.get(name)!;
        values.pop();
        if (values.length === 0) this.#values.delete(name);
      }
    }
    const set = new Map(declared.filter(([name]) => name.startsWith("--")));
    if (set.size === 0) return outer;
    for (const [name, value] of set) {
      const values = this.#values.get(name);
      if (values) values.push(value);
      else this.#values.set(name, [value]);
    }
    const inner = new Set(set.keys());
    this.#open.push(inner);
    return inner;
  }

  /** A value with those of variables in it. Of the browser's, env(), a window has the insets of its safe area, which are 0. */
  substituted(value: string): string {
    let text = value;
    for (let n = 0, at = text.search(VARIABLE); at >= 0 && n < 100; at = text.search(VARIABLE), n++) {
      let end = at + 4;
      for (let open = 1; end < text.length && open > 0; end++) open += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0;
      const [given = "", ...rest] = text.slice(at + 4, end - 1).split(",");
      const name = given.trim();
      const value = /^env/i.test(text.slice(at, at + 3)) ? (name.startsWith("safe-area-inset-") ? "0px" : undefined) : this.#values.get(name)?.at(-1);
      text = text.slice(0, at) + (value ?? rest.join(",")).trim() + text.slice(end);
      if (text.length > MAX_VALUE) return "";
    }
    return text.trim().toLowerCase();
  }
}
