// The fixtures that wasm/internal/protocol tests too: both sides must read and write
// the same messages.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Core, createCore, type DocumentInput, type SentenceEmbeddings, type Session, type SummarizeOptions, type WorkerLike } from "cerasum";
import { decodeReply } from "../dist/decode.js";
import { PROTOCOL } from "../dist/protocol.js";
import { fixtures, Raw } from "./support.js";

interface Good { name: string; message: Record<string, unknown> & { kind: string } }
/** `reply` is the kind of the answer. */
interface Request extends Good { reply: string }

describe("replies", () => {
  for (const { name, message } of fixtures<Good>("replies.json")) {
    it(`reads ${name}`, () => assert.deepEqual(decodeReply(structuredClone(message)), message));
  }
  for (const { name, message, error } of fixtures<{ name: string; message: unknown; error: string }>("bad-replies.json")) {
    it(`refuses ${name}`, () => assert.throws(() => decodeReply(message), { message: error }));
  }
});

describe("requests", () => {
  /** Shakes hands, opens sessions and closes them; keeps what the client posts. */
  class Recorder implements WorkerLike {
    readonly posted: Record<string, unknown>[] = [];
    #listener: ((event: { data: unknown }) => void) | undefined;
    constructor(readonly session: unknown) {}
    addEventListener(type: string, listener: (event: { data: unknown }) => void): void {
      if (type === "message") this.#listener = listener;
    }
    terminate(): void {}
    postMessage(message: Record<string, unknown>): void {
      this.posted.push(message);
      const { id, kind } = message;
      const documents = message["documents"] as DocumentInput[] | undefined;
      const titles = message["titles"] ? documents!.filter(({ title }) => title) : [];
      const answers: Record<string, unknown> = {
        start: { kind: "started", module: undefined },
        hello: { kind: "hello", protocol: PROTOCOL, version: "0" },
        open: {
          kind: "opened", id, session: this.session, embeddable: [], asking: [], timings: { split: 0, encode: 0 },
          documents: documents && [...documents, ...titles].map(() => ({ language: "", sentences: 0 })),
          offsets: new Uint32Array(0),
        },
        tokenize: { kind: "tokenized", id, ids: new Uint32Array(0), lengths: new Uint32Array(0), before: 1 },
        close: { kind: "closed", id },
      };
      const answer = answers[kind as string];
      if (answer) queueMicrotask(() => this.#listener?.({ data: answer }));
    }
  }

  for (const { name, message } of fixtures<Request>("requests.json")) {
    it(`writes ${name}`, async () => {
      const worker = new Recorder(message["session"] ?? 1);
      const core = createCore({ worker: () => worker });
      const { documents, languages, titles, options, embeddings, dimensions, tokens, texts, vocabulary, asks } = message as unknown as
        { documents: DocumentInput[]; languages?: string[]; titles?: boolean; options?: SummarizeOptions; tokens: number; texts: string[]; vocabulary?: Uint8Array; asks?: boolean } & SentenceEmbeddings;
      // The vocabulary goes along with the first texts.
      const times = message.kind === "tokenize" && !vocabulary ? 2 : 1;
      const opened = (): Promise<Session> => core.open([]);
      const calls: Record<string, (core: Core) => Promise<unknown>> = {
        hello: () => core.ready(),
        info: () => core.info(),
        // Options come with the documents where there is one summary of them.
        open: () => (options && !languages && !titles ? core.summarize(documents, options) : core.open(documents, { languages, titles })),
        embed: async () => (await opened()).embed({ embeddings, dimensions, languages }),
        summarize: async () => (await opened()).summarize(options),
        toEmbed: async () => (await opened()).embed({ budget: tokens, embed: () => Promise.reject(new Error("not asked")) }),
        tokenize: async () => {
          const own = vocabulary ?? new Uint8Array(1);
          for (let i = 0; i < times; i++) await core.tokenize(own, texts, { asks });
        },
        close: async () => (await opened()).close(),
      };
      const call = calls[message.kind];
      assert.ok(call, `no call makes ${message.kind}`);
      const done = call(core).catch(() => {});
      while (worker.posted.filter((m) => m["kind"] === message.kind).length < times) await new Promise(setImmediate);
      core.destroy();
      await done;
      const { id: number, ...posted } = worker.posted.findLast((m) => m["kind"] === message.kind)!;
      const { id: _, ...want } = structuredClone(message) as Record<string, unknown>;
      if (message.kind !== "hello") assert.ok(Number.isSafeInteger(number) && (number as number) >= 1, "the client numbers its calls");
      if (message.kind === "open" && (languages || titles)) delete want["options"];
      assert.deepEqual(posted, want);
    });
  }
});

describe("the core behind the worker", () => {
  const raw = new Raw();
  const good = fixtures<Request>("requests.json");
  before(async () => {
    assert.equal((await raw.start() as { kind: string }).kind, "started");
    const early = await raw.ask({ kind: "info", id: 3 });
    assert.deepEqual(early, {
      kind: "error", id: 3, code: "protocol", field: "kind", message: "kind: the first message must be hello",
    });
  });
  after(() => raw.stop());

  // In their order: sessions are numbered in the order of the open requests.
  for (const { name, message, reply } of good) {
    it(`answers ${name}`, async () => {
      const answer = decodeReply(await raw.ask(message));
      assert.equal(answer.kind, reply);
      if (answer.kind !== "hello") assert.equal(answer.id, message["id"]);
    });
  }

  describe("with a document of two sentences", () => {
    const other = new Raw();
    before(async () => {
      await other.start();
      await other.ask({ kind: "hello", protocol: PROTOCOL });
      assert.equal((await other.ask({ kind: "open", id: 1, documents: [{ text: "One. Two." }] }))["session"], 1);
    });
    after(() => other.stop());
    for (const { name, message, error } of fixtures<{ name: string; message: unknown; error: unknown }>("bad-requests.json")) {
      it(`refuses ${name}`, async () => assert.deepEqual(await other.ask(message), error));
    }
  });

  it("refuses what is no plain data", async () => {
    for (const [value, what] of [[new Date(), "Date"], [new Map(), "Map"], [new Int16Array(2), "Int16Array"]] as const) {
      const reply = await raw.ask({ kind: "open", id: 4, documents: [{ text: value }] });
      assert.equal(reply["code"], "protocol");
      assert.match(String(reply["message"]), new RegExp(`got ${what}$`));
    }
    const ring: unknown[] = [];
    ring.push(ring);
    assert.match(String((await raw.ask(ring))["message"]), /levels of nesting/);
  });
});
