// The modules after the transformer in an export folder: pooling, dense layers,
// normalization. Same as pooling.go of the command line program's encoder. T
// tokens, D dimensions of a token's vector.

import { FileError, type Files } from "./encoder-files.js";
import { describe } from "./load.js";
import { parseSafetensors } from "./safetensors.js";

/** In the order in which sentence-transformers puts their vectors. */
const MODES = ["cls", "max", "mean"] as const;
type Mode = (typeof MODES)[number];

export interface Pooling {
  file: string;
  /** At least one. */
  modes: Mode[];
  /** Of a token's vector; 0 if not stated. */
  width: number;
  excludesPrompt: boolean;
}

/** A module after the pooling. */
export interface Step {
  /** The output width; throws for an input width it does not accept. */
  width(width: number): number;
  /** The vector after the step; it may change v. */
  apply(v: Float32Array): Float32Array;
}

export const meanPooling: Pooling = { file: "modules.json", modes: ["mean"], width: 0, excludesPrompt: false };

type Settings = Record<string, unknown>;
export const isObject = (v: unknown): v is Settings => typeof v === "object" && v !== null && !Array.isArray(v);

async function settings(files: Files, name: string): Promise<Settings> {
  const c = await files.settings(name);
  if (c === undefined) throw new FileError(name, "file not found");
  if (!isObject(c)) throw new FileError(name, "want an object");
  return c;
}

const integer = (file: string, name: string, v: unknown, most: number): number => {
  if (!Number.isInteger(v) || (v as number) < 1 || (v as number) > most) {
    throw new FileError(file, `${name} is ${JSON.stringify(v)}: want a whole number from 1 to ${most}`);
  }
  return v as number;
};

export async function readPooling(files: Files, name: string): Promise<Pooling> {
  const c = await settings(files, name);
  let width = 0;
  for (const key of ["word_embedding_dimension", "embedding_dimension"]) {
    if (c[key] !== undefined && c[key] !== null) width = integer(name, key, c[key], 1 << 20);
  }
  const prefix = "pooling_mode_";
  const set = new Set(Object.keys(c).filter((key) => key.startsWith(prefix) && c[key] === true).map((key) => key.slice(prefix.length)));
  // Newer versions write one member, with names like "mean" or "cls+mean".
  const named = c["pooling_mode"];
  if (typeof named === "string") named.split("+").forEach((mode) => set.add(mode));
  else if (Array.isArray(named)) named.forEach((mode) => set.add(String(mode)));
  const modes = MODES.filter((mode) => {
    const long = mode === "cls" ? "cls_token" : `${mode}_tokens`;
    const found = set.has(mode) || set.has(long);
    set.delete(mode);
    set.delete(long);
    return found;
  });
  for (const mode of set) throw new FileError(name, `unknown pooling mode ${JSON.stringify(mode)}: want cls_token, max_tokens or mean_tokens`);
  if (modes.length === 0) throw new FileError(name, "no pooling mode set");
  return { file: name, modes, width, excludesPrompt: c["include_prompt"] === false };
}

/**
 * Makes the vector of one text, D numbers for each mode. hidden is T × D, of
 * which the first n tokens are the text's. Without a token it is all zeros.
 */
export function pool(modes: readonly Mode[], hidden: Float32Array, n: number, width: number): Float32Array {
  const out = new Float32Array(width * modes.length);
  if (n === 0) return out;
  modes.forEach((mode, i) => {
    const to = out.subarray(i * width, (i + 1) * width);
    if (mode !== "mean") to.set(hidden.subarray(0, width));
    if (mode === "cls") return;
    for (let t = mode === "max" ? 1 : 0; t < n; t++) {
      for (let d = 0; d < width; d++) {
        const v = hidden[t * width + d]!;
        if (mode === "mean") to[d]! += v;
        // Comparisons would drop a NaN.
        else if (!(v <= to[d]!)) to[d] = v;
      }
    }
    if (mode === "mean") for (let d = 0; d < width; d++) to[d]! /= n;
  });
  return out;
}

/** Scales vectors to unit length; zeros stay zeros. */
export const normalize: Step = {
  width: (width) => width,
  apply(v) {
    let sum = 0;
    for (const x of v) sum += x * x;
    if (sum > 0) {
      const scale = 1 / Math.sqrt(sum);
      for (let d = 0; d < v.length; d++) v[d]! *= scale;
    }
    return v;
  },
};

/** By the last part of the class name. */
const activations: Record<string, (x: number) => number> = {
  Identity: (x) => x,
  Tanh: Math.tanh,
  ReLU: (x) => Math.max(x, 0),
  Sigmoid: (x) => 1 / (1 + Math.exp(-x)),
};

/** A layer: activation(weight·v + bias). */
export async function readDense(files: Files, folder: string): Promise<Step> {
  const name = `${folder}/config.json`;
  const c = await settings(files, name);
  const inside = integer(name, "in_features", c["in_features"], 1 << 16);
  const outside = integer(name, "out_features", c["out_features"], 1 << 16);
  const kind = c["activation_function"] ?? "Tanh"; // the default of sentence-transformers' Dense module
  const activation = typeof kind === "string" ? kind.slice(kind.lastIndexOf(".") + 1) : "";
  if (!Object.hasOwn(activations, activation)) {
    throw new FileError(name, `unknown activation_function ${JSON.stringify(kind)}: want ${Object.keys(activations).join(", ")}`);
  }
  const file = `${folder}/model.safetensors`;
  const bytes = await files.read(file);
  if (!bytes) throw new FileError(file, "file not found");
  let tensors: ReturnType<typeof parseSafetensors>;
  try {
    tensors = parseSafetensors(bytes);
  } catch (error) {
    throw new FileError(file, describe(error), { cause: error });
  }
  const take = (tensor: string, ...shape: number[]): Float32Array => {
    const found = tensors.get(tensor);
    if (!found) throw new FileError(file, `missing tensor ${JSON.stringify(tensor)}`);
    if (String(found.shape) !== String(shape)) {
      throw new FileError(file, `tensor ${JSON.stringify(tensor)} is ${found.shape.join("×")}, but config.json says ${shape.join("×")}`);
    }
    return found.data;
  };
  const weight = take("linear.weight", outside, inside);
  const bias = c["bias"] === false ? new Float32Array(outside) : take("linear.bias", outside);
  return dense(name, weight, bias, activations[activation]!);
}

/** weight is out × in, row-major; bias has out numbers. */
export function dense(name: string, weight: Float32Array, bias: Float32Array, activation: (x: number) => number): Step {
  const outside = bias.length;
  const inside = weight.length / outside;
  return {
    width(width) {
      if (width !== inside) throw new FileError(name, `in_features is ${inside}, but its input has ${width} dimensions`);
      return outside;
    },
    apply(v) {
      const out = new Float32Array(outside);
      for (let o = 0; o < outside; o++) {
        let sum = 0;
        for (let i = 0, at = o * inside; i < inside; i++) sum += weight[at + i]! * v[i]!;
        out[o] = activation(sum + bias[o]!);
      }
      return out;
    },
  };
}
