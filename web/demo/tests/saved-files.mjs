// Saved files of any content, for properties of fast-check.

import fc from "fast-check";

/** What all objects have, and what some do. */
const inherited = fc.constantFrom("constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__", "length", "name");
const word = fc.oneof(inherited, fc.constantFrom("words", "sentences", "characters", "amount", "auto", "story", "en", "2026-01-02", "paragraph"), fc.string());
const anything = fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue());
/** An object with these fields, some of them missing or of another kind, and others. */
export const like = (fields) => fc.tuple(fc.record(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fc.oneof({ weight: 40, arbitrary: value }, anything)])), { requiredKeys: [] }), fc.dictionary(word, anything, { maxKeys: 2 })).map(([known, other]) => ({ ...other, ...known }));
const budget = fc.oneof(fc.dictionary(word, fc.oneof(fc.integer({ min: 1, max: 900 }), anything), { maxKeys: 2 }), like({ amount: fc.integer({ min: -2, max: 900 }), unit: word }));
export const settings = like({ budget, order: word, method: word, licence: fc.constantFrom("any", "free", "any", "constructor") });
const text = fc.oneof(fc.string(), fc.constant("The harbour of Nessel is closed. Ships wait outside of it."), fc.string({ unit: "binary" }));
const block = fc.oneof(fc.tuple(fc.nat(70), fc.nat(70), word), anything);
export const document = like({ title: text, text, source: text, language: fc.constantFrom("en", "pt-BR", "constructor"), date: fc.constantFrom("2026-01-02", "2026-01-02", "__proto__"), madeUp: fc.boolean(), blocks: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(block, { maxLength: 3 })) });
export const file = like({ cerasum: fc.constantFrom(1, 1, 1, 0, 2), documents: fc.array(document, { maxLength: 3 }), settings });
