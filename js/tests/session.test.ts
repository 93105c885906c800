// Sessions: documents cross the bridge once, are summarized often, and outlive
// their worker.

import assert from "node:assert/strict";
import { after, describe } from "node:test";
import { createCore, type Embeddings, OptionError, type SentenceEncoder, type SummarizeProgress } from "cerasum";
import { ferry } from "./cluster.js";
import { rounds } from "./rounds.js";
import { again, isDOM, it, rejection, within } from "./support.js";
import { bytes, tapped } from "./tapped.js";

const budget = { budget: { words: 40 } } as const;
const tick = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One dimension a letter; records what it is asked. */
class Letters implements SentenceEncoder {
  readonly asked: string[][] = [];
  async embed(texts: readonly string[]): Promise<Embeddings> {
    this.asked.push([...texts]);
    const embeddings = new Float32Array(texts.length * 26);
    texts.forEach((text, i) => (embeddings[i * 26 + (text.codePointAt(0)! % 26)] = 1));
    return { embeddings, dimensions: 26 };
  }
}

/** Enough text that a summary takes a good while. */
const long = Array.from({ length: 60 }, (_, i) => ({
  text: Array.from({ length: 100 }, (_, j) =>
    `On day ${j} the ${["river", "harbour", "council", "ferry", "bridge"][(i * 7 + j) % 5]} of town ${(i * 31 + j * 17) % 101} reported ${(i * 13 + j * 5) % 97} cases.`).join(" "),
}));

