// Files made to hold whoever reads them, of a seed: what is repeated and nested until
// parsers, expressions and memory give up.

import { makePDF } from "../../common/tests/pdf.mjs";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PROSE = "The harbour of Nessel is open again, the mayor said. Ships wait outside it.";

const HTML = [
  "<div>", "<p>a", "<i>", "<b><i>", "<a href=#>", "<table><tr><td>", "<ul><li>", "<span style='color:#fff'>a", "<style>", "<style>.a{color:red}</style>", "<!-- ", "<!---->", "<![CDATA[", "<script>", "<svg><g>", "<math><mi>",
  "<select><option>a", "<template>", "<form><input name=a>", "<p class='a b c d e'>a</p>", "<h1>a", "<font><p>", "<nobr>", "</p>", "</b></i>", "<a><b></a></b>", "&amp;", "&a", "<", "\0", "<p hidden>a", "<figure><figcaption>a", "<li><p>a<p>b",
  "<sup><a href=#a>[1]</a></sup>", "<time datetime=2020>a</time>", "<meta name=date content=a>", "<br><br>a", "<div class=caption>", "<ul><li><a href=a>a</a>", "<pre>a\n", "<table><tr><td>a<td>b</table>", "<p style='--a: var(--b)'>a",
];
const CSS = [".a{color:red}", "*{color:var(--a)}", ".a .a .a .a{display:none}", "a{", "@media (", ":is(", ":not(.a)", "--a:var(--b);", "{{", "/*", "'", ".a > * ~ * + ", "&", "@layer a{", "\\61 ", "*{background:linear-gradient(red,blue)}", "p{width:calc((1px + ", "[a=b]"];
const MARKDOWN = ["*a_ ", "*a", "**a ", "_a*b ", "~~a~ ", "[", "![", "[a](", "[a]: b\n", "`a``", "<a ", "<!--", "&a", "\\", "|a", "|a\n|-\n", "(", "<b>", "[^1]", "[^a]: b\n\n", ": a\n", "- a\n", "> ", "- ", "1. ", "# a\n", "http://a.b ", "www.a ", "a@b.c ", "\"", "  - a\n", "[a][", "<http://a", "*_", "***a", "a*", "[x] ", "```\n", "$$", "\t", "===\n"];
const TEXT = [" ", "\n", "\t", "- ", "a", "a ", "a\n\n", "...", ". ", "> ", "```\n", "|a|\n", "\u00a0", "東", "[1] ", "\u0301", "\r", "1. a\n", "title: ", "<!---->", "é", "\u202e", "#", "a-", "(", "''", "\u2028"];
const JSONS = ["[", '{"a":', '"\\u0061', "1", '{"title":"a","text":"b"},', " ", "\\", "null,", '[0,1,"paragraph"],'];

const repeated = (what, bytes) => what.repeat(Math.ceil(bytes / Buffer.byteLength(what)));

/** Makes `count` files of at most `most` bytes: { name, content }. */
export function bombs(count, most, seed = 1) {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const size = () => Math.floor(most * (0.3 + 0.7 * next()) * 0.9);
  const kinds = {
    html() {
      const shape = Math.floor(next() * 5);
      const what = shape === 3 ? pick(HTML) + pick(HTML) : pick(HTML);
      if (shape === 4) return `<style>${repeated(pick(CSS), size())}</style>${repeated("<p class=a>a</p>", 20_000)}<p>${PROSE}`;
      if (shape === 2) return `<p>${PROSE}${repeated("<i>", 3000)}${repeated(what, size())}`;
      return `<title>Bomb</title><p>${PROSE}</p>${repeated(what, size())}`;
    },
    md() {
      const shape = Math.floor(next() * 5);
      if (shape === 0) return `---\ntitle:${repeated(" ", size())}x\n---\n${PROSE}`;
      if (shape === 1) return Array.from({ length: Math.floor(Math.sqrt(most)) }, (_, i) => `${" ".repeat(i)}- a\n`).join("").slice(0, most - 100) + PROSE;
      return `${PROSE}\n\n${repeated(shape === 2 ? pick(MARKDOWN) + pick(MARKDOWN) : pick(MARKDOWN), size())}`;
    },
    txt: () => `${PROSE}\n\n${repeated(next() < 0.3 ? pick(TEXT) + pick(TEXT) : pick(TEXT), size())}`,
    pdf() {
      const shape = Math.floor(next() * 4);
      const whole = makePDF([[{ text: PROSE, y: 60 }]]);
      if (shape === 0) return Buffer.concat([whole.subarray(0, 20), Buffer.from(repeated(pick(["<<", "[", "1 0 obj\n", "stream\n", "/A ", "(", "xref\n", "\0", "%"]), size())), whole.subarray(20)]);
      if (shape === 1) return makePDF(Array.from({ length: Math.floor(most / 500) }, (_, i) => [{ text: `Page ${i} says nothing.`, y: 60 }]));
      if (shape === 2) return makePDF([Array.from({ length: Math.floor(most / 150) }, (_, i) => ({ text: `Line ${i} a-`, y: (i * 7) % 500, x: (i * 13) % 400 }))]);
      return makePDF([[{ text: repeated(pick(TEXT.filter((text) => /^[ -~]+$/.test(text) && !/[()\\]/.test(text))), Math.floor(size() / 2)), y: 60 }]]);
    },
    json: () => (next() < 0.5 ? `{"cerasum":1,"documents":[${repeated('{"title":"a","text":"The river rose."},', size())}{"title":"a","text":"b"}]}` : `{"cerasum":1,"documents":${repeated(pick(JSONS), size())}`),
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, i) => {
    const kind = names[i % names.length];
    const content = Buffer.from(kinds[kind]()).subarray(0, most);
    return { name: `bomb-${i}.${kind === "json" ? "cerasum.json" : kind}`, content };
  });
}
