// What callers pass, copied when the call is made, so that it stays as it was
// then. Values are left for the core to refuse unless the copy needs them.

import type { OpenOptions } from "./calls.js";
import { OptionError, typeName } from "./errors.js";
import type { CentroidWeights, DocumentInput, SummarizeOptions } from "./protocol.js";
import type { LoadedWeights } from "./weights.js";

/** The options of one summary. */
export interface OwnOptions {
  options: Omit<SummarizeOptions, "weights">;
  weights: (CentroidWeights & Partial<LoadedWeights>) | undefined;
}

export function ownDocuments(documents: readonly DocumentInput[]): DocumentInput[] {
  if (!Array.isArray(documents)) throw new OptionError(`documents: want an array of documents, got ${typeName(documents)}`, "documents");
  return Array.from(documents as readonly unknown[], (document, i) => {
    const path = `documents[${i}]`;
    if (typeof document !== "object" || document === null || Array.isArray(document)) throw new OptionError(`${path}: want an object, got ${typeName(document)}`, path);
    const { text } = document as DocumentInput;
    if (typeof text !== "string") throw new OptionError(`${path}.text: want a string, got ${typeName(text)}`, `${path}.text`);
    const own = { ...document as DocumentInput };
    // Texts need no copy.
    return Object.values(own).every((value) => typeof value === "string") ? own : clone(own);
  });
}

/** Throws a TypeError for an unknown option. */
export function ownOpenOptions(options: OpenOptions): { languages?: readonly string[]; titles?: true } {
  const known = ["languages", "titles", "signal", "onprogress"];
  for (const name in options) {
    if (!known.includes(name)) throw new OptionError(`unknown option ${name}: want ${known.join(", ")}`, name);
  }
  const { languages, titles } = options;
  if (languages !== undefined && !Array.isArray(languages)) throw new OptionError(`languages: want an array of language tags, got ${typeName(languages)}`, "languages");
  if (titles !== undefined && typeof titles !== "boolean") throw new OptionError(`titles: want a boolean, got ${typeName(titles)}`, "titles");
  return { ...(languages && { languages: clone(languages) }), ...(titles && { titles: true }) };
}

export function ownOptions(options: SummarizeOptions): OwnOptions {
  if (typeof options !== "object" || options === null) throw new OptionError(`options: want an object, got ${typeName(options)}`, "options");
  const { weights, queryEmbedding, ...rest } = options;
  const own: OwnOptions = { options: clone(rest), weights: undefined };
  if (queryEmbedding !== undefined) own.options.queryEmbedding = ownNumbers(queryEmbedding, "options.queryEmbedding");
  if (weights !== undefined) {
    if (typeof weights !== "object" || weights === null) throw new OptionError(`options.weights: want an object, got ${typeName(weights)}`, "options.weights");
    const { data, ...more } = weights;
    own.weights = { ...clone(more), data: ownNumbers(data, "options.weights.data") };
    const { name, free } = own.weights;
    if (options.licence === "free" && free === false) {
      throw new OptionError(`options.weights: ${name} are not marked as trained on freely licensed corpora only, as options.licence requires`, "options.weights");
    }
  }
  return own;
}

/** The fields of weights that the core knows. */
export function coreWeights(weights: CentroidWeights & Partial<LoadedWeights>): CentroidWeights {
  const { name: _name, encoder: _encoder, licence: _licence, free: _free, ...rest } = weights;
  return rest;
}

/** The options of a summary without embeddings. */
export function withoutEmbeddings({ queryEmbedding: _1, denseWeight: _2, ...rest }: OwnOptions["options"]): OwnOptions["options"] {
  return rest;
}

/** Numbers in a buffer of their own: of a part the whole buffer would be cloned, and a shared one would not be. */
export function ownNumbers(numbers: Float32Array, field: string): Float32Array {
  if (numbers instanceof Float32Array) return numbers.slice();
  const got = ArrayBuffer.isView(numbers) ? `a ${(numbers as Uint8Array).constructor.name}` : typeName(numbers);
  throw new OptionError(`${field}: want a Float32Array, got ${got}`, field);
}

function clone<T>(value: T): T {
  try {
    return structuredClone(value);
  } catch (error) {
    throw new TypeError(`documents and options must be plain data: ${(error as Error).message}`, { cause: error });
  }
}
