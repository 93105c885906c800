// The licence notices of what ends up in the WebAssembly and in the page: the
// text of every licence, from where each part was installed.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** What every build of the library holds. */
const library = ["@huggingface/tokenizers", "onnxruntime-web"];

const modules = ["github.com/blevesearch/snowballstem", "github.com/clipperhouse/uax29/v2"];

/** Returns one text; `packages` are npm packages bundled besides. */
export function notices(root, packages = []) {
  const go = (...args) => execFileSync("go", args, { cwd: root, encoding: "utf8" }).trim();
  const parts = [
    ["cerasum", join(root, "LICENSE")],
    ["cerasum's tables of word frequencies and languages", join(root, "core/lexical/DATA.md")],
    ["The Go runtime and standard library", licenceIn(go("env", "GOROOT"))],
    ...modules.map((name) => [name, licenceIn(go("list", "-m", "-f", "{{.Dir}}", name))]),
    ...[...library, ...packages].map((name) => [name, licenceOf(root, name)]),
  ];
  return parts.map(([name, file]) => `${name}\n${"=".repeat(name.length)}\n\n${readFileSync(file, "utf8").trim()}\n`).join("\n\n");
}

/** The licence in an npm package, or the one kept for a package that comes without. */
function licenceOf(root, name) {
  const kept = join(root, "build/licences", `${name}.txt`);
  return existsSync(kept) ? kept : licenceIn(join(root, "node_modules", name));
}

function licenceIn(folder) {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.|$)/i.test(file));
  if (!name) throw new Error(`no licence in ${folder}`);
  return join(folder, name);
}
