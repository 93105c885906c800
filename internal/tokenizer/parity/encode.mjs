// node encode.mjs tokenizer.json < texts > ids
// Texts and ids are JSON, a line for each text. Where a second argument is
// "normalize", the lines that come out are the normalized texts.
import { createInterface } from 'node:readline';
import { open } from './library.mjs';

const [path, mode = 'encode'] = process.argv.slice(2);
const tokenizer = open(path);
const run = {
  encode: (text) => tokenizer.encode(text).ids,
  normalize: (text) => (tokenizer.normalizer === null ? text : tokenizer.normalizer(text)),
}[mode];
let out = '';
for await (const line of createInterface({ input: process.stdin })) {
  out += JSON.stringify(run(JSON.parse(line))) + '\n';
  if (out.length > 1 << 20) {
    process.stdout.write(out);
    out = '';
  }
}
process.stdout.write(out);
