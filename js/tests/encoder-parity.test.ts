// The same sentences through hugot (the command line program) and the library,
// which runs the shipped encoder itself, give the same embeddings, and the same
// summaries; and the same embeddings as onnxruntime-web.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { createCore, createEncoder, type DocumentInput, type Summary } from "cerasum";
import { onRuntime } from "./encoders.js";
import { count, program, root } from "./support.js";

const COUNT = count(100, 1000);
const samples = join(root, "web/demo/samples");
const sample = (name: string): DocumentInput[] =>
  (JSON.parse(readFileSync(join(samples, name), "utf8")) as { documents: { text: string }[] }).documents.map(({ text }) => ({ text }));

describe("hugot, onnxruntime-web and the library", () => {
  const core = createCore();
  const encoder = createEncoder();
  const runtime = createEncoder({ model: onRuntime() });
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  let cli: string;

  before(() => void (cli = program(folder)));
  after(() => {
    core.destroy();
    encoder.destroy();
    runtime.destroy();
    rmSync(folder, { recursive: true });
  });

  const compare = async (texts: string[]): Promise<void> => {
    const input = join(folder, "texts.txt");
    const output = join(folder, "embeddings.f32");
    writeFileSync(input, texts.map((text) => `${text.replace(/\s+/gu, " ")}\n`).join(""));
    execFileSync(cli, ["embed", "--format", "f32", "--output", output, input]);
    const bytes = readFileSync(output);
    const there = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const { embeddings: here, dimensions } = await encoder.embed(texts.map((text) => text.replace(/\s+/gu, " ")));
    assert.equal(here.length, texts.length * dimensions);
    assert.equal(there.length, here.length);
    const { embeddings: other } = await runtime.embed(texts.map((text) => text.replace(/\s+/gu, " ")));
    texts.forEach((text, i) => {
      for (let k = i * dimensions; k < (i + 1) * dimensions; k++) {
        const most = Math.max(Math.abs(here[k]! - there[k]!), Math.abs(here[k]! - other[k]!));
        assert.ok(most <= 1e-6, `dimension ${k % dimensions}: ${here[k]}, hugot ${there[k]}, onnxruntime-web ${other[k]}: ${JSON.stringify(text)}`);
      }
    });
  };

  it(`embed ${COUNT} sentences of the samples alike`, async () => {
    const documents = readdirSync(samples).flatMap(sample);
    const sentences = (await core.open(documents)).documents.flatMap((one, i) => one.sentences.map(({ start, end }) => documents[i]!.text.slice(start, end)));
    assert.ok(sentences.length > 100);
    // With a number of their own each, so that no two are equal.
    await compare(Array.from({ length: COUNT }, (_, i) => `${sentences[i % sentences.length]} ${i}`));
  });

  const news = join(process.env.CERASUM_SHARED ?? join(root, "../shared"), "data/parallel/ntrex.jsonl.gz");
  it(`embed ${COUNT} sentences of 30 languages alike`, { skip: existsSync(news) ? false : `${news} is not there` }, async () => {
    const lines = gunzipSync(readFileSync(news)).toString("utf8").trim().split("\n").map((line) => JSON.parse(line) as Record<string, string>);
    const texts = lines.flatMap(({ document: _, ...languages }, i) => {
      const all = Object.values(languages);
      return all[i % all.length] ?? [];
    });
    await compare(texts.slice(0, COUNT));
  });

  it("give the same summaries", async () => {
    for (const name of readdirSync(samples)) {
      const documents = sample(name);
      const files = documents.map(({ text }, i) => {
        const file = join(folder, `${name}-${i}.txt`);
        writeFileSync(file, text);
        return file;
      });
      // In make test the other two for one sample: each starts the program with its encoder.
      for (const method of ["auto", "hybrid", "lexrank"].slice(0, name === "mixed.json" ? 3 : count(1, 3))) {
        const here = await core.summarize(documents, { method, budget: { words: 60 } }, { encoder });
        assert.equal((here as { fallback?: string }).fallback, undefined);
        const flags = ["summarize", "--format", "json", "--method", method, "--budget", "60"];
        if (method !== "auto") flags.push("--encoder", "default");
        const there = JSON.parse(execFileSync(cli, [...flags, ...files], { encoding: "utf8" })) as Summary;
        const places = (s: Summary): unknown[] => s.sentences.map((q) => [q.document, q.sentence, q.text]);
        assert.deepEqual(places(here), places(there), `${name}, ${method}`);
        assert.equal(here.method, there.method, `${name}, ${method}`);
      }
    }
  });
});
