// No text makes a regular expression of the page, the extension, the package or the
// Worker run for longer than in proportion to its length.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { build } from "esbuild";
import { here } from "./lib.mjs";

const { outputFiles: [{ text: encoding }] } = await build({
  stdin: { contents: 'export * from "./encoding.ts";', resolveDir: here("../src/read"), loader: "ts" }, bundle: true, write: false, format: "iife", globalName: "encoding", target: "es2022",
});

/** Calls a function of read/encoding.ts with the bytes of a text. A pattern that hangs is ended. */
const call = (name, text) => vm.runInNewContext(`${encoding}; encoding[name](bytes)`, { name, bytes: Buffer.from(text), TextDecoder }, { timeout: 2000 });

test("tells pages from text, also after many comments", () => {
  for (const text of ["<!doctype html><p>A", " \n<HTML lang=en>", "<!-- a --> <!---->\n<head>", `${"<!---->".repeat(60)}<body>`]) {
    assert.equal(call("looksLikeHTML", text), true, text);
  }
  for (const text of ["A <html>", "<htmlish>", "<!-- <html>", "<p>A", "", `${"<!---->".repeat(60)} A river rose.`, `${"<!-- ".repeat(200)}-->`, "<!---->".repeat(146)]) {
    assert.equal(call("looksLikeHTML", text), false, text);
  }
});
