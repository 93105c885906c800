// What runs a model's graph: onnxruntime-web, or for static encoders our own code.

import type { Device } from "./encoder-messages.js";

/** The model failed while running, and may be in any state. */
export class RunError extends Error {}

/** Rows of numbers: texts × width, or texts × tokens × width before pooling. */
export interface Rows {
  values: Float32Array;
  width: number;
  /** Of the longest text, to which the others are padded. */
  tokens: number;
}

export interface Graph {
  /** Name of the model's file, for messages. */
  readonly file: string;
  readonly device: Device;
  /** Whether the output has a row per text rather than per token. */
  readonly perText: boolean;
  /** Runs texts, at least one token each. Rejects with a RunError. */
  run(texts: readonly Int32Array[]): Promise<Rows>;
}
