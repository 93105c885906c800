import assert from "node:assert/strict";
import { it } from "node:test";
import { ferry } from "./cluster.js";
import { rounds } from "./rounds.js";

it("500 sessions after one another need no more memory than 100", async (t) => {
  const [early, late] = await rounds(ferry, ["auto", "lexrank"], [100, 500]);
  t.diagnostic(`${early! / 1e6} MB after 100, ${late! / 1e6} MB after 500`);
  assert.ok(late! <= 1.05 * early!, `${late! / 1e6} MB after ${early! / 1e6} MB`);
});
