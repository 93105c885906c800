// Selectors match what css-select matches, in time linear in the size of a page.

import assert from "node:assert/strict";
import { build } from "esbuild";
import fc from "fast-check";
import { effort, test } from "../../common/tests/limits.mjs";
import { here } from "./lib.mjs";

const { outputFiles } = await build({
  stdin: {
    contents: `
      export { readHTML } from "./html.ts";
      export { Rules } from "./hidden/sheet.ts";
      export { Selectors } from "./hidden/selector.ts";
      export { adapter, elementsIn, treeOf } from "./tree.ts";
      export { parse } from "css-what";
      export { _compileUnsafe as compile } from "css-select";`,
    resolveDir: here("../src/read"), loader: "ts",
  },
  bundle: true, write: false, format: "iife", globalName: "readers", target: "es2022",
});
const { readHTML, Rules, Selectors, adapter, elementsIn, treeOf, parse, compile } = new Function(`${outputFiles[0].text}; return readers;`)();

/** Chains of elements within each other, beside each other. */
const chains = (elements, depth) => `${Array.from({ length: depth }, (_, i) => `<div class="c${i % 50}">`).join("")}The river rose.${"</div>".repeat(depth)}`.repeat(elements / depth);

const SHEETS = {
  descendants: (i) => `.y div div div .c${i % 50}{color:red}`,
  children: (i) => `.y > div > div div > div > div div > .c${i % 50}{color:red}`,
  siblings: (i) => `.y${i} ~ .c${i % 50}, .y + div ~ div + .c${i % 50}{color:red}`,
  pseudos: (i) => `.c${i % 50}:not(.y${i} div > div *):is(.y div *, .y${i} > *):nth-child(2n + 1){color:red}`,
  has: (i) => `.c${i % 50}:has(div > .y${i}), .c${i % 50}:has(~ .y div){color:red}`,
  scopes: (i) => `@scope (.y${i}) to (.z){.c${i % 50}{color:red}}`,
};

/** How often the neighbours of elements are looked at to find the rules of all elements. */
function work(page, sheet) {
  const tree = treeOf(page);
  let looks = 0;
  for (const element of elementsIn(tree)) {
    for (const name of ["parentNode", "childNodes"]) {
      const value = element[name];
      Object.defineProperty(element, name, { get: () => {
        if (++looks > 5e6) throw new Error("no end");
        return value;
      } });
    }
  }
  const rules = new Rules([sheet], "", tree);
  for (const element of elementsIn(tree)) rules.of(element);
  return looks;
}

for (const [name, rule] of Object.entries(SHEETS)) {
  test(`${name}: the work does not grow with the depth or the width of a page`, () => {
    const sheet = Array.from({ length: 50 }, (_, i) => rule(i)).join("\n");
    const [shallow, deep] = [50, 400].map((depth) => work(chains(4000, depth), sheet));
    assert.ok(deep < 3 * shallow, `${shallow}, ${deep}`);
    const wide = (n) => work(`<div class=c1>${"<div class=c1>a</div>".repeat(n)}</div>`, sheet);
    const [narrow, wider] = [wide(500), wide(4000)];
    assert.ok(wider < 16 * narrow, `${narrow}, ${wider}`);
  });
}

test("a page that is nested too deeply for an article is read whole", () => {
  const page = (elements, depth) => `<title>Page</title><div class="comment">An aside.</div><article>${chains(elements, depth)}<p>${"The river rose, and the harbour of Nessel was closed. ".repeat(20)}</p></article>`;
  assert.ok(readHTML(page(12_000, 400)).text.includes("An aside."));
  assert.ok(!readHTML(page(400, 40)).text.includes("An aside."));
});

const compound = fc.constantFrom("a", "b", "i", ".x", ".y", "b.x", "*", "[id]", "a:first-child", ":last-child", "i:nth-child(2n + 1)", ":nth-last-child(-n + 2)", ":nth-of-type(2)", ".x:nth-last-of-type(odd)", ":only-child", ":only-of-type", "b:first-of-type", ":last-of-type", ":empty", ":not(.x)", ":not(.x b, i > *)", ":is(a, .y > *)", ":where(.x ~ i)", ":has(.x)", ":has(> i)", ":has(+ .y)", ":has(~ b)", ":root *");
const complex = fc.array(fc.tuple(compound, fc.constantFrom(" ", " > ", " + ", " ~ ")), { minLength: 1, maxLength: 5 }).map((steps) => steps.map(([one, combinator], i) => (i > 0 ? combinator : "") + one).join(""));
const { tree: markup } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 6, withCrossShrink: true }, fc.constant("text "), fc.tuple(fc.constantFrom("a", "b", "i", "b class=x", "i class='x y'", "a id=z class=y"), fc.array(tie("tree"), { maxLength: 4 })).map(([name, inside]) => `<${name}>${inside.join("")}</${name.split(" ")[0]}>`)),
}));

