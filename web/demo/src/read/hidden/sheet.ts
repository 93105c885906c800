// The rules of a document's own style sheets, as far as they may hide text. Same rules as
// cmd/cerasum/internal/legible/sheet.go.

import { _compileUnsafe as compile } from "css-select";
import { tokenTypes as types, tokenize } from "css-tree/tokenizer";
import { type Selector, parse as parseSelector } from "css-what";
import { type Tree, adapter, attribute } from "../tree.ts";
import { applies, isSupported } from "./media.ts";
import { READ, validSelector } from "./valid.ts";

export type Declaration = readonly [property: string, value: string];

/** Declarations of a rule or an attribute, in their order. */
export interface Declarations {
  normal: Declaration[];
  important: Declaration[];
}

interface Rule extends Declarations {
  matches: (element: Tree.Element) => boolean;
  /** Rules of layers come before others. */
  rank: number;
  order: number;
}

/** A declaration, or a rule with its block. */
interface Item {
  prelude: string;
  /** Of a declaration, in the prelude; -1 for none. */
  colon: number;
  block?: Item[];
}

/** Nested blocks, at most. */
const MAX_BLOCKS = 64;

/** The declarations and rules of a style sheet, also nested ones, as CSS Syntax says. */
function itemsOf(source: string): Item[] {
  const root: Item[] = [];
  /** What the open blocks hold, and the rules that they belong to. */
  const levels: Item[][] = [root];
  let prelude = "";
  let colon = -1;
  let open = 0;
  const next = (): void => {
    prelude = "";
    colon = -1;
    open = 0;
  };
  const end = (): void => {
    if (prelude.trim()) levels.at(-1)!.push({ prelude, colon });
    next();
  };
  tokenize(source, (type, from, to) => {
    switch (type) {
      case types.Comment:
      case types.CDO:
      case types.CDC:
        return;
      case types.Semicolon:
        if (open === 0) return end();
        break;
      case types.LeftParenthesis:
      case types.LeftSquareBracket:
      case types.Function:
        open++;
        break;
      case types.RightParenthesis:
      case types.RightSquareBracket:
        open = Math.max(0, open - 1);
        break;
      case types.Colon:
        if (colon < 0) colon = prelude.length;
        break;
      case types.LeftCurlyBracket: {
        if (levels.length > MAX_BLOCKS) return next();
        const block: Item[] = [];
        // A custom property may have a block as its value.
        if (!prelude.trim().startsWith("--")) levels.at(-1)!.push({ prelude, colon: -1, block });
        levels.push(block);
        return next();
      }
      case types.RightCurlyBracket:
        end();
        if (levels.length > 1) levels.pop();
        return;
    }
    prelude += source.slice(from, to);
  });
  end();
  return root;
}

/** Without escapes: names and keywords need none. */
const plain = (text: string): string =>
  text.includes("\\") ? text.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gis, (_, code: string | undefined, character: string) => (code ? String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)) : character)) : text;

function add(to: Declarations, { prelude, colon, block }: Item): void {
  if (block || colon < 0) return;
  const given = plain(prelude.slice(0, colon)).trim();
  const name = given.startsWith("--") ? given : given.toLowerCase();
  if (!name.startsWith("--") && !READ.has(name)) return;
  const value = plain(prelude.slice(colon + 1)).trim();
  const mark = value.toLowerCase().lastIndexOf("!");
  const important = mark >= 0 && value.slice(mark + 1).trim().toLowerCase() === "important";
  (important ? to.important : to.normal).push([name, important ? value.slice(0, mark).trim() : value]);
}

/** The declarations of a style attribute. */
export function inline(style: string): Declarations {
  const found: Declarations = { normal: [], important: [] };
  for (const item of itemsOf(style)) add(found, item);
  return found;
}

/** Longer selectors, with those that a rule is nested in, are not read: UTF-16 units. */
const MAX_NESTED = 10_000;

/** The rules of style sheets, found by the last part of their selectors. */
export class Rules {
  readonly #by = new Map<string, Rule[]>();
  #order = 0;

  constructor(sheets: readonly string[]) {
    for (const sheet of sheets) this.#read(itemsOf(sheet), undefined, false);
  }

