import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createCore, EmptyInputError, OptionError, type SummarizeProgress, type Summary, type SummarizeOptions } from "cerasum";
import { ferry } from "./cluster.js";
import { isDOM, rejection, root } from "./support.js";
import { tapped } from "./tapped.js";
import { tinyFiles } from "./tiny-encoder.js";
import { flat, tensors } from "./weights.js";

const words = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;

describe("core", () => {
  const core = createCore();
  after(() => core.destroy());

  it("has the version of the project", async () => {
    const fresh = createCore();
    assert.equal(fresh.version, undefined);
    await fresh.ready();
    assert.equal(fresh.version, readFileSync(join(root, "core/VERSION"), "utf8").trim());
    for (const file of ["package.json", "js/package.json"]) {
      const { version } = JSON.parse(readFileSync(join(root, file), "utf8")) as { version: string };
      assert.equal(version, fresh.version, file);
    }
    fresh.destroy();
  });

  it("lists its methods, auto first", async () => {
    const methods = (await core.info()).methods;
    assert.equal(methods[0]?.name, "auto");
    for (const { name, title, description } of methods) {
      assert.match(name, /^[a-z0-9+-]+$/);
      assert.ok(title && description, name);
    }
  });

  it("describes what methods do with embeddings and with fill", async () => {
    const { methods } = await core.info();
    const one = await core.open(ferry.slice(0, 1));
    for (const { name, embeddings, acrossLanguages, fill } of methods) {
      assert.equal(one.wantsEmbeddings(name), embeddings !== "none" && !acrossLanguages, name);
      const filled = core.summarize(ferry, { method: name, fill: true }).catch((error: Error) => error.message);
      if (embeddings !== "required") assert.equal(typeof await filled === "object", fill, name);
    }
    one.close();
    assert.deepEqual(methods.filter(({ acrossLanguages }) => acrossLanguages).map(({ name }) => name), ["auto", "editor"]);
  });

  it("uses editor by default, and non-commercial weights only with licence any", async () => {
    const english = ferry.slice(0, 2);
    const ran = async (options: SummarizeOptions): Promise<string> => (await core.summarize(english, options)).method;
    const long = { words: 100 } as const;
    for (const budget of [{ words: 30 }, long] as const) {
      assert.equal(await ran({ budget }), "editor");
      assert.equal(await ran({ budget, licence: "any" }), "editor");
      assert.equal(await ran({ method: "salience", budget }), "salience");
    }
    const any = await core.summarize(english, { method: "salience", budget: long, licence: "any" });
    const free = await core.summarize(english, { method: "salience", budget: long });
    assert.notDeepEqual(free.documents.map((d) => d.attention), any.documents.map((d) => d.attention), "another network weighs");
    assert.deepEqual((await core.summarize(english, { method: "salience", budget: long, licence: "free" })).sentences, free.sentences);
  });

  it("splits where text.slice finds the sentences", async () => {
    const documents = [
      { text: "\ufeffA mark. 🚢🚢 Two ships. Ένα, δύο." },
      { text: "Ein halbes \ud83d Zeichen steht hier. Noch ein Satz." },
      { text: "", language: "en" },
      { text: "Um, dois. Três\u0000quatro cinco.", language: "pt-BR" },
    ];
    const { documents: split } = await core.open(documents);
    assert.equal(split.length, documents.length);
    const slices = split.map((d, i) => d.sentences.map((s) => documents[i]!.text.slice(s.start, s.end)));
    assert.deepEqual(slices[1], ["Ein halbes \ud83d Zeichen steht hier.", "Noch ein Satz."]);
    assert.deepEqual(slices[2], []);
    assert.deepEqual(slices[0]!.slice(-1), ["Ένα, δύο."]);
    assert.match(slices[0]!.join(" "), /🚢🚢 Two ships\./u);
    assert.equal(split[3]!.language, "pt");
    for (const spans of slices.slice(1)) for (const s of spans) assert.equal(s, s.trim());
    // The places are the same after a byte order mark, which decoders like to drop.
    const { sentences } = await core.summarize(documents.slice(0, 1));
    for (const q of sentences) assert.equal(documents[0]!.text.slice(q.start, q.end), q.text);
  });

  it("quotes within the budget, each sentence at its place", async () => {
    const progress: SummarizeProgress[] = [];
    const summary = await core.summarize(ferry, { budget: { words: 40 } }, {
      onprogress: (p) => progress.push(p),
    });
    assert.ok(summary.sentences.length > 0);
    assert.ok(summary.used <= 40 && summary.used === words(summary.text), `${summary.used} words of "${summary.text}"`);
    assert.equal(summary.overBudget, false);
    assert.deepEqual(summary.budget, { words: 40 });
    for (const q of summary.sentences) {
      assert.equal(ferry[q.document]!.text.slice(q.start, q.end), q.text);
      for (const s of q.similar) {
        assert.notEqual(s.document, q.document);
        assert.ok(ferry[s.document]!.text.slice(s.start, s.end).length > 0);
      }
    }
    assert.deepEqual(summary.text.split("\n").length, summary.sentences.length);
    assert.deepEqual(summary.documents.map((d) => d.source), ferry.map((d) => d.source));
    assert.equal(summary.documents[2]!.language, "ru");
    const chosen = summary.documents.map((d) => d.chosen).reduce((a, b) => a + b);
    assert.equal(chosen, summary.sentences.length);
    const gains = summary.sentences.reduce((sum, q) => sum + q.gain, 0);
    assert.ok(Math.abs(gains - summary.score) < 1e-6, `gains ${gains}, score ${summary.score}`);
    for (const ms of Object.values(summary.timings)) assert.ok(ms >= 0 && ms < 60_000);
    assert.ok(progress.length > 0);
  });

  it("takes all units and orders", async () => {
    const five = await core.summarize(ferry, { budget: { sentences: 3 }, fill: true, order: "rank" });
    assert.equal(five.sentences.length, 3);
    const places = five.sentences.map((q) => q.document * 1000 + q.sentence);
    const reading = await core.summarize(ferry, { budget: { sentences: 3 }, fill: true, order: "document" });
    assert.deepEqual(reading.sentences.map((q) => q.document * 1000 + q.sentence), [...places].sort((a, b) => a - b));
    const story = await core.summarize(ferry, { budget: { sentences: 3 }, fill: true, order: "story" });
    assert.deepEqual([...story.sentences.map((q) => q.document * 1000 + q.sentence)].sort((a, b) => a - b), [...places].sort((a, b) => a - b));
    assert.equal((await core.summarize(ferry, { budget: { sentences: 3 }, fill: true })).text, story.text, "the default");
    const short = await core.summarize(ferry, { budget: { characters: 120 } });
    assert.ok(short.text.length <= 120 && short.used <= 120, short.text);
    const over = await core.summarize(ferry, { budget: { words: 1 } });
    assert.equal(over.overBudget, true);
    assert.equal(over.sentences.length, 1);
  });

  it("gives the same summary twice, with every method", async () => {
    for (const { name, embeddings, weights } of (await core.info()).methods) {
      const interpolation = name === "cerai";
      const options: SummarizeOptions = {
        method: name, budget: { words: 40 },
        ...(weights && { weights: { dimensions: 26, positions: 4, interpolation, data: Float32Array.from(flat(tensors(26, 4, interpolation))) } }),
      };
      const summarize = async (): Promise<Summary> => {
        const session = await core.open(ferry);
        if (embeddings === "required") await session.embed(letters(session.texts));
        return session.summarize(options);
      };
      const [a, b] = await Promise.all([summarize(), summarize()]);
      assert.deepEqual(a.sentences, b.sentences, name);
      assert.deepEqual(a.documents, b.documents, name);
    }
  });

  /** Embeddings of one dimension a letter: how often it occurs. */
  function letters(texts: readonly string[]): { embeddings: Float32Array; dimensions: number } {
    const embeddings = new Float32Array(26 * texts.length);
    texts.forEach((s, k) => {
      for (const letter of s.toLowerCase().match(/[a-z]/g) ?? []) embeddings[26 * k + letter.charCodeAt(0) - 97]! += 1;
    });
    return { embeddings, dimensions: 26 };
  }

  it("takes embeddings, copied when the call is made", async () => {
    const options: SummarizeOptions = { method: "bs+gs", budget: { words: 40 } };
    const session = await core.open(ferry);
    const lexical = await session.summarize(options);
    const { embeddings, dimensions } = letters(session.texts);
    await session.embed({ embeddings, dimensions });
    const dense = await session.summarize(options);
    assert.notEqual(dense.score, lexical.score);
    assert.equal(dense.method, "bs+gs");
    assert.deepEqual((await session.summarize({ ...options, denseWeight: 0 })).sentences, lexical.sentences);
    assert.deepEqual((await session.summarize({ ...options, denseWeight: 1 })).sentences, dense.sentences);
    await session.embed({ embeddings, dimensions, languages: ["fi"] });
    assert.deepEqual((await session.summarize(options)).sentences, lexical.sentences, "the encoder knows none of the languages");
    // A part of a larger buffer, a shared one, and one that changes after the call.
    const larger = new Float32Array(embeddings.length + 1000);
    larger.set(embeddings, 500);
    const shared = new Float32Array(new SharedArrayBuffer(embeddings.byteLength));
    shared.set(embeddings);
    const later = embeddings.slice();
    const calls = [larger.subarray(500, 500 + embeddings.length), shared, later].map(async (numbers) => {
      const calls = [session.embed({ embeddings: numbers, dimensions }), session.summarize(options)] as const;
      if (numbers.length === embeddings.length && numbers !== embeddings) numbers.fill(NaN);
      return (await Promise.all(calls))[1];
    });
    for (const { sentences } of await Promise.all(calls)) assert.deepEqual(sentences, dense.sentences);
    assert.equal(embeddings.length % dimensions, 0, "the caller keeps its array");
  });

  it("rejects bad embeddings with a TypeError", async () => {
    const session = await core.open(ferry);
    const { embeddings, dimensions } = letters(session.texts);
    const message = async (call: Promise<unknown>): Promise<string> => {
      const error = await rejection(call);
      assert.ok(error instanceof OptionError, String(error));
      return error.message;
    };
    const embed = (source: object): Promise<string> => message(session.embed(source as never));
    assert.equal(await embed({ embeddings: [...embeddings], dimensions }), "embeddings: want a Float32Array, got an array");
    assert.match(await embed({ embeddings: embeddings.subarray(1), dimensions }), /^embeddings: want \d+ numbers \(\d+ × 26\), got \d+$/);
    assert.match(await embed({ embeddings }), /^dimensions: want a whole number, got nothing/);
    embeddings[2 * dimensions + 3] = NaN;
    assert.match(await embed({ embeddings, dimensions }), /^embeddings: want finite numbers, got NaN in row 2, column 3/);
    assert.equal(await embed({ embeddings: new Float64Array(4), dimensions }), "embeddings: want a Float32Array, got a Float64Array");
    assert.match(await message(session.summarize({ method: "hybrid" })), /^options\.method: hybrid requires embeddings/);
    assert.ok((await session.summarize()).sentences.length > 0, "the session has none of them");
  });

  it("rejects bad options with a TypeError that names the field", async () => {
    const bad = await rejection(core.summarize(ferry, { budget: { words: 0 } }));
    assert.ok(bad instanceof TypeError && bad instanceof OptionError);
    assert.equal(bad.field, "options.budget.words");
    assert.match(bad.message, /^options\.budget\.words: want a whole number from 1 to .*, got 0$/);
    const method = await rejection(core.summarize(ferry, { method: "magic" }));
    assert.ok(method instanceof OptionError);
    assert.match(method.message, /^options\.method: want auto, .* got "magic"$/);
    const unknown = await rejection(core.summarize(ferry, { lenght: 5 } as SummarizeOptions));
    assert.ok(unknown instanceof OptionError && unknown.field === "options.lenght");
    const cloned = await rejection(core.open([{ text: () => "x" }] as never));
    assert.ok(cloned instanceof TypeError);
    assert.throws(() => createCore({ wasmUrl: "x" } as never), /unknown option wasmUrl: want wasmURL/);
  });

  it("rejects empty input with an EmptyInputError", async () => {
    for (const documents of [[], [{ text: "" }], [{ text: " \n\t" }], [{ text: "… — !?" }]]) {
      assert.ok(await rejection(core.summarize(documents)) instanceof EmptyInputError, JSON.stringify(documents));
    }
    assert.deepEqual((await core.open([])).documents, []);
  });

  it("copies the documents when it is called", async () => {
    const documents = [{ text: "The first text is here." }];
    const first = core.open([{ text: "One." }]);
    const second = core.summarize(documents);
    documents[0]!.text = "Another text altogether.";
    await first;
    assert.equal((await second).text, "The first text is here.");
  });

  it("takes many documents and strange text", async () => {
    const many = Array.from({ length: 5000 }, (_, i) => ({ text: `Report ${i} says that the river rose ${i % 7} metres.` }));
    const summary = await core.summarize(many, { budget: { words: 30 } });
    assert.equal(summary.documents.length, 5000);
    assert.ok(summary.used <= 30);
    const strange = "\u0000\uffff\ud800 \u202eשלום עולם. 👩‍👩‍👧‍👦 \u0001\u0002 مرحبا بالعالم.";
    const { documents: [split] } = await core.open([{ text: strange }]);
    for (const s of split!.sentences) assert.ok(strange.slice(s.start, s.end).trim());
  });

  it("rejects with the right errors after destroy", async () => {
    const doomed = createCore();
    const calls = [doomed.info(), doomed.open(ferry)].map(rejection);
    doomed.destroy();
    doomed.destroy();
    for (const error of await Promise.all([...calls, rejection(doomed.info()), rejection(doomed.ready())])) {
      assert.ok(isDOM(error, "AbortError"), String(error));
    }
  });
});

