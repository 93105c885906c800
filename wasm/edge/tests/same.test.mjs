// The built Worker and the command line program choose the same sentences.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { count } from "../../../web/common/tests/limits.mjs";
import { clusters } from "./clusters.mjs";
import { root, start } from "./lib.mjs";

const cli = process.env.CERASUM ?? join(root, "build/out/bin/cerasum");
const skip = !existsSync(cli) && `there is no ${cli}: make cli`;
const COUNT = count(10, 100);
const all = clusters(COUNT);
const jsonl = (values) => values.map((value) => JSON.stringify(value)).join("\n");
const run = (args, input) => execFileSync(cli, args, { input: Buffer.from(input), maxBuffer: 1 << 28 });

let worker;
before(async () => {
  worker = await start({ vars: { MAX_MILLISECONDS: "60000" } });
});
after(() => worker?.stop());

async function ask(path, body) {
  const response = await worker.post(path, body);
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer).slice(0, 500));
  return answer;
}

/** Holds the Worker's summaries of all clusters to the program's. */
async function same(args, more) {
  const lines = run(["summarize", ...args, "--format", "json", "--input-format", "jsonl", "-"], jsonl(all)).toString().trim().split("\n");
  assert.equal(lines.length, COUNT);
  const languages = new Set();
  for (const [i, cluster] of all.entries()) {
    const want = JSON.parse(lines[i]);
    const got = await ask("/v1/summarize", { ...cluster, ...more(i) });
    const places = ({ sentences }) => sentences.map(({ document, sentence, start, end }) => [document, sentence, start, end]);
    assert.deepEqual([got.id, got.method, got.text, places(got)], [want.id, want.method, want.text, places(want)], `cluster ${i}, ${args}`);
    for (const { language } of got.documents) languages.add(language);
  }
  assert.ok(languages.size >= 7, [...languages].join());
}

// The Worker has no encoder; the program would use the shipped one.
for (const method of ["auto", "instant"]) {
  test(`${COUNT} clusters by ${method}`, { skip }, () => same(["--method", method, "--encoder", "lexical"], () => ({ method })));
}

test(`${COUNT} clusters with the encoder's embeddings`, { skip }, async () => {
  const texts = [];
  const rows = [];
  for (const { documents } of all) {
    const parts = (await ask("/v1/sentences", { documents })).documents.flatMap(({ sentences }) => sentences.map(({ text }) => ({ text })));
    rows.push([texts.length, (texts.push(...parts), texts.length)]);
  }
  const embeddings = run(["embed", "--encoder", "default", "--jsonl", "--format", "f32"], jsonl(texts));
  const dimensions = embeddings.length / 4 / texts.length;
  assert.ok(Number.isInteger(dimensions) && dimensions > 1);
  const { languages } = JSON.parse(readFileSync(join(root, "models/encoder/config.json"), "utf8"));
  const given = (i) => ({ embeddings: embeddings.subarray(4 * dimensions * rows[i][0], 4 * dimensions * rows[i][1]).toString("base64"), dimensions, encoderLanguages: languages });
  for (const method of ["hybrid", "bs+gs"]) {
    await same(["--method", method, "--encoder", "default"], (i) => ({ method, ...given(i) }));
  }
});
