// Small encoders for the tests, made by testdata/encoders, and what they
// should give, computed the plain way.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EncoderFiles } from "cerasum";
import { shippedFiles } from "../dist/shipped.js";
import { Tokenizer } from "../dist/tokenizers.js";
import { root } from "./support.js";

/** Matrices are row-major; V pieces, D dimensions. */
interface Weights {
  vocab: string[];
  dims: number;
  table: number[];
  scales: number[];
  tokens: number[];
  types: number[];
  query: number[];
  key: number[];
  value: number[];
}

export interface TestEncoders {
  folder: string;
  weights: Weights;
  /** An export folder's files; `more` are JSON, or bytes. */
  files(model: "static" | "transformer", more?: Record<string, unknown>): EncoderFiles;
  ids(text: string): number[];
  remove(): void;
}

export function makeEncoders(): TestEncoders {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  execFileSync("go", ["run", "./js/tests/testdata/encoders", folder], { cwd: root });
  const read = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(join(folder, name)));
  const json = (name: string): object => JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
  const tokenizer = new Tokenizer(json("tokenizer.json"), {});
  return {
    folder,
    weights: json("weights.json") as Weights,
    files(model, more = {}) {
      const files: EncoderFiles = { "model.onnx": read(`${model}.onnx`), "tokenizer.json": read("tokenizer.json") };
      for (const [name, content] of Object.entries(more)) {
        if (content === undefined) delete files[name];
        else files[name] = content instanceof Uint8Array ? content as Uint8Array<ArrayBuffer> : new TextEncoder().encode(JSON.stringify(content));
      }
      return files;
    },
    ids: (text) => tokenizer.encode(text).ids,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The shipped encoder's files without the word that it is static: these run on onnxruntime. */
export function onRuntime(): EncoderFiles {
  const folder = join(root, "models/encoder");
  const { model_type: _, ...config } = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as Record<string, unknown>;
  const files: EncoderFiles = Object.fromEntries(shippedFiles.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
  return { ...files, "config.json": new TextEncoder().encode(JSON.stringify(config)) };
}

/** modules.json and what it names: modes of pooling, then layers. */
export function modules(modes: string[], layers: { dense?: Dense; normalize?: true }[] = [], width = 8): Record<string, unknown> {
  const all = ["mean", "cls", "max"];
  const long = (mode: string): string => `pooling_mode_${mode === "cls" ? "cls_token" : `${mode}_tokens`}`;
  const list = [
    { idx: 0, name: "0", path: "", type: "sentence_transformers.models.Transformer" },
    { idx: 1, name: "1", path: "1_Pooling", type: "sentence_transformers.models.Pooling" },
    ...layers.map(({ dense }, i) => {
      const kind = dense ? "Dense" : "Normalize";
      return { idx: i + 2, name: String(i + 2), path: `${i + 2}_${kind}`, type: `sentence_transformers.models.${kind}` };
    }),
  ];
  const files: Record<string, unknown> = {
    "modules.json": list,
    "1_Pooling/config.json": { word_embedding_dimension: width, ...Object.fromEntries(all.map((mode) => [long(mode), modes.includes(mode)])) },
  };
  layers.forEach(({ dense }, i) => {
    if (!dense) return;
    files[`${i + 2}_Dense/config.json`] = {
      in_features: dense.in, out_features: dense.out, bias: dense.bias !== undefined,
      activation_function: `torch.nn.modules.activation.${dense.activation}`,
    };
    files[`${i + 2}_Dense/model.safetensors`] = safetensors({
      "linear.weight": { shape: [dense.out, dense.in], data: dense.weight },
      ...(dense.bias && { "linear.bias": { shape: [dense.out], data: dense.bias } }),
    });
  });
  return files;
}

export interface Dense { in: number; out: number; weight: number[]; bias?: number[]; activation: "Tanh" | "Identity" }

/** A file of float32 tensors. */
export function safetensors(tensors: Record<string, { shape: number[]; data: number[] }>): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  const numbers: number[] = [];
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype: "F32", shape, data_offsets: [4 * numbers.length, 4 * (numbers.length + data.length)] };
    for (const x of data) numbers.push(x);
  }
  const head = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + head.length + 4 * numbers.length);
  const view = new DataView(file.buffer);
  view.setBigUint64(0, BigInt(head.length), true);
  file.set(head, 8);
  numbers.forEach((x, i) => view.setFloat32(8 + head.length + 4 * i, x, true));
  return file;
}

const rows = (matrix: number[], width: number): number[][] =>
  Array.from({ length: matrix.length / width }, (_, i) => matrix.slice(i * width, (i + 1) * width));
const add = (a: number[], b: number[]): number[] => a.map((x, i) => x + b[i]!);
const dot = (a: number[], b: number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const times = (v: number[], matrix: number[][]): number[] => matrix[0]!.map((_, j) => dot(v, matrix.map((row) => row[j]!)));
export const unit = (v: number[]): number[] => {
  const length = Math.sqrt(dot(v, v));
  return length > 0 ? v.map((x) => x / length) : v;
};

export function naiveStatic({ table, scales, dims }: Weights, ids: number[]): number[] {
  const all = rows(table, dims);
  return unit(ids.reduce((sum, id) => add(sum, all[id]!.map((x) => x * scales[id]!)), new Array<number>(dims).fill(0)));
}

/** The vectors of the tokens. */
export function naiveTransformer(w: Weights, ids: number[]): number[][] {
  const [tokens, types, query, key, value] = [w.tokens, w.types, w.query, w.key, w.value].map((matrix) => rows(matrix, w.dims)) as [number[][], number[][], number[][], number[][], number[][]];
  const h = ids.map((id) => add(tokens[id]!, types[0]!));
  const [q, k, v] = [query, key, value].map((matrix) => h.map((row) => times(row, matrix))) as [number[][], number[][], number[][]];
  return h.map((row, i) => {
    const scores = k.map((other) => dot(q[i]!, other));
    const top = Math.max(...scores);
    const shares = scores.map((s) => Math.exp(s - top));
    const sum = shares.reduce((a, b) => a + b);
    return shares.reduce((to, share, j) => add(to, v[j]!.map((x) => x * share / sum)), row);
  });
}

export function naivePool(mode: string, hidden: number[][]): number[] {
  if (mode === "cls") return hidden[0]!;
  return hidden[0]!.map((_, d) => {
    const column = hidden.map((row) => row[d]!);
    return mode === "max" ? Math.max(...column) : column.reduce((a, b) => a + b) / column.length;
  });
}

export function naiveDense({ weight, bias, activation, in: width }: Dense, v: number[]): number[] {
  return rows(weight, width).map((row, o) => {
    const x = dot(row, v) + (bias?.[o] ?? 0);
    return activation === "Tanh" ? Math.tanh(x) : x;
  });
}
