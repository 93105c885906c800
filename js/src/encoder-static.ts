// The static encoder without onnxruntime: a table of token vectors, whose sum is
// scaled to unit length. Its file is the one that internal/onnx/static.go writes.
// V tokens, D dimensions.

import { FileError } from "./encoder-files.js";
import { type Graph, type Rows, RunError } from "./encoder-graph.js";

/** Operation, inputs, outputs and attributes of each node. */
const NODES = [
  "Gather table,input_ids rows_int8 axis=0",
  "Cast rows_int8 rows to=1",
  "Gather scales,input_ids scale axis=0",
  "Cast attention_mask mask to=1",
  "Mul scale,mask weight",
  "Unsqueeze weight,axis_1 weight_row",
  "MatMul weight_row,rows sum_row",
  "Squeeze sum_row,axis_1 sum",
  "ReduceL2 sum norm axes=1 keepdims=1",
  "Max norm,epsilon length",
  "Div sum,length sentence_embedding",
];

/** Types of tensors, as in ONNX. */
const FLOAT32 = 1, INT8 = 3, INT64 = 7;

/** A text without known tokens gives zeros, not NaN. */
const EPSILON = Math.fround(1e-12);

/**
 * The graph in an ONNX file if it is that of the static encoder, with its numbers as
 * raw bytes; otherwise undefined. Throws a FileError if the file is damaged.
 */
export function staticGraph(file: string, bytes: Uint8Array<ArrayBuffer>): Graph | undefined {
  try {
    return read(file, bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new FileError(file, `invalid ONNX file: ${error.message}`, { cause: error });
    throw error;
  }
}

function read(file: string, bytes: Uint8Array<ArrayBuffer>): Graph | undefined {
  const nodes: string[] = [];
  const tensors = new Map<string, Tensor>();
  for (const [part, graph] of fields(bytes)) {
    if (part !== 7) continue;
    for (const [field, value] of fields(message(graph))) {
      if (field === 1) nodes.push(nodeOf(message(value)));
      if (field === 5) {
        const tensor = tensorOf(message(value));
        tensors.set(tensor.name, tensor);
      }
    }
  }
  if (nodes.length === 0) throw new RangeError("no graph");
  const { table, scales, axis_1: axis, epsilon } = Object.fromEntries(tensors);
  const known = nodes.join("\n") === NODES.join("\n") && tensors.size === 4
    && table?.type === INT8 && scales?.type === FLOAT32 && axis?.type === INT64 && epsilon?.type === FLOAT32
    && table.shape.length === 2 && scales.shape.length === 1 && table.shape[0] === scales.shape[0]
    && axis.raw.join() === "1,0,0,0,0,0,0,0" && floats(epsilon.raw).join() === String(EPSILON);
  if (!known) return undefined;
  const [V, D] = table.shape as [number, number];
  if (V === 0 || D === 0) throw new RangeError(`table: ${V}×${D}, want at least one row and one column`);
  // Other programs may store numbers in other fields, or in another file.
  if (table.raw.length === 0 || scales.raw.length === 0) return undefined;
  if (table.raw.length !== V * D) throw new RangeError(`table: ${table.raw.length} bytes, want ${V}×${D}`);
  if (scales.raw.length !== 4 * V) throw new RangeError(`scales: ${scales.raw.length} bytes, want 4×${V}`);
  const factors = floats(scales.raw);
  const bad = factors.findIndex((scale) => !Number.isFinite(scale));
  if (bad >= 0) throw new RangeError(`scales: number ${bad} is ${factors[bad]}`);
  return new StaticGraph(file, new Int8Array(table.raw.buffer, table.raw.byteOffset, V * D), factors, D);
}

class StaticGraph implements Graph {
  readonly device = "wasm";
  readonly perText = true;

  /** table is V × D, row-major; scales has V numbers: the vector of token i is scales[i] · table[i]. */
  constructor(
    readonly file: string,
    private readonly table: Int8Array,
    private readonly scales: Float32Array,
    private readonly width: number,
  ) {}

  async run(texts: readonly Int32Array[]): Promise<Rows> {
    const { table, scales, width } = this;
    const values = new Float32Array(texts.length * width);
    // In float64: the result is then as exact as float32 can be, whatever order a runtime adds in.
    const sum = new Float64Array(width);
    texts.forEach((ids, row) => {
      sum.fill(0);
      for (const id of ids) {
        const scale = scales[id];
        if (scale === undefined) throw new RunError(`${this.file}: token ${id} is out of range: the table has ${scales.length} rows`);
        for (let d = 0, at = id * width; d < width; d++, at++) sum[d]! += scale * table[at]!;
      }
      let squares = 0;
      for (let d = 0; d < width; d++) squares += sum[d]! * sum[d]!;
      const length = Math.max(Math.sqrt(squares), EPSILON);
      for (let d = 0, at = row * width; d < width; d++, at++) values[at] = sum[d]! / length;
    });
    return { values, width, tokens: Math.max(...texts.map((ids) => ids.length)) };
  }
}

// The part of protobuf and of onnx.proto that is needed here.

type Bytes = Uint8Array<ArrayBuffer>;

interface Tensor { name: string; type: number; shape: number[]; raw: Bytes }

/** Fields of a message by their numbers. Varints are numbers, exact up to 2^53. Throws a RangeError. */
function* fields(bytes: Bytes): Generator<[field: number, value: number | Bytes]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("cut off");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError(`number of more than ten bytes at byte ${at}`);
  };
  const take = (length: number): Bytes => {
    if (length > bytes.length - at) throw new RangeError("cut off");
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = varint();
    const [field, kind] = [Math.floor(tag / 8), tag % 8];
    if (kind === 0) yield [field, varint()];
    else if (kind === 1) yield [field, take(8)];
    else if (kind === 2) yield [field, take(varint())];
    else if (kind === 5) yield [field, take(4)];
    else throw new RangeError(`unknown kind of field ${kind}`);
  }
}

