// What the format "plain-text" leaves of a sentence.

import assert from "node:assert/strict";
import { it } from "node:test";
import { plain } from "../dist/plain-text.js";

const cases: [string, string][] = [
  ["# Steps of the repair ##", "Steps of the repair"],
  ["> - [x] Open the **valve** and *wait*.", "Open the valve and wait."],
  ["**The pump is ___very___ old.**", "The pump is very old."],
  ["**The first sentence of two.", "The first sentence of two."],
  ["The second sentence of two.**", "The second sentence of two."],
  ["The ~~old~~ _new_ pump", "The old new pump"],
  ["See [the manual](https://example.org/a_(b) \"Title\") and [the map][1].[^2]", "See the manual and the map."],
  ["[![A pump](pump.png)](https://example.org) stands there", "A pump stands there"],
  ["![A pump](pump.png) stands at <https://example.org/>.", "A pump stands at https://example.org/."],
  ["Open the <b class=\"x\">valve</b><br/>now <!-- soon -->.", "Open the valve now ."],
  ["It is called <a href=\"https://example.org/a.", "It is called"],
  ["Smith &amp; Sons&#39; &quot;pump&quot;&nbsp;&#x2014; &unknown;", "Smith & Sons' \"pump\" — &unknown;"],
  ["Call `a*b*c` or ``x ` y`` or `<b>`.", "Call a*b*c or x ` y or <b>."],
  ["```js the code", "the code"],
  ["| Ship | Port |", "Ship Port"],
  ["A \\*star\\* and a \\# sign", "A *star* and a # sign"],
  // No markup.
  ["When x < 3 and y > 4, x * y * z is 2 ** 3 or 2*3*4.", "When x < 3 and y > 4, x * y * z is 2 ** 3 or 2*3*4."],
  ["The snake_case_name and __init__py stay [sic] (f(a[0])).", "The snake_case_name and __init__py stay [sic] (f(a[0]))."],
  ["Prices are low*, from $5 [1].", "Prices are low*, from $5 [1]."],
  ["C# and #1 and -5 degrees", "C# and #1 and -5 degrees"],
  // Emphasis in scripts without blanks between words, around digits, and nested.
  ["这是*重点*内容，这是**重点**内容。", "这是重点内容，这是重点内容。"],
  ["In **2019** came *5 people*, ***very*** late.", "In 2019 came 5 people, very late."],
  ["H<sub>2</sub>O<br>and un<b>believ</b>able<a href=x hidden>s", "H2O and unbelievables"],
  ["<P>Read <code>it</code> at 看[地图][1]", "Read it at 看地图"],
  // Entities by their names.
  ["Prices rose &mdash; by 5&thinsp;&euro; in caf&eacute;s &hellip;", "Prices rose — by 5 € in cafés …"],
  ["&Eacute;t&eacute; &COPY; &frac12; &yuml; &OElig; &Ccedil;a &scaron; &alpha;&Omega; &Dagger; &rarr; &amp;mdash;", "Été © ½ ÿ Œ Ça š αΩ ‡ → &mdash;"],
  // Elements of other vocabularies, and attributes without a value.
  ["The <my-tag>custom</my-tag> part has <span data-x hidden2>a span</span>.", "The custom part has a span."],
  ["<math><mi>x</mi></math> is drawn by <path d='M0 0'/> in <o:p>Word</o:p>.", "x is drawn by in Word."],
  ["<input required autofocus> Fill the form <Icon size={3} /> now.", "Fill the form now."],
  ["An end of another sentence.</my-tag>", "An end of another sentence."],
  ["<!DOCTYPE html><html>It <?xml version=\"1.0\"?>says <![CDATA[a < b]]> here.", "It says a < b here."],
  ["<style>p > a {}</style>Read <script src=x>alert(1)</script>this <!-- and", "Read this and"],
  // Links, definitions and underlines.
  ["See [the link](<a b.html>) and [the map]( <x y> 'Title' ).", "See the link and the map."],
  ["[1]: https://example.org/x \"Title\"", ""],
  ["It rained. [the map]: <https://example.org/>", "It rained."],
  ["[^1]: The footnote says more.", "The footnote says more."],
  ["Heading of it =====", "Heading of it"],
  ["---", ""], ["* * *", ""], ["|:--|---|", ""],
  // Escapes.
  ["In 1\\. and \\- dash \\! bang \\(a\\) \\&amp; C:\\dir", "In 1. and - dash ! bang (a) & C:\\dir"],
];

const literal = [
  "Die Schüler*innen und Lehrer*innen", "n*m and k*l", "x**2 + y**2 and α*β*γ", "src/*.ts or src/*.js", "(*.ts,*.js)", "Учитель*ница и ученик*ца",
  "12 million[3][4] in 2019.[5][6]", "m[i][j]", "a[0][1] + a[0][1][2]", "It rained.[a][note 1]",
  ">90% of patients", ">>> print(x)", "- 5 °C was measured", "> 5 people", "+ 5 °C",
  "if a<b and c>d holds", "a List<String> of names", "p<p0 and q>1", "a<p and q>b", "a Set<a> or List<Time>", "git clone <url>",
];

it("is the text as it is where signs are not markup", () => {
  for (const text of literal) assert.equal(plain(text), text);
});

it("is the text without Markdown or HTML", () => {
  for (const [from, to] of cases) assert.equal(plain(from), to, from);
});

it("ends, however much markup is left open", () => {
  for (const part of ["*a", "**", "[a", "<a ", "`", "_a_", "![[", "&#", "<a b=", "<a b", "<![CDATA[", "<!--", "<script>", "[a]: http:", "[a]: ", "[a](<", "== ", "\\", "&amp", "|-", "<a-", "</a"]) assert.equal(typeof plain(part.repeat(5_000)), "string", part);
});
