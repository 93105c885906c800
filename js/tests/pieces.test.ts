// Our way of cutting words into pieces against the tokenizer library's own.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Tokenizer as Own } from "../dist/encoder-tokenizer.js";
import { useFastSplitter } from "../dist/pieces.js";
import { Tokenizer } from "../dist/tokenizers.js";

/** Numbers below n, always the same. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const letters = [..."abcdeи船🚢é"];
const word = (next: (n: number) => number, most: number): string => Array.from({ length: 1 + next(most) }, () => letters[next(letters.length)]).join("");

const config = (model: object): object => ({
  version: "1.0", added_tokens: [{ id: 0, content: "[UNK]", special: true }, { id: 1, content: "abc", special: false, normalized: true }],
  normalizer: null, pre_tokenizer: { type: "WhitespaceSplit" }, post_processor: null, decoder: null, model,
});

const models: Record<string, (next: (n: number) => number) => object> = {
  WordPiece: (next) => {
    const vocab: Record<string, number> = { "[UNK]": 0, abc: 1 };
    for (const c of letters.slice(0, 7)) for (const piece of [c, `##${c}`]) vocab[piece] ??= Object.keys(vocab).length;
    for (let i = 0; i < 300; i++) vocab[(next(2) ? "##" : "") + word(next, 5)] ??= Object.keys(vocab).length;
    return config({ type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 12, vocab });
  },
  Unigram: (next) => {
    // Scores from a short list, so that ways are often as likely as each other.
    const pieces = new Set(["[UNK]", "abc", ...letters.slice(0, 7)]);
    for (let i = 0; i < 300; i++) pieces.add(word(next, 5));
    return config({ type: "Unigram", unk_id: 0, vocab: [...pieces].map((piece) => [piece, -1 - next(6)]) });
  },
};

for (const [name, make] of Object.entries(models)) {
  describe(name, () => {
    it("gives the ids that the library gives, also to what is cut off", () => {
      for (let seed = 1; seed <= 20; seed++) {
        const next = random(seed);
        const model = make(next);
        const [plain, own] = [new Tokenizer(model, {}), new Own("tokenizer.json", new TextEncoder().encode(JSON.stringify(model)))];
        for (let i = 0; i < 100; i++) {
          const text = Array.from({ length: 1 + next(4) }, () => word(next, 16)).join(" ");
          const { ids } = plain.encode(text);
          assert.deepEqual([...own.encode(text, 1e6)], ids, JSON.stringify(text));
          assert.deepEqual([...own.encode(text, 3)], ids.slice(0, 3), JSON.stringify(text));
        }
      }
    });

    it("gives the pieces that the library gives", () => {
      for (let seed = 1; seed <= 20; seed++) {
        const next = random(seed);
        const model = make(next);
        const [plain, quick] = [new Tokenizer(model, {}), new Tokenizer(model, {})];
        const before = quick.model.encode;
        useFastSplitter(quick);
        assert.notEqual(quick.model.encode, before);
        for (let i = 0; i < 200; i++) {
          const text = Array.from({ length: 1 + next(4) }, () => word(next, 16)).join(" ");
          assert.deepEqual(quick.encode(text), plain.encode(text), JSON.stringify(text));
        }
        for (const text of ["", " ", "zzz", "🚢🚢🚢", "a".repeat(13), "a".repeat(5000)]) assert.deepEqual(quick.encode(text), plain.encode(text), text);
      }
    });
  });
}
