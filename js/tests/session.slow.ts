import assert from "node:assert/strict";
import { it } from "node:test";
import { ferry } from "./cluster.js";
import { rounds } from "./rounds.js";

it("2,000 sessions after one another need no more memory than 100", async (t) => {
  const [early, late] = await rounds(ferry, ["auto", "lexrank"], [100, 2000]);
  t.diagnostic(`${early! / 1e6} MB after 100, ${late! / 1e6} MB after 2,000`);
  // The heap levels off between 11 and 12 MB, depending on when garbage is collected.
  assert.ok(late! - early! < 2e6, `${late! / 1e6} MB after ${early! / 1e6} MB`);
});
