import { FileError, parse } from "./encoder-files.js";
import { isObject } from "./encoder-pooling.js";
import { describe } from "./load.js";
import { useFastSplitter } from "./pieces.js";
import { Tokenizer as Library, Unigram } from "./tokenizers.js";

/** Turns texts into token ids, as a tokenizer.json specifies. */
export class Tokenizer {
  readonly #file: string;
  readonly #library: Library;
  /** The special tokens that the post-processor adds around a text. */
  readonly #before: number[];
  readonly #after: number[];

  /** Throws a FileError if any part of the file is not supported. */
  constructor(file: string, bytes: Uint8Array) {
    this.#file = file;
    const config = parse(file, bytes);
    try {
      if (!isObject(config)) throw new Error("want an object");
      for (const part of ["normalizer", "pre_tokenizer"]) checkPatterns(config[part], part);
      // Truncation and padding are done here instead.
      this.#library = build(config);
      const bare = this.#ids("a", false);
      const dressed = this.#ids("a", true);
      const at = dressed.findIndex((_, i) => bare.every((id, k) => dressed[i + k] === id));
      if (bare.length === 0 || at < 0) throw new Error("post_processor: a template that splits the tokens of a text is not supported");
      this.#before = dressed.slice(0, at);
      this.#after = dressed.slice(at + bare.length);
    } catch (error) {
      throw error instanceof FileError ? error : new FileError(file, describe(error), { cause: error });
    }
  }

  /** The ids of at most n tokens, including the special ones, which are never cut off. */
  encode(text: string, n: number): Int32Array {
    const ids = this.#ids(text, false);
    const special = this.#before.length + this.#after.length;
    const kept = Math.min(ids.length, Math.max(0, n - special));
    const out = new Int32Array(kept + special);
    out.set(this.#before);
    for (let i = 0; i < kept; i++) out[this.#before.length + i] = ids[i]!;
    out.set(this.#after, this.#before.length + kept);
    return out;
  }

  #ids(text: string, special: boolean): number[] {
    const { ids } = this.#library.encode(text, { add_special_tokens: special });
    // Models without an unknown token have no id for unknown pieces.
    if (!ids.every(Number.isInteger)) throw new FileError(this.#file, `no token for a part of ${JSON.stringify(text.slice(0, 80))}`);
    return ids;
  }
}

/**
 * The library's tokenizer with our own segmentation of words. For Unigram models
 * the library would build a tree of maps, which ours does not need: construct it
 * with one piece and add the others afterwards.
 */
function build(config: Record<string, unknown>): Library {
  const model = config["model"];
  const { vocab, unk_id: unknown } = isObject(model) && model["type"] === "Unigram" ? model : {};
  if (!Array.isArray(vocab) || !Number.isInteger(unknown) || !vocab.every(isPiece) || !vocab[unknown as number]) {
    const library = new Library(config, {});
    useFastSplitter(library);
    return library;
  }
  const id = unknown as number;
  const library = new Library({ ...config, model: { ...(model as object), vocab: [vocab[id]], unk_id: 0 } }, {});
  const own = library.model as Unigram;
  own.config = model;
  own.vocab = vocab.map(([piece]) => piece);
  own.scores = vocab.map(([, score]) => score);
  own.unk_token_id = id;
  own.unk_score = own.scores.reduce((least, score) => Math.min(least, score), Infinity) - 10;
  own.scores[id] = own.unk_score;
  own.tokens_to_ids = new Map(own.vocab.map((piece, i) => [piece, i]));
  for (const [i, token] of library.get_added_tokens_decoder()) {
    own.tokens_to_ids.set(token.content, i);
    own.vocab[i] = token.content;
  }
  useFastSplitter(library);
  return library;
}

const isPiece = (v: unknown): v is [string, number] => Array.isArray(v) && typeof v[0] === "string" && typeof v[1] === "number";

/** The library only warns about unknown patterns and ignores them. */
function checkPatterns(part: unknown, path: string): void {
  if (Array.isArray(part)) return part.forEach((one, i) => checkPatterns(one, `${path}[${i}]`));
  if (!isObject(part)) return;
  for (const [name, value] of Object.entries(part)) {
    if (name !== "pattern") checkPatterns(value, `${path}.${name}`);
    else if (!isObject(value) || typeof (value["String"] ?? value["Regex"]) !== "string") {
      throw new Error(`${path}.pattern: want a String or a Regex`);
    }
  }
}
