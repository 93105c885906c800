// Lets the page open offline. The build prepends its contents
// (scripts/service-worker.mjs): `build.program`, all that the page needs, and its
// version; `build.later`, what is stored once it is used; `build.policy`, the page's
// Content-Security-Policy; and `build.damaged`, a message for each language.
//
// Every file is identified by its SHA-256: a page never gets parts of two
// versions, even if the host replaces the files while it is open, nor a file
// that was damaged on disk: each is checked once per start of this worker. If a
// file can no longer be had, since the host has another version, this worker
// retires: the pages that are open get no file of that version, and the next
// ones come from the host.
//
// What it answers is cross-origin isolated (`isolation`), whatever headers the host
// sends: from the second visit on, close reading runs on several threads.

const own = `cerasum ${registration.scope} `;
const program = `${own}program ${build.programVersion}`;
/** Not of one version: a new one keeps the files that are the same in both. */
const later = `${own}later`;
const at = (path) => new URL(path, registration.scope).href;
const files = (all) => new Map(all.map(({ path, ...file }) => [at(path), file]));
const needed = files(build.program);
const kept = files(build.later);
/** What the page needs to start. */
const first = [...needed].filter(([, file]) => file.first).map(([address]) => address);

// All or nothing: an incomplete version is not used. It waits until no page of
// an older one is open; see visit.
addEventListener("install", (event) => {
  event.waitUntil(caches.open(program).then((cache) => Promise.all([...needed].map(async ([address, file]) => {
    const response = await fetch(new Request(address, { cache: "no-cache" }));
    const bytes = await response.arrayBuffer();
    if (response.status !== 200 || !(await is(bytes, file))) throw new Error(`${address} is not of this version`);
    await cache.put(address, storable(response, bytes));
  }))));
});

addEventListener("activate", (event) => {
  const old = (name) => name.startsWith(own) && name !== program && name !== later;
  event.waitUntil(Promise.all([
    caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))),
    tidy(),
    clients.claim(),
  ]));
});

/** Deletes files of other versions from `later`. */
async function tidy() {
  if (!(await caches.has(later))) return;
  const cache = await caches.open(later);
  await Promise.all((await cache.keys()).map(async (request) => {
    const file = kept.get(request.url);
    const same = file && (await cache.match(request).then((found) => found.arrayBuffer()).then((bytes) => is(bytes, file), () => false));
    if (!same) await cache.delete(request);
  }));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  event.waitUntil(tell(event));
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  // The page has two addresses, and queries are ignored: a script that is asked for again has one.
  url.hash = url.search = "";
  const address = url.href === at("index.html") ? at("./") : url.href;
  if (retired && request.mode === "navigate") return;
  if (request.mode === "navigate" && address === at("./")) event.respondWith(visit(event, address));
  else if (needed.has(address)) event.respondWith(read(event, address));
  else if (kept.has(address)) event.respondWith(keep(address));
});

/** The page, or the page of a newer version that is waiting, if no other page is open. */
async function visit({ request, clientId }, address) {
  const { waiting } = registration;
  if (waiting && (await clients.matchAll({ type: "window" })).every(({ id }) => id === clientId)) {
    waiting.postMessage("activate");
    return again();
  }
  const states = broken ? await Promise.all(first.map(repaired)) : [];
  if (states.includes("other")) return again();
  if (states.includes("damaged")) {
    const language = navigator.languages.map((tag) => tag.split("-")[0]).find((one) => build.damaged[one]) ?? "en";
    return new Response(build.damaged[language], { status: 503, headers: { "content-type": "text/plain; charset=utf-8" } });
  }
  broken = false;
  const page = await read({ request, clientId }, address);
  // The browser will ask for these next.
  for (const other of first) void repaired(other);
  return page;
}

/** Whether the page cannot start, because a file of `first` is damaged. */
let broken = false;

/** Makes the browser load the page again. */
const again = () => new Response("", { headers: { "content-type": "text/html", refresh: "0" } });

/** Whether the host has another version, and files of this one are lost. */
let retired = false;

async function retire() {
  retired = true;
  await caches.delete(program).catch(() => undefined);
  await registration.unregister();
}

/** A file of the program. */
async function read({ request, clientId }, address) {
  let state = await repaired(address);
  const found = state === "whole" && (await take(program, address));
  if (found) return found;
  if (state === "whole" || state === "missing") {
    // Not stored, or deleted since: the host's, if it is of this version.
    const response = await fetch(new Request(address, { cache: "no-cache" }));
    if (response.status !== 200) return response;
    const bytes = await response.arrayBuffer();
    if (await is(bytes, needed.get(address))) return storable(response, bytes);
    await retire();
    state = "other";
  }
  const message = state === "other" ? "the site has another version of this page" : "the stored copy is damaged";
  if (request.mode === "navigate" && state === "other") return again();
  // A page whose scripts do not run cannot say why: visit does. What scripts fetch has no destination.
  if (!broken && first.includes(address) && request.destination) {
    broken = true;
    if (request.mode === "navigate") return visit({ request, clientId }, address);
    const page = await clients.get(clientId);
    page?.navigate(page.url).catch(() => undefined);
  }
  return failed(message);
}