test("selectors match what css-select matches", () => {
  fc.assert(fc.property(fc.array(markup, { maxLength: 4 }), fc.array(complex, { minLength: 1, maxLength: 5 }), (inside, selectors) => {
    // <u> for <a>, which the parser closes before another.
    const tree = treeOf(`<!doctype html>${inside.join("").replace(/<(\/?)a\b/g, "<$1u")}`);
    const all = new Selectors(tree, {});
    for (const one of selectors.map((one) => one.replace(/\ba\b/g, "u"))) {
      const [fast, naive] = [all.read(parse(one)[0]).matches, compile(one, { adapter, cacheResults: false })];
      for (const element of elementsIn(tree)) assert.equal(fast(element), naive(element), `${one}: ${element.tagName}`);
    }
  }), effort(300));
});

// Same selectors as in cmd/cerasum/internal/legible/selector_test.go.
const within = (depth, inside) => ":is(".repeat(depth) + inside + ")".repeat(depth);
const steps = (n, last = "p") => "*~".repeat(n - 1) + last;
const items = "q,".repeat(20_000);
const LIMITS = {
  "steps": [`${steps(256)}{color:red}`, true],
  "more steps": [`${steps(257)}{color:red}`, false],
  "steps within each other": [`:is(${steps(128, "i")})~${steps(127)}{color:red}`, true],
  "more steps within each other": [`:is(${steps(128, "i")})~${steps(128)}{color:red}`, false],
  "steps of nested rules": [`${steps(128, "i")}{&~${steps(127)}{color:red}}`, true],
  "more steps of nested rules": [`${steps(128, "i")}{&~${steps(128)}{color:red}}`, false],
  "more steps, not forgiven": [`:is(p,${steps(257)}){color:red}`, false],
  "another selector in a list": [`p,${steps(257)}{color:red}`, true],
  "parentheses": [`${within(64, "p")}{color:red}`, true],
  "more parentheses": [`${within(65, "p")}{color:red}`, false],
  "more parentheses, not forgiven": [`:is(p,${within(64, "p")}){color:red}`, false],
  "parentheses, read before": [`${within(40, "p")}{top:0}${within(25, within(40, "p"))}{color:red}`, false],
  "long list": [`${items}p{color:red}`, true],
  "long nested lists": [`${items}div{${items}p{color:red}}`, true],
  "long list with marks": [`${items}div{${"& q,".repeat(20_000)}& p{color:red}}`, true],
  "marks within each other": [`div{${":is(&){".repeat(60)}& p{color:red}${"}".repeat(61)}`, true],
  "many marks within each other": [`div{${`&${":is(&)".repeat(1000)}{`.repeat(60)}& p{color:red}${"}".repeat(61)}`, true],
  "many scopes": [`@scope (div){${`@scope (${":scope".repeat(1000)}){`.repeat(60)}p{color:red}${"}".repeat(61)}`, true],
  "a mark in a string": ['div{[title="&"]{color:red}}', true],
  "a mark in a scope": ["div{@scope (&){p{color:red}}}", true],
  "many simple selectors": [`${":is(p)".repeat(20_000)}${"[title]".repeat(20_000)}{color:red}`, true],
};

for (const [name, [sheet, found]] of Object.entries(LIMITS)) {
  test(`limits: ${name}`, () => {
    const tree = treeOf(`<!doctype html><div>${"<i></i>".repeat(300)}<p title="&">a</p></div>`);
    const rules = new Rules([sheet], "", tree);
    const all = [...elementsIn(tree)].flatMap((element) => rules.of(element).map(({ normal }) => element.tagName.toLowerCase() + normal[0][0]));
    assert.equal(all.includes("pcolor"), found);
  });
}
