// Bundles what a page loads into few small files: the library and the two workers,
// one file each. The separate modules stay next to them for Node and for
// bundlers, which leave out unused ones; their entry is index.modules.js.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), "js/dist");

copyFileSync(join(dist, "index.js"), join(dist, "index.modules.js"));

/** Makes bundlers leave an import() alone. */
const ignored = "/* webpackIgnore: true *//* @vite-ignore */";

for (const name of ["index.js", "worker.js", "encoder-worker.js"]) {
  const file = join(dist, name);
  await build({
    input: file,
    output: { file, format: "es", minify: true, comments: false, codeSplitting: false },
    treeshake: { moduleSideEffects: (id) => id.endsWith("wasm_exec.js") || id === file },
    checks: { eval: false },
    logLevel: "warn",
  });
  // Bundlers look for new URL("…", import.meta.url) and import("…") with plain
  // quotes. Comments make them ignore imports of addresses that the caller gives.
  writeFileSync(file, readFileSync(file, "utf8")
    .replace(/(new URL|import)\(`([^`$]*)`(,import\.meta\.url)?\)/g, '$1("$2"$3)')
    .replace(/\bimport\((?=[a-z_$])/gi, `import(${ignored}`));
}
