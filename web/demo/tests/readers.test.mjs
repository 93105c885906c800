// Whatever a file holds, its reader gives a text with blocks within it, or a reason why
// there is none. FUZZ_MINUTES is how long each property is tried (`make fuzz`),
// FUZZ_SEED repeats a run.

import assert from "node:assert/strict";
import { before } from "node:test";
import { build } from "esbuild";
import fc from "fast-check";
import { effort, slow, test } from "../../common/tests/limits.mjs";
import { here } from "./lib.mjs";

const tries = effort(50);

let read, validSelector;
before(async () => {
  // Without the readers of PDFs and of packed files, which need a Worker.
  const { outputFiles } = await build({
    stdin: { contents: 'export { contentOf } from "./content.ts"; export { validSelector } from "./hidden/valid.ts";', resolveDir: here("../src/read"), loader: "ts" },
    bundle: true, write: false, format: "iife", globalName: "readers", platform: "node", target: "es2024", external: ["./pdf.ts", "./packed.ts"],
  });
  const { readers } = new Function(`${outputFiles[0].text}; return { readers };`)();
  ({ contentOf: read, validSelector } = readers);
});

const prose = fc.constantFrom("The river rose. ", "Ships wait outside the harbour, the mayor said.\n", "a", " ", "\n\n", "\r\n", "\t", "é", "東", "\u202e", "\ud83d\ude00", "\0");
const tags = fc.constantFrom("<p>", "</p>", "<div class=a>", "</div>", "<table>", "<tr>", "<td>", "<svg>", "<math>", "<template>", "<select>", "<option>", "<title>", "<textarea>", "<script>", "<noscript>", "<!--", "-->", "<![CDATA[", "<ul><li>", "<b>", "</i>", "<h1>", "<pre>", "<br>", "<a href=#>", "<html hidden>", "<body style='", "'>", "<style>", "</style>", "<!doctype html>", "<frameset>", "&amp;", "&#0;", "&#x110000;");
const styles = fc.constantFrom(".a{", "*{", "}", "display:none;", "color:var(--a);", "--a:", "--a:var(--a);", "font:0/0 a;", "@media (", "@media not screen and (min-width:1px){", "@supports (", ":is(", ":not(", ")", "(", "[", "&", ",", " > ", "!important", "/*", "'", "\\61 ", "calc(", "left:-9999px;", "background:linear-gradient(red,blue);", "1e999px", "#", "::before", ".a,.b");
const marks = fc.constantFrom("# ", "- ", "1. ", "> ", "    ", "|", "|-|-|\n", "```", "*", "_", "**", "`", "[a](b)", "![", "](", "[^1]", "[^1]: ", "---\n", "title: ", "===\n", "<b>", "~~", "http://a.b", ": a\n");
const some = (...kinds) => fc.array(fc.oneof(...kinds, fc.string({ maxLength: 5 })), { maxLength: 40 }).map((parts) => parts.join(""));

function fuzz(name, file, source) {
  test(name, async (t) => {
    let runs = 0;
    let texts = 0;
    const begun = performance.now();
    await fc.assert(fc.asyncProperty(source, async (made) => {
      runs++;
      const content = typeof made === "string" ? new TextEncoder().encode(made) : made;
      const found = await read({ content: content.slice(), name: file, type: "", charset: undefined, session: false, base: "http://page.example/" }, () => undefined);
      if (!("text" in found)) {
        assert.match(found.problem, /^no(?:Words|Reader)$|^[a-z]+$/);
        assert.notEqual(found.problem, "noReader", "the reader threw");
        return;
      }
      texts++;
      const { text, title, blocks, words } = found.text;
      assert.equal(typeof title, "string");
      assert.ok(words >= 0);
      let last = 0;
      for (const [start, end, kind] of blocks ?? []) {
        assert.ok(start >= last && end >= start && end <= text.length && typeof kind === "string", `${start} ${end} of ${text.length}`);
        last = end;
      }
    }), tries);
    t.diagnostic(`${runs} executions in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${texts} with a text`);
  });
}

fuzz("pages", "a.html", some(prose, tags));
fuzz("pages with styles", "a.html", fc.tuple(some(styles), some(styles), some(prose, tags)).map(([sheet, style, body]) => `<style>${sheet}</style><p class=a style="${style.replaceAll('"', "")}">The river rose.</p>${body}`));
fuzz("Markdown", "a.md", some(prose, marks, tags));
fuzz("plain text", "a.txt", some(prose, marks));
fuzz("bytes", "a", fc.oneof(fc.uint8Array({ maxLength: 300 }), some(prose, tags).map((text) => Uint8Array.from(Buffer.from(text, "utf16le"))), some(prose, tags).map((text) => Uint8Array.from(Buffer.from(text, "latin1")))));

test("selectors", (t) => {
  let runs = 0;
  fc.assert(fc.property(some(styles), (list) => {
    runs++;
    assert.equal(typeof validSelector(list), "boolean");
  }), tries);
  t.diagnostic(`${runs} executions`);
});

// More of them than a function can have arguments.
for (const [name, html, text] of [
  ["points", `<p style="clip-path:polygon(${"0 0,".repeat(150_000)}9px 9px)">a</p>`, "a"],
  ["operands", `<p style="left:max(${"1px,".repeat(150_000)}1px)">a</p>`, "a"],
  ["cells", `<table><tr><td>a${"<td>b".repeat(150_000)}</table>`, `a${"\tb".repeat(150_000)}`],
]) {
  (name === "cells" ? slow : test)(`150,000 ${name}`, async () => {
    const found = await read({ content: new TextEncoder().encode(`<p>The river rose.</p>${html}<p>It fell.</p>`), name: "a.html", type: "", charset: undefined, session: false, base: "http://page.example/" }, () => undefined);
    assert.equal(found.text?.text ?? found.problem, `The river rose.\n\n${text}\n\nIt fell.`);
  });
}
