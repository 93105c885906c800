// Bodies of requests as clients send them, over real connections: long, slow,
// many at once, cut off.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { after, before } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { slow, test } from "../../../web/common/tests/limits.mjs";

import { checker } from "./description.mjs";
import { start } from "./lib.mjs";

const limit = 100_000;
const MB = 1 << 20;

let worker;
let check;
before(async () => {
  worker = await start({ vars: { MAX_BODY_BYTES: String(limit), MAX_MILLISECONDS: "60000" } });
  check = checker(await (await worker.fetch("/openapi.json")).json());
});
after(() => worker.stop());

/** A request that asks for a summary, of that many bytes. */
const sized = (bytes) => {
  const json = '{"documents":["One ferry was late."]}';
  return json + " ".repeat(bytes - json.length);
};

/** `bytes` in pieces, so that no length can be told before. */
const stream = (bytes, piece = 10_000) => {
  const text = new TextEncoder().encode(sized(bytes));
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(text.slice(at, (at += piece)));
      if (at >= text.length) controller.close();
    },
  });
};

async function post(body, to = worker) {
  const response = await fetch(new URL("/v1/summarize", to.url), { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" });
  return { headers: response.headers, ...(await check.answer("POST", "/v1/summarize", response)), status: response.status };
}

/** Sends `text` as it is, and gives what comes back within 20 seconds. */
async function raw(text) {
  const socket = connect(Number(worker.url.port), worker.url.hostname);
  let answer = "";
  socket.setEncoding("utf8").on("data", (data) => (answer += data));
  socket.on("error", () => {});
  await new Promise((sent) => socket.write(text, sent));
  for (const end = Date.now() + 20_000; !answer.includes("\r\n\r\n") && Date.now() < end; ) await pause(20);
  socket.destroy();
  return answer;
}

const head = (more, path = "/v1/summarize") => `POST ${path} HTTP/1.1\r\nHost: edge.example\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

test("a body of the limit, and one byte more, with its length and without", async () => {
  for (const make of [sized, stream]) {
    assert.equal((await post(make(limit))).status, 200);
    const problem = await post(make(limit + 1));
    assert.deepEqual([problem.status, problem.type, problem.limit], [413, "urn:cerasum:problem:body-too-large", limit]);
  }
});

test("clients that send all before they read see why a long body is refused", async () => {
  for (let i = 0; i < 3; i++) {
    for (const body of [sized(2 * MB), stream(2 * MB), sized(12 * MB), stream(12 * MB, 50_000)]) assert.equal((await post(body)).status, 413);
  }
  for (const coding of ["identity", "chunked"]) {
    const args = ["-sS", "-H", "Content-Type: application/json", ...(coding === "chunked" ? ["-H", "Transfer-Encoding: chunked"] : []), "--data-binary", "@-"];
    const out = execFileSync("curl", [...args, new URL("/v1/summarize", worker.url).href], { input: sized(12 * MB), encoding: "utf8" });
    assert.equal(JSON.parse(out).status, 413);
  }
});

test("a body that is far too long is refused before it comes", async () => {
  assert.match(await raw(head(`Content-Length: ${1000 * MB}`)), /^HTTP\/1\.1 413 /);
});

test("a body that does not end is refused once it is far too long", async () => {
  const piece = `100000\r\n${" ".repeat(MB)}\r\n`;
  assert.match(await raw(head("Transfer-Encoding: chunked") + piece.repeat(17)), /^HTTP\/1\.1 413 /);
});

test("refusals that need no body come through long ones too", async () => {
  const limited = await start({ rate: 1 });
  try {
    for (const [path, init, status, to] of [
      ["/v1/nothing", {}, 404, worker],
      ["/healthz", {}, 405, worker],
      ["/v1/summarize", { headers: { "content-type": "text/plain" } }, 415, worker],
    ]) {
      assert.equal((await fetch(new URL(path, to.url), { method: "POST", body: sized(4 * MB), ...init })).status, status);
    }
    // A minute may begin between two of them.
    let status;
    for (let i = 0; i < 4 && status !== 429; i++) ({ status } = await post(sized(4 * MB), limited));
    assert.equal(status, 429);
  } finally {
    await limited.stop();
  }
});

test("who goes away in the midst of a body disturbs nobody", async () => {
  for (const more of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
    const socket = connect(Number(worker.url.port), worker.url.hostname);
    await new Promise((sent) => socket.write(`${head(more)}5\r\nabcde\r\n`, sent));
    await pause(50);
    socket.destroy();
  }
  assert.equal((await post(sized(1000))).status, 200);
});

test("a slow body waits alone", async () => {
  const text = sized(600);
  const socket = connect(Number(worker.url.port), worker.url.hostname);
  let answer = "";
  socket.setEncoding("utf8").on("data", (data) => (answer += data));
  socket.write(head(`Content-Length: ${text.length}`));
  for (let i = 0; i < text.length; i += 100) {
    socket.write(text.slice(i, i + 100));
    assert.equal((await post(sized(1000))).status, 200);
  }
  while (!answer.includes("overBudget")) await pause(20);
  socket.destroy();
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

slow("work that takes all memory is refused, and is nobody else's trouble", async () => {
  const large = await start({ vars: { MAX_MILLISECONDS: "60000" } });
  try {
    const words = JSON.stringify({ documents: [Array.from({ length: 230_000 }, (_, i) => `${i.toString(36)}q`).join(" ")] });
    for (let i = 0; i < 2; i++) {
      const problem = await post(words, large);
      assert.deepEqual([problem.status, problem.type], [422, "urn:cerasum:problem:too-heavy"]);
      assert.equal((await post(sized(1000), large)).status, 200);
    }
    assert.deepEqual(large.said, []);
  } finally {
    await large.stop();
  }
});
