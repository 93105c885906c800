// Builds both extensions into build/out/extension/: chromium/ and firefox/,
// which differ in manifest and background script. With --test also test/, for the tests:
// Chromium's with permission for the tests' hosts, and a page through which the
// tests call the panel's functions.

import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { build as vite } from "vite";
import { encoder, encoderFiles, runtime, shipped } from "../../build/encoder.mjs";
import { bundled, notices, onlyBundled } from "../../build/notices.mjs";
import { trustedRuntime } from "../../build/trusted-types.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = here("../..");
const out = process.env.CERASUM_EXTENSION_OUT || join(root, "build/out/extension");
const { version } = JSON.parse(readFileSync(here("package.json"), "utf8"));

/** Bundles a standalone script without modules. `define` sets build-time constants. */
async function script(from, to, define = {}) {
  const bundle = await rolldown({ input: here(from), transform: { define }, plugins: [onlyBundled(bundled.extension)], logLevel: "warn" });
  await bundle.write({ file: to, format: "iife", name: "cerasum", minify: true, comments: false });
  await bundle.close();
}

/** The TypeScript source of the manifests, as a module. */
async function manifests() {
  const bundle = await rolldown({ input: here("manifest.ts"), logLevel: "warn" });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

async function build(folder, { harness = false } = {}) {
  const input = [here("panel.html"), ...(harness ? [here("tests/harness/harness.html")] : [])];
  await vite({ configFile: here("vite.config.ts"), logLevel: "warn", build: { outDir: folder, rolldownOptions: { input, checks: { pluginTimings: false, bundlerTimings: false } } } });
  // core-js, in pdf.js, ends its search for the global object with what is eval by another name.
  for (const name of readdirSync(join(folder, "assets"))) {
    if (!name.endsWith(".js")) continue;
    const file = join(folder, "assets", name);
    writeFileSync(file, readFileSync(file, "utf8").replace(/\bFunction\((["'`])return this\1\)\(\)/g, "globalThis"));
  }
  await script("src/page/extract.ts", join(folder, "page/extract.js"));
  await script("src/page/highlight.ts", join(folder, "page/highlight.js"));
  for (const name of encoderFiles) copy(join(encoder, name), join(folder, "encoder", name));
  mkdirSync(join(folder, "ort"), { recursive: true });
  for (const file of runtime) writeFileSync(join(folder, "ort", basename(file)), trustedRuntime(basename(file), shipped(file)));
  copy(join(root, "node_modules/pdfjs-dist/cmaps"), join(folder, "pdf/cmaps"));
  copy(here("_locales"), join(folder, "_locales"));
  copy(here("icons"), join(folder, "icons"));
  writeFileSync(join(folder, "NOTICES.txt"), notices(root, bundled.extension));
}

/** The parts that differ between browsers. */
async function own(folder, browser, change = (manifest) => manifest) {
  await script("src/background.ts", join(folder, "background.js"), { FIREFOX: String(browser === "firefox") });
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(change(manifest(browser, version)), undefined, 2)}\n`);
}

const { manifest } = await manifests();
if (process.argv.includes("--test")) {
  await build(join(out, "test"), { harness: true });
  await own(join(out, "test"), "chromium", (manifest) => ({ ...manifest, permissions: [...manifest.permissions, "tabs"], host_permissions: ["http://*.test/*"] }));
}
const [chromium, firefox] = [join(out, "chromium"), join(out, "firefox")];
await build(chromium);
rmSync(firefox, { recursive: true, force: true });
copy(chromium, firefox);
await own(chromium, "chromium");
await own(firefox, "firefox");
