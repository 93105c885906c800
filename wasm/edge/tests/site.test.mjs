// The page as the Worker's static files, and pages of other origins.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { again, count, test } from "../../../web/common/tests/limits.mjs";

import { config, here, start } from "./lib.mjs";

const site = join(here, config.assets.directory);
const names = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length).replaceAll("\\", "/").replace(/^\/?/, "/"));

let worker;
before(async () => {
  worker = await start();
});
after(() => worker.stop());

const types = {
  html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", mjs: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8",
  wasm: "application/wasm", svg: "image/svg+xml", png: "image/png", json: "application/json", txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json", onnx: "application/octet-stream", safetensors: "application/octet-stream", bcmap: "application/octet-stream", bin: "application/octet-stream",
  md: "text/markdown; charset=utf-8",
};

test("every file: type, policy, isolation, caching", async () => {
  assert.ok(names.length > 50 && names.includes("/index.html"));
  assert.deepEqual(names.filter((name) => /\.(br|gz)$/.test(name)), []);
  for (const name of names.filter((name) => name !== "/_headers")) {
    const response = await worker.fetch(name === "/index.html" ? "/" : name);
    assert.equal(response.status, 200, name);
    const of = (header) => response.headers.get(header);
    assert.equal(of("content-type"), types[name.split(".").pop()] ?? null, name);
    assert.match(of("content-security-policy"), /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; .*; frame-ancestors 'none'$/);
    assert.equal(of("cross-origin-opener-policy"), "same-origin");
    assert.equal(of("cross-origin-embedder-policy"), "require-corp");
    assert.equal(of("x-content-type-options"), "nosniff");
    assert.equal(of("referrer-policy"), "no-referrer");
    const hashed = /^\/(assets|files)\//.test(name);
    const cached = hashed ? "public, max-age=31536000, immutable" : "public, max-age=0, must-revalidate";
    assert.equal(of("cache-control"), cached, name);
    if (hashed) assert.match(name, /-[\w-]{8}\.\w+$/);
    await response.arrayBuffer();
  }
  assert.equal((await worker.fetch("/_headers")).status, 404);
});

test("the licences of all that the Worker's program is made of", async () => {
  const notices = await (await worker.fetch("/NOTICES-edge.txt")).text();
  for (const part of ["cerasum", "The Go runtime and standard library", "github.com/syumai/workers", "github.com/blevesearch/snowballstem"]) {
    assert.match(notices, new RegExp(`^${part.replaceAll(".", "\\.")}\n=+\n\n.*copyright`, "ims"), part);
  }
});

test("texts and programs are compressed", async () => {
  for (const name of names.filter((name) => /\.(html|js|css|wasm|json|svg)$/.test(name))) {
    const response = await worker.fetch(name === "/index.html" ? "/" : name, { headers: { "accept-encoding": "gzip" } });
    // Miniflare's own mark: what it hands on is not compressed a second time.
    assert.equal(response.headers.get("mf-content-encoding") ?? response.headers.get("content-encoding"), "gzip", name);
    await response.arrayBuffer();
  }
});

test("a file that has not changed is not sent again", async () => {
  const first = await worker.fetch("/");
  const again = await worker.fetch("/", { headers: { "if-none-match": first.headers.get("etag") } });
  assert.equal(again.status, 304);
});

again("pages of other origins", async () => {
  const ask = (from, method) => from.fetch("/v1/summarize", { method, headers: { origin: "https://a.example", "content-type": "application/json" }, ...(method === "POST" && { body: "{}" }) });
  const cases = [["https://b.example HTTPS://A.example:443/", "https://a.example"], ["", null], ["*", "*"], ["https://b.example", null]];
  for (const [CORS_ORIGINS, allowed] of cases.slice(0, count(2, 4))) {
    const other = await start({ vars: { CORS_ORIGINS } });
    try {
      const preflight = await ask(other, "OPTIONS");
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get("access-control-allow-origin"), allowed);
      assert.equal(preflight.headers.get("access-control-allow-headers"), allowed && "Authorization, Content-Type, X-Request-Id");
      const refused = await ask(other, "POST");
      assert.equal(refused.status, 400);
      assert.equal(refused.headers.get("access-control-allow-origin"), allowed);
    } finally {
      await other.stop();
    }
  }
});
