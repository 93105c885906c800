// docs/browsers.md lists what is tested where: this holds it to the scenarios themselves.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { engines } from "../engines.mjs";
import { limits, reason } from "../limits.mjs";
import { extension } from "../scenarios/extension.mjs";
import { library } from "../scenarios/library.mjs";
import { quick, slow } from "../scenarios/page.mjs";
import { security } from "../scenarios/security.mjs";

const text = readFileSync(new URL("../../../docs/browsers.md", import.meta.url), "utf8");
const all = [...quick, ...slow, ...security, ...library, ...extension];

test("docs/browsers.md names every scenario and the engines that run it", () => {
  const mark = (engine, needs) => (reason(engine, needs) ? "no" : "yes");
  const rows = all.map(({ name, needs }) => `| ${name} | ${Object.keys(engines).map((engine) => mark(engine, needs)).join(" | ")} |`);
  const listed = text.split("\n").filter((line) => /\| (yes|no) \|$/.test(line));
  assert.deepEqual(listed, rows);
});

test("docs/browsers.md gives the reason of everything that an engine cannot do", () => {
  for (const { what, engines: those } of Object.values(limits)) {
    for (const [engine, why] of Object.entries(those)) assert.ok(text.includes(`| ${what} | ${engines[engine].title} | ${why} |`), `${what}, ${engine}`);
  }
});
