// Names in the files of a model are looked up in own properties only.

import assert from "node:assert/strict";
import { it } from "node:test";
import { parseSafetensors } from "../dist/safetensors.js";

function file(dtype: string): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(JSON.stringify({ weight: { dtype, shape: [1], data_offsets: [0, 4] } }));
  const bytes = new Uint8Array(8 + header.length + 4);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true);
  bytes.set(header, 8);
  return bytes;
}

it("refuses a type of numbers that is what all objects have", () => {
  assert.equal(parseSafetensors(file("F32")).get("weight")?.data.length, 1);
  for (const dtype of ["constructor", "__proto__", "toString"]) assert.throws(() => parseSafetensors(file(dtype)), /want F64, F32, F16 or BF16/);
});
