// Matches selectors in time linear in the size of a page, however deep or wide it is, while
// the answers fit into MAX_KNOWN: what is known of the elements around or before one is
// kept, where css-select would look at all of them again for each element and each part of
// a selector. Same rules as cmd/cerasum/internal/legible/selector.go.

import { type Options, _compileUnsafe as compile } from "css-select";
import type { Selector } from "css-what";
import { type Tree, adapter, childrenOf, elementsIn, isElement } from "../tree.ts";

export type Matches = (element: Tree.Element) => boolean;

/** Counted from 1 among the elements of a parent: of all, of all from the end, and the same of those of its name. */
interface Place {
  before: Tree.Element | undefined;
  after: Tree.Element | undefined;
  nth: [child: number, lastChild: number, ofType: number, lastOfType: number];
}

/** Bytes of answers that are kept, at most: then the oldest are forgotten. */
const MAX_KNOWN = 128e6;

/** A selector with more parentheses of pseudo-classes within each other is ignored as a whole: each is read by a call. */
const MAX_PARENTHESES = 64;
/** Also one with more steps that may be looked at within each other: each is a call. */
const MAX_STEPS = 256;

/** A selector that was read. */
export interface Read {
  matches: Matches;
  /** The specificity as one number: ids, then classes and attributes, then names. */
  rank: number;
  /** The compounds that may be looked at within each other. */
  steps: number;
}

/** Answers to one question about each element, two bits for each: 0 for none, or one of these. */
interface Answers {
  bits: Uint8Array | undefined;
}
const FAILS = 1;
const HOLDS = 2;

/** An element of a page with its number, from 0. */
type Numbered = Tree.Element & { number?: number };

// Elements that are not of the page have none: what is known of them is not kept.
const numberOf = (element: Numbered): number => element.number ?? 0x7fff_ffff;
const answer = (bits: Uint8Array | undefined, at: number): number => (bits ? (bits[at >> 2]! >> 2 * (at & 3)) & 3 : 0);
const put = (bits: Uint8Array, at: number, value: number): void => void (bits[at >> 2]! |= value << 2 * (at & 3));

const COMBINATOR = /^(?:descendant|child|sibling|adjacent|parent|column-combinator)$/;
const NTH = ["nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"];
/** States that no file is in. */
const STATES = ["active", "autofill", "focus", "focus-visible", "focus-within", "fullscreen", "hover", "modal", "picture-in-picture", "target", "target-current", "user-invalid", "user-valid", "visited", "-webkit-autofill", "-webkit-full-screen"];

export const both = (one: Matches, other: Matches | undefined): Matches => (other ? (element) => one(element) && other(element) : one);
const parentOf = ({ parentNode }: Tree.Element): Tree.Element | undefined => (parentNode && isElement(parentNode) ? parentNode : undefined);

export class Selectors {
  readonly #page: Tree.Document;
  readonly #options: Options<Tree.Node, Tree.Element>;
  readonly #places = new Map<Tree.Element, Place>();
  /** How many elements there are. */
  #count = 0;
  /** Those that have some, the oldest first. */
  readonly #known: Answers[] = [];
  readonly #given = new Map<string, Read>();
  /** Not the same in two pages: a page could use a known one. */
  readonly #mark = Math.random().toString(36).slice(2);

