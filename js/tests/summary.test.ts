// How the core's indices and numbers become a summary with its places in the texts.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { OpenedReply, Selection } from "../dist/protocol.js";
import { OpenedTexts } from "../dist/summary.js";

const inputs = [
  { text: "🚢 The ferry left. It sank. 14 were hurt.", title: "Sixteen hurt" },
  { text: "The ferry sank. 16 were hurt." },
];
const sentences = [[0, 18, 19, 27, 28, 41], [0, 15, 16, 29], [0, 12]];

const opened = (titles: boolean): OpenedTexts => new OpenedTexts(inputs, titles, {
  kind: "opened", id: 1, session: 1, embeddable: [], asking: [], timings: { split: 0, encode: 0 },
  documents: (titles ? [0, 1, 2] : [0, 1]).map((i) => ({ language: "en", sentences: sentences[i]!.length / 2 })),
  offsets: new Uint32Array((titles ? sentences : sentences.slice(0, 2)).flat()),
});

const selection = (titles: boolean, change: Partial<Selection> = {}): Selection => ({
  method: "lead", budget: { words: 9 }, used: 2, overBudget: false, score: 0,
  sentences: [{ document: 0, sentence: 1, score: 0, gain: 0, similar: [], context: [0] }],
  documents: Array.from({ length: titles ? 3 : 2 }, () => ({ chosen: 0, coverage: 0, attention: null })),
  disagreements: [{ what: "hurt", update: true, values: [{ value: "14", document: 0, start: 28, end: 30 }, { value: "16", document: 1, start: 16, end: 18 }] }],
  timings: { select: 0 },
  ...change,
});

describe("the sentences of documents", () => {
  it("are plain arrays of spans, the same at each access", () => {
    const { documents } = opened(false);
    const want = [
      { language: "en", sentences: [{ start: 0, end: 18 }, { start: 19, end: 27 }, { start: 28, end: 41 }] },
      { language: "en", sentences: [{ start: 0, end: 15 }, { start: 16, end: 29 }] },
    ];
    assert.deepEqual(JSON.parse(JSON.stringify(documents)), want);
    assert.deepEqual(structuredClone(documents), want);
    assert.ok(Array.isArray(documents[0]!.sentences));
    assert.equal(documents[0]!.sentences, documents[0]!.sentences);
    const replaced = { ...documents[1]!, sentences: [] };
    assert.deepEqual(replaced, { language: "en", sentences: [] });
  });

  it("are refused where their offsets do not fit the texts", () => {
    const reply = (counts: number[], offsets: number[]): OpenedReply => ({
      kind: "opened", id: 1, session: 1, embeddable: [], asking: [], timings: { split: 0, encode: 0 },
      documents: counts.map((sentences) => ({ language: "en", sentences })), offsets: new Uint32Array(offsets),
    });
    const cases: [OpenedReply, string][] = [
      [reply([1], [0, 1]), "documents: want 2, got 1"],
      [reply([1, 1], [0, 1]), "offsets: want 4, got 2"],
      [reply([1, 0], [0, 1, 2]), "offsets: want 2, got 3"],
      [reply([0, 2 ** 52], []), `offsets: want ${2 ** 53}, got 0`],
      [reply([1, 1], [0, 1, 2, 1]), "sentences of documents[1]: 2 to 1 is out of range in a text of 29 characters"],
      [reply([1, 1], [0, 1, 0, 30]), "sentences of documents[1]: 0 to 30 is out of range in a text of 29 characters"],
    ];
    for (const [one, message] of cases) assert.throws(() => new OpenedTexts(inputs, false, one), { message });
  });
});

describe("what a quote leans on and what documents disagree about", () => {
  it("have their places in the texts", () => {
    const { sentences: [quote], disagreements } = opened(false).join(selection(false), 0);
    assert.equal(quote!.text, "It sank.");
    assert.deepEqual(quote!.context, [{ document: 0, sentence: 0, start: 0, end: 18 }]);
    assert.deepEqual(disagreements, selection(false).disagreements);
    for (const { value, document, start, end } of disagreements[0]!.values) assert.equal(inputs[document]!.text.slice(start, end), value);
  });

  it("leave titles out", () => {
    const more = [...selection(true).disagreements[0]!.values, { value: "Sixteen", document: 2, start: 0, end: 7 }];
    const { disagreements } = opened(true).join(selection(true, {
      disagreements: [{ what: "hurt", update: false, values: more }, { what: "hurt", update: false, values: more.slice(1) }, { what: "hurt", update: false, values: more.slice(2) }],
    }), 0);
    assert.deepEqual(disagreements.map(({ values }) => values.map(({ value }) => value)), [["14", "16"]]);
  });

  it("are refused where they do not fit the texts", () => {
    const value = { value: "14", document: 0, start: 28, end: 30 };
    const wrong = (values: typeof value[]) => ({ disagreements: [{ what: "", update: false, values }] });
    const quote = selection(false).sentences[0]!;
    const cases: [Partial<Selection>, string][] = [
      [wrong([value, { ...value, document: 2 }]), "summary.disagreements[0].values[1]: there is no document 2"],
      [wrong([{ ...value, end: 42 }]), "summary.disagreements[0].values[0]: 28 to 42 is out of range in a text of 41 characters"],
      [wrong([{ ...value, start: 31 }]), "summary.disagreements[0].values[0]: 31 to 30 is out of range in a text of 41 characters"],
      [{ sentences: [{ ...quote, context: [0, 3] }] }, "summary.sentences[0].context[1]: document 0 has no sentence 3"],
    ];
    for (const [change, message] of cases) assert.throws(() => opened(false).join(selection(false, change), 0), { message });
  });
});
