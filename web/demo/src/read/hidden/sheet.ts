// The rules of a document's own style sheets, as far as they may hide text. Twin of
// cmd/cerasum/internal/ingest/css_sheet.go.

import { _compileUnsafe as compile } from "css-select";
import parseCSS from "css-tree/parser";
import { type Selector, parse as parseSelector } from "css-what";
import { type Tree, adapter, attribute } from "../tree.ts";
import { applies } from "./media.ts";

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

/** Properties that may hide text, or that others depend on. */
const READ = new Set([
  "all", "display", "visibility", "opacity", "content-visibility", "filter", "-webkit-filter", "transform", "-webkit-transform", "translate", "scale", "rotate", "zoom",
  "position", "left", "top", "right", "bottom", "inset", "inset-inline", "inset-block", "inset-inline-start", "inset-inline-end", "inset-block-start", "inset-block-end", "margin", "margin-left", "margin-top", "margin-inline", "margin-inline-start", "margin-block-start",
  "width", "height", "max-width", "max-height", "inline-size", "block-size", "max-inline-size", "max-block-size", "padding", "padding-top", "padding-bottom", "padding-left", "padding-right",
  "overflow", "overflow-x", "overflow-y", "clip", "clip-path", "-webkit-clip-path", "mask", "-webkit-mask", "mask-image", "-webkit-mask-image", "mask-size", "-webkit-mask-size",
  "font", "font-size", "text-indent", "letter-spacing", "-webkit-text-security", "color", "-webkit-text-fill-color", "background", "background-color", "background-image",
  "background-clip", "-webkit-background-clip", "text-shadow", "-webkit-text-stroke", "-webkit-text-stroke-width", "-webkit-text-stroke-color", "color-scheme",
]);

interface Node {
  type: string;
  name?: string;
  property?: string;
  important?: boolean | string;
  value?: { value: string };
  prelude?: { value: string } | null;
  block?: { children: Iterable<Node> } | null;
  children?: Iterable<Node>;
}

const options = { parseAtrulePrelude: false, parseRulePrelude: false, parseValue: false, parseCustomProperty: false, onParseError: () => undefined };

function add(to: Declarations, { property = "", important, value }: Node): void {
  const name = property.startsWith("--") ? property : property.toLowerCase();
  if (!name.startsWith("--") && !READ.has(name)) return;
  (important ? to.important : to.normal).push([name, (value?.value ?? "").trim()]);
}

/** The declarations of a style attribute. */
export function inline(style: string): Declarations {
  const found: Declarations = { normal: [], important: [] };
  const list = parseCSS(style, { ...options, context: "declarationList" }) as Node;
  for (const node of list.children ?? []) if (node.type === "Declaration") add(found, node);
  return found;
}

/** Selectors of nested rules are written out; more than so many are not read. */
const MAX_NESTED = 1000;

/** The rules of style sheets, found by the last part of their selectors. */
export class Rules {
  readonly #by = new Map<string, Rule[]>();
  #order = 0;

  constructor(sheets: readonly string[]) {
    for (const sheet of sheets) this.#read((parseCSS(sheet, options) as Node).children ?? [], undefined, false);
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

  #read(nodes: Iterable<Node>, above: string | undefined, layered: boolean): void {
    for (const node of nodes) {
      if (node.type === "Rule") this.#rule(node, above, layered);
      else if (node.type === "Atrule" && node.block && node.name) {
        const name = node.name.toLowerCase();
        const prelude = (node.prelude?.value ?? "").trim().toLowerCase();
        const within = name === "media" ? applies(prelude) : name === "supports" ? !prelude.startsWith("not") : /^(?:layer|container|scope)$/.test(name);
        if (within) this.#read(node.block.children, above, layered || name === "layer");
      }
    }
  }

  #rule(node: Node, above: string | undefined, layered: boolean): void {
    const own = (node.prelude?.value ?? "").trim();
    const selector = above === undefined ? own : own.includes("&") ? own.replaceAll("&", `:is(${above})`) : `:is(${above}) ${own}`;
    if (selector.length > MAX_NESTED * 10) return;
    const found: Declarations = { normal: [], important: [] };
    const inside: Node[] = [];
    for (const child of node.block?.children ?? []) {
      if (child.type === "Declaration") add(found, child);
      else inside.push(child);
    }
    if (found.normal.length + found.important.length > 0) this.#add(selector, found, layered);
    this.#read(inside, selector, layered);
  }

  #add(selector: string, declarations: Declarations, layered: boolean): void {
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
        // A pseudo-element, or a state that no file is in.
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
