// Builds both extensions into build/out/extension/: chromium/ and firefox/,
// which differ in their manifests alone. With --test also test/, for the tests:
// Chromium's, whose manifest has the tests' hosts granted, with a page through
// which tests call what the panel calls.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { build as vite } from "vite";
import { encoder, runtime } from "../../build/encoder.mjs";
import { notices } from "../../build/notices.mjs";
import { files as weightFiles, manifest as weightManifest } from "../../build/weights.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = here("../..");
const out = process.env.CERASUM_EXTENSION_OUT ?? join(root, "build/out/extension");
const { version } = JSON.parse(readFileSync(here("package.json"), "utf8"));

/** A script of its own: no modules, nothing that it would load. */
async function script(from, to) {
  const bundle = await rolldown({ input: here(from), logLevel: "warn" });
  await bundle.write({ file: to, format: "iife", minify: true, comments: false });
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
  process.env.CERASUM_EXTENSION_OUT = folder;
  if (harness) process.env.CERASUM_HARNESS ??= "with the panel";
  await vite({ configFile: here("vite.config.ts"), logLevel: "warn" });
  delete process.env.CERASUM_HARNESS;
  await script("src/background.ts", join(folder, "background.js"));
  await script("src/page/extract.ts", join(folder, "page/extract.js"));
  await script("src/page/highlight.ts", join(folder, "page/highlight.js"));
  for (const file of runtime) copy(file, join(folder, "ort", basename(file)));
  if (encoder !== "") copy(encoder, join(folder, "encoder"));
  for (const [path, file] of weightFiles) copy(file, join(folder, "weights", path));
  mkdirSync(join(folder, "weights"), { recursive: true });
  writeFileSync(join(folder, "weights/manifest.json"), weightManifest);
  copy(join(root, "node_modules/pdfjs-dist/cmaps"), join(folder, "pdf/cmaps"));
  copy(here("_locales"), join(folder, "_locales"));
  copy(here("icons"), join(folder, "icons"));
  writeFileSync(join(folder, "NOTICES.txt"), notices(root, ["@mozilla/readability", "pdfjs-dist"]));
}

const write = (folder, manifest) => writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);

const { manifest } = await manifests();
if (process.argv.includes("--test")) {
  await build(join(out, "test"), { harness: true });
  const own = manifest("chromium", version);
  write(join(out, "test"), { ...own, permissions: [...own.permissions, "tabs"], host_permissions: ["http://*.test/*"] });
}
const [chromium, firefox] = [join(out, "chromium"), join(out, "firefox")];
await build(chromium);
rmSync(firefox, { recursive: true, force: true });
copy(chromium, firefox);
write(chromium, manifest("chromium", version));
write(firefox, manifest("firefox", version));
