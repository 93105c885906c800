import { FileError, parse } from "./encoder-files.js";
import { isObject } from "./encoder-pooling.js";
import { describe } from "./load.js";
import { quicken } from "./pieces.js";
import { Tokenizer as Library } from "./tokenizers.js";

/** Turns texts into the numbers of their tokens, as a tokenizer.json says. */
export class Tokenizer {
  readonly #file: string;
  readonly #library: Library;
  /** What the post-processor puts around the tokens of a text. */
  readonly #before: number[];
  readonly #after: number[];

  /** Throws a FileError where the file is not understood in all its parts. */
  constructor(file: string, bytes: Uint8Array) {
    this.#file = file;
    const config = parse(file, bytes);
    try {
      if (!isObject(config)) throw new Error("want an object");
      for (const part of ["normalizer", "pre_tokenizer"]) checkPatterns(config[part], part);
      // The file's own: a text is cut off and padded here.
      this.#library = new Library(config, {});
      quicken(this.#library);
      const bare = this.#ids("a", false);
      const dressed = this.#ids("a", true);
      const at = dressed.findIndex((_, i) => bare.every((id, k) => dressed[i + k] === id));
      if (bare.length === 0 || at < 0) throw new Error("post_processor: it does not keep the tokens of a text together");
      this.#before = dressed.slice(0, at);
      this.#after = dressed.slice(at + bare.length);
    } catch (error) {
      throw error instanceof FileError ? error : new FileError(file, describe(error), { cause: error });
    }
  }

  /** The ids of at most n tokens, special ones with them, which are never cut off. */
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
    // Models without an unknown token have no number for what they do not know.
    if (!ids.every(Number.isInteger)) throw new FileError(this.#file, `there is no token for a part of ${JSON.stringify(text.slice(0, 80))}`);
    return ids;
  }
}

/** The library only warns of patterns that it does not know, and goes on without them. */
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
