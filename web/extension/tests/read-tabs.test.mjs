// What several calls share: the session of the read tabs, and embeddings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runnerImport } from "vite";
import { here } from "./lib.mjs";

const { ReadTabs } = (await runnerImport(here("../src/work/read-tabs.ts"))).module;
const { IdleEncoder } = (await runnerImport(here("../../common/idle-encoder.ts"))).module;
const { EmbeddedTexts } = (await runnerImport(here("../../common/embedded-texts.ts"))).module;

/** One dimension a letter. */
class Letters {
  asked = [];
  async ready() {}
  async embed(texts) {
    this.asked.push([...texts]);
    const embeddings = new Float32Array(texts.length * 26);
    texts.forEach((text, i) => (embeddings[i * 26 + (text.codePointAt(0) % 26)] = 1));
    return { embeddings, dimensions: 26 };
  }
}

const texts = ["One.", "Two."].map((text, id) => ({ tab: { id, url: `https://example.org/${id}` }, title: text, text, words: 1, partial: false }));
const session = { documents: texts.map(({ text }) => ({ language: "en", sentences: [{ start: 0, end: text.length }] })) };

test("two first calls open one session; a failed opening is tried again", async () => {
  const opened = [];
  let broken = true;
  let closed = 0;
  const core = {
    async open(documents, { signal }) {
      opened.push(documents.length);
      await undefined;
      signal.throwIfAborted();
      if (broken) throw new Error("broken");
      return { ...session, close: () => closed++ };
    },
  };
  const tabs = new ReadTabs({ core, encoder: new Letters() }, texts);
  const { signal } = new AbortController();
  const both = () => Promise.allSettled([tabs.only(0, { signal }), tabs.groups({ signal })]);
  for (const { status, reason } of await both()) assert.equal(`${status} ${reason}`, "rejected Error: broken");
  assert.deepEqual(opened, [2]);
  broken = false;
  for (const { status } of await both()) assert.equal(status, "fulfilled");
  assert.deepEqual(opened, [2, 2]);
  tabs.close();
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(closed, 1);
});

test("tabs that are closed while their session opens leave none", async () => {
  let given;
  const core = {
    async open(_, { signal }) {
      signal.throwIfAborted();
      return new Promise((_, reject) => (given = signal).addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const tabs = new ReadTabs({ core, encoder: new Letters() }, texts);
  const call = tabs.groups(new AbortController());
  tabs.close();
  assert.equal(given.aborted, true);
  await assert.rejects(call, { name: "AbortError" });
  await assert.rejects(tabs.groups(new AbortController()), { name: "AbortError" });
});

test("texts are embedded once while calls keep asking for them", async () => {
  const encoder = new Letters();
  const embedded = new EmbeddedTexts(encoder);
  const [first, second] = await Promise.all([embedded.embed(["a", "b", "a"]), embedded.embed(["b", "c"])]);
  assert.deepEqual(encoder.asked, [["a", "b"], ["c"]]);
  assert.deepEqual(first.embeddings.subarray(0, 26), first.embeddings.subarray(52));
  assert.deepEqual(second.embeddings.subarray(0, 26), first.embeddings.subarray(26, 52));
  first.embeddings.fill(5);
  // Everything is known: nothing is asked, even of an encoder that has been destroyed.
  encoder.embed = () => Promise.reject(new Error("destroyed"));
  assert.equal(Math.max(...(await embedded.embed(["a", "b"])).embeddings), 1);
  await assert.rejects(embedded.embed(["a", "d"]), /destroyed/);
});

test("texts are forgotten when several calls did not ask for them", async () => {
  const encoder = new Letters();
  const embedded = new EmbeddedTexts(encoder);
  for (const text of "abcdea") await embedded.embed([text, "z"]);
  assert.deepEqual(encoder.asked.map((texts) => texts.join("")), ["az", "b", "c", "d", "e", "a"]);
});

test("questions are embedded as such, and not kept", async () => {
  const encoder = new Letters();
  const embedded = new EmbeddedTexts(encoder);
  await embedded.embed(["who"]);
  await embedded.embed(["who"], { asks: true });
  await embedded.embed(["who"], { asks: true });
  assert.deepEqual(encoder.asked, [["who"], ["who"], ["who"]]);
});

test("an idle encoder gives its memory back and starts again with the next call; one that works does not", async () => {
  const made = [];
  const idle = new IdleEncoder(() => {
    const encoder = Object.assign(new Letters(), { destroyed: false, destroy() { this.destroyed = true; } });
    made.push(encoder);
    return encoder;
  }, 20);
  let release;
  made[0].embed = () => new Promise((resolve) => (release = resolve));
  const call = idle.embed(["a"]);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(made.map(({ destroyed }) => destroyed), [false]);
  release({ embeddings: new Float32Array(1), dimensions: 1 });
  await call;
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(made.map(({ destroyed }) => destroyed), [true, false]);
  await idle.embed(["b"]);
  assert.deepEqual(made[1].asked, [["b"]]);
  idle.free();
});