describe("a session", () => {
  const core = createCore();
  after(() => core.destroy());

  it("has the languages and sentences of its documents", async () => {
    const session = await core.open(ferry);
    assert.deepEqual(session.documents.map(({ language }) => language), ["en", "en", "ru"]);
    const texts = session.documents.flatMap(({ sentences }, i) => sentences.map(({ start, end }) => ferry[i]!.text.slice(start, end)));
    assert.deepEqual(session.texts, texts);
    assert.ok(texts.every((text) => text !== "" && text === text.trim()));
    session.close();
  });

  it("gives the summaries that core.summarize gives, in any order", async () => {
    const session = await core.open(ferry);
    for (const options of [budget, { ...budget, method: "lexrank" }, { budget: { sentences: 2 }, order: "rank" }, { ...budget, query: "channel lights" }, budget] as const) {
      const { timings: _1, ...here } = await session.summarize(options);
      const { timings: _2, ...there } = await core.summarize(ferry, options);
      assert.deepEqual(here, there);
    }
    session.close();
  });

  it("takes the options of the search", async () => {
    const session = await core.open(ferry);
    const one = await session.summarize({ ...budget, method: "bs+gs", n: 1, beamWidth: 1, patience: 1, preselect: "n_best" });
    assert.notDeepEqual(one.sentences, (await session.summarize({ ...budget, method: "bs+gs" })).sentences);
    const error = await rejection(session.summarize({ n: 0 }));
    assert.ok(error instanceof OptionError && error.field === "options.n", String(error));
    session.close();
  });

  it("says which methods want embeddings of its documents", async () => {
    const several = await core.open(ferry);
    const one = await core.open(ferry.slice(0, 2));
    assert.deepEqual(["auto", "hybrid", "lexrank", "salience", "magic"].map((method) => several.wantsEmbeddings(method)), [true, true, true, false, false]);
    assert.equal(one.wantsEmbeddings("auto"), false);
    assert.equal((await core.open([{ text: "" }])).wantsEmbeddings("hybrid"), false);
    several.close();
    one.close();
  });

  it("embeds once for several summaries, and each query once", async () => {
    const session = await core.open(ferry);
    const encoder = new Letters();
    const first = await session.summarize(budget, { encoder });
    await session.summarize({ ...budget, method: "hybrid" }, { encoder });
    assert.deepEqual(encoder.asked, [session.texts]);
    assert.deepEqual((await session.summarize(budget)).sentences, first.sentences, "the embeddings stay");
    for (let i = 0; i < 2; i++) await session.summarize({ ...budget, query: "lifeboats" }, { encoder });
    // The encoder is known by now.
    await session.summarize({ ...budget, query: "lifeboats" });
    await session.summarize({ ...budget, query: "fog" });
    assert.deepEqual(encoder.asked.slice(1), [["lifeboats"], ["fog"]]);
    session.close();
  });

  it("embeds once for parallel summaries, and each query once", async () => {
    const session = await core.open(ferry);
    const encoder = new Letters();
    const call = { encoder };
    await Promise.all([session.summarize(budget, call), session.summarize({ ...budget, method: "hybrid" }, call), session.embed(encoder), session.summarize({ ...budget, query: "fog" }, call), session.summarize({ ...budget, query: "fog", order: "rank" }, call)]);
    assert.deepEqual(encoder.asked, [session.texts, ["fog"]]);
    session.close();
  });

  it("goes on embedding while one call waits for it, and stops with the last", async () => {
    const session = await core.open(ferry);
    const signals: AbortSignal[] = [];
    let finish!: () => void;
    const encoder: SentenceEncoder = {
      embed: async (texts, { signal, onprogress } = {}) => {
        signals.push(signal!);
        await new Promise<void>((resolve, reject) => {
          finish = resolve;
          signal!.addEventListener("abort", () => reject(signal!.reason));
        });
        onprogress?.({ stage: "encode", done: 1, total: 1 });
        return new Letters().embed(texts);
      },
    };
    const told: unknown[] = [];
    const make = (controller: AbortController) => session.summarize(budget, { encoder, signal: controller.signal, onprogress: (progress) => told.push(progress) });
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => new AbortController()) as [AbortController, AbortController, AbortController, AbortController];
    const calls = [rejection(make(first)), make(second)] as const;
    await tick();
    first.abort("enough");
    assert.equal(await calls[0], "enough");
    assert.equal(signals[0]!.aborted, false);
    finish();
    assert.equal((await calls[1]).fallback, undefined);
    assert.equal(told.filter((one) => (one as SummarizeProgress).stage === "encode").length, 1);

    const other = await core.open(ferry);
    const both = [third, fourth].map((controller) => rejection(other.summarize(budget, { encoder, signal: controller.signal })));
    await tick();
    third.abort("enough");
    assert.equal(signals[1]!.aborted, false);
    fourth.abort("enough");
    assert.deepEqual(await Promise.all(both), ["enough", "enough"]);
    assert.equal(signals[1]!.aborted, true);
    // A later call starts again.
    const again = other.summarize(budget, { encoder });
    await tick();
    finish();
    assert.equal((await again).fallback, undefined);
    assert.equal(signals.length, 3);
    session.close();
    other.close();
  });

  it("embeds within the encoder's budget; rows of zeros stand for what it has not read", async () => {
    const tap = tapped();
    const own = createCore(tap.options);
    const session = await own.open(ferry);
    const encoder = Object.assign(new Letters(), { budget: 60 });
    const summary = await session.summarize(budget, { encoder });
    assert.deepEqual(tap.kinds(), ["open", "toEmbed", "embed", "summarize"]);
    assert.equal(tap.sent.find(({ kind }) => kind === "toEmbed")!["tokens"], 60);
    const { sentences: read } = tap.received.find(({ kind }) => kind === "toEmbed") as unknown as { sentences: Uint32Array };
    assert.ok(read.length > 1 && read.length < session.texts.length, String(read));
    assert.deepEqual(encoder.asked, [Array.from(read, (k) => session.texts[k])]);
    const { embeddings: all } = tap.sent.find(({ kind }) => kind === "embed") as unknown as { embeddings: Float32Array };
    const rows = (await new Letters().embed(session.texts)).embeddings.map((x, i) => (read.includes(Math.floor(i / 26)) ? x : 0));
    assert.deepEqual(all, rows);
    assert.equal(summary.embedded, read.length);
    // Of a question nothing is left out.
    await session.summarize({ ...budget, query: "fog" }, { encoder });
    assert.deepEqual(encoder.asked.slice(1), [["fog"]]);
    own.destroy();
  });

  it("says how many sentences the encoder has read", async () => {
    for (const [encoder, options, all] of [[new Letters(), budget, true], [Object.assign(new Letters(), { budget: 1e6 }), budget, true], [new Letters(), { ...budget, method: "instant" }, false]] as const) {
      const session = await core.open(ferry);
      const { embedded } = await session.summarize(options, { encoder });
      assert.equal(embedded, all ? session.texts.length : undefined);
      session.close();
    }
    const session = await core.open(ferry);
    await session.embed(await new Letters().embed(session.texts));
    assert.equal((await session.summarize(budget)).embedded, undefined, "the caller's embeddings");
    session.close();
  });

  it("rejects where a query cannot be embedded, with rows there", async () => {
    const encoder = new Letters();
    const session = await core.open(ferry);
    await session.embed(encoder);
    encoder.embed = () => Promise.reject(new Error("no query"));
    assert.match(String(await rejection(session.summarize({ ...budget, query: "fog", denseWeight: 0.5 }))), /no query/);
    assert.equal((await session.summarize(budget)).fallback, undefined);
    session.close();
  });

  it("does not mix the query with embeddings that came meanwhile", async () => {
    const session = await core.open(ferry);
    const encoder = new Letters();
    await session.embed(encoder);
    const { dimensions, embeddings } = await encoder.embed(session.texts);
    const half: SentenceEncoder = { embed: async (texts) => ({ embeddings: new Float32Array(texts.length * 2).fill(1), dimensions: 2 }) };
    encoder.embed = async (texts) => {
      await session.embed(half);
      return { embeddings: embeddings.slice(0, texts.length * dimensions), dimensions };
    };
    const query = { ...budget, query: "fog" };
    const summary = await session.summarize(query);
    const other = await core.open(ferry);
    await other.embed(half);
    assert.deepEqual(summary.sentences, (await other.summarize(query)).sentences);
    session.close();
    other.close();
  });

  it("embeds for parallel summaries, and takes one of the matrices", async () => {
    const tap = tapped();
    const own = createCore(tap.options);
    const session = await own.open(ferry);
    const calls = [20, 40, 60].map((words) => session.summarize({ budget: { words } }, { encoder: new Letters() }));
    for (const { sentences } of await Promise.all(calls)) assert.ok(sentences.length > 0);
    assert.deepEqual(tap.kinds(), ["open", "embed", "summarize", "summarize", "summarize"]);
    own.destroy();
  });

  it("takes an encoder, or embeddings of the caller's", async () => {
    const encoder = new Letters();
    const expected = await core.summarize(ferry, budget, { encoder });
    const session = await core.open(ferry);
    await session.embed(encoder);
    assert.deepEqual((await session.summarize(budget)).sentences, expected.sentences);
    const other = await core.open(ferry);
    await other.embed(await encoder.embed(other.texts));
    assert.deepEqual((await other.summarize(budget)).sentences, expected.sentences);
    for (const source of [undefined, 5, {}, { embeddings: new Float32Array(3), dimensions: 0 }]) {
      assert.ok(await rejection(other.embed(source as never)) instanceof OptionError, JSON.stringify(source));
    }
    assert.deepEqual((await other.summarize(budget)).sentences, expected.sentences, "what was refused changes nothing");
    session.close();
    other.close();
  });

  it("quotes one language where that is asked for, and keeps the places of the others", async () => {
    const session = await core.open(ferry, { languages: ["ru-RU"] });
    assert.deepEqual(session.documents.map(({ language, sentences }) => [language, sentences.length > 0]), [["en", false], ["en", false], ["ru", true]]);
    const { sentences, documents } = await session.summarize(budget);
    assert.ok(sentences.length > 0 && sentences.every(({ document, start, end, text }) => document === 2 && ferry[2]!.text.slice(start, end) === text));
    assert.deepEqual(documents.map(({ chosen }) => chosen > 0), [false, false, true]);
    session.close();
    const norwegian = [{ text: "Fergen gikk på grunn utenfor havnen tirsdag kveld. Ingen ble alvorlig skadet.", language: "no" }];
    for (const tag of ["nb", "no", "nn-NO"]) assert.ok((await core.open(norwegian, { languages: [tag] })).documents[0]!.sentences.length > 0, tag);
    const error = await rejection(core.open(ferry, { languages: ["?"] }));
    assert.ok(error instanceof OptionError && error.field === "languages[0]", String(error));
  });

  it("quotes titles where that is asked for", async () => {
    const titled = ["Weather", "Ferry Alma runs aground off Port Selby"].map((title, i) => ({ title, text: ferry[1 - i]!.text }));
    const session = await core.open(titled, { titles: true });
    assert.equal(session.documents.length, 2);
    assert.deepEqual(session.texts.slice(-2), titled.map(({ title }) => title));
    const { text, sentences: [quote], documents } = await session.summarize({ method: "headline", budget: { words: 12 } });
    assert.equal(text, titled[1]!.title);
    assert.deepEqual([quote!.document, quote!.sentence], [1, -1]);
    assert.equal(titled[1]!.title.slice(quote!.start, quote!.end), text);
    assert.equal(documents.length, 2);
    const sum = documents.flatMap(({ attention }) => attention!).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-9, String(sum));
    session.close();
  });

  it("refuses what are no documents, by name", async () => {
    for (const [documents, field] of [["x", "documents"], [undefined, "documents"], [[null], "documents[0]"], [["x"], "documents[0]"], [[{ text: "x" }, { text: 5 }], "documents[1].text"], [[{ text: "x", language: "klingonish" }], "documents[0].language"], [[{ text: "x", titel: "y" }], "documents[0].titel"]] as const) {
      for (const call of [core.open(documents as never), core.summarize(documents as never), core.summarize(documents as never, {}, { encoder: new Letters() })]) {
        const error = await rejection(call);
        assert.ok(error instanceof OptionError, String(error));
        assert.equal(error.field, field);
        assert.ok(error.message.startsWith(`${field}: `), error.message);
      }
    }
    assert.match(String(await rejection(core.open(ferry, { title: true } as object))), /unknown option title: want languages, titles/);
    assert.match(String(await rejection(core.open(ferry, { languages: "en" as never }))), /languages: want an array/);
    for (const titles of ["no", 0, null]) {
      const error = await rejection(core.open(ferry, { titles: titles as never }));
      assert.ok(error instanceof OptionError && error.field === "titles", String(error));
    }
  });

  it("rejects calls after it was closed", async () => {
    const session = await core.open(ferry);
    session.close();
    session[Symbol.dispose]();
    for (const error of [await rejection(session.summarize()), await rejection(session.embed(new Letters()))]) assert.ok(isDOM(error, "InvalidStateError"), String(error));
  });

  it("rejects its calls in progress when it is closed, and frees the core's memory at once", async () => {
    for (const wait of [0, 1, 20]) {
      const tap = tapped();
      const own = createCore(tap.options);
      await own.info();
      const session = await own.open(ferry);
      let aborted = false;
      const silent: SentenceEncoder = {
        embed: (_, { signal } = {}) => new Promise(() => signal!.addEventListener("abort", () => (aborted = true))),
      };
      const calls = [
        session.summarize({ ...budget, method: "hybrid" }, { encoder: silent }), session.summarize(budget, { encoder: silent }),
        session.embed(silent),
      ].map(rejection);
      session.embed(new Letters()).catch(() => undefined);
      await tick(wait);
      session.close();
      for (const error of await Promise.all(calls)) assert.ok(isDOM(error, "InvalidStateError"), String(error));
      assert.ok(aborted);
      await own.info();
      assert.deepEqual(tap.kinds().filter((kind) => kind !== "embed" && kind !== "info"), ["open", "close"]);
      assert.equal(tap.workers.length, 1);
      own.destroy();
    }
  });

  it("starts no worker to be closed", async () => {
    const tap = tapped();
    const own = createCore(tap.options);
    const session = await own.open(ferry);
    tap.workers[0]!.terminate();
    await tick(50);
    session.close();
    await tick(50);
    assert.equal(tap.workers.length, 1);
    own.destroy();
    session.close();
  });
});

