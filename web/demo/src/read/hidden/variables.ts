// Custom properties. Same rules as cmd/cerasum/internal/legible/variables.go.

import type { Declaration } from "./sheet.ts";

/** The names of the variables that an element sets. */
export type Scope = ReadonlySet<string>;

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

  /** A value with those of variables in it. */
  substituted(value: string): string {
    let text = value;
    for (let n = 0, at = text.search(/var\(/i); at >= 0 && n < 100; at = text.search(/var\(/i), n++) {
      let end = at + 4;
      for (let open = 1; end < text.length && open > 0; end++) open += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0;
      const [name = "", ...rest] = text.slice(at + 4, end - 1).split(",");
      text = text.slice(0, at) + (this.#values.get(name.trim())?.at(-1) ?? rest.join(",")).trim() + text.slice(end);
      if (text.length > MAX_VALUE) return "";
    }
    return text.trim().toLowerCase();
  }
}
