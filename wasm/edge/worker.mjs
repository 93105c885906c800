// The Worker: starts the Go program once and passes it one request after another.
// Requests for the site's files are answered by the platform.
//
// The program answers synchronously: bodies are read before the call, and the
// answer is complete. So it handles one request at a time and holds no streams or
// timers of a request.

import "./wasm_exec.js";
import module from "./app.wasm";
import { read } from "./body.mjs";
import { sender } from "./sender.mjs";

/** Above this size a program is discarded: WebAssembly memory never shrinks, and an isolate has 128 MB. */
const HEAVY = 64 << 20;

// Go's output on exit may contain parts of a text.
globalThis.fs.writeSync = (_, bytes) => bytes.length;

/** The request headers that the program gets. */
const SEEN = ["content-type", "content-encoding", "origin"];

let program;
// Created while the Worker is loaded, at no cost for a request. It is started by the
// first request: before that, the platform provides no random numbers.
let next = prepare();

function prepare() {
  const go = new globalThis.Go();
  // Soft limit for Go's garbage collector; the maximum is 96 MiB (build.mjs).
  go.env = { GOMEMLIMIT: "56MiB" };
  go.exit = () => {};
  // The program never waits, and its runtime's background work must not use a request's timer.
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
  // Otherwise another request that ends the program would settle a promise of this one.
  go._resolveExitPromise = () => {};
  if (go.exited || !binding.handleRequest) throw new Error("the program did not start");
  return { go, binding, memory: instance.exports.mem };
}

/** Whether the client exceeds the rate limit. */
async function limited(request, env) {
  if (request.method !== "POST" || !env.RATE_LIMITER) return false;
  const { success } = await env.RATE_LIMITER.limit({ key: sender(request.headers.get("cf-connecting-ip") ?? "") });
  return !success;
}

/** The request without its body, for the program. A path that Go cannot parse becomes one that does not exist. */
function head(request) {
  const headers = new Headers(SEEN.filter((name) => request.headers.has(name)).map((name) => [name, request.headers.get(name)]));
  const path = new URL(request.url).pathname.replace(/%(?![0-9a-f]{2})/gi, "%25");
  return { url: `http://edge${path}`, method: request.method, headers, body: null };
}

/** The program's answer. If the call ends early, even by the platform, the program is discarded. */
function answer(env, request, body, late) {
  const held = program ?? start(env);
  program = undefined;
  Object.assign(held.binding, { body: body.bytes, fault: body.fault, limited: late });
  let promise;
  try {
    promise = held.binding.handleRequest(head(request));
  } catch {
    // The program ended during the call.
  }
  const heavy = held.memory.buffer.byteLength > HEAVY;
  if (!promise || held.go.exited) {
    // Go exits when it runs out of memory: a new program reports it.
    if (!heavy || body.fault) throw new Error("the program has ended");
    return answer(env, request, { bytes: new Uint8Array(), fault: "heavy" }, late);
  }
  if (!heavy) program = held;
  return promise;
}

const failed = () =>
  new Response('{"type":"urn:cerasum:problem:internal","title":"Internal error","status":500}\n', {
    status: 500,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });

export default {
  async fetch(request, env) {
    try {
      const { maxBody } = (program ??= start(env)).binding;
      const late = await limited(request, env);
      // Nothing of a refused body is kept.
      const body = await read(request, late ? 0 : maxBody);
      return await answer(env, request, body, late);
    } catch {
      // The error is not logged: it may contain parts of the text.
      return failed();
    }
  },
};
