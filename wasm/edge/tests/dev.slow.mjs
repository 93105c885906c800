// `make edge` asks nobody outside this machine: neither for updates nor for where it is.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { here } from "./lib.mjs";

/** Runs in wrangler: writes down whom it connects to. */
const hook = (file) => `
import { appendFileSync } from "node:fs";
import net from "node:net";
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [to] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof to === "object" ? (to.path ? "" : to.host ?? "localhost") : "localhost";
  if (host) appendFileSync(${JSON.stringify(file)}, host + "\\n");
  return connect.apply(this, args);
};
`;

const free = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

test("the local Worker asks nobody outside", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-dev-"));
  const asked = join(folder, "asked");
  writeFileSync(asked, "");
  writeFileSync(join(folder, "hook.mjs"), hook(asked));
  const port = await free();
  const env = { ...process.env, NODE_OPTIONS: `--import ${join(folder, "hook.mjs")}`, HOME: folder, XDG_CONFIG_HOME: folder, TMPDIR: folder };
  for (const name of ["CI", "WRANGLER_SEND_METRICS", "WRANGLER_HIDE_BANNER", "CLOUDFLARE_CF_FETCH_ENABLED"]) delete env[name];
  const wrangler = spawn("npm", ["run", "--silent", "--no-update-notifier", "dev", "--", "--port", String(port), "--inspector-port", String(await free())], { cwd: here, env, stdio: "ignore", detached: true });
  try {
    for (let left = 300; ; left--) {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
      if (response?.ok) break;
      assert.ok(left > 0, "the Worker does not answer");
      await sleep(200);
    }
  } finally {
    process.kill(-wrangler.pid, "SIGTERM");
    await new Promise((resolve) => wrangler.once("exit", resolve));
  }
  const hosts = [...new Set(readFileSync(asked, "utf8").trim().split("\n"))].filter((host) => host && !["localhost", "127.0.0.1", "::1"].includes(host));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  assert.deepEqual(hosts, []);
});