describe("tokenize", () => {
  const vocabulary = tinyFiles["vocabulary.bin"];
  const texts = ["ferry, ferry", "", "q"];

  it("gives the ids of texts and questions, between BOS and EOS", async () => {
    const core = createCore();
    const { ids, lengths, before } = await core.tokenize(vocabulary, texts);
    assert.deepEqual([before, [...lengths]], [1, [5, 0, 4]]);
    assert.deepEqual([ids[0], ids[3], ids[4], ids[5], ids[8]], [0, ids[1], 2, 0, 2]);
    const asked = await core.tokenize(vocabulary, texts, { asks: true });
    assert.deepEqual([...asked.lengths], [...lengths].map((length) => length && length + asked.before - 1));
    assert.ok(asked.before > 1);
    core.destroy();
  });

  it("sends the vocabulary once for each worker, and for each other one", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const sent = async (own: Uint8Array): Promise<boolean> => {
      await core.tokenize(own, texts);
      return tap.sent.at(-1)!["vocabulary"] !== undefined;
    };
    assert.deepEqual([await sent(vocabulary), await sent(vocabulary)], [true, false]);
    tap.workers[0]!.terminate();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual([await sent(vocabulary), await sent(vocabulary)], [true, false]);
    assert.equal(tap.workers.length, 2);
    const other = vocabulary.slice();
    assert.deepEqual([await sent(other), await sent(other), await sent(vocabulary)], [true, false, true]);
    core.destroy();
  });

  it("refuses what is no vocabulary, and can be aborted", async () => {
    const core = createCore();
    for (let i = 0; i < 2; i++) {
      const error = await rejection(core.tokenize(new Uint8Array(9), texts));
      assert.ok(error instanceof OptionError && error.field === "vocabulary", String(error));
    }
    assert.equal(await rejection(core.tokenize(vocabulary, texts, { signal: AbortSignal.abort("enough") })), "enough");
    core.destroy();
  });
});