  constructor(page: Tree.Document, pseudos: NonNullable<Options<Tree.Node, Tree.Element>["pseudos"]>) {
    this.#page = page;
    for (const element of elementsIn(page)) (element as Numbered).number = this.#count++;
    const is = (...wanted: number[]) => (element: Tree.Element) => wanted.every((i) => this.#place(element).nth[i] === 1);
    this.#options = { adapter, pseudos: {
      ...Object.fromEntries(STATES.map((name) => [name, () => false])),
      "first-child": is(0), "last-child": is(1), "first-of-type": is(2), "last-of-type": is(3), "only-child": is(0, 1), "only-of-type": is(2, 3), ...pseudos,
    } };
  }

  /** Throws for a pseudo-element, for what css-select does not know, and for what is nested too deeply. */
  read(list: readonly Selector[]): Read {
    const steps = this.#depth(list, 0);
    if (steps > MAX_STEPS) throw new Error("nested too deeply");
    return { matches: this.#complex(list), rank: this.#rank(list), steps };
  }

  /** A selector that matches what one of others does, as :is() would: its length does not depend on theirs, and what it matches is kept. */
  give(all: readonly Read[]): string {
    const matches = this.#walk((element) => element, () => undefined, (element) => (all.some((one) => one.matches(element)) ? HOLDS : 0));
    const key = `${this.#mark}-${this.#given.size}`;
    const most = (of: (one: Read) => number): number => all.reduce((most, one) => Math.max(most, of(one)), 0);
    this.#given.set(key, { matches, rank: most(({ rank }) => rank), steps: most(({ steps }) => steps) });
    return `:given(${key})`;
  }

  #givenBy(one: Selector): Read | undefined {
    return one.type === "pseudo" && one.name === "given" && typeof one.data === "string" ? this.#given.get(one.data) : undefined;
  }

  /** The steps that may be looked at within each other: Infinity for too many parentheses. */
  #depth(list: readonly Selector[], parentheses: number): number {
    if (parentheses > MAX_PARENTHESES) return Infinity;
    let steps = 1;
    let inner = 0;
    list.forEach((one, i) => {
      if (i > 0 && COMBINATOR.test(one.type)) steps++;
      inner = Math.max(inner, this.#givenBy(one)?.steps ?? 0);
      if (one.type === "pseudo" && Array.isArray(one.data)) for (const list of one.data) inner = Math.max(inner, this.#depth(list, parentheses + 1));
    });
    return steps + inner;
  }

  #rank(list: readonly Selector[]): number {
    let sum = 0;
    for (const one of list) {
      if (one.type === "attribute") sum += one.action === "equals" && one.name === "id" && one.namespace === null ? 1e6 : 1e3;
      else if (one.type === "tag" || one.type === "pseudo-element") sum += 1;
      else if (one.type === "pseudo" && one.name !== "where") sum += this.#givenBy(one)?.rank ?? (Array.isArray(one.data) ? one.data.reduce((most, list) => Math.max(most, this.#rank(list)), 0) : 1e3);
    }
    return sum;
  }

  #either(lists: readonly (readonly Selector[])[]): Matches {
    const all = lists.map((list) => this.#complex(list));
    return all.length === 1 ? all[0]! : (element) => all.some((matches) => matches(element));
  }

  /** One that may begin with a combinator. */
  #complex(list: readonly Selector[]): Matches {
    const [first, ...steps] = this.#steps(list);
    if (first!.combinator) throw new Error("nothing before a combinator");
    return steps.reduce((before, { combinator, own }) => both(own, this.#reached(combinator!, before)), first!.own);
  }

  /** The compounds of a selector and what stands before each. */
  #steps(list: readonly Selector[]): { combinator: string | undefined; own: Matches }[] {
    const steps: { combinator: string | undefined; compound: Selector[] }[] = [{ combinator: undefined, compound: [] }];
    for (const one of list) {
      if (COMBINATOR.test(one.type)) steps.push({ combinator: one.type, compound: [] });
      else steps.at(-1)!.compound.push(one);
    }
    if (steps.length > 1 && steps[0]!.compound.length === 0) steps.shift();
    return steps.map(({ combinator, compound }) => ({ combinator, own: this.#compound(compound) }));
  }

  #compound(compound: readonly Selector[]): Matches {
    const plain: Selector[] = [];
    const all: Matches[] = [];
    for (const one of compound) {
      const own = this.#givenBy(one)?.matches ?? (one.type === "pseudo" ? this.#pseudo(one.name, one.data) : undefined);
      if (own) all.push(own);
      else plain.push(one);
    }
    // css-select calls each of its matchers from another.
    for (let i = 0; i < plain.length; i += 100) all.push(compile<Tree.Node, Tree.Element>([plain.slice(i, i + 100)], this.#options) as Matches);
    if (all.length === 0) throw new Error("nothing after a combinator");
    return all.length === 1 ? all[0]! : (element) => all.every((matches) => matches(element));
  }

  /** Undefined if css-select matches it. */
  #pseudo(name: string, data: string | Selector[][] | null): Matches | undefined {
    if (typeof data === "string" && NTH.includes(name)) return this.#nth(NTH.indexOf(name), data);
    if (!Array.isArray(data)) return undefined;
    if (name === "has") {
      const all = data.map((list) => this.#has(list));
      return (element) => all.some((matches) => matches(element));
    }
    if (name === "not") {
      const matches = this.#either(data);
      return (element) => !matches(element);
    }
    if (!/^(?:is|where|matches)$/.test(name)) return undefined;
    // They forgive what is not known.
    const all = data.flatMap((list) => {
      try {
        return [this.#complex(list)];
      } catch {
        return [];
      }
    });
    return (element) => all.some((matches) => matches(element));
  }

  #nth(which: number, formula: string): Matches | undefined {
    const [, word, n, sign = "+", plus = "0", alone] = /^\s*(?:(even|odd)|([-+]?\d*)n(?:\s*([-+])\s*(\d+))?|([-+]?\d+))\s*$/i.exec(formula) ?? [];
    if (word === undefined && n === undefined && alone === undefined) return undefined;
    const step = word ? 2 : n === undefined ? 0 : /\d/.test(n) ? Number(n) : Number(`${n}1`);
    const start = word ? Number(word.toLowerCase() === "odd") : Number(alone ?? sign + plus);
    return (element) => {
      const at = this.#place(element).nth[which]! - start;
      return step === 0 ? at === 0 : at % step === 0 && at / step >= 0;
    };
  }

  /** Whether what a combinator leads back to matches. */
  #reached(combinator: string, matches: Matches): Matches {
    switch (combinator) {
      case "child": return (element) => {
        const parent = parentOf(element);
        return parent !== undefined && matches(parent);
      };
      case "adjacent": return (element) => {
        const { before } = this.#place(element);
        return before !== undefined && matches(before);
      };
      case "descendant": return this.#along(parentOf, matches);
      case "sibling": return this.#along((element) => this.#place(element).before, matches);
    }
    throw new Error(`unknown combinator: ${combinator}`);
  }

  /** Whether the steps of :has() lead to elements that match. */
  #has(list: readonly Selector[]): Matches {
    return this.#steps(list).reduceRight<Matches | undefined>((rest, { combinator, own }) => this.#leads(combinator ?? "descendant", both(own, rest)), undefined)!;
  }

  #leads(combinator: string, matches: Matches): Matches {
    switch (combinator) {
      case "child": return this.#around((found, element) => {
        const parent = parentOf(element);
        if (parent) put(found, numberOf(parent), HOLDS);
      }, matches);
      case "descendant": return this.#around((found, element) => {
        for (let at = parentOf(element); at && answer(found, numberOf(at)) !== HOLDS; at = parentOf(at)) put(found, numberOf(at), HOLDS);
      }, matches);
      case "adjacent": return (element) => {
        const { after } = this.#place(element);
        return after !== undefined && matches(after);
      };
      case "sibling": return this.#along((element) => this.#place(element).after, matches);
    }
    throw new Error(`unknown combinator: ${combinator}`);
  }

  /** Whether an element matches that steps from an element lead to. */
  #along(step: (element: Tree.Element) => Tree.Element | undefined, matches: Matches): Matches {
    return this.#walk(step, step, (element) => (matches(element) ? HOLDS : 0));
  }

  /** Whether an element is in a scope: matches its roots, or is in one that does, and has no limit between. */
  within(roots: Matches, limits: Matches): Matches {
    return this.#walk((element) => element, parentOf, (element) => (limits(element) ? FAILS : roots(element) ? HOLDS : 0));
  }

  /** The verdict, not 0, on the first of the elements that steps lead to. What is known of those on the way is kept. */
  #walk(first: (element: Tree.Element) => Tree.Element | undefined, next: typeof first, verdict: (element: Tree.Element) => number): Matches {
    /** Of an element and those after it. */
    const known: Answers = { bits: undefined };
    return (element) => {
      const passed: number[] = [];
      let found: number = FAILS;
      for (let at = first(element); at; at = next(at)) {
        const number = numberOf(at);
        const before = answer(known.bits, number);
        if (before === 0) passed.push(number);
        const own = before || verdict(at);
        if (own !== 0) {
          found = own;
          break;
        }
      }
      if (passed.length > 0) {
        const bits = known.bits ?? this.#keep(known);
        for (const one of passed) put(bits, one, found);
      }
      return found === HOLDS;
    };
  }

  /** Whether an element is among those that all matching ones add: found at once for the whole page. */
  #around(add: (found: Uint8Array, element: Tree.Element) => void, matches: Matches): Matches {
    const known: Answers = { bits: undefined };
    return (element) => {
      let { bits } = known;
      if (!bits) {
        bits = this.#keep(known);
        for (const one of elementsIn(this.#page)) if (matches(one)) add(bits, one);
      }
      return answer(bits, numberOf(element)) === HOLDS;
    };
  }

  /** Room for answers. */
  #keep(known: Answers): Uint8Array {
    const size = Math.ceil(this.#count / 4);
    while (this.#known.length > 0 && (this.#known.length + 1) * size > MAX_KNOWN) this.#known.shift()!.bits = undefined;
    this.#known.push(known);
    return (known.bits = new Uint8Array(size));
  }

  #place(element: Tree.Element): Place {
    const known = this.#places.get(element);
    if (known) return known;
    const all = element.parentNode ? childrenOf(element.parentNode).filter(isElement) : [element];
    const named = new Map<string, number>();
    const counted = (name: string): number => {
      const n = (named.get(name) ?? 0) + 1;
      named.set(name, n);
      return n;
    };
    const places = all.map((one, i): Place => ({ before: all[i - 1], after: all[i + 1], nth: [i + 1, all.length - i, counted(one.tagName), 0] }));
    all.forEach((one, i) => {
      const { nth } = places[i]!;
      nth[3] = named.get(one.tagName)! - nth[2] + 1;
      this.#places.set(one, places[i]!);
    });
    return this.#places.get(element)!;
  }
}
