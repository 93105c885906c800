// The native program and the WebAssembly one must choose the same sentences.
// Scores may differ in the last digits: gonum's assembly sums in another order.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type BudgetUnit, createCore, type Order, type Summary } from "cerasum";
import { ferry } from "./cluster.js";
import { root } from "./support.js";

const letters: Record<BudgetUnit, string> = { words: "", sentences: "s", characters: "c" };

describe("native and WebAssembly", () => {
  const core = createCore();
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  const cli = join(folder, "cerasum");
  const files = ferry.map((_, i) => join(folder, `document-${i}.txt`));

  before(() => {
    execFileSync("go", ["build", "-o", cli, "./cmd/cerasum"], { cwd: root });
    ferry.forEach((document, i) => writeFileSync(files[i]!, document.text));
  });
  after(() => {
    core.destroy();
    rmSync(folder, { recursive: true });
  });

  const native = (method: string, budget: string, order: Order): Summary =>
    JSON.parse(execFileSync(cli, ["summarize", "--format", "json", "--method", method, "--budget", budget, "--order", order, ...files], {
      encoding: "utf8",
    })) as Summary;

  it("choose the same sentences with every method, unit and order", async () => {
    for (const { name: method, embeddings } of await core.methods()) {
      if (embeddings === "required") continue;
      for (const [amount, unit] of [[15, "words"], [40, "words"], [100, "words"], [4, "sentences"], [200, "characters"]] as const) {
        for (const order of ["document", "rank"] as const) {
          const what = `${method}, ${amount} ${unit}, ${order}`;
          const here = await core.summarize(ferry.map(({ text }) => ({ text })), { method, budget: { amount, unit }, order });
          // The program's auto has an encoder, this one has none: the method that ran is compared.
          const there = native(method === "auto" ? here.method : method, amount + letters[unit], order);
          const places = (s: Summary): unknown[] => s.sentences.map((q) => [q.document, q.sentence, q.start, q.end, q.text]);
          assert.deepEqual(places(here), places(there), what);
          assert.equal(here.text, there.text, what);
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
          });
        }
      }
    }
  });
});
