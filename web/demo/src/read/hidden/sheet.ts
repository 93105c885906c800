// The rules of a document's own style sheets, as far as they may hide text. Same rules as
// cmd/cerasum/internal/legible/sheet.go.

import { tokenTypes as types, tokenize } from "css-tree/tokenizer";
import { type Selector, parse as parseSelector } from "css-what";
import { type Tree, attribute, isElement } from "../tree.ts";
import { split } from "./length.ts";
import { applies, isSupported } from "./media.ts";
import { type Matches, type Read, Selectors, both } from "./selector.ts";
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

/** A selector of a rule, with what keyOf returns. */
interface Selected extends Read {
  key: string;
}

/** Where rules stand. */
interface Place {
  /** The selector of the rule around them. */
  above: string | undefined;
  /** What that rule selects. */
  own: readonly Selected[];
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

/** What stands for others in a selector, and what may hold the same. */
const MARKS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|&|:scope\b/gis;

/** Further layers, and those with longer full names in UTF-16 units, do not count. */
const MAX_LAYERS = 10_000;
const MAX_LAYER_NAME = 1000;

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
    for (const sheet of sheets) this.#read(itemsOf(sheet), { above: undefined, own: [], layer: [], within: "", scope: undefined, root: ":root" });
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
      this.#add(block, inner);
      this.#read(block, name === "scope" ? { ...inner, own: [] } : inner);
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

  /** A place in @scope (roots) to (limits), with its roots as what a rule selects; undefined without roots. */
  #scope(place: Place, query: string): Place | undefined {
    const [start = "", to, last, more] = split(query, " ");
    if (more !== undefined || (to !== undefined && to.toLowerCase() !== "to")) return undefined;
    const inside = (part: string | undefined): string | undefined => (part?.startsWith("(") && part.endsWith(")") && validSelector(part.slice(1, -1)) ? part.slice(1, -1) : undefined);
    const [roots, limits] = [inside(start), inside(last)];
    if (roots === undefined || (to !== undefined && limits === undefined)) return undefined;
    const first = `:is(${written(roots, place.root, place.above ?? place.root)})`;
    const isRoot = this.#selected(place.above === undefined || has(roots, "&") ? first : `${place.above} ${first}`);
    if (!isRoot) return undefined;
    const root = this.#selectors.give([isRoot]);
    const isLimit = limits === undefined ? { matches: () => false } : this.#selected(`:is(${written(limits, root, root)})`);
    if (!isLimit) return undefined;
    return { ...place, above: undefined, own: [isRoot], root, scope: both(this.#selectors.within(isRoot.matches, isLimit.matches), place.scope) };
  }

  #rule(given: string, block: readonly Item[], place: Place): void {
    if (!validSelector(given)) return;
    const { above, root, scope } = place;
    const own = separate(given).flatMap((one) => {
      const text = written(one, root, above ?? root);
      if (has(one, "&")) return this.#selected(text) ?? [];
      // What is not said of the root of a scope is within it.
      const around = above ?? (scope && !has(one, ":scope") ? root : undefined);
      return this.#selected(around === undefined ? text : `${around} ${text}`) ?? [];
    });
    this.#add(block, { ...place, own });
    if (block.some((item) => item.block)) this.#read(block, { ...place, own, above: this.#selectors.give(own) });
  }

  /** The declarations in the block of a rule, or in an at-rule in it. */
  #add(block: readonly Item[], { own, layer, scope }: Place): void {
    const declarations: Declarations = { normal: [], important: [] };
    for (const item of block) add(declarations, item);
    if (declarations.normal.length + declarations.important.length === 0) return;
    for (const { matches, rank, key } of own) {
      const rule: Rule = { ...declarations, matches: both(matches, scope), layer, rank, order: this.#order++ };
      const rules = this.#by.get(key);
      if (rules) rules.push(rule);
      else this.#by.set(key, [rule]);
    }
  }

  /** Undefined for a pseudo-element, or a state that no file is in: see validSelector. */
  #selected(selector: string): Selected | undefined {
    try {
      const [list] = parseSelector(selector);
      return { ...this.#selectors.read(list!), key: keyOf(list!) };
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

/** A list of selectors with `root` for :scope and `nesting` for &. */
const written = (list: string, root: string, nesting: string): string => list.replace(MARKS, (found) => (found === "&" ? nesting : /^:scope$/i.test(found) ? root : found));

const has = (list: string, mark: string): boolean => list.match(MARKS)?.some((found) => found.toLowerCase() === mark) ?? false;

/** Splits a list of selectors. */
function separate(list: string): string[] {
  const all: string[] = [];
  let from = 0;
  let depth = 0;
  for (const { 0: found, index } of list.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[()[\],]/gs)) {
    if (found === "(" || found === "[") depth++;
    else if (found === ")" || found === "]") depth--;
    else if (found === "," && depth === 0) {
      all.push(list.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...all, list.slice(from).trim()];
}

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