describe("the bridge", () => {
  it("carries the documents once for several summaries", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const text = bytes(long);
    const session = await core.open(long);
    for (const words of [20, 40, 60, 80]) {
      const { sentences } = await session.summarize({ method: "instant", budget: { words } });
      for (const { document, start, end, text } of sentences) assert.equal(long[document]!.text.slice(start, end), text);
    }
    session.close();
    await core.info();
    assert.deepEqual(tap.kinds(), ["open", ...Array<string>(4).fill("summarize"), "close", "info"]);
    const requests = tap.sent.filter(({ kind }) => kind !== "start").map(bytes).reduce((a, b) => a + b);
    assert.ok(requests < text + 2000, `${requests} bytes for ${text} bytes of documents`);
    // Without texts: what comes back are numbers, of which attention is the most.
    const { documents, ...rest } = tap.received.find(({ kind }) => kind === "summary")!["summary"] as { documents: unknown };
    assert.ok(!JSON.stringify([documents, rest]).includes("river"));
    core.destroy();
  });

  it("carries embeddings once for several summaries", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const session = await core.open(ferry);
    const encoder = new Letters();
    for (let i = 0; i < 3; i++) await session.summarize(budget, { encoder });
    assert.deepEqual(tap.kinds(), ["open", "embed", "summarize", "summarize", "summarize"]);
    core.destroy();
  });

  it("carries three messages for one summary", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    await core.summarize(ferry, budget);
    await core.summarize(ferry.slice(0, 2), budget, { encoder: new Letters() });
    await core.info();
    assert.deepEqual(tap.kinds(), ["open", "summarize", "close", "open", "summarize", "close", "info"]);
    core.destroy();
  });

  it("refuses bad options before the documents are split", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    for (const options of [{ method: "magic" }, { budget: { words: 0 } }, { budget: { words: 1, sentences: 1 } }, { budgets: 5 }]) {
      assert.ok(await rejection(core.summarize(long, options as never)) instanceof OptionError);
    }
    assert.deepEqual(tap.kinds(), ["open", "open", "open", "open"]);
    core.destroy();
  });
});

