// The lines of a PDF's page, also of text that is written to the left. The command line
// program has the same cases in ingest/pdf_direction_test.go.

import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { here } from "./lib.mjs";

const { outputFiles } = await build({
  stdin: { contents: 'export { lines } from "./pdf-text.ts";', resolveDir: here("../../common/read"), loader: "ts" },
  bundle: true, write: false, format: "esm", platform: "node", target: "es2024",
});
const { lines } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
const at = (text, x, y, width = 5 * text.length) => ({ text, x, y, width, height: 10 });
const textsOf = (pieces) => lines({ width: 400, height: 400, pieces }, 0).map(({ text }) => text);

test("lines without letters that are written to the left are as on any other page", () => {
  assert.deepEqual(textsOf([at("Total 40", 60, 50), at("3.", 45, 50), at("א", 60, 90)]), ["Total 40", "3.", "א"]);
});

test("lines drawn in the order of reading, from the right", () => {
  assert.deepEqual(textsOf([at("הסכר", 80, 50, 20), at(" ", 77, 50, 3), at("הישן", 57, 50, 20), at(" ", 54, 50, 3), at("נסדק", 34, 50, 20), at(".", 31, 50, 3)]), ["הסכר הישן נסדק."]);
  assert.deepEqual(textsOf([at("ع", 30, 50, 5), at("ُ", 32, 50, 0), at("م", 25, 50, 5), at("ا", 20, 50, 5), at("ن", 15, 50, 5)]), ["عُمان"]);
});

// They would take minutes if the time was not proportional to the length, and overflow the
// stack if a line was ever spread.
test("long lines with a letter that is written to the left", () => {
  const n = 200_000;
  for (const [one, width] of [["1", 5], [".", 5], ["\u05b0", 0]]) {
    const pieces = Array.from({ length: n }, (_, i) => at(one, i * width, 50, width));
    const [line, ...others] = textsOf([...pieces, at("א", n * width, 50)]);
    assert.equal(others.length, 0);
    assert.ok(line === `א${one.repeat(n)}`, one);
  }
});
