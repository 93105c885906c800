// Files of up to 5 MB made to hold the page: none takes more than 200 ms of processor
// time in a task of its main thread, or holds a Worker for longer than 20 s without
// being ended and told. So do 29 files in the formats of internal/files, and a table.
// `make bombs` reads 200; BOMBS, FROM and SEED give other numbers, ONLY is an expression that names
// match.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bombs, packedBombs, table } from "./bombs.mjs";
import { inPage, inProgram } from "./bombs-lib.mjs";
import { begin } from "./lib.mjs";

const { server, browser } = await begin();
const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const files = [...bombs(number("BOMBS", 14), 5e6, { seed: number("SEED", 1), from: number("FROM", 0) }), ...packedBombs(5e6), table(5e6)].filter(({ name }) => new RegExp(process.env.ONLY ?? "").test(name));
/** Milliseconds: a task of the page, a file with the start of its Worker, a document of the program with its summary. */
const MOST = { task: number("TASK", 200), file: 25_000, program: 120_000 };

test("bombs in the page", async (t) => {
  const bad = [];
  const kinds = new Map();
  for (const bomb of files) {
    const { told, taken, longest, log } = await inPage(browser, server.url, bomb, { traced: true });
    if (longest > MOST.task || taken > MOST.file || log.length > 0 || (told && !told.startsWith(bomb.name)) || told.endsWith("could not be parsed as HTML or Markdown")) bad.push({ name: bomb.name, start: String(bomb.content.subarray(-60)), told, taken, longest, log });
    const kind = bomb.name.split(".").at(-1);
    const sum = kinds.get(kind) ?? { files: 0, noted: 0, ended: 0, task: 0, file: 0 };
    kinds.set(kind, { files: sum.files + 1, noted: sum.noted + (told ? 1 : 0), ended: sum.ended + (/20 seconds/.test(told) ? 1 : 0), task: Math.max(sum.task, longest), file: Math.max(sum.file, taken) });
    if (process.env.VERBOSE) console.log(bomb.name, Math.round(longest), Math.round(taken), told);
  }
  for (const [kind, { files, noted, ended, task, file }] of kinds) t.diagnostic(`${kind}: ${files} files, ${noted} refused or read with a note, ${ended} of them ended after 20 s; longest task ${task.toFixed(0)} ms, longest file ${(file / 1000).toFixed(1)} s`);
  assert.deepEqual(bad, []);
});

test("bombs in the program", async () => {
  const bad = (await inProgram(files, MOST.program)).filter(({ name, code, error, taken }) => taken > MOST.program || (code !== 0 && !error.includes(name)));
  assert.deepEqual(bad, []);
});
