// Wrapped sentences on one line, as in Go.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { oneLine } from "../dist/one-line.js";
import { root } from "./support.js";

const cases = JSON.parse(readFileSync(join(root, "internal/text/testdata/one-line.json"), "utf8")) as [string, string][];

it("puts wrapped sentences on one line as Go does", () => {
  assert.ok(cases.length > 0);
  for (const [wrapped, line] of cases) assert.equal(oneLine(wrapped), line);
});
