// @huggingface/tokenizers, which the build copies beside the compiled files: a
// worker has no import maps, so that a bare name would mean nothing to it.
// These are the parts of it that are used here.

interface TokenizerModel {
  config: unknown;
  tokens_to_ids: Map<string, number>;
  unk_token?: string;
  /** The pieces of words that the normalizer and the pre-tokenizer made. */
  encode(words: string[]): string[];
}

export class WordPiece implements TokenizerModel {
  config: unknown;
  tokens_to_ids: Map<string, number>;
  unk_token?: string;
  max_input_chars_per_word: number;
  encode(words: string[]): string[];
}

export class Unigram implements TokenizerModel {
  config: unknown;
  tokens_to_ids: Map<string, number>;
  unk_token?: string;
  vocab: string[];
  unk_token_id: number;
  /** Log probabilities by id. */
  scores: number[];
  unk_score: number;
  encode(words: string[]): string[];
}

export class Tokenizer {
  /** What tokenizer.json and tokenizer_config.json hold. */
  constructor(tokenizer: object, config: object);
  model: TokenizerModel;
  get_added_tokens_decoder(): Map<number, { content: string }>;
  encode(text: string, options?: { add_special_tokens?: boolean }): { ids: number[]; tokens: string[] };
}
