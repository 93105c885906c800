// Small weights of CeRA and CeRAI for the tests.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Tensors { [name: string]: { shape: number[]; data: number[] } }

/** D dimensions and P positions, of deterministic numbers. */
export function tensors(D: number, P: number, interpolation: boolean): Tensors {
  const shapes: [string, number[]][] = [
    ["input_norm.gain", [D]], ["input_norm.bias", [D]], ["position_embeddings", [P + 1, D]],
    ["attention.hidden.weight", [D, 2 * D]], ["attention.hidden.bias", [D]],
    ["attention.output.weight", [1, D]], ["attention.output.bias", [1]],
    ["output_norm.gain", [D]], ["output_norm.bias", [D]], ["output.weight", [D, D]], ["output.bias", [D]],
    ...(interpolation ? [
      ["interpolation.hidden.weight", [D, 2 * D]], ["interpolation.hidden.bias", [D]],
      ["interpolation.output.weight", [D, D]], ["interpolation.output.bias", [D]],
    ] as [string, number[]][] : []),
  ];
  let n = 0;
  return Object.fromEntries(shapes.map(([name, shape]) => {
    const size = shape.reduce((a, b) => a * b);
    return [name, { shape, data: Array.from({ length: size }, () => Math.fround(Math.sin(++n * 12.9898))) }];
  }));
}

/** The numbers in the order of the tensors. */
export const flat = (all: Tensors): number[] => Object.values(all).flatMap(({ data }) => data);

/** A safetensors file, which may hold its tensors in any order. */
export function file(all: Tensors): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  const numbers: number[] = [];
  for (const [name, { shape, data }] of Object.entries(all).reverse()) {
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

export const json = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

export interface Shipped { name: string; interpolation: boolean; free: boolean; encoder?: string }

/** The files of a folder of shipped weights by their paths. */
export function shippedFiles(all: Shipped[], D: number): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {
    "manifest.json": json({
      weights: all.map(({ name, interpolation, free, encoder = "" }) =>
        ({ name, method: interpolation ? "cerai" : "cera", encoder, dimensions: D, licence: free ? "CC BY 4.0" : "for research", free, corpora: [], files: [] })),
    }),
  };
  for (const { name, interpolation, free, encoder = "" } of all) {
    files[`${name}/config.json`] = json({ dimensions: D, positions: 3, interpolation, encoder, ...(free && { licence: "CC BY 4.0", free, corpora: ["ferries"] }) });
    files[`${name}/model.safetensors`] = file(tensors(D, 3, interpolation));
  }
  return files;
}

export function write(folder: string, files: Record<string, Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