/** The page shows the status text. */
const failed = (statusText) => new Response(null, { status: 503, statusText });

const checks = new Map();

/** The result of `check` for an address; "whole" holds until this worker is stopped, which browsers do when it is idle. */
function once(address, check) {
  if (!checks.has(address)) {
    checks.set(address, check().then((state) => {
      if (state !== "whole") checks.delete(address);
      return state;
    }));
  }
  return checks.get(address);
}

/** Responses that check has read, for the first request: the browser need not read the file twice. */
const fresh = new Map();

/** "whole", "missing" or "damaged". */
async function check(name, address, file) {
  const found = await stored(name, address);
  if (!found) return "missing";
  const copy = found.clone();
  if (!(await found.arrayBuffer().then((bytes) => is(bytes, file), () => false))) return "damaged";
  fresh.set(address, copy);
  return "whole";
}

/** A file that is whole. */
function take(name, address) {
  const copy = fresh.get(address);
  fresh.delete(address);
  return copy ?? stored(name, address);
}

/** check for a file of the program; a damaged one is fetched again: "other" if the host has another one. */
const repaired = (address) => once(address, async () => {
  const file = needed.get(address);
  const state = await check(program, address, file);
  if (state !== "damaged") return state;
  console.warn(`${address}: the stored copy is damaged`);
  let response, bytes;
  try {
    response = await fetch(new Request(address, { cache: "no-cache" }));
    bytes = await response.arrayBuffer();
  } catch {
    return "damaged";
  }
  if (response.status === 200 && (await is(bytes, file))) {
    return caches.open(program).then((cache) => cache.put(address, storable(response, bytes))).then(() => "whole", () => "missing");
  }
  // Its own error is no version.
  if (response.status >= 500) return "damaged";
  await retire();
  return "other";
});

/** Tells a page the files of this worker and which of them are stored. On "activate" a waiting worker takes over. */
addEventListener("message", ({ data, ports: [port] }) => {
  if (data === "activate") return skipWaiting();
  if (data !== "state") return;
  const all = async (name, files) => {
    const there = await caches.has(name).then(async (has) => (has ? (await (await caches.open(name)).keys()).map(({ url }) => url) : [])).catch(() => []);
    return [...files].map(([address, { bytes }]) => ({ address, bytes, stored: there.includes(address) }));
  };
  Promise.all([all(program, needed), all(later, kept)]).then(([program, later]) => port.postMessage({ program, later }));
});

/** Reports requests to the page that made them; requests by workers go to all pages, since their owner is unknown. */
async function tell({ clientId, request: { url, method, mode } }) {
  if (mode === "navigate") return;
  const pages = await clients.matchAll({ type: "window" });
  const page = pages.find(({ id }) => id === clientId);
  for (const one of page ? [page] : pages) one.postMessage({ kind: "request", url, method });
}

/** Storage errors count as a cache miss. */
const stored = (name, address) =>
  caches.open(name).then((cache) => cache.match(address, { ignoreVary: true })).catch(() => undefined);

/** From the cache, or from the host: the response is streamed to the page and stored when it is complete. */
async function keep(address) {
  const state = await once(address, () => check(later, address, kept.get(address)));
  const found = state === "whole" && (await take(later, address));
  if (found) return found;
  const response = await fetch(new Request(address, { cache: "no-cache" })).catch((error) => {
    if (state === "damaged") return failed("the stored copy is damaged");
    throw error;
  });
  if (response.status !== 200 || !response.body) return response;
  const chunks = [];
  const body = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      chunks.push(chunk);
      controller.enqueue(chunk);
    },
    async flush() {
      const bytes = await new Blob(chunks).arrayBuffer();
      if (!(await is(bytes, kept.get(address)))) throw new Error(`${address} is not of this version`);
      await caches.open(later).then((cache) => cache.put(address, storable(response, bytes))).catch(() => undefined);
    },
  }));
  return new Response(body, { headers: plain(response) });
}

async function is(bytes, { sha256 }) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** The response to store: if the host sends no policy, with the page's, so that it applies to workers, too. */
function storable(response, bytes) {
  const headers = plain(response);
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", build.policy);
  return new Response(bytes, { headers });
}

/**
 * Cross-origin isolation, which SharedArrayBuffer requires. All that the page loads is its
 * own or fetched with CORS; scripts of workers must have the second header, too.
 */
const isolation = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** The headers without those of the transfer, with those of isolation. */
function plain({ headers: given }) {
  const headers = new Headers({ ...Object.fromEntries(given), ...isolation });
  if (headers.has("content-encoding")) for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return headers;
}
