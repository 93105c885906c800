// node fixtures.mjs
// Writes the tokenizers that the tests of internal/tokenizer read, with the ids
// that the reference gives for the sentences: internal/tokenizer/testdata/<name>/.
// The vocabularies are learnt from the sentences themselves, badly on purpose:
// some characters are left out, so that there is always something unknown.
import { mkdirSync, writeFileSync } from 'node:fs';
import { library, open } from './library.mjs';
import { sentences } from './sentences.mjs';

const folder = new URL('../testdata/', import.meta.url);

const special = (id, content, more = {}) => ({
  id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...more,
});
const template = (before, after) => ({
  type: 'TemplateProcessing',
  single: [
    { SpecialToken: { id: before, type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: after, type_id: 0 } },
  ],
  pair: [],
  special_tokens: {},
});
const replace = (from, to) => ({ type: 'Replace', pattern: { String: from }, content: to });
const regex = (from, to) => ({ type: 'Replace', pattern: { Regex: from }, content: to });
const sequence = (...normalizers) => ({ type: 'Sequence', normalizers });
const pretokenizers = (...list) => ({ type: 'Sequence', pretokenizers: list });

/** The words that a tokenizer's normalizer and pre-tokenizer make of the sentences. */
function words(file) {
  const tokenizer = new library.Tokenizer(
    { ...file, added_tokens: [], post_processor: null, model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0]] } },
    {},
  );
  const counts = new Map();
  for (const sentence of sentences) {
    const text = tokenizer.normalizer ? tokenizer.normalizer(sentence) : sentence;
    const list = tokenizer.pre_tokenizer ? tokenizer.pre_tokenizer(text, { section_index: 0 }) : [text];
    for (const word of list) if (word.length <= 120) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Characters, but every eleventh, and the frequent substrings of words. */
function pieces(counts, most) {
  const characters = new Map();
  const longer = new Map();
  const add = (map, piece, n) => map.set(piece, (map.get(piece) ?? 0) + n);
  for (const [word, n] of counts) {
    const chars = [...word];
    for (let i = 0; i < chars.length; i++) {
      add(characters, chars[i], n);
      for (let j = i + 2; j <= Math.min(i + 8, chars.length); j++) add(longer, chars.slice(i, j).join(''), n);
    }
  }
  const order = (map) => [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const kept = order(characters).filter(([c], i) => i % 11 !== 10 && !/\p{Cs}/u.test(c));
  return [...kept, ...order(longer).filter(([, n]) => n > 1).slice(0, most)];
}

function unigram(counts, specials, unk, most = 700, last = []) {
  const list = pieces(counts, most);
  const total = list.reduce((sum, [, n]) => sum + n, 0);
  const seen = new Set([...specials, ...last, '<extra>']);
  const vocab = specials.map((token) => [token, 0]);
  for (const [piece, n] of list) {
    if (seen.has(piece)) continue;
    seen.add(piece);
    // Coarse scores, so that many ways through a word are equally good.
    vocab.push([piece, Math.round(Math.log(n / total) * 4) / 4 - ([...piece].length > 1 ? 0 : 1.5)]);
  }
  for (const token of last) vocab.push([token, 0]);
  return { type: 'Unigram', unk_id: specials.indexOf(unk), vocab };
}

function wordPiece(counts, specials, more = {}) {
  const vocab = {};
  let id = 0;
  const add = (token) => { if (!Object.hasOwn(vocab, token)) vocab[token] = id++; };
  specials.forEach(add);
  for (const [piece, n] of pieces(counts, 500)) {
    add(piece);
    if (n > 1 || [...piece].length === 1) add('##' + piece);
  }
  return { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab, ...more };
}

function bpe(counts, specials, { rounds = 400, suffix = '', strings = false, ...more } = {}) {
  const symbols = [...counts].map(([word, n]) => {
    const chars = [...word];
    if (suffix && chars.length > 0) chars[chars.length - 1] += suffix;
    return { chars, n };
  });
  const base = new Map();
  for (const { chars, n } of symbols) for (const c of chars) base.set(c, (base.get(c) ?? 0) + n);
  const merges = [];
  const vocab = {};
  let id = 0;
  const add = (token) => { if (!Object.hasOwn(vocab, token)) vocab[token] = id++; };
  specials.forEach(add);
  [...base].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .filter(([c], i) => i % 13 !== 12 && !(strings && c.includes(' ')))
    .forEach(([c]) => add(c));
  for (let round = 0; round < rounds; round++) {
    const pairs = new Map();
    for (const { chars, n } of symbols) {
      for (let i = 0; i + 1 < chars.length; i++) {
        if (!Object.hasOwn(vocab, chars[i]) || !Object.hasOwn(vocab, chars[i + 1])) continue;
        const key = JSON.stringify([chars[i], chars[i + 1]]);
        pairs.set(key, (pairs.get(key) ?? 0) + n);
      }
    }
    let best = null;
    for (const [key, n] of pairs) if (!best || n > best[1] || (n === best[1] && key < best[0])) best = [key, n];
    if (!best || best[1] < 2) break;
    const [left, right] = JSON.parse(best[0]);
    merges.push([left, right]);
    add(left + right);
    for (const word of symbols) {
      const chars = [];
      for (let i = 0; i < word.chars.length; i++) {
        if (word.chars[i] === left && word.chars[i + 1] === right) chars.push(left + right), i++;
        else chars.push(word.chars[i]);
      }
      word.chars = chars;
    }
  }
  return { type: 'BPE', dropout: null, unk_token: null, ...more, vocab, merges: strings ? merges.map((m) => m.join(' ')) : merges };
}

// Letters of other scripts that one spelling is made of.
const latin = {
  ς: 'σ', α: 'a', β: 'b', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x', ο: 'o',
  π: 'p', ρ: 'r', σ: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o', ά: 'α', έ: 'e', ή: 'i', ί: 'i', ό: 'o', ύ: 'y', ώ: 'o',
  а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'е', ж: 'zh', з: 'z', и: 'i', й: 'j', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o',
  п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'h', ц: 'c', ч: 'ch', ш: 'sh', щ: 'sch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'ju',
  я: 'ja', і: 'i', ї: 'ji', є: 'je', ґ: 'g', ў: 'w', ђ: 'dj', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', џ: 'dz', ѓ: 'gj', ќ: 'kj', ѝ: 'i',
  'ı': 'i', ə: 'e', ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ð: 'd', ŋ: 'n', '’': "'", '‘': "'", '“': '"', '”': '"',
  '„': '"', '«': '"', '»': '"', '–': '-', '—': '-', '٠': '0', '١': '1', '٢': '2', '٣': '3', '२': '2', '๒': '2', '。': '.', '、': ',',
};

const gpt = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const bertSpecials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const robertaSpecials = ['<s>', '<pad>', '</s>', '<unk>'];

const fixtures = {
  'bert-uncased': {
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: template('[CLS]', '[SEP]'),
    model: (counts) => wordPiece(counts, bertSpecials),
    added_tokens: () => bertSpecials.map((token, i) => special(i, token, { lstrip: token === '[MASK]' })),
  },
  'bert-cased': {
    normalizer: { type: 'BertNormalizer', clean_text: false, handle_chinese_chars: true, strip_accents: true, lowercase: false },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    model: (counts) => wordPiece(counts, bertSpecials, { max_input_chars_per_word: 30, fuse_unk: true }),
    added_tokens: (size) => [
      ...bertSpecials.map((token, i) => special(i, token)),
      special(size, 'éxtra', { special: false, normalized: true, rstrip: true }),
      special(size + 1, '<extra>', { special: false, normalized: true, lstrip: true, rstrip: true }),
    ],
  },
  'xlm-roberta': {
    normalizer: sequence({ type: 'Precompiled', precompiled_charsmap: '' }, regex(' {2,}', ' ')),
    pre_tokenizer: pretokenizers({ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' }),
    post_processor: template('<s>', '</s>'),
    model: (counts) => unigram(counts, robertaSpecials, '<unk>', 700, ['<mask>']),
    added_tokens: (size) => [...robertaSpecials.map((token, i) => special(i, token)), special(size - 1, '<mask>', { lstrip: true })],
  },
  't5': {
    normalizer: { type: 'Precompiled', precompiled_charsmap: '' },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: true },
    post_processor: { type: 'TemplateProcessing', single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '</s>', type_id: 0 } }], pair: [], special_tokens: {} },
    model: (counts) => unigram(counts, ['<pad>', '</s>', '<unk>'], '<unk>', 300),
    added_tokens: (size) => [special(0, '<pad>'), special(1, '</s>'), special(2, '<unk>'), special(size, '<extra>', { special: false, normalized: true })],
  },
  'transliterated': {
    normalizer: sequence({ type: 'NFKC' }, replace('İ', 'i'), { type: 'Lowercase' }, ...Object.entries(latin).map(([from, to]) => replace(from, to)), replace('ss', 'ß'), replace("'", '')),
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    model: (counts) => unigram(counts, ['[PAD]', '[UNK]'], '[UNK]', 1200),
    added_tokens: () => [special(0, '[PAD]'), special(1, '[UNK]')],
  },
  'roberta': {
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
    post_processor: { type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 0], trim_offsets: true, add_prefix_space: true },
    model: (counts) => bpe(counts, robertaSpecials, { strings: true }),
    added_tokens: (size) => [...robertaSpecials.map((token, i) => special(i, token)), special(size, '<mask>', { lstrip: true })],
  },
  'llama-2': {
    normalizer: sequence({ type: 'Prepend', prepend: '▁' }, replace(' ', '▁')),
    pre_tokenizer: null,
    post_processor: { type: 'Sequence', processors: [{ type: 'ByteLevel' }, { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }], pair: [], special_tokens: {} }] },
    model: (counts) => bpe(counts, ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`).filter((_, i) => i !== 0xe4)],
      { unk_token: '<unk>', fuse_unk: true, byte_fallback: true, strings: true, rounds: 250 }),
    added_tokens: () => [special(0, '<unk>'), special(1, '<s>'), special(2, '</s>')],
  },
  'llama-3': {
    normalizer: { type: 'NFC' },
    pre_tokenizer: pretokenizers({ type: 'Split', pattern: { Regex: gpt }, behavior: 'Isolated', invert: false }, { type: 'ByteLevel', add_prefix_space: false, use_regex: false }),
    post_processor: null,
    model: (counts) => bpe(counts, [], { ignore_merges: true }),
    added_tokens: (size) => [special(size, '<s>')],
  },
  'clip': {
    normalizer: sequence({ type: 'NFC' }, regex('\\s+', ' '), { type: 'Lowercase' }),
    pre_tokenizer: { type: 'Split', pattern: { Regex: "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+" }, behavior: 'Removed', invert: true },
    post_processor: { type: 'RobertaProcessing', sep: ['<e>', 1], cls: ['<b>', 0] },
    model: (counts) => bpe(counts, ['<b>', '<e>', '<unk>'], { unk_token: '<unk>', suffix: '</w>', end_of_word_suffix: '</w>', rounds: 300 }),
    added_tokens: () => [special(0, '<b>'), special(1, '<e>')],
  },
  'parts': {
    normalizer: sequence({ type: 'Strip', strip_left: true, strip_right: true }, { type: 'NFKD' }, { type: 'StripAccents' }, null, replace('q', '$&$$u'), regex('(?<=\\d),(?=\\d)', '')),
    pre_tokenizer: pretokenizers({ type: 'Whitespace' }, { type: 'Punctuation', behavior: 'Isolated' }, { type: 'Digits', individual_digits: true },
      { type: 'Split', pattern: { String: 'er' }, behavior: 'Removed', invert: false }, { type: 'Split', pattern: { String: 'an' }, behavior: 'Removed' },
      { type: 'Replace', pattern: { String: '1' }, content: 'one' }, { type: 'FixedLength', length: 5 }),
    post_processor: { type: 'Sequence', processors: [template('[CLS]', '[SEP]'), { type: 'BertProcessing', sep: ['[PAD]', 0], cls: ['[MASK]', 4] }] },
    model: (counts) => wordPiece(counts, bertSpecials),
    added_tokens: () => bertSpecials.map((token, i) => special(i, token)),
  },
  'decomposed': {
    normalizer: sequence({ type: 'NFD' }, { type: 'Strip', strip_left: false, strip_right: true }),
    pre_tokenizer: pretokenizers({ type: 'Digits', individual_digits: false }, { type: 'Split', pattern: { Regex: '\\b|[[:punct:]&&[^-]]' }, behavior: 'Removed' }),
    post_processor: null,
    model: (counts) => wordPiece(counts, ['[UNK]']),
    added_tokens: () => [special(0, '[UNK]')],
  },
};

const lines = (list) => list.map((x) => JSON.stringify(x) + '\n').join('');
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('sentences.jsonl', folder), lines(sentences));
for (const [name, parts] of Object.entries(fixtures)) {
  const file = { version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: parts.normalizer, pre_tokenizer: parts.pre_tokenizer, post_processor: parts.post_processor, decoder: null, model: null };
  file.model = parts.model(words(file));
  const size = Array.isArray(file.model.vocab) ? file.model.vocab.length : Object.keys(file.model.vocab).length;
  file.added_tokens = parts.added_tokens(size);
  const path = new URL(`${name}/`, folder);
  mkdirSync(path, { recursive: true });
  const json = new URL('tokenizer.json', path);
  writeFileSync(json, JSON.stringify(file) + '\n');
  const tokenizer = open(json);
  const ids = sentences.map((text) => tokenizer.encode(text).ids);
  if (ids.flat().some((id) => !Number.isInteger(id))) throw new Error(`${name}: the reference gives no id for a token`);
  writeFileSync(new URL('ids.jsonl', path), lines(ids));
}
