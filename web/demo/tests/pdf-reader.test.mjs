// Whatever a PDF holds, the page's reader gives a text with blocks within it, or the
// reason why there is none, and does not hold on to the file. FUZZ_MINUTES is how long the
// property is tried (`make fuzz`), FUZZ_SEED repeats a run. Without either, all runs are the
// same.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { build } from "esbuild";
import fc from "fast-check";
import { effort } from "../../common/tests/limits.mjs";
import { column, makePDF } from "../../common/tests/pdf.mjs";
import { here } from "./lib.mjs";

const tries = effort(60);

/** The reader in this thread, as in the page's Worker. */
async function reader() {
  // In the repository, from where pdf.js is found.
  mkdirSync(here("../../../build/out"), { recursive: true });
  const path = here(`../../../build/out/pdf-reader-${process.pid}.mjs`);
  const entry = 'import "pdfjs-dist/legacy/build/pdf.worker.mjs"; export { PDFError, textOf } from "./pdf.ts";';
  const { outputFiles } = await build({ stdin: { contents: entry, resolveDir: here("../../common/read"), loader: "ts" }, bundle: true, write: false, format: "esm", platform: "node", target: "es2024", external: ["pdfjs-dist"] });
  writeFileSync(path, outputFiles[0].text);
  try {
    return await import(path);
  } finally {
    rmSync(path);
  }
}
const { PDFError, textOf } = await reader();

const folder = here("../../../cmd/cerasum/internal/ingest/testdata/pdf/");
const seeds = readdirSync(folder).filter((name) => name.endsWith(".pdf")).map((name) => readFileSync(folder + name).toString("latin1")).filter(({ length }) => length < 40_000);
const words = ["BT /F 10 Tf 1 0 0 1 50 500 Tm (The river rose.) Tj ET", "q", "Q", "3 Tr", "1 g", "0 0 0 rg", "/Im Do", "/F 1e9 Tf", "BT", "ET", "[(a) -9e9 (b)] TJ", "0 0 0 0 0 0 cm", "1e38 0 0 1e38 0 0 cm", "W n", "20 20 360 560 re f", "BI /W 9999 /H 9999 ID x EI", "(", "<<", "]", "/P <</MCID 0>> BDC", "EMC", "/GS gs", "-1 0 0 1 0 0 Tm", "<feff0041> Tj", "()' ", "T*"];
const keys = ["/Length 0", "/Length 99999999", "/Filter /FlateDecode", "/Filter [/LZWDecode /ASCII85Decode]", "/Kids [2 0 R]", "/Count -1", "/Count 999999", "/Parent 2 0 R", "/Encrypt << /Filter /Standard /V 5 >>", "/Encoding /Identity-H", "/ToUnicode 8 0 R", "/MediaBox [0 0 0 0]", "/MediaBox [1e9 -1e9 nan null]", "/UserUnit 1e9", "/Rotate 45", "null", "true", "9 0 R", "65535 0 R", "/Type /ObjStm /N 9 /First 9", "/Root 2 0 R", "%", "endobj", "stream", "endstream", "xref", "startxref 0", "\0"];

/** A valid file with drawings of any kind, or a mutation of a file. */
const drawn = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })), { maxLength: 30 }).map((parts) => makePDF([[{ raw: parts.join("\n") }, ...column(["The river rose."])]]).toString("latin1"));
const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(60), add: fc.oneof(fc.constantFrom(...keys, ...words), fc.string({ maxLength: 12 }), fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("latin1")), fc.constant(deflateSync("BT (a) Tj ET").toString("latin1"))) });
const mutated = fc.tuple(fc.oneof(fc.constantFrom(...seeds), drawn), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([file, edits]) => edits.reduce((text, { at, remove, add }) => {
  const place = Math.floor(at * text.length);
  return text.slice(0, place) + add + text.slice(place + remove);
}, file));

test("PDFs", async (t) => {
  let runs = 0;
  let texts = 0;
  let longest = 0;
  const begun = performance.now();
  await fc.assert(fc.asyncProperty(fc.oneof({ weight: 1, arbitrary: drawn }, { weight: 3, arbitrary: mutated }), async (file) => {
    runs++;
    const start = performance.now();
    try {
      const { text, title, blocks, pages } = await textOf(new Uint8Array(Buffer.from(file, "latin1")), { maps: here("../../../node_modules/pdfjs-dist/cmaps/"), patience: 2000 });
      texts++;
      assert.equal(typeof title, "string");
      assert.ok(pages[0] <= pages[1]);
      let last = 0;
      for (const [from, to, kind] of blocks ?? []) {
        assert.ok(from >= last && to >= from && to <= text.length && typeof kind === "string", `${from} ${to} of ${text.length}`);
        last = to;
      }
    } catch (error) {
      if (!(error instanceof PDFError)) throw error;
    }
    longest = Math.max(longest, performance.now() - start);
  }), tries);
  assert.ok(texts > 0);
  t.diagnostic(`${runs} executions in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${texts} with a text, the longest ${longest.toFixed(0)} ms`);
});

test("ligatures beside hidden text stay", async () => {
  const raw = "BT /F 10 Tf 3 Tr 1 0 0 1 50 540 Tm (A secret.) Tj 0 Tr 1 0 0 1 50 500 Tm (They \\001nd a \\002ag in the o\\003ce.) Tj 1 0 0 1 50 480 Tm (\\001) Tj ET";
  const file = makePDF([[{ raw }]]).toString("latin1").replace("/Encoding /WinAnsiEncoding", "/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /fi 2 /fl 3 /ffi] /Type /Encoding >>");
  const { text } = await textOf(new Uint8Array(Buffer.from(file, "latin1")), { maps: here("../../../node_modules/pdfjs-dist/cmaps/") });
  assert.equal(text.replace(/\s+/g, " "), "They find a flag in the office. fi");
});
