// The standard interface, and what ours has besides, under Node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";
import {
  createCore, createEncoder, type DocumentsSummary, OptionError, QuotaExceededError, type SentenceEncoder, Summarizer, type SummarizerCreateOptions,
  type SummarizerLength, type SummarizerType, type WorkerLike,
} from "cerasum";
import { startWorker } from "../dist/node-worker.js";
import { ferry } from "./cluster.js";
import type { StandardSummarizerConstructor } from "./standard.js";
import { again, isDOM, it, rejection, uncaught, wasmPath, within } from "./support.js";
import { D, tiny, tinyFiles, tinyFolder } from "./tiny-encoder.js";

// Compiles only where code written for the browser's own works with ours.
const standard: StandardSummarizerConstructor = Summarizer;

const report = `Ferry aground off Port Selby

The ferry Alma ran aground off Port Selby on Tuesday night with 214 people aboard, most of them on their way home. `
  + `All passengers were taken ashore by lifeboats before dawn. The captain, Ines Varga, said the steering had failed in heavy fog. `
  + `"We heard the horn and simply went," said one of the volunteers. Nobody was seriously hurt. `
  + `The harbour will stay closed until the wreck has been secured. Fishermen complained that the channel lights had been dark for a week. `
  + `Why did nobody repair them? An inquiry into the steering failure starts on Monday. The company said that the Alma had passed an inspection in May.`;
const pieces = report.split(/\n+|(?<=[.?]) /);

/** Enough text that a summary takes a good while. */
const long = Array.from({ length: 15_000 }, (_, i) =>
  `On day ${i} the ${["river", "harbour", "council", "ferry", "bridge"][(i * 7) % 5]} of town ${(i * 31) % 101} `
  + `reported ${(i * 13) % 97} new cases of ${["flooding", "damage", "repair", "delay"][i % 4]}.`).join(" ");

async function using<T>(options: SummarizerCreateOptions, work: (summarizer: Summarizer) => Promise<T>): Promise<T> {
  const summarizer = await Summarizer.create(options);
  try {
    return await work(summarizer);
  } finally {
    summarizer.destroy();
  }
}

const words = (text: string): number => [...new Intl.Segmenter("en", { granularity: "word" }).segment(text)].filter(({ isWordLike }) => isWordLike).length;
const lengths: SummarizerLength[] = ["short", "medium", "long"];

