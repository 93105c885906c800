// Reads files of the safetensors format: eight bytes with the length of a JSON
// header, the header, the numbers. Same as safetensors.go of the command line
// program's encoder.

import { describe } from "./load.js";

export interface Tensor {
  shape: number[];
  /** Row-major. */
  data: Float32Array;
}

/** All tensors of a file by name. Throws an Error. */
export function parseSafetensors(bytes: Uint8Array<ArrayBuffer>): Map<string, Tensor> {
  if (bytes.length < 8) throw new Error("too short for a safetensors file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getBigUint64(0, true);
  if (length > BigInt(bytes.length - 8)) throw new Error(`header of ${length} bytes in a file of ${bytes.length} bytes`);
  const start = 8 + Number(length);
  const body = bytes.subarray(start);
  let header: Record<string, { dtype?: unknown; shape?: unknown; data_offsets?: unknown } | null>;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, start)));
  } catch (error) {
    throw new Error(`header: ${describe(error)}`, { cause: error });
  }
  const tensors = new Map<string, Tensor>();
  for (const [name, member] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: at } = member ?? {};
    if (!wholes(shape) || !wholes(at) || at.length !== 2) throw new Error(`header: tensor ${JSON.stringify(name)}: missing shape or data_offsets`);
    const [from, to] = at as [number, number];
    if (to < from || to > body.length) throw new Error(`tensor ${JSON.stringify(name)}: data_offsets ${from}–${to} outside the ${body.length} bytes of data`);
    const data = numbers(String(dtype), body.slice(from, to), name);
    if (shape.reduce((a, b) => a * b, 1) !== data.length) {
      throw new Error(`tensor ${JSON.stringify(name)}: ${data.length} values, but shape ${shape.join("×")}`);
    }
    tensors.set(name, { shape, data });
  }
  return tensors;
}

const wholes = (v: unknown): v is number[] => Array.isArray(v) && v.every((n) => Number.isSafeInteger(n) && n >= 0);

/** Bytes of a number. */
const SIZES: ReadonlyMap<string, number> = new Map([["F64", 8], ["F32", 4], ["F16", 2], ["BF16", 2]]);

function numbers(dtype: string, bytes: Uint8Array<ArrayBuffer>, name: string): Float32Array {
  const size = SIZES.get(dtype);
  if (!size) throw new Error(`tensor ${JSON.stringify(name)}: dtype ${dtype}: want F64, F32, F16 or BF16`);
  if (bytes.length % size !== 0) throw new Error(`tensor ${JSON.stringify(name)}: ${bytes.length} bytes of ${dtype}`);
  const view = new DataView(bytes.buffer);
  const read: Record<string, (at: number) => number> = {
    F64: (at) => view.getFloat64(at, true),
    F32: (at) => view.getFloat32(at, true),
    F16: (at) => half(view.getUint16(at, true)),
    BF16: (at) => {
      word.setUint32(0, view.getUint16(at, true) << 16);
      return word.getFloat32(0);
    },
  };
  const out = new Float32Array(bytes.length / size);
  for (let i = 0; i < out.length; i++) {
    out[i] = read[dtype]!(i * size);
    if (!Number.isFinite(out[i])) throw new Error(`tensor ${JSON.stringify(name)}: number ${i} is ${out[i]}`);
  }
  return out;
}

const word = new DataView(new ArrayBuffer(4));

/** Converts an IEEE 754 half to a number. */
function half(h: number): number {
  const sign = h & 0x8000 ? -1 : 1;
  const exponent = (h >> 10) & 31;
  const fraction = h & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}
