// Makes the compiled scripts in js/dist small: their comments are in the
// declarations too. The entries stay as they are, since bundlers look in them
// for forms that they know by sight.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { minifySync } from "rolldown/utils";

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), "js/dist");

for (const name of readdirSync(dist)) {
  if (!name.endsWith(".js") || name.startsWith("index.")) continue;
  const file = join(dist, name);
  const { code, errors } = minifySync(name, readFileSync(file, "utf8"), { module: name !== "wasm_exec.js" });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  writeFileSync(file, code);
}