describe("what a summary is", () => {
  // One for all: without it each create would start a core anew.
  let keep: Summarizer;
  it("of its defaults: three key points in Markdown", async () => {
    keep = await standard.create() as Summarizer;
    const summary = await keep.summarize(report);
    const lines = summary.split("\n");
    assert.equal(lines.length, 3);
    for (const line of lines) assert.ok(pieces.includes(line.replace(/^\* /, "")), line);
  });
  after(() => keep?.destroy());

  it("of every type and length is quoted, within its length", async () => {
    for (const type of ["key-points", "tldr", "teaser", "headline"] satisfies SummarizerType[]) {
      let last = 0;
      for (const [i, length] of lengths.entries()) {
        const text = await using({ type, length, format: "plain-text" }, (s) => s.summarize(report));
        if (type === "headline") {
          assert.ok(words(text) <= [12, 17, 22][i]! && words(text) >= 3, text);
          assert.ok(report.includes(text.replace(/…$/, "")), text);
        } else {
          const quoted = pieces.filter((piece) => text.includes(piece));
          assert.equal(quoted.length, type === "key-points" ? [3, 5, 7][i] : [1, 3, 5][i], text);
          const put = type === "key-points" ? quoted.map((piece) => `• ${piece}`).join("\n") : quoted.join(" ");
          assert.equal(text, put, "in the order of the text and nothing besides");
        }
        assert.ok(text.length >= last, `${type}, ${length}`);
        last = text.length;
      }
    }
  });

  it("a headline prefers a heading; what is too long is cut at a clause", async () => {
    assert.equal(await using({ type: "headline" }, (s) => s.summarize(report)), pieces[0]);
    await using({ type: "headline", length: "medium" }, async (s) => {
      const text = "The ferry Alma ran aground off Port Selby on Tuesday night with many people aboard, and all the passengers of the ferry Alma were taken ashore before dawn.";
      assert.equal(await s.summarize(text), "The ferry Alma ran aground off Port Selby on Tuesday night with many people aboard…");
      const plain = text.replace(",", "");
      const cut = await s.summarize(plain);
      assert.equal(words(cut), 17);
      assert.ok(plain.startsWith(cut.slice(0, -1)) && cut.endsWith("…"), cut);
    });
  });

  it("a teaser draws the reader in", async () => {
    const teaser = await using({ type: "teaser" }, (s) => s.summarize(report));
    assert.match(teaser, /["?]/);
    assert.notEqual(teaser, await using({ type: "tldr" }, (s) => s.summarize(report)));
  });

  it("is no other Markdown than its text", async () => {
    const strange = "# Steps of the repair\n\n- Open the <b>valve</b> of the pump and wait for the water.\n- Close the valve of the pump when x < 3.\n\n"
      + "[note]: the pump of the valve is old and the water is cold.";
    const markdown = await using({ type: "key-points", length: "long" }, (s) => s.summarize(strange));
    assert.match(markdown, /^\* Open the \\<b>valve\\<\/b> of/m);
    assert.match(markdown, /when x < 3\.$/m);
    assert.doesNotMatch(markdown, /note|the water is cold/, "a definition is no prose");
    const plain = await using({ length: "long", format: "plain-text" }, (s) => s.summarize(strange));
    assert.match(plain, /^• Open the valve of/m);
    assert.doesNotMatch(plain, /\\|^• -|#/m);
  });

  it("of nothing is nothing", async () => {
    for (const type of ["key-points", "headline"] as const) {
      await using({ type, outputLanguage: "pt" }, async (s) => {
        for (const blank of ["", " \n\t", "\u0000\u0007", "— … !?"]) {
          assert.equal(await s.summarize(blank, { context: "anything" }), "");
          const chunks: string[] = [];
          for await (const chunk of s.summarizeStreaming(blank)) chunks.push(chunk);
          assert.deepEqual(chunks, []);
        }
        const none = await s.summarizeDocuments(["", { text: " ", title: "" }]);
        assert.deepEqual([none.text, none.sentences, none.documents.map(({ sentences }) => sentences)], ["", [], [0, 0]]);
        assert.equal((await s.summarizeDocuments([])).text, "");
      });
    }
  });

  it("leans towards its context", async () => {
    const about = "the lights of the channel";
    const wanted = pieces.find((piece) => piece.includes("channel lights"))!;
    await using({ type: "tldr" }, async (s) => {
      assert.notEqual(await s.summarize(report), wanted);
      assert.equal(await s.summarize(report, { context: about }), wanted);
      // No instruction, and no word of the text: nothing changes.
      assert.equal(await s.summarize(report, { context: "Answer only in JavaScript!" }), await s.summarize(report));
    });
    assert.equal(await using({ type: "tldr", sharedContext: about }, (s) => s.summarize(report)), wanted);
  });

  it("with speed is that of the instant method", async () => {
    await using({ preference: "speed" }, async (s) => {
      assert.equal((await s.summarizeDocuments(ferry)).method, "instant");
    });
    await using({ preference: "capability" }, async (s) => assert.equal((await s.summarizeDocuments(ferry)).method, "editor"));
  });
});

describe("streaming", () => {
  it("that is read in small steps gives a sentence a step, and waits for its reader", async () => {
    await using({ length: "long", type: "tldr", format: "plain-text" }, async (s) => {
      const whole = await s.summarize(report);
      const reader = s.summarizeStreaming(report).getReader();
      let text = "";
      let steps = 0;
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const sentence = read.value.trim();
        assert.ok(pieces.includes(sentence), sentence);
        text += read.value;
        assert.ok(whole.startsWith(text), text);
        steps++;
        // Other calls go on while the reader takes its time.
        if (steps === 2) assert.equal(await s.summarize(report), whole);
      }
      assert.equal(steps, 5);
      assert.equal(text, whole);
    });
  });

  it("that is cancelled after a chunk, or aborted, leaves the next one whole", async () => {
    await using({}, async (s) => {
      const whole = await s.summarize(report);
      const reader = s.summarizeStreaming(report).getReader();
      assert.ok(whole.startsWith((await reader.read()).value!));
      await reader.cancel("enough");
      assert.deepEqual(await reader.read(), { value: undefined, done: true });
      const controller = new AbortController();
      const other = s.summarizeStreaming(report, { signal: controller.signal }).getReader();
      await other.read();
      const reason = new Error("no more");
      controller.abort(reason);
      assert.equal(await rejection(other.read()), reason);
      let text = "";
      for await (const chunk of s.summarizeStreaming(report)) text += chunk;
      assert.equal(text, whole);
    });
  });

  it("that fails gives its reader the error, and the next one works", async () => {
    const started: WorkerLike[] = [];
    const core = createCore({
      worker: () => {
        started.push(startWorker(new URL("../dist/worker.node.js", import.meta.url)));
        return started.at(-1)!;
      },
    });
    await using({ core }, async (s) => {
      const reader = s.summarizeStreaming(long).getReader();
      const read = rejection(reader.read());
      await new Promise((resolve) => setTimeout(resolve, 20));
      started[0]!.terminate();
      assert.ok(isDOM(await read, "OperationError"), String(await read));
      assert.ok(isDOM(await rejection(reader.closed), "OperationError"));
      assert.match((await s.summarizeStreaming(report).getReader().read()).value!, /^\* /);
    });
    core.destroy();
  });

  it("gives the same text, a sentence a chunk", async () => {
    await using({ length: "medium" }, async (s) => {
      const chunks: string[] = [];
      for await (const chunk of s.summarizeStreaming(report)) chunks.push(chunk);
      assert.equal(chunks.length, 5);
      assert.equal(chunks.join(""), await s.summarize(report));
    });
  });

  again("that is cancelled stops the work", async () => {
    await using({}, async (s) => {
      const reader = s.summarizeStreaming(long).getReader();
      const read = reader.read();
      await reader.cancel("enough");
      assert.deepEqual(await read, { value: undefined, done: true });
      const begun = performance.now();
      assert.ok(await s.summarize(report));
      within(performance.now() - begun, 5_000);
    });
  });
});

describe("options", () => {
  it("are there to be read, and not to be written", async () => {
    const options = {
      type: "tldr", format: "plain-text", length: "long", preference: "speed", sharedContext: "ships",
      expectedInputLanguages: ["EN-us", "en-US", "pt"], expectedContextLanguages: new Set(["iw"]), outputLanguage: "pt-br",
    } as const;
    await using(options as unknown as SummarizerCreateOptions, async (s) => {
      const { type, format, length, preference, sharedContext, outputLanguage, inputQuota } = s;
      assert.deepEqual({ type, format, length, preference, sharedContext }, {
        type: "tldr", format: "plain-text", length: "long", preference: "speed", sharedContext: "ships",
      });
      assert.equal(outputLanguage, "pt-BR");
      assert.deepEqual(s.expectedInputLanguages, ["en-US", "pt"]);
      assert.deepEqual(s.expectedContextLanguages, ["he"]);
      assert.ok(Object.isFrozen(s.expectedInputLanguages));
      assert.equal(inputQuota, Infinity);
      assert.throws(() => {
        (s as { type: string }).type = "teaser";
      }, TypeError);
      assert.ok(s instanceof Summarizer);
      assert.equal(String(s), "[object Summarizer]");
      assert.equal(await s.measureInputUsage(report), 0);
    });
    await using({ expectedInputLanguages: [] }, async (s) => {
      assert.deepEqual([s.type, s.format, s.length, s.preference, s.sharedContext], ["key-points", "markdown", "short", "auto", ""]);
      assert.deepEqual([s.expectedInputLanguages, s.expectedContextLanguages, s.outputLanguage], [null, null, null]);
    });
  });

  it("that are wrong are refused, by create and availability alike", async () => {
    for (const [options, kind, message] of [
      [{ type: "poem" }, TypeError, /type is "poem": want key-points, tldr, teaser, headline/],
      [{ format: null }, TypeError, /format is "null"/],
      [{ length: "huge" }, TypeError, /length/],
      [{ preference: "best" }, TypeError, /preference/],
      [{ expectedInputLanguages: "en" }, TypeError, /expectedInputLanguages: want a list/],
      [{ expectedContextLanguages: 5 }, TypeError, /expectedContextLanguages/],
      [{ expectedInputLanguages: ["en", "en_GB"] }, RangeError, /en_GB/],
      [{ outputLanguage: "" }, RangeError, /outputLanguage: want a language tag, got ""/],
      [{ outputLanguage: "not a tag" }, RangeError, /"not a tag"/],
      [{ signal: {} }, TypeError, /signal/],
      [{ monitor: {} }, TypeError, /monitor/],
      [{ licence: "GPL" }, TypeError, /licence/],
      [{ core: {} }, TypeError, /core/],
      [{ encoder: 5 }, TypeError, /encoder/],
      [{ encoder: "default" }, TypeError, /encoder: want an encoder, or its options/],
      [{ sharedContext: Symbol() }, TypeError, /./],
      ["key-points", TypeError, /options/],
    ] as const) {
      // Availability does not read these.
      const creating = ["signal", "monitor", "sharedContext"].some((name) => Object.hasOwn(Object(options), name));
      for (const call of creating ? [Summarizer.create] : [Summarizer.create, Summarizer.availability]) {
        const error = await rejection(call(options as never));
        assert.ok(error instanceof kind, `${JSON.stringify(options)}: ${String(error)}`);
        assert.match((error as Error).message, message);
      }
    }
    assert.throws(() => new Summarizer(), TypeError);
    // What a later draft may add is no mistake.
    await using({ tone: "dry" } as SummarizerCreateOptions, async (s) => assert.equal(s.type, "key-points"));
  });

  it("of calls that are wrong are refused", async () => {
    await using({}, async (s) => {
      const call = s as unknown as { summarize(...list: unknown[]): Promise<string>; summarizeStreaming(...list: unknown[]): unknown };
      for (const list of [[], [Symbol()], ["x", 5], ["x", { signal: "now" }], ["x", { context: Symbol() }]]) {
        assert.ok(await rejection(call.summarize(...list)) instanceof TypeError);
        assert.throws(() => call.summarizeStreaming(...list), TypeError);
      }
      assert.equal(await call.summarize(12), "* 12");
    });
  });

  it("of an output language that no text is in are unavailable", async () => {
    const options = { expectedInputLanguages: ["en-GB", "fr"], outputLanguage: "pt" };
    assert.equal(await Summarizer.availability(options), "unavailable");
    assert.ok(isDOM(await rejection(Summarizer.create(options)), "NotSupportedError"));
    assert.notEqual(await Summarizer.availability({ ...options, outputLanguage: "en-US" }), "unavailable");
    await using({ outputLanguage: "pt" }, async (s) => {
      assert.ok(isDOM(await rejection(s.summarize(report)), "NotSupportedError"));
      assert.match(await s.summarize("A barca encalhou na noite de terça-feira perto do porto. Ninguém ficou ferido com gravidade."), /barca/);
    });
    await using({ outputLanguage: "ru", length: "long" }, async (s) => {
      const summary = await s.summarizeDocuments(ferry);
      assert.ok(summary.sentences.length > 0);
      for (const q of summary.sentences) {
        assert.equal(q.document, 2);
        assert.equal(ferry[2]!.text.slice(q.start, q.end), q.text);
      }
      assert.deepEqual(summary.documents.map(({ title, chosen }) => [title, chosen > 0]), ferry.map(({ title }, i) => [title, i === 2]));
    });
  });

  it("leave out no document because of an uncertain guess at its language", async () => {
    const long = "The kettle boils quickly and the handle stays cool, which my previous one did not manage.";
    // Of the short ones, several are detected as Romanian, Polish, Spanish or Dutch.
    const short = ["Great product!", "Nice quality", "Super comfy", "Total scam", "So cute", "Poor fit", "Excellent!!!", "Great value", "Terrible customer service"];
    for (const options of [{}, { expectedInputLanguages: ["en", "fr"] }]) {
      await using({ outputLanguage: "en", preference: "speed", ...options }, async (s) => {
        const german = "Das Paket kam erst nach drei Wochen bei uns an.";
        const { documents } = await s.summarizeDocuments([long, ...short, german]);
        const lost = documents.filter(({ sentences }) => sentences === 0);
        assert.deepEqual(lost, "expectedInputLanguages" in options ? [] : [documents.at(-1)]);
      });
    }
    await using({ outputLanguage: "en", expectedInputLanguages: ["en", "de"] }, async (s) => {
      const { documents } = await s.summarizeDocuments([long, "Das Paket kam erst nach drei Wochen bei uns an.", "Привет, мир!"]);
      assert.deepEqual(documents.map(({ sentences }) => sentences), [1, 0, 0]);
    });
  });
});

describe("create", () => {
  it("tells of its progress, 0 and 1 always", async () => {
    for (const preloaded of [false, true]) {
      const heard: [string, number, number][] = [];
      const s = await Summarizer.create({
        monitor(monitor) {
          const first = (): void => void heard.push(["replaced", 0, 0]);
          monitor.ondownloadprogress = first;
          monitor.ondownloadprogress = function (event) {
            assert.equal(this, monitor);
            heard.push(["handler", event.loaded, event.total]);
          };
          monitor.addEventListener("downloadprogress", (event) => heard.push([event.type, (event as ProgressEvent).loaded, (event as ProgressEvent).total]));
        },
      });
      assert.deepEqual(heard, [["handler", 0, 1], ["downloadprogress", 0, 1], ["handler", 1, 1], ["downloadprogress", 1, 1]]);
      assert.equal(await Summarizer.availability(), "available", `preloaded ${preloaded}`);
      s.destroy();
    }
  });

  it("rejects with what its monitor throws", async () => {
    const reason = new Error("clumsy");
    assert.equal(await rejection(Summarizer.create({
      monitor: () => {
        throw reason;
      },
    })), reason);
  });

  it("is available where all files are on the disk", async () => {
    const core = createCore();
    assert.equal(await Summarizer.availability({ core }), "available");
    const making = Summarizer.create({ core });
    assert.equal(await Summarizer.availability({ core }), "available");
    (await making).destroy();
    assert.ok(((await core.info()).methods).length > 0, "the host's core is the host's to destroy");
    core.destroy();
    const expectedInputLanguages = ["en", "pt"];
    const own = createCore();
    for (const encoder of [{ modelURL: tinyFolder }, createEncoder({ core: own, modelURL: pathToFileURL(tinyFolder) })]) {
      assert.equal(await Summarizer.availability({ encoder, expectedInputLanguages }), "available");
    }
    for (const encoder of [{ modelURL: "./nowhere/" }, { modelURL: tinyFolder, ortURL: "nowhere" }, createEncoder({ core: own, modelURL: "nowhere" })]) {
      assert.equal(await Summarizer.availability({ encoder, expectedInputLanguages }), "downloadable");
      assert.equal(await Summarizer.availability({ encoder, expectedInputLanguages: ["en"] }), "available", "one language needs no encoder");
    }
  });

  it("says how far it is", async () => {
    const server = createServer((_, response) => response.end(readFileSync(wasmPath)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const core = createCore({ wasmURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    assert.equal(await Summarizer.availability({ core }), "downloadable");
    const making = Summarizer.create({ core });
    assert.equal(await Summarizer.availability({ core }), "downloading");
    (await making).destroy();
    assert.equal(await Summarizer.availability({ core }), "available");
    core.destroy();
    server.close();
  });

  it("is available once an encoder given by its options has been started", async () => {
    const server = createServer((request, response) => response.end(tinyFiles[request.url!.slice(1) as keyof typeof tinyFiles]));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { core: _, ...parts } = tiny(createCore());
    const encoder = { ...parts, modelURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
    const options: SummarizerCreateOptions = { encoder, expectedInputLanguages: ["en", "pt"] };
    assert.equal(await Summarizer.availability(options), "downloadable");
    const making = Summarizer.create(options);
    assert.equal(await Summarizer.availability(options), "downloading");
    (await making).destroy();
    assert.equal(await Summarizer.availability(options), "available");
    server.close();
  });

  it("fails where the core cannot be loaded, and can be tried again", async () => {
    const core = createCore({ wasmURL: "nowhere.wasm" });
    for (let i = 0; i < 2; i++) {
      assert.ok(isDOM(await rejection(Summarizer.create({ core })), "NetworkError"));
      assert.equal(await Summarizer.availability({ core }), "downloadable");
    }
    core.destroy();
  });
});

describe("abort", () => {
  const reason = new Error("too late");

  it("before create, during it and after", async () => {
    assert.equal(await rejection(Summarizer.create({ signal: AbortSignal.abort(reason) })), reason);
    for (const wait of [() => undefined, () => Promise.resolve(), () => new Promise(setImmediate)]) {
      const controller = new AbortController();
      const heard: number[] = [];
      const creating = rejection(Summarizer.create({
        signal: controller.signal,
        monitor: (m) => m.addEventListener("downloadprogress", (e) => heard.push((e as ProgressEvent).loaded)),
      }));
      await wait();
      controller.abort(reason);
      assert.equal(await creating, reason);
      assert.ok(!heard.includes(1), String(heard));
    }
    const controller = new AbortController();
    const s = await Summarizer.create({ signal: controller.signal });
    const call = rejection(s.summarize(long));
    controller.abort(reason);
    assert.equal(await call, reason, "it destroys the summarizer");
    assert.equal(await rejection(s.summarize(report)), reason);
  });

  it("before a call and during it, in every stage", async () => {
    await using({}, async (s) => {
      const already = { signal: AbortSignal.abort(reason) };
      assert.equal(await rejection(s.summarize(report, already)), reason);
      assert.equal(await rejection(s.measureInputUsage(report, already)), reason);
      assert.equal(await rejection(s.summarizeDocuments(ferry, already)), reason);
      assert.equal(await rejection(s.embed(["x"], already)), reason);
      assert.throws(() => s.summarizeStreaming(report, already), (error) => error === reason);

      for (const ms of [0, 1, 5, 20, 60, 150]) {
        const controller = new AbortController();
        const { signal } = controller;
        const stream = s.summarizeStreaming(long, { signal });
        const calls = Promise.allSettled<unknown>([s.summarize(long, { signal }), s.summarizeDocuments([long], { signal, onupdate() {} }), stream.getReader().read()]);
        const other = s.summarize(report);
        await new Promise((resolve) => setTimeout(resolve, ms));
        controller.abort(reason);
        for (const call of await calls) {
          // A fast machine may have answered the first of them by then.
          if (call.status === "rejected" || ms < 20) assert.equal((call as PromiseRejectedResult).reason, reason, `after ${ms} ms`);
        }
        assert.equal((await other).split("\n").length, 3, `the others go on after ${ms} ms`);
      }
      const controller = new AbortController();
      const updates: string[] = [];
      const call = rejection(s.summarizeDocuments([long.slice(0, 20_000)], {
        signal: controller.signal,
        onupdate: ({ method }) => {
          updates.push(method);
          controller.abort(reason);
        },
      }));
      assert.equal(await call, reason);
      assert.deepEqual(updates, ["instant"], "between the first summary and the last");
    });
  });

  it("by destroy is an AbortError, of that summarizer alone", async () => {
    const [one, two] = await Promise.all([Summarizer.create(), Summarizer.create()]);
    const running = rejection(one.summarize(long));
    const reading = rejection(one.summarizeStreaming(long).getReader().read());
    const other = two.summarize(report);
    one.destroy();
    one.destroy();
    for (const error of [await running, await reading, await rejection(one.summarize(report)), await rejection(one.measureInputUsage("x")), await rejection(one.embed(["x"]))]) {
      assert.ok(isDOM(error, "AbortError"), String(error));
    }
    assert.throws(() => one.summarizeStreaming(report), (error) => isDOM(error, "AbortError"));
    assert.equal(one.type, "key-points", "what it was can still be read");
    assert.equal((await other).split("\n").length, 3);
    two.destroy();
    // The shared core has ended; the next summarizer starts another.
    assert.ok(await using({}, (s) => s.summarize(report)));
  });
});

describe("several documents", () => {
  const core = createCore();
  after(() => core.destroy());
  const make = (options: SummarizerCreateOptions = {}): Promise<Summarizer> => Summarizer.create({ core, ...options });

  it("are summarized with where each sentence comes from", async () => {
    const s = await make({ length: "long" });
    const updates: DocumentsSummary[] = [];
    const summary = await s.summarizeDocuments(ferry, { onupdate: (update) => updates.push(update) });
    assert.deepEqual(updates.map(({ method }) => method), ["instant", "editor"]);
    assert.equal(updates[1], summary);
    for (const one of updates) {
      assert.equal(one.text, one.sentences.map(({ text }) => `* ${text}`).join("\n"));
      assert.equal(one.sentences.length, 7);
      for (const q of one.sentences) {
        assert.equal(ferry[q.document]!.text.slice(q.start, q.end), q.text);
        assert.equal(q.attention, one.documents[q.document]!.attention![q.sentence]);
        for (const like of q.similar) assert.notEqual(like.document, q.document);
      }
      assert.deepEqual(one.documents.map(({ chosen }) => chosen), ferry.map((_, i) => one.sentences.filter(({ document }) => document === i).length));
      const sum = one.documents.flatMap(({ attention }) => attention!).reduce((a, b) => a + b);
      assert.ok(Math.abs(sum - 1) < 1e-9, String(sum));
    }
    assert.deepEqual(summary.budget, { sentences: 7 });
    s.destroy();
  });

  it("take budgets, methods and an order of the caller's", async () => {
    const s = await make({ type: "tldr", format: "plain-text" });
    const short = await s.summarizeDocuments(ferry, { budget: { words: 30 } });
    assert.ok(short.used <= 30 && words(short.text) <= 30 && "words" in short.budget, short.text);
    assert.ok((await s.summarizeDocuments(ferry, { budget: { characters: 150 } })).text.length <= 150);
    const lead = await s.summarizeDocuments(ferry, { method: "lead", budget: { sentences: 2 }, order: "rank" });
    assert.deepEqual(lead.sentences.map(({ document, sentence, attention }) => [document, sentence, attention]), [[0, 0, null], [1, 0, null]]);
    const asked = await s.summarizeDocuments([...ferry.map(({ text }) => text)], { context: "lights of the channel" });
    assert.match(asked.text, /channel lights/);
    for (const [options, message] of [
      [{ budget: { words: 0 } }, /options\.budget\.words/],
      [{ budget: { words: 5, sentences: 1 } }, /budget: want exactly one of words, sentences, characters, paperWords/],
      [{ budget: 100 }, /budget/],
      [{ budget: null }, /budget/],
      [{ method: "magic" }, /options\.method: want auto, .* got "magic"/],
      [{ method: "hybrid" }, /requires embeddings/],
      [{ language: "en" }, /unknown option language: want budget/],
    ] as const) {
      const error = await rejection(s.summarizeDocuments(ferry, options as never));
      assert.ok(error instanceof TypeError, String(error));
      assert.match(error.message, message);
    }
    for (const [documents, field] of [[[5], "documents[0]"], [[{ text: "x" }, null], "documents[1]"], [[{ title: "x" }], "documents[0].text"], ["x", undefined]] as const) {
      const error = await rejection(s.summarizeDocuments(documents as never));
      assert.ok(error instanceof TypeError, String(error));
      assert.equal((error as OptionError).field, field);
    }
    s.destroy();
  });

  it("give a headline of their titles, too", async () => {
    const s = await make({ type: "headline" });
    const documents = [
      { title: "Ferry Alma runs aground off Port Selby", text: ferry[0]!.text },
      { title: "Weather", text: ferry[1]!.text },
    ];
    const summary = await s.summarizeDocuments(documents);
    const [quote] = summary.sentences;
    assert.equal(summary.text, documents[0]!.title);
    assert.equal(summary.sentences.length, 1);
    assert.deepEqual([quote!.document, quote!.sentence, quote!.attention], [0, -1, null]);
    assert.equal(documents[0]!.title.slice(quote!.start, quote!.end), quote!.text);
    assert.deepEqual(summary.documents.map(({ title, chosen }) => [title, chosen]), [[documents[0]!.title, 0], ["Weather", 0]]);
    const sum = summary.documents.flatMap(({ attention }) => attention!).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-9, String(sum));
    s.destroy();
  });
});

describe("an encoder", () => {
  /** Knows no language, but ships. */
  const host = (): SentenceEncoder & { texts: string[] } => ({
    texts: [],
    async embed(texts) {
      this.texts = [...texts];
      const embeddings = new Float32Array(2 * texts.length);
      texts.forEach((text, i) => embeddings.set(/ferry|паром/i.test(text) ? [1, 0.2] : [0.2, 1], 2 * i));
      return { embeddings, dimensions: 2 };
    },
  });

  it("is used for several languages and for a context", async () => {
    const encoder = host();
    await using({ encoder, sharedContext: "ferries" }, async (s) => {
      assert.equal((await s.summarizeDocuments(ferry, { context: "ships" })).method, "editor");
      assert.equal(encoder.texts.at(-1), "ferries\nships");
      assert.equal((await s.summarizeDocuments(ferry, { method: "mean" })).method, "mean");
      await s.summarize(report);
      assert.deepEqual(encoder.texts, ["ferries"], "in one language, too");
      assert.deepEqual(await s.embed(["a ferry"]), { embeddings: Float32Array.of(1, 0.2), dimensions: 2 });
    });
    encoder.texts = [];
    await using({ encoder }, async (s) => assert.ok(await s.summarize(report)));
    assert.deepEqual(encoder.texts, [], "one language without a context needs none");
  });

  it("made of options runs with the summarizer's core, and ends with the summarizer", async () => {
    const core = createCore();
    const workers: WorkerLike[] = [];
    const { core: _, ...encoder } = tiny(core, workers);
    for (const options of [{ encoder, core }, { encoder }]) {
      let ended!: () => void;
      const ends = new Promise<void>((resolve) => (ended = resolve));
      await using(options, async (s) => {
        const summary = await s.summarizeDocuments(ferry);
        assert.deepEqual([summary.method, summary.fallback], ["editor", undefined]);
        const { embeddings, dimensions } = await s.embed(["a ferry"]);
        assert.deepEqual([embeddings.length, dimensions], [D, D]);
        workers.at(-1)!.addEventListener("error", ended);
      });
      await ends;
    }
    assert.equal(workers.length, 2);
    assert.ok(core.version, "its ids come from the core");
    core.destroy();
    for (const wrong of [{ threads: 0 }, { model: "minilm" }]) assert.ok(await rejection(Summarizer.create({ encoder: wrong })) instanceof TypeError);
  });

  it("that fails is done without, and said so", async () => {
    const encoder: SentenceEncoder = { embed: () => Promise.reject(new Error("no model")) };
    await using({ encoder }, async (s) => {
      const summary = await s.summarizeDocuments(ferry);
      assert.deepEqual([summary.method, summary.fallback], ["editor", "no model"]);
      assert.match(String(await rejection(s.summarizeDocuments(ferry, { method: "hybrid" }))), /no model/);
      assert.ok(await s.summarize(report));
    });
  });

  it("is loaded by create for several input languages", async () => {
    let loads = 0;
    const encoder = {
      ...host(),
      ready: async ({ onprogress }: { onprogress(p: object): void }): Promise<void> => {
        loads++;
        for (const done of [25, 10, 50, 50]) {
          await new Promise((resolve) => setTimeout(resolve, 60));
          onprogress({ stage: "load", done, total: 100 });
        }
        onprogress({ stage: "encode", done: 1, total: 1 });
      },
    };
    const heard: number[] = [];
    await using({ encoder }, async () => assert.equal(loads, 0));
    const options = { encoder, expectedInputLanguages: ["en", "pt"] };
    assert.equal(await Summarizer.availability(options), "downloadable");
    await using({ ...options, monitor: (m) => m.addEventListener("downloadprogress", (e) => heard.push((e as ProgressEvent).loaded)) }, async () => undefined);
    assert.equal(loads, 1);
    assert.equal(heard.length, 4, String(heard));
    assert.deepEqual([heard[0], heard.at(-1)], [0, 1]);
    assert.deepEqual(heard, [...heard].sort((a, b) => a - b));
    const broken = { ...encoder, ready: () => Promise.reject(new DOMException("gone", "NetworkError")) };
    assert.ok(isDOM(await rejection(Summarizer.create({ ...options, encoder: broken })), "NetworkError"));
  });
});

describe("faults", () => {
  it("200 calls at once, of which some are aborted or wrong, are all answered", async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on("warning", warned);
    await using({ type: "tldr" }, async (s) => {
      const reason = new Error("no");
      const calls = Array.from({ length: 200 }, (_, i) => {
        const controller = new AbortController();
        if (i % 7 === 3) setTimeout(() => controller.abort(reason), i % 5);
        const { signal } = controller;
        if (i % 10 === 5) return s.summarizeDocuments(ferry, { method: "magic", signal }).then(() => "", (error: unknown) => error);
        return s.summarize(`Ship number ${i} sailed from the harbour of Selby at noon today.`, { signal }).catch((error: unknown) => error);
      });
      for (const [i, answer] of (await Promise.all(calls)).entries()) {
        if (answer === reason) assert.equal(i % 7, 3);
        else if (i % 10 === 5) assert.ok(answer instanceof OptionError, String(answer));
        else assert.equal(answer, `Ship number ${i} sailed from the harbour of Selby at noon today.`);
      }
    });
    process.off("warning", warned);
    assert.deepEqual(warnings, [], "Node finds no leak");
  });

  it("a worker killed in mid-call is an OperationError; the next call works", async () => {
    const started: WorkerLike[] = [];
    const core = createCore({
      worker: () => {
        const worker = startWorker(new URL("../dist/worker.node.js", import.meta.url));
        started.push(worker);
        return worker;
      },
    });
    await using({ core }, async (s) => {
      const call = rejection(s.summarizeDocuments([long], { onprogress: () => started[0]!.terminate() }));
      const streamed = s.summarizeStreaming(report).getReader();
      const next = s.summarize(report);
      assert.ok(isDOM(await call, "OperationError"), String(await call));
      assert.match((await streamed.read()).value!, /^\* /);
      assert.equal((await next).split("\n").length, 3);
      assert.equal(await Summarizer.availability({ core }), "available");
    });
    assert.equal(started.length, 2);
    core.destroy();
  });

  it("a listener's mistake is not the call's", async () => {
    const seen = await uncaught(() => using({}, async (s) => {
      const summary = await s.summarizeDocuments(ferry, {
        onupdate: () => {
          throw new Error("clumsy");
        },
      });
      assert.ok(summary.text);
    }));
    assert.equal(seen.length, 2);
  });
});

describe("QuotaExceededError", () => {
  it("is a DOMException with a quota", () => {
    const error = new QuotaExceededError("too much", { quota: 5, requested: 9 });
    assert.ok(isDOM(error, "QuotaExceededError"));
    assert.ok(error instanceof QuotaExceededError);
    assert.deepEqual([error.message, error.quota, error.requested], ["too much", 5, 9]);
    const plain = new QuotaExceededError();
    assert.deepEqual([plain.quota, plain.requested], [null, null]);
    assert.throws(() => new QuotaExceededError("", { quota: -1 }), RangeError);
    assert.throws(() => new QuotaExceededError("", { quota: 5, requested: 4 }), RangeError);
  });
});

describe("installPolyfill", () => {
  const scope = globalThis as { Summarizer?: unknown; QuotaExceededError?: unknown };
  after(() => {
    delete scope.Summarizer;
    delete scope.QuotaExceededError;
  });

  it("sets what is not there, with the host's parts, and leaves what is", async () => {
    const { installPolyfill } = await import("cerasum");
    const core = createCore();
    const set = installPolyfill({ core });
    assert.equal(scope.Summarizer, set);
    assert.notEqual(set, Summarizer);
    assert.equal(scope.QuotaExceededError, QuotaExceededError);
    assert.ok(!Object.keys(globalThis).includes("Summarizer"));
    const s = await set.create();
    assert.ok(core.version, "the host's core runs it");
    assert.equal((await s.summarize(report)).split("\n").length, 3);
    assert.equal(installPolyfill(), set);
    delete scope.Summarizer;
    assert.equal(installPolyfill(), Summarizer);
    delete scope.Summarizer;
    assert.equal(installPolyfill(null), Summarizer, "null is no options, as in the browser's interfaces");
    core.destroy();
  });
});
