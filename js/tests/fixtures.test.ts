// The fixtures that wasm/internal/protocol tests too: both sides must read and write
// the same messages.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createCore, type DocumentInput, type SummarizeOptions, type WorkerLike } from "cerasum";
import { decodeReply } from "../dist/decode.js";
import { PROTOCOL } from "../dist/protocol.js";
import { fixtures, Raw } from "./support.js";

interface Good { name: string; message: Record<string, unknown> & { kind: string } }

describe("replies", () => {
  for (const { name, message } of fixtures<Good>("replies.json")) {
    it(`reads ${name}`, () => assert.deepEqual(decodeReply(structuredClone(message)), message));
  }
  for (const { name, message, error } of fixtures<{ name: string; message: unknown; error: string }>("bad-replies.json")) {
    it(`refuses ${name}`, () => assert.throws(() => decodeReply(message), { message: error }));
  }
});

describe("requests", () => {
  /** Shakes hands and keeps what the client posts. */
  class Recorder implements WorkerLike {
    readonly posted: Record<string, unknown>[] = [];
    #listener: ((event: { data: unknown }) => void) | undefined;
    addEventListener(type: string, listener: (event: { data: unknown }) => void): void {
      if (type === "message") this.#listener = listener;
    }
    terminate(): void {}
    postMessage(message: Record<string, unknown>): void {
      this.posted.push(message);
      const answer = message["kind"] === "start"
        ? { kind: "started", module: undefined }
        : { kind: "hello", protocol: PROTOCOL, version: "0" };
      if (message["kind"] === "start" || message["kind"] === "hello") {
        queueMicrotask(() => this.#listener?.({ data: answer }));
      }
    }
  }

  for (const { name, message } of fixtures<Good>("requests.json")) {
    it(`writes ${name}`, async () => {
      const worker = new Recorder();
      const core = createCore({ worker: () => worker });
      const documents = message["documents"] as DocumentInput[];
      const options = message["options"] as SummarizeOptions | undefined;
      const calls: Record<string, () => Promise<unknown>> = {
        hello: () => core.ready(),
        methods: () => core.info(),
        split: () => core.open(documents),
        summarize: () => core.summarize(documents, options),
      };
      const call = calls[message.kind];
      assert.ok(call, `no call makes ${message.kind}`);
      const done = call().catch(() => {});
      while (!worker.posted.some((m) => m["kind"] === message.kind)) await new Promise(setImmediate);
      core.destroy();
      await done;
      const posted = worker.posted.find((m) => m["kind"] === message.kind);
      // The client numbers its calls from 1 and always names the options.
      const want = structuredClone(message);
      if (message.kind !== "hello") want["id"] = 1;
      if (message.kind === "summarize") want["options"] ??= {};
      assert.deepEqual(posted, want);
    });
  }
});

describe("the core behind the worker", () => {
  const raw = new Raw();
  before(async () => {
    assert.equal((await raw.start() as { kind: string }).kind, "started");
    const early = await raw.ask({ kind: "methods", id: 3 });
    assert.deepEqual(early, {
      kind: "error", id: 3, code: "protocol", field: "kind", message: "kind: the first message must be hello",
    });
    assert.equal((await raw.ask({ kind: "hello", protocol: PROTOCOL }))["kind"], "hello");
  });
  after(() => raw.stop());

  for (const { name, message, error } of fixtures<{ name: string; message: unknown; error: unknown }>("bad-requests.json")) {
    it(`refuses ${name}`, async () => assert.deepEqual(await raw.ask(message), error));
  }

  for (const { name, message } of fixtures<Good>("requests.json")) {
    it(`answers ${name}`, async () => {
      const reply = decodeReply(await raw.ask(message));
      const nothing = name === "summarize nothing in words";
      const kind = nothing ? "error" : message.kind === "summarize" ? "summary" : message.kind;
      assert.equal(reply.kind, kind);
      if (reply.kind !== "hello") assert.equal(reply.id, message["id"]);
    });
  }

  it("refuses what is no plain data", async () => {
    for (const [value, what] of [[new Date(), "Date"], [new Map(), "Map"], [new Uint8Array(2), "Uint8Array"]] as const) {
      const reply = await raw.ask({ kind: "split", id: 4, documents: [{ text: value }] });
      assert.equal(reply["code"], "protocol");
      assert.match(String(reply["message"]), new RegExp(`no ${what}$`));
    }
    const ring: unknown[] = [];
    ring.push(ring);
    assert.match(String((await raw.ask(ring))["message"]), /levels deep/);
  });
});
