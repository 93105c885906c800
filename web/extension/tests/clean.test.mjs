// Invisible characters of pages, in texts and in comparisons.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";
import { here } from "./lib.mjs";

const { clean, squash } = (await runnerImport(here("../src/page/clean.ts"))).module;

test("invisible characters are not read", () => {
  for (const [text, want] of [
    ["The\u{e0049}\u{e0067} river\u{e0100}\u{e01ef} \ufff9rose\ufffb.", "The river rose."],
    ["葛\u{e0100}\u{e0101}城", "葛\u{e0100}城"],
    ["ri\u00adver\u200b \u202erose", "river rose"],
  ]) {
    assert.equal(clean(text), want);
    assert.equal(squash(clean(text)), squash(text));
  }
});