describe("a session whose worker ended", () => {
  it("opens again by itself, with its embeddings", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const session = await core.open(ferry);
    const other = await core.open(ferry.slice(0, 2));
    await session.embed(new Letters());
    const { timings: _1, ...before } = await session.summarize(budget);
    tap.workers[0]!.terminate();
    await tick(50);
    tap.forget();
    const { timings: _2, ...after } = await session.summarize(budget);
    assert.deepEqual(after, before);
    assert.deepEqual(tap.kinds(), ["open", "embed", "summarize"]);
    assert.equal(tap.workers.length, 2);
    // A method that makes nothing of the embeddings does not wait for them.
    tap.workers[1]!.terminate();
    await tick(50);
    tap.forget();
    await session.summarize({ ...budget, method: "salience" });
    assert.ok((await other.summarize(budget)).sentences.length > 0);
    assert.deepEqual(tap.kinds(), ["open", "summarize", "open", "summarize"]);
    core.destroy();
    assert.ok(isDOM(await rejection(session.summarize()), "AbortError"));
  });

  it("in the middle of a call rejects that call, and opens again with the next", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const session = await core.open(long);
    const call = rejection(session.summarize(budget));
    await tick(20);
    tap.workers[0]!.terminate();
    assert.ok(isDOM(await call, "OperationError"));
    assert.ok((await session.summarize({ ...budget, method: "instant" })).sentences.length > 0);
    core.destroy();
  });

  it("is opened again where the core does not know it", async () => {
    let strange = false;
    const tap = tapped((message) => {
      const changed = strange && message.kind === "summarize" ? { ...message, session: 999 } : message;
      if (message.kind === "summarize") strange = false;
      return changed;
    });
    const core = createCore(tap.options);
    const session = await core.open(ferry);
    tap.forget();
    strange = true;
    assert.ok((await session.summarize(budget)).sentences.length > 0);
    assert.deepEqual(tap.kinds(), ["summarize", "open", "summarize"]);
    core.destroy();
  });
});

