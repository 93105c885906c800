// The native program and the WebAssembly one must choose the same sentences.
// Scores may differ in the last digits: gonum's assembly sums in another order.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { type Budget, type BudgetUnit, createCore, createEncoder, loadWeights, type Order, type Summary } from "cerasum";
import { ferry } from "./cluster.js";
import { again, count, it, program, root } from "./support.js";
import { file, json, tensors, write } from "./weights.js";

const letters: Record<BudgetUnit, string> = { words: "", sentences: "s", characters: "c", paperWords: "p" };

describe("native and WebAssembly", () => {
  const core = createCore();
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  let cli: string;
  const files = ferry.map((_, i) => join(folder, `document-${i}.txt`));

  before(() => {
    cli = program(folder);
    ferry.forEach((document, i) => writeFileSync(files[i]!, document.text));
  });
  after(() => {
    core.destroy();
    rmSync(folder, { recursive: true });
  });

  const native = (method: string, budget: string, order: Order, ...more: string[]): Summary =>
    JSON.parse(execFileSync(cli, ["summarize", "--format", "json", "--method", method, "--budget", budget, "--order", order, ...more, ...files], {
      encoding: "utf8",
    })) as Summary;

  again("choose the same sentences with every method, unit and order", async () => {
    for (const { name: method, embeddings } of (await core.info()).methods) {
      if (embeddings === "required") continue;
      for (const [amount, unit] of [[15, "words"], [40, "words"], [100, "words"], [4, "sentences"], [200, "characters"]] as const) {
        for (const order of (["story", "document", "rank"] as const).slice(0, count(1, 3))) {
          const what = `${method}, ${amount} ${unit}, ${order}`;
          const here = await core.summarize(ferry.map(({ text }) => ({ text })), { method, budget: { [unit]: amount } as unknown as Budget, order });
          const there = native(method, amount + letters[unit], order, "--encoder", "lexical");
          const places = (s: Summary): unknown[] => s.sentences.map((q) => [q.document, q.sentence, q.start, q.end, q.text]);
          assert.deepEqual(places(here), places(there), what);
          assert.equal(here.text, there.text, what);
          assert.deepEqual(here.sentences.map(({ context }) => context), there.sentences.map(({ context }) => context), what);
          assert.deepEqual(here.disagreements, there.disagreements, what);
          assert.equal(here.method, there.method, what);
          assert.equal(here.overBudget, there.overBudget, what);
          here.sentences.forEach((q, i) => {
            for (const field of ["score", "gain"] as const) {
              const difference = Math.abs(q[field] - there.sentences[i]![field]);
              assert.ok(difference < 1e-6, `${what}: ${field} of sentence ${i} differs by ${difference}`);
            }
          });
          here.documents.forEach((d, i) => {
            assert.equal(d.language, there.documents[i]!.language, what);
            assert.ok(Math.abs(d.coverage - there.documents[i]!.coverage) < 1e-6, what);
            near(d.attention, there.documents[i]!.attention, 1e-6, what);
          });
        }
      }
    }
  });

  it("choose the same sentences with an encoder and weights", { skip: !existsSync(join(root, "js/dist/encoder/encoder.onnx")) && "this build has no encoder" }, async () => {
    const { encoder } = JSON.parse(readFileSync(join(root, "models/manifest.json"), "utf8")) as { encoder: { name: string; dimensions: number } };
    const D = encoder.dimensions;
    const own = createEncoder({ core });
    for (const method of ["cera", "cerai"]) {
      const interpolation = method === "cerai";
      const path = join(folder, method);
      write(path, {
        "config.json": json({ dimensions: D, positions: 4, interpolation, encoder: encoder.name }),
        "model.safetensors": file(tensors(D, 4, interpolation)),
      });
      const weights = await loadWeights(path);
      const here = await core.summarize(ferry.map(({ text }) => ({ text })), { method, weights, budget: { words: 60 } }, { encoder: own });
      const there = native(method, "60", "story", "--weights", path, "--encoder", "default");
      assert.equal(here.text, there.text, method);
      // Two programs run the encoder, in 8 bits; weights are random.
      here.documents.forEach((d, i) => near(d.attention, there.documents[i]!.attention, 2e-2, method));
    }
    own.destroy();
  });

  function near(here: number[] | null, there: number[] | null, tolerance: number, what: string): void {
    assert.equal(here?.length, there?.length, what);
    here?.forEach((x, i) => assert.ok(Math.abs(x - there![i]!) < tolerance, `${what}: attention ${i} is ${x} and ${there![i]}`));
  }
});
