// What users build on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { report } from "../../build/api.mjs";
import { root } from "./support.js";

it("js/api.md lists what the package exports", () => {
  assert.equal(readFileSync(join(root, "js/api.md"), "utf8"), report(), "the exports have changed: if that is meant, run node build/api.mjs");
});

it("the README names each of them, and no other type", () => {
  const readme = readFileSync(join(root, "js/README.md"), "utf8");
  const exported = [...report().matchAll(/^## (\w+)/gm)].map(([, name]) => name!);
  assert.deepEqual(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme)), []);
  const types = /^## Types$([^]*?)^## /m.exec(readme)![1]!;
  assert.deepEqual([...types.matchAll(/`(\w+)`/g)].map(([, name]) => name!).filter((name) => !exported.includes(name)), []);
});

it("its names are those that a program gets", async () => {
  const values = new Set(Object.keys(await import("cerasum")));
  const declared = [...report().matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual([...values].sort(), declared.sort());
});
