// The Worker: starts the Go program once and hands it one request after another.
// The site's files are answered by the platform before a request comes here.
//
// The program answers while it is called, without waiting for anything: bodies
// are read before, and its answer comes back whole. So it never sees two requests
// at once, and holds nothing (streams, timers) that belongs to a request.

import "./wasm_exec.js";
import module from "./app.wasm";
import { read } from "./body.mjs";
import { sender } from "./sender.mjs";

/** Above this a program is left to the collector: memory of WebAssembly never shrinks, and an isolate has 128 MB. */
const HEAVY = 64 << 20;

// What Go writes when it ends might hold some of a text.
globalThis.fs.writeSync = (_, bytes) => bytes.length;

/** All that the program gets to see of a request's headers. */
const SEEN = ["content-type", "content-encoding", "origin"];

let program;
// Made while the Worker is loaded, where no request pays for it. It runs with the
// first one: before, the platform gives no random numbers.
let next = prepare();

function prepare() {
  const go = new globalThis.Go();
  // The collector works harder before it takes more than this; it may have 96 MiB (build.mjs).
  go.env = { GOMEMLIMIT: "56MiB" };
  go.exit = () => {};
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
  // It would settle a promise of this request when another ends the program.
  go._resolveExitPromise = () => {};
  if (go.exited || !binding.handleRequest) throw new Error("the program did not start");
  return { go, binding, memory: instance.exports.mem };
}

/** Whether the sender has asked too often. */
async function limited(request, env) {
  if (request.method !== "POST" || !env.RATE_LIMITER) return false;
  const { success } = await env.RATE_LIMITER.limit({ key: sender(request.headers.get("cf-connecting-ip") ?? "") });
  return !success;
}

/** The request without its body, as the program takes it; a path that Go would not read is one that leads nowhere. */
function head(request) {
  const headers = new Headers(SEEN.filter((name) => request.headers.has(name)).map((name) => [name, request.headers.get(name)]));
  const path = new URL(request.url).pathname.replace(/%(?![0-9a-f]{2})/gi, "%25");
  return { url: `http://edge${path}`, method: request.method, headers, body: null };
}

/** The program's answer. Whatever ends the call, the platform too, leaves no program behind that was in the midst of it. */
function answer(env, request, body, late) {
  const held = program ?? start(env);
  program = undefined;
  Object.assign(held.binding, { body: body.bytes, fault: body.fault, limited: late });
  let promise;
  try {
    promise = held.binding.handleRequest(head(request));
  } catch {
    // It has ended in the midst of it.
  }
  const heavy = held.memory.buffer.byteLength > HEAVY;
  if (!promise || held.go.exited) {
    // Where Go gets no more memory it ends: the next one says so.
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
      // Of a body that is refused unread nothing is kept.
      const body = await read(request, late ? 0 : maxBody);
      return await answer(env, request, body, late);
    } catch {
      // What it was about is not logged: it might hold some of the text.
      return failed();
    }
  },
};
