// The rules of a document's own style sheets, as far as they may hide text. Same rules as
// cmd/cerasum/internal/legible/sheet.go.

import { tokenTypes as types, tokenize } from "css-tree/tokenizer";
import { type Selector, parse as parseSelector } from "css-what";
import { type Tree, attribute, isElement } from "../tree.ts";
import { split } from "./length.ts";
import { applies, isSupported } from "./media.ts";
import { type Matches, Selectors, both } from "./selector.ts";
import { READ, validSelector } from "./valid.ts";

export type Declaration = readonly [property: string, value: string];

/** Declarations of a rule or an attribute, in their order. */
export interface Declarations {
  normal: Declaration[];
  important: Declaration[];
}

/** The numbers of a layer and of those around it, the outermost first. */
type Layer = readonly number[];

interface Rule extends Declarations {
  matches: Matches;
  layer: Layer;
  /** The specificity. */
  rank: number;
  order: number;
}

/** Where rules stand. */
interface Place {
  /** The selector of the rule around them. */
  above: string | undefined;
  layer: Layer;
  /** The full name of the layer. */
  within: string;
  scope: Matches | undefined;
  /** The selector of the elements that :scope matches. */
  root: string;
}

/** Orders layers, the strongest last: rules outside of inner layers are stronger. */
export function compareLayers({ layer: a }: { layer: Layer }, { layer: b }: { layer: Layer }): number {
  const at = a.findIndex((one, i) => one !== b[i]);
  if (at < 0) return b.length - a.length;
  return at < b.length ? a[at]! - b[at]! : -1;
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

const SCOPE = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|:scope\b/gis;

/** Further layers, and those with longer full names in UTF-16 units, do not count. */
const MAX_LAYERS = 10_000;
const MAX_LAYER_NAME = 1000;

/** The selectors of a scope, which replace each :scope, at most: UTF-16 units. */
const MAX_ROOT = 1000;

/** The rules of style sheets, found by the last part of their selectors. */
export class Rules {
  readonly #by = new Map<string, Rule[]>();
  #order = 0;
  /** By their full names, as they are first named. */
  readonly #layers = new Map<string, number>();
  /** Of the page. */
  readonly #language: string;
  readonly #languages = new Map<Tree.Element, string>();
  readonly #directions = new Map<Tree.Element, string>();

  readonly #selectors: Selectors;

  constructor(sheets: readonly string[], language: string, page: Tree.Document) {
    this.#language = language;
    this.#selectors = new Selectors(page, {
      defined: () => true,
      lang: (element: Tree.Element, language?: string | null) => this.#speaks(element, (language ?? "").trim().toLowerCase()),
      dir: (element: Tree.Element, direction?: string | null) => this.#direction(element) === (direction ?? "").trim().toLowerCase(),
    });
    for (const sheet of sheets) this.#read(itemsOf(sheet), { above: undefined, layer: [], within: "", scope: undefined, root: ":root" });
  }

  /** The rules that apply to an element, the strongest last, for declarations that are not important. */
  of(element: Tree.Element): Rule[] {
    const keys = ["*", element.tagName.toLowerCase()];
    const id = attribute(element, "id");
    if (id) keys.push(`#${id.toLowerCase()}`);
    const names = attribute(element, "class");
    if (names) for (const name of new Set(names.toLowerCase().split(/\s+/))) keys.push(`.${name}`);
    const found: Rule[] = [];
    for (const key of keys) for (const rule of this.#by.get(key) ?? []) if (rule.matches(element)) found.push(rule);
    return found.sort((a, b) => compareLayers(a, b) || a.rank - b.rank || a.order - b.order);
  }

  #read(items: readonly Item[], place: Place): void {
    for (const { prelude, block } of items) {
      const [, at, query = ""] = /^\s*@([\w-]+)([^]*)$/.exec(prelude) ?? [];
      if (at === undefined) {
        if (block) this.#rule(prelude.trim(), block, place);
        continue;
      }
      const name = at.toLowerCase();
      const given = query.trim();
      if (!block) {
        if (name === "layer") for (const one of split(given, ",")) this.#in(place, one);
        continue;
      }
      let inner: Place | undefined = place;
      if (name === "layer") inner = this.#in(place, given);
      else if (name === "scope") inner = this.#scope(place, given);
      else if (!(name === "media" ? applies(given.toLowerCase()) : name === "supports" ? isSupported(given.toLowerCase()) : name === "container")) continue;
      if (!inner) continue;
      // An at-rule within a rule may hold declarations.
      const own = name === "scope" ? inner.root : inner.above;
      if (own !== undefined) this.#add(own, block, inner);
      this.#read(block, inner);
    }
  }

  /** A place in a layer, which may be in others: a.b. Without a name it is another one each time. */
  #in(place: Place, name: string): Place {
    let { within } = place;
    if (this.#layers.size >= MAX_LAYERS || within.length + name.length > MAX_LAYER_NAME) return place;
    const layer = [...place.layer];
    for (const part of (name || `#${this.#layers.size}`).split(".")) {
      within += `.${part}`;
      if (!this.#layers.has(within)) this.#layers.set(within, this.#layers.size);
      layer.push(this.#layers.get(within)!);
    }
    return { ...place, layer, within };
  }

  /** A place in @scope (roots) to (limits); undefined without roots. */
  #scope(place: Place, query: string): Place | undefined {
    const [first = "", to, last, more] = split(query, " ");
    if (more !== undefined || (to !== undefined && to.toLowerCase() !== "to")) return undefined;
    const inside = (part: string | undefined): string | undefined => (part?.startsWith("(") && part.endsWith(")") && validSelector(part.slice(1, -1)) ? part.slice(1, -1) : undefined);
    const [roots, limits] = [inside(first), inside(last)];
    if (roots === undefined || (to !== undefined && limits === undefined)) return undefined;
    const root = `${place.above === undefined ? "" : `:is(${place.above}) `}:is(${scopedTo(place.root, roots)})`;
    if (root.length > MAX_ROOT) return undefined;
    const isRoot = this.#matching(root);
    const isLimit = limits === undefined ? () => false : this.#matching(scopedTo(root, limits));
    if (!isRoot || !isLimit) return undefined;
    return { ...place, above: undefined, root, scope: both(this.#selectors.within(isRoot, isLimit), place.scope) };
  }

  #rule(given: string, block: readonly Item[], place: Place): void {
    if (!validSelector(given)) return;
    const { above, root, scope } = place;
    // What is not said of the root of a scope is within it.
    const selector = split(given, ",").map((one) => {
      const own = scopedTo(root, one);
      if (above === undefined) return scope && !/&|:scope\b/i.test(one) ? `${root} ${own}` : own.replaceAll("&", root);
      return own.includes("&") ? own.replaceAll("&", `:is(${above})`) : `:is(${above}) ${own}`;
    }).join(",");
    if (selector.length > MAX_NESTED) return;
    this.#add(selector, block, place);
    this.#read(block, { ...place, above: selector });
  }

  #add(selector: string, block: readonly Item[], { layer, scope }: Place): void {
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
      const own = this.#matching([list]);
      if (!own) continue;
      const rule: Rule = { ...declarations, matches: both(own, scope), layer, rank: specificity(list), order: this.#order++ };
      const key = keyOf(list);
      const rules = this.#by.get(key);
      if (rules) rules.push(rule);
      else this.#by.set(key, [rule]);
    }
  }

  /** Undefined for a pseudo-element, or a state that no file is in: see validSelector. */
  #matching(selector: string | Selector[][]): Matches | undefined {
    try {
      return this.#selectors.matching(typeof selector === "string" ? parseSelector(selector) : selector);
    } catch {
      return undefined;
    }
  }

  /** Whether an element is in a language, which begins as its own does: en-GB. */
  #speaks(element: Tree.Element, language: string): boolean {
    const own = nearest(element, this.#languages, (one) => attribute(one, "lang") ?? attribute(one, "xml:lang"), this.#language).toLowerCase();
    return own === language || own.startsWith(`${language}-`);
  }

  /** dir="auto" counts as "ltr". */
  #direction(element: Tree.Element): string {
    return nearest(element, this.#directions, (one) => {
      const given = attribute(one, "dir")?.toLowerCase();
      return given === "auto" ? "ltr" : given === "ltr" || given === "rtl" ? given : undefined;
    }, "ltr");
  }
}

/** A list of selectors in which :scope is an element that matches `root`. */
const scopedTo = (root: string, list: string): string => list.replace(SCOPE, (found) => (/^:scope$/i.test(found) ? root : found));

/** What an element or the nearest one around it gives. Known ones are kept. */
function nearest(element: Tree.Element, known: Map<Tree.Element, string>, given: (element: Tree.Element) => string | undefined, otherwise: string): string {
  const passed: Tree.Element[] = [];
  let found: string | undefined;
  for (let at: Tree.Node | null = element; found === undefined && at && isElement(at); at = at.parentNode) {
    passed.push(at);
    found = known.get(at) ?? given(at);
  }
  for (const one of passed) known.set(one, found ?? otherwise);
  return found ?? otherwise;
}

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
