// Runs the built Worker (build/out/edge) in workerd, as wrangler.jsonc has it:
// no network, no account.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

export const here = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = join(here, "../..");
const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
const quiet = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_LOG: "warn", WRANGLER_HIDE_BANNER: "true", CI: "1" };

/** What wrangler would upload: a folder with the bundled script and its modules. */
function bundle() {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-edge-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", folder], { cwd: here, env: quiet, stdio: ["ignore", "ignore", "inherit"] });
  return readdirSync(folder)
    .filter((name) => /\.(js|wasm)$/.test(name))
    .sort() // worker.js is the last: the first must be the entry
    .reverse()
    .map((name) => ({ type: name.endsWith(".js") ? "ESModule" : "CompiledWasm", path: name, contents: readFileSync(join(folder, name)) }));
}

let modules;

/** wrangler.jsonc, without its comments. */
export const config = JSON.parse(readFileSync(join(here, "wrangler.jsonc"), "utf8").replace(/^\s*\/\/.*$/gm, ""));

/** An edit of the script that must find what it replaces. */
export const replace = (from, to) => (script) => {
  if (!script.includes(from)) throw new Error(`the script has no ${from}`);
  return script.replace(from, to);
};

/**
 * A Worker of its own. `vars` are put over those of wrangler.jsonc; `rate` is
 * its limit of requests a minute (none: no binding).
 */
export async function start({ vars = {}, rate, edit = (script) => script } = {}) {
  modules ??= bundle();
  const worker = new Miniflare({
    name: config.name,
    modules: modules.map((m) => (m.type === "ESModule" ? { ...m, contents: edit(m.contents.toString()) } : m)),
    compatibilityDate: config.compatibility_date,
    bindings: { ...config.vars, ...vars },
    ...(rate && { ratelimits: { RATE_LIMITER: { simple: { limit: rate, period: 60 } } } }),
    assets: { directory: join(here, config.assets.directory), binding: "ASSETS", routerConfig: { has_user_worker: true }, assetConfig: config.assets },
    handleRuntimeStdio(out, err) {
      for (const stream of [out, err]) stream.on("data", (data) => worker.said.push(data.toString()));
    },
  });
  worker.said = [];
  const url = await worker.ready;
  const fetch = (path, init) => worker.dispatchFetch(new URL(path, "http://edge.example"), init);
  return {
    url,
    fetch,
    said: worker.said,
    post: (path, body, init = {}) =>
      fetch(path, { method: "POST", body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body), ...init, headers: { "content-type": "application/json", ...init.headers } }),
    stop: () => worker.dispose(),
  };
}