function message(value: number | Bytes): Bytes {
  if (typeof value === "number") throw new RangeError("number in place of a message");
  return value;
}

const text = (value: number | Bytes): string => new TextDecoder().decode(message(value));

/** Little-endian, as all browsers are; copied, since the bytes may not be aligned. */
const floats = (raw: Bytes): Float32Array => new Float32Array(raw.slice().buffer);

function nodeOf(bytes: Bytes): string {
  const inputs: string[] = [], outputs: string[] = [], attributes: string[] = [];
  let operation = "";
  for (const [field, value] of fields(bytes)) {
    if (field === 1) inputs.push(text(value));
    else if (field === 2) outputs.push(text(value));
    // An operation, or its domain: those of ONNX have none.
    else if (field === 4 || field === 7) operation += text(value);
    else if (field === 5) attributes.push(attributeOf(message(value)));
  }
  return [operation, inputs.join(","), outputs.join(","), ...attributes].join(" ");
}

function attributeOf(bytes: Bytes): string {
  let name = "";
  const values: string[] = [];
  for (const [field, value] of fields(bytes)) {
    if (field === 1) name = text(value);
    // An integer (3) or several (8); of no other kind here.
    else if (field !== 20) values.push(field === 3 || field === 8 ? String(value) : "?");
  }
  return `${name}=${values.join(",")}`;
}

function tensorOf(bytes: Bytes): Tensor {
  const tensor: Tensor = { name: "", type: 0, shape: [], raw: new Uint8Array() };
  for (const [field, value] of fields(bytes)) {
    if (field === 1) tensor.shape.push(typeof value === "number" ? value : NaN);
    else if (field === 2) tensor.type = Number(value);
    else if (field === 8) tensor.name = text(value);
    else if (field === 9) tensor.raw = message(value);
  }
  return tensor;
}
