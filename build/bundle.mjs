// Makes what a page loads small and few: the library, the hub of models and the
// two workers, a file each. The modules that they are made of stay beside them, for
// Node and for bundlers, which leave out those that a page does not use:
// index.modules.js is what these begin with.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), "js/dist");

copyFileSync(join(dist, "index.js"), join(dist, "index.modules.js"));

for (const name of ["index.js", "hub-browser.js", "worker.js", "encoder-worker.js"]) {
  const file = join(dist, name);
  await build({
    input: file,
    // Loaded by the library when it is asked for.
    external: (id) => id === "./hub-browser.js",
    output: { file, format: "es", minify: true, comments: false, codeSplitting: false },
    treeshake: { moduleSideEffects: (id) => id.endsWith("wasm_exec.js") || id === file },
    checks: { eval: false },
    logLevel: "warn",
  });
  // Bundlers look for new URL("…", import.meta.url) and import("…") with plain
  // quotes. What is imported by a name of the host's they leave alone if told to.
  writeFileSync(file, readFileSync(file, "utf8")
    .replace(/(new URL|import)\(`([^`$]*)`(,import\.meta\.url)?\)/g, '$1("$2"$3)')
    .replace(/\bimport\((?=[a-z_$])/gi, "import(/* webpackIgnore: true *//* @vite-ignore */"));
}
