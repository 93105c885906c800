// The reference: @huggingface/tokenizers, as npm installed it for the page.
import { readFileSync } from 'node:fs';
import * as library from '@huggingface/tokenizers';

export { library };

/** Reads a tokenizer.json as the page does, without a tokenizer_config.json. */
export function open(path) {
  return new library.Tokenizer(JSON.parse(readFileSync(path, 'utf8')), {});
}