  /** The rules that apply to an element, the strongest last. */
  of(element: Tree.Element): Rule[] {
    const keys = ["*", element.tagName.toLowerCase()];
    const id = attribute(element, "id");
    if (id) keys.push(`#${id.toLowerCase()}`);
    const names = attribute(element, "class");
    if (names) for (const name of new Set(names.toLowerCase().split(/\s+/))) keys.push(`.${name}`);
    const found: Rule[] = [];
    for (const key of keys) for (const rule of this.#by.get(key) ?? []) if (rule.matches(element)) found.push(rule);
    return found.sort((a, b) => a.rank - b.rank || a.order - b.order);
  }

  #read(items: readonly Item[], above: string | undefined, layered: boolean): void {
    for (const { prelude, block } of items) {
      if (!block) continue;
      const [, at, query = ""] = /^\s*@([\w-]+)([^]*)$/.exec(prelude) ?? [];
      if (at === undefined) {
        this.#rule(prelude.trim(), block, above, layered);
        continue;
      }
      const name = at.toLowerCase();
      const given = query.trim().toLowerCase();
      const within = name === "media" ? applies(given) : name === "supports" ? isSupported(given) : /^(?:layer|container|scope)$/.test(name);
      if (!within) continue;
      const inLayer = layered || name === "layer";
      // An at-rule within a rule may hold declarations.
      if (above !== undefined) this.#add(above, block, inLayer);
      this.#read(block, above, inLayer);
    }
  }

  #rule(own: string, block: readonly Item[], above: string | undefined, layered: boolean): void {
    if (!validSelector(own)) return;
    const selector = above === undefined ? own : own.includes("&") ? own.replaceAll("&", `:is(${above})`) : `:is(${above}) :is(${own})`;
    if (selector.length > MAX_NESTED) return;
    this.#add(selector, block, layered);
    this.#read(block, selector, layered);
  }

  #add(selector: string, block: readonly Item[], layered: boolean): void {
    const declarations: Declarations = { normal: [], important: [] };
    for (const item of block) add(declarations, item);
    if (declarations.normal.length + declarations.important.length === 0) return;
    let lists: Selector[][];
    try {
      lists = parseSelector(selector);
    } catch {
      return;
    }
    for (const list of lists) {
      const known = list.filter((one) => !always(one));
      if (known.length === 0) known.push({ type: "universal", namespace: null } as Selector);
      let matches: Rule["matches"];
      try {
        matches = compile<Tree.Node, Tree.Element>([known], { adapter }) as Rule["matches"];
      } catch {
        // A pseudo-element, or a state that no file is in: see validSelector.
        continue;
      }
      const rule: Rule = { ...declarations, matches, rank: (layered ? 0 : 1e9) + specificity(list), order: this.#order++ };
      const key = keyOf(list);
      const rules = this.#by.get(key);
      if (rules) rules.push(rule);
      else this.#by.set(key, [rule]);
    }
  }
}

/** Pseudo-classes that are taken to match: what depends on languages and on links is not checked. */
const always = (one: Selector): boolean => one.type === "pseudo" && /^(?:lang|dir|defined|any-link|link)$/.test(one.name);

/** The most telling simple selector of the last compound. Case is ignored: quirks mode does so. */
function keyOf(list: readonly Selector[]): string {
  let key = "*";
  for (const one of [...list].reverse()) {
    if (/^(?:descendant|child|sibling|adjacent|parent|column-combinator)$/.test(one.type)) break;
    if (one.type === "attribute" && one.action === "equals" && one.name === "id") return `#${one.value.toLowerCase()}`;
    if (one.type === "attribute" && one.action === "element" && one.name === "class") key = `.${one.value.toLowerCase()}`;
    else if (one.type === "tag" && key === "*") key = one.name.toLowerCase();
  }
  return key;
}

/** As one number: ids, then classes and attributes, then names. */
function specificity(list: readonly Selector[]): number {
  let sum = 0;
  for (const one of list) {
    if (one.type === "attribute") sum += one.action === "equals" && one.name === "id" && one.namespace === null ? 1e6 : 1e3;
    else if (one.type === "tag" || one.type === "pseudo-element") sum += 1;
    else if (one.type === "pseudo" && one.name !== "where") sum += Array.isArray(one.data) ? Math.max(0, ...one.data.map(specificity)) : 1e3;
  }
  return sum;
}
