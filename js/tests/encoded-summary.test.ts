import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createCore, type DocumentInput, type Embeddings, OptionError, type SentenceEncoder, type SummarizeProgress } from "cerasum";
import { ferry } from "./cluster.js";
import { isDOM, rejection } from "./support.js";

/** One language: the Russian report is left out. */
const english = ferry.slice(0, 2);
const budget = { budget: { words: 60 } } as const;

/** Says the same of sentences that begin with the same letter; records what it is asked. */
class Letters implements SentenceEncoder {
  readonly asked: string[][] = [];
  languages: string[] | undefined;

  async embed(texts: readonly string[]): Promise<Embeddings> {
    this.asked.push([...texts]);
    const embeddings = new Float32Array(texts.length * 26);
    texts.forEach((text, i) => (embeddings[i * 26 + (text.codePointAt(0)! % 26)] = 1));
    return { embeddings, dimensions: 26 };
  }
}

const broken: SentenceEncoder = {
  embed: () => Promise.reject(new DOMException("the encoder cannot start: encoder.onnx: no protobuf", "OperationError")),
};

describe("summarize with an encoder", () => {
  const core = createCore();
  after(() => core.destroy());

  it("embeds the sentences of documents in several languages, in their order", async () => {
    const encoder = new Letters();
    const summary = await core.summarize(ferry, budget, { encoder });
    const session = await core.open(ferry);
    assert.deepEqual(encoder.asked, [session.documents.flatMap(({ sentences }, i) => sentences.map(({ start, end }) => ferry[i]!.text.slice(start, end)))]);
    await session.embed(await encoder.embed(encoder.asked[0]!));
    const same = await session.summarize(budget);
    assert.deepEqual(summary.sentences, same.sentences);
    assert.equal(summary.method, same.method);
    assert.notDeepEqual(summary.sentences, (await core.summarize(ferry, budget)).sentences);
    assert.equal(summary.fallback, undefined);
  });

  it("leaves the encoder alone where the method makes nothing of it", async () => {
    const encoder = new Letters();
    const plain = await core.summarize(english, budget);
    assert.equal(plain.method, "editor");
    assert.deepEqual((await core.summarize(english, budget, { encoder })).sentences, plain.sentences);
    assert.deepEqual((await core.summarize(english, { ...budget, denseWeight: 0.5 }, { encoder })).sentences, plain.sentences);
    assert.deepEqual((await core.summarize(english, { ...budget, method: "editor", denseWeight: 0.5 }, { encoder })).sentences, plain.sentences);
    await core.summarize(ferry, { ...budget, method: "salience" }, { encoder });
    await core.summarize(ferry, { ...budget, method: "instant" }, { encoder });
    assert.deepEqual(encoder.asked, []);
    assert.ok(await rejection(core.summarize(ferry, { method: "best" }, { encoder })) instanceof OptionError);
  });

  it("embeds for every method that takes embeddings, in one language too", async () => {
    for (const { name, embeddings, weights } of (await core.info()).methods) {
      if (name === "auto" || weights) continue;
      const encoder = new Letters();
      const summary = await core.summarize(english, { ...budget, method: name }, { encoder });
      // Method editor, as auto, uses them only between languages.
      assert.equal(encoder.asked.length, embeddings === "none" || name === "editor" ? 0 : 1, name);
      assert.equal(summary.method, name);
    }
  });

  it("tells the core the languages of the encoder", async () => {
    const encoder = new Letters();
    encoder.languages = ["fi"];
    assert.deepEqual((await core.summarize(ferry, budget, { encoder })).sentences, (await core.summarize(ferry, budget)).sentences, "it knows none of them");
    encoder.languages = ["multilingual"];
    const all = await core.summarize(ferry, budget, { encoder });
    encoder.languages = ["en-GB", "ru"];
    assert.deepEqual((await core.summarize(ferry, budget, { encoder })).sentences, all.sentences);
  });

  it("does without where the encoder fails and the method is auto, and says why", async () => {
    const plain = await core.summarize(ferry, budget);
    const summary = await core.summarize(ferry, budget, { encoder: broken });
    assert.deepEqual(summary.sentences, plain.sentences);
    assert.equal(summary.fallback, "the encoder cannot start: encoder.onnx: no protobuf");
  });

  it("rejects where the encoder fails and a method was asked for", async () => {
    const error = await rejection(core.summarize(ferry, { ...budget, method: "hybrid" }, { encoder: broken }));
    assert.ok(isDOM(error, "OperationError"));
    assert.match(String(error), /encoder\.onnx/);
  });

  it("rejects embeddings that are not those of the sentences", async () => {
    const wrong: SentenceEncoder = { embed: async (texts) => ({ embeddings: new Float32Array(texts.length * 3 + 1), dimensions: 3 }) };
    assert.ok(await rejection(core.summarize(ferry, { ...budget, method: "hybrid" }, { encoder: wrong })) instanceof OptionError);
    const old = await rejection(core.summarize(ferry, { embeddings: new Float32Array(3), dimensions: 3 } as object, { encoder: wrong }));
    assert.ok(old instanceof OptionError && /^options\.(dimensions|embeddings): unknown option/.test(old.message), String(old));
  });

  it("can be aborted while the encoder works", async () => {
    const controller = new AbortController();
    const slow: SentenceEncoder = {
      embed: (_, { signal } = {}) => new Promise((_resolve, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
        controller.abort("enough");
      }),
    };
    assert.equal(await rejection(core.summarize(ferry, budget, { encoder: slow, signal: controller.signal })), "enough");
  });

  it("tells of the encoder's progress and the core's", async () => {
    const told: SummarizeProgress[] = [];
    const encoder: SentenceEncoder = {
      async embed(texts, { onprogress } = {}) {
        onprogress?.({ stage: "load", done: 5, total: 10 });
        return new Letters().embed(texts);
      },
    };
    await core.summarize(ferry, budget, { encoder, onprogress: (progress) => told.push(progress) });
    const loading = told.findIndex(({ stage }) => stage === "load");
    assert.deepEqual(told[loading], { stage: "load", done: 5, total: 10 });
    assert.ok(told.slice(0, loading).every(({ stage }) => stage === "split" || stage === "encode"), "the session is opened first");
    assert.ok(told.slice(loading + 1).every(({ stage }) => stage !== "load") && told.length > loading + 1);
  });

  it("takes the documents as they were when it was called", async () => {
    const own: DocumentInput[] = ferry.map((document) => ({ ...document }));
    const call = core.summarize(own, budget, { encoder: new Letters() });
    own.length = 0;
    assert.ok((await call).sentences.length > 0);
  });
});