describe("an aborted call", () => {
  it("that is short costs neither the worker nor the sessions", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const session = await core.open(ferry);
    await session.summarize(budget);
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      const call = session.summarize({ budget: { words: 10 + i } }, { signal: controller.signal }).then(() => "answered", (reason: unknown) => reason);
      await tick(i);
      controller.abort("enough");
      assert.match(String(await Promise.race([call, tick(1000).then(() => "late")])), /^(enough|answered)$/);
    }
    assert.ok((await session.summarize(budget)).sentences.length > 0);
    assert.equal(tap.workers.length, 1);
    assert.equal(tap.kinds().filter((kind) => kind === "open").length, 1);
    core.destroy();
  });

  again("that is long rejects at once, and its worker is replaced after 200 ms", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    const session = await core.open(ferry);
    const controller = new AbortController();
    let begun!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const huge = [...long, ...long, ...long, ...long].map(({ text }, i) => ({ text: `${text} The number is ${i}.` }));
    const call = rejection(core.summarize(huge, budget, { signal: controller.signal, onprogress: () => begun() }));
    await begins;
    const aborted = performance.now();
    controller.abort("enough");
    assert.equal(await call, "enough");
    within(performance.now() - aborted, 100, "the rejection");
    assert.equal(tap.workers.length, 1);
    assert.ok((await session.summarize(budget)).sentences.length > 0);
    assert.equal(tap.workers.length, 2);
    core.destroy();
  });

  it("that opens leaves no session behind", async () => {
    const tap = tapped();
    const core = createCore(tap.options);
    await core.ready();
    const controller = new AbortController();
    const call = rejection(core.open(ferry, { signal: controller.signal }));
    await tick();
    controller.abort("enough");
    assert.equal(await call, "enough");
    await core.info();
    assert.deepEqual(tap.kinds().slice(0, 2), ["open", "close"]);
    core.destroy();
  });
});

it("20 sessions after one another need little more memory than 5", async () => {
  const documents = Array.from({ length: 20 }, (_, i) => long[i]!);
  const [early, late] = await rounds(documents, [], [5, 20]);
  assert.ok(late! < 1.5 * early!, `${late! / 1e6} MB after ${early! / 1e6} MB`);
});
