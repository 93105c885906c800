// The Worker: starts the Go program once and hands it one request after another.
// The site's files are answered by the platform before a request comes here.
//
// The program answers while it is called, without waiting for anything: bodies
// are read before, and its answer comes back whole. So it never sees two requests
// at once, and holds nothing (streams, timers) that belongs to a request.

import "./wasm_exec.js";
import module from "./app.wasm";

/** Above this a program is left to the collector: memory of WebAssembly never shrinks, and an isolate has 128 MB. */
const HEAVY = 64 << 20;

let program;
// Made while the Worker is loaded, where no request pays for it. It runs with the
// first one: before, the platform gives no random numbers.
let next = prepare();

function prepare() {
  const go = new globalThis.Go();
  // The collector works harder before it takes more than this.
  go.env = { GOMEMLIMIT: "80MiB" };
  // The program waits for nothing, and its runtime's housekeeping must not run on a request's timer.
  go.importObject.gojs["runtime.scheduleTimeoutEvent"] = (sp) => go.mem.setInt32((sp >>> 0) + 16, 1, true);
  go.importObject.gojs["runtime.clearTimeoutEvent"] = () => {};
  const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready: () => {} } });
  return { go, instance };
}

function start(env) {
  const { go, instance } = next ?? prepare();
  next = undefined;
  const binding = {};
  go.run(instance, { env, binding });
  if (go.exited || !binding.handleRequest) throw new Error("the program did not start");
  return { go, binding, memory: instance.exports.mem };
}

/** What the body holds, up to one byte more than the program takes: it refuses that. */
async function read(request, most) {
  if (!request.body || Number(request.headers.get("content-length")) > most) return null;
  const chunks = [];
  let length = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    length += part.value.length;
    if (length > most) break;
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** Whether the sender has asked too often. */
async function limited(request, env) {
  if (request.method !== "POST" || !env.RATE_LIMITER) return false;
  const { success } = await env.RATE_LIMITER.limit({ key: request.headers.get("cf-connecting-ip") ?? "" });
  return !success;
}

const failed = () =>
  new Response('{"type":"urn:cerasum:problem:internal","title":"Something went wrong here","status":500}\n', {
    status: 500,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });

export default {
  async fetch(request, env) {
    try {
      program ??= start(env);
      const late = await limited(request, env);
      const body = late ? null : await read(request, program.binding.maxBody);
      // Another request may have ended it meanwhile.
      program ??= start(env);
      const { go, binding, memory } = program;
      binding.body = body;
      binding.limited = late;
      const answer = binding.handleRequest({ url: request.url, method: request.method, headers: request.headers, body: null });
      if (go.exited) throw new Error("the program has ended");
      if (memory.buffer.byteLength > HEAVY) program = undefined;
      return await answer;
    } catch {
      // What it was about is not logged: it might hold some of the text.
      program = undefined;
      return failed();
    }
  },
};
