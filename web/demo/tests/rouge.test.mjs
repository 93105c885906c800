// The page's ROUGE beside that of eval/rouge: the same figures.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { runnerImport } from "vite";
import { here } from "./lib.mjs";

let rouge, tokens, LongSentenceError, MAX_SENTENCE;
before(async () => {
  ({ rouge, tokens, LongSentenceError, MAX_SENTENCE } = (await runnerImport(here("../src/compare/rouge.ts"))).module);
});

const names = { rouge1: "ROUGE-1", rouge2: "ROUGE-2", rougeL: "ROUGE-L" };

test("the official script's figures, on its reference cases", () => {
  const groups = readFileSync(here("../../../eval/rouge/testdata/rouge155.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  let cases = 0;
  for (const { stem, limit_words: limit, cases: all } of groups) {
    if (stem || limit !== null) continue;
    for (const { summary, references, expected } of all) {
      // The script sees no other letters.
      const ascii = (lines) => lines.map((line) => line.replace(/[^\0-\x7f]+/g, " "));
      const got = rouge(ascii(summary), references.map(ascii));
      for (const [name, official] of Object.entries(names)) assert.deepEqual(got[name], expected[official], `case ${cases} ${name}`);
      cases++;
    }
  }
  assert.equal(cases, 12);
});

const texts = [
  ["The harbour of Nessel is closed. Nothing moves.", "Nothing moves, as the harbour of Nessel is closed."],
  ["Le pont de l’Île est rouvert depuis l'été.", "Depuis l\u2019e\u0301te\u0301, le pont de l’île est rouvert."],
  ["Мост в Несселе открыт снова.", "Снова открыт мост; в Несселе рады."],
  ["東京の港は三週間閉鎖される。カヌーは通れる。", "港は三週間閉鎖され、カヌーも東京を通る。"],
  ["ท่าเรือปิดสามสัปดาห์", "ปิดท่าเรือสามสัปดาห์"],
  ["ΟΔΥΣΣΕΥΣ και λόγος", "Οδυσσεύς ΚΑΙ ΛΌΓΟΣ"],
  ["İstanbul'da liman kapalı", "i̇stanbul'da LİMAN KAPALI"],
  ["हिन्दी में नदी 1२3 बढ़ी।", "नदी १23 बढ़ी, हिन्दी में"],
  ["soft\u00adhyphen zero\u200dwidth", "softhyphen zerowidth"],
  ["", "Nothing but words."],
  ["a b c d e f g h", "h g f e d c b a"],
];

test("the figures of eval/rouge in other scripts", () => {
  const cases = texts.flatMap(([one, other]) => [
    { summary: [one], references: [[other]] },
    { summary: one.split(/(?<=[.。])\s*/), references: [other.split(/(?<=[;、,])\s*/), ["Nothing here."]] },
  ]);
  const program = process.env.CERASUM ? [process.env.CERASUM] : ["go", "run", "./cmd/cerasum"];
  const output = execFileSync(program[0], [...program.slice(1), "rouge", "--unicode"], {
    cwd: here("../../.."), input: cases.map((one) => JSON.stringify(one)).join("\n"), encoding: "utf8",
  });
  const lines = output.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, cases.length);
  lines.forEach((line, i) => {
    const got = rouge(cases[i].summary, cases[i].references);
    for (const [name, official] of Object.entries(names)) assert.deepEqual(got[name], line[official], `${JSON.stringify(cases[i])} ${name}`);
  });
});

test("ties of the fifth decimal go to the even one, as printf has it", () => {
  const line = (n, word) => Array.from({ length: n }, (_, i) => `${word}${i}`).join(" ");
  // 1/64 = 0.015625 and 3/64 = 0.046875.
  assert.equal(rouge(["same0"], [[line(63, "other") + " same0"]]).rouge1.recall, 0.01562);
  assert.equal(rouge(["same0 same1 same2"], [[line(61, "other") + " same0 same1 same2"]]).rouge1.recall, 0.04688);
});

test("a sentence without an end is refused", () => {
  assert.throws(() => rouge(["a ".repeat(MAX_SENTENCE + 1)], [["a"]]), LongSentenceError);
  assert.equal(rouge(["a ".repeat(MAX_SENTENCE)], [["a"]]).rougeL.recall, 1);
  assert.deepEqual(tokens("It's 3_000 €."), ["it", "s", "3", "000"]);
});
