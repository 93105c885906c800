// The built Worker in workerd: every route, every limit, much of it.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";

import { again, count, slow, test } from "../../../web/common/tests/limits.mjs";
import { samples } from "./clusters.mjs";
import { checker } from "./description.mjs";
import { replace, start } from "./lib.mjs";

const MANY = count(50, 300);
let worker;
let check;

before(async () => {
  // A machine that is busy with other things must not fail the tests.
  worker = await start({ vars: { MAX_MILLISECONDS: "60000" } });
  const description = await (await worker.fetch("/openapi.json")).json();
  check = checker(description);
});
after(() => worker.stop());

/** Posts what the description allows, and returns what it promises. */
async function ask(path, body) {
  check.request(path, body);
  const response = await worker.post(path, body);
  return { status: response.status, ...(await check.answer("POST", path, response)) };
}

async function refused(path, body, init, to = worker) {
  const response = await to.post(path, body, init);
  const problem = await check.answer("POST", path, response);
  assert.equal(problem.status, response.status);
  return { ...problem, type: problem.type.replace("urn:cerasum:problem:", ""), headers: response.headers };
}

describe("routes", () => {
  test("GET", async () => {
    for (const path of ["/healthz", "/v1/methods", "/openapi.json"]) {
      const response = await worker.fetch(path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("cache-control"), "no-store");
      await check.answer("GET", path, response);
      const head = await worker.fetch(path, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(await head.text(), "");
    }
  });

  test("summarize, every sample", async () => {
    for (const [name, documents] of Object.entries(samples)) {
      const summary = await ask("/v1/summarize", { documents, budget: { sentences: 3 }, texts: true });
      assert.ok(summary.sentences.length >= 1 && summary.sentences.length <= 3, name);
      for (const { document, start, end, text } of summary.sentences) assert.equal(documents[document].text.slice(start, end), text);
    }
  });

  test("embeddings: numbers and base64 give the same; every method without weights", async () => {
    const documents = samples.mixed;
    const parts = await ask("/v1/sentences", { documents });
    const rows = parts.documents.flatMap(({ sentences }) => sentences.map(({ text }) => Array.from({ length: 8 }, (_, k) => Math.fround(Math.sin(text.length * (k + 1))))));
    const base64 = Buffer.from(Float32Array.from(rows.flat()).buffer).toString("base64");
    const { methods } = await (await worker.fetch("/v1/methods")).json();
    for (const { name, available, embeddings } of methods) {
      if (!available) {
        assert.equal((await refused("/v1/summarize", { documents, method: name })).status, 422);
        continue;
      }
      const summary = await ask("/v1/summarize", { documents, method: name, embeddings: rows });
      assert.deepEqual(await ask("/v1/summarize", { documents, method: name, embeddings: base64, dimensions: 8 }), summary);
      if (embeddings === "required") assert.equal((await refused("/v1/summarize", { documents, method: name })).status, 422);
      if (embeddings === "none") assert.deepEqual((await ask("/v1/summarize", { documents, method: name })).sentences, summary.sentences);
    }
  });

  test("select", async () => {
    const answer = await ask("/v1/select", { documents: [["a b c", "d e"], ["f g"]], embeddings: [[[1, 0], [0, 1]], [[0.5, 0.5]]], centroid: [0, 1], params: { budget_words: 2 } });
    assert.deepEqual(answer, { status: 200, selected: [[0, 1]], score: 1 });
    assert.deepEqual((await ask("/v1/select", { method: "lead", documents: [["a b c"], ["d"]], budget_words: 4 })).selected, [[0, 0], [1, 0]]);
  });

  test("nothing elsewhere", async () => {
    for (const [path, method, status] of [["/v1/nothing", "GET", 404], ["/nothing.html", "GET", 404], ["/v1/methods/", "GET", 404], ["/%zz", "GET", 404], ["/v1//select", "POST", 404], ["/v1/summarize", "GET", 405], ["/healthz", "POST", 405], ["/v1/summarize", "PUT", 405]]) {
      const response = await worker.fetch(path, { method });
      assert.equal(response.status, status, `${method} ${path}`);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
      assert.equal((await response.json()).status, status);
    }
  });
});

describe("refusals", () => {
  const documents = ["One ferry was late. Nobody knew why."];

  test("what is no JSON, and what is not as described", async () => {
    for (const [body, field] of [
      ["", undefined],
      ['{"documents":', undefined],
      ["null", undefined],
      ['{"documents":["a"]}x', undefined],
      [new Uint8Array([0x7b, 0xff, 0x7d]), undefined],
      [{}, "documents"],
      [{ documents: "a" }, "documents"],
      [{ documents: [7] }, "documents[0]"],
      [{ documents: [{ text: 7 }] }, "documents[0].text"],
      [{ documents: [{ text: "a", body: "b" }] }, "documents[0].body"],
      [{ documents, budget: "100" }, "budget"],
      [{ documents, budget: { words: 1, sentences: 1 } }, "budget"],
      [{ documents, candidates: 9 }, "candidates"],
      [{ documents, method: null }, "method"],
      [{ documents, embeddings: [[1, "2"]] }, "embeddings[0][1]"],
      [{ documents, verbose: true }, "verbose"],
    ]) {
      const problem = await refused("/v1/summarize", body);
      assert.deepEqual([problem.status, problem.type, problem.field], [400, "malformed", field], JSON.stringify(body));
    }
    assert.equal((await refused("/v1/select", { documents: [["a"]], embeddings: [[["x"]]], centroid: [1] })).field, "embeddings[0][0][0]");
  });

  test("types of content", async () => {
    for (const headers of [{ "content-type": "text/plain" }, { "content-type": "application/json; charset=latin1" }, { "content-encoding": "gzip" }]) {
      const problem = await refused("/v1/summarize", { documents }, { headers });
      assert.deepEqual([problem.status, problem.type], [415, "unsupported-media-type"]);
    }
  });

  test("invalid values", async () => {
    for (const [body, field] of [
      [{ documents: [] }, "documents"],
      [{ documents: ["…"] }, "documents"],
      [{ documents, method: "best" }, "method"],
      [{ documents, method: "cera", embeddings: [[1], [1]] }, "method"],
      [{ documents, language: "?" }, "language"],
      [{ documents, budget: { words: 0 } }, "budget.words"],
      [{ documents, embeddings: [[1]] }, "embeddings"],
      [{ documents: ["…"], queryWeight: 0.5 }, "queryWeight"],
      [{ documents, patience: 0 }, "patience"],
      [{ documents, method: "hybrid" }, "method"],
    ]) {
      const problem = await refused("/v1/summarize", body);
      assert.deepEqual([problem.status, problem.type, problem.field], [422, "unusable", field], JSON.stringify(body));
    }
  });

  test("limits, as the variables set them", async () => {
    const small = await start({ vars: { MAX_BODY_BYTES: "500", MAX_DOCUMENTS: "2", MAX_SENTENCES: "4" } });
    try {
      const told = await (await small.fetch("/v1/methods")).json();
      assert.deepEqual(told.limits, { bodyBytes: 500, documents: 2, sentences: 4, milliseconds: 2000 });
      for (const [path, body, status, type, limit] of [
        ["/v1/summarize", { documents: ["x".repeat(500)] }, 413, "body-too-large", 500],
        ["/v1/summarize", { documents: ["A.", "B.", "C."] }, 422, "too-many-documents", 2],
        ["/v1/summarize", { documents: ["One is. Two is. Three is.", "Four is. Five is."] }, 422, "too-many-sentences", 4],
        ["/v1/sentences", { documents: ["A.", "B.", "C."] }, 422, "too-many-documents", 2],
        ["/v1/select", { method: "lead", documents: [["a", "b", "c"], ["d", "e"]] }, 422, "too-many-sentences", 4],
      ]) {
        const problem = await refused(path, body, {}, small);
        assert.deepEqual([problem.status, problem.type, problem.limit], [status, type, limit]);
      }
      assert.equal((await small.fetch("/v1/methods")).status, 200);
    } finally {
      await small.stop();
    }
  });

  test("requests a minute, by address", async () => {
    const rare = await start({ vars: { RETRY_AFTER_SECONDS: "7" }, rate: 3 });
    try {
      const from = (address) => rare.post("/v1/summarize", { documents }, { headers: { "cf-connecting-ip": address } });
      // A minute may begin within the first requests, and the count anew.
      let response = await from("192.0.2.1");
      let sent = 1;
      for (; response.status === 200 && sent < 8; sent++) response = await from("192.0.2.1");
      assert.ok(sent > 3);
      const problem = await check.answer("POST", "/v1/summarize", response);
      assert.deepEqual([problem.status, problem.type, response.headers.get("retry-after")], [429, "urn:cerasum:problem:too-many-requests", "7"]);
      assert.equal((await from("192.0.2.2")).status, 200);
      assert.equal((await rare.fetch("/v1/methods")).status, 200);
    } finally {
      await rare.stop();
    }
  });

  test("time, and steps where the clock stands still", async () => {
    for (const vars of [{ MAX_MILLISECONDS: "1" }, { MAX_STEPS: "20" }]) {
      const slow = await start({ vars });
      try {
        const problem = await refused("/v1/summarize", { documents: samples["en-long"] }, {}, slow);
        assert.deepEqual([problem.status, problem.type], [422, "too-slow"], JSON.stringify(vars));
        assert.equal((await slow.fetch("/healthz")).status, 200);
      } finally {
        await slow.stop();
      }
    }
  });
});

describe("much of it", () => {
  slow("a megabyte that is one sentence", async () => {
    for (const [text, many] of [["x".repeat(1 << 20), false], ["word ".repeat((1 << 20) / 5).trim(), true]]) {
      const summary = await ask("/v1/summarize", { documents: [text] });
      assert.deepEqual([summary.status, summary.text === text, summary.overBudget], [200, true, many]);
    }
    // Marks that stand on nothing are no word.
    const marks = await refused("/v1/summarize", { documents: ["\u0301".repeat(1 << 19)] });
    assert.deepEqual([marks.status, marks.type], [422, "unusable"]);
    assert.equal((await refused("/v1/summarize", { documents: ["x".repeat(2 << 20)] })).status, 413);
  });

  slow("a program that grew too large, or ended, makes place for a new one", async () => {
    const body = { documents: samples.es, budget: { sentences: 1 } };
    const want = await (await worker.post("/v1/summarize", body)).text();
    const grown = await start({ edit: replace("memory.buffer.byteLength > HEAVY", "true") });
    const ended = await start({ edit: replace("if (!promise || held.go.exited)", "if (!globalThis.ended && (globalThis.ended = true))") });
    try {
      for (let i = 0; i < 3; i++) assert.equal(await (await grown.post("/v1/summarize", body)).text(), want);
      const problem = await refused("/v1/summarize", body, {}, ended);
      assert.deepEqual([problem.status, problem.type], [500, "internal"]);
      assert.equal(await (await ended.post("/v1/summarize", body)).text(), want);
    } finally {
      await grown.stop();
      await ended.stop();
    }
  });

  again(`${MANY} requests in a row, and 50 at once`, async () => {
    const body = JSON.stringify({ documents: samples.pt, method: "instant" });
    const want = await (await worker.post("/v1/summarize", body)).text();
    for (let i = 0; i < MANY; i++) {
      const response = await worker.post("/v1/summarize", body);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), want);
    }
    const others = Object.values(samples);
    const bodies = Array.from({ length: 50 }, (_, i) => (i % 10 === 9 ? "{" : JSON.stringify({ documents: others[i % others.length], method: "instant" })));
    const alone = [];
    for (const one of bodies) alone.push(await (await worker.post("/v1/summarize", one)).text());
    const together = await Promise.all(bodies.map(async (one) => (await worker.post("/v1/summarize", one)).text()));
    together.forEach((text, i) => assert.equal(text, alone[i], `request ${i}`));
  });

  again("nothing is said of what was sent", () => assert.deepEqual(worker.said.join("").trim(), ""));
});
