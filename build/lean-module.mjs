// Prepares the module file that the page is built with: go.mod with one
// replacement. snowballstem imports log and fmt for two debug lines that nobody
// calls, and these are a seventh of the page's WebAssembly. Here a copy of it
// without these lines takes its place. Every other build uses the library as it
// is.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const library = "github.com/blevesearch/snowballstem";

/** Returns the path of the module file, for `go build -modfile`. */
export function leanModule(root) {
  const go = (...args) => execFileSync("go", args, { cwd: root, encoding: "utf8" }).trim();
  go("mod", "download", library);
  const folder = go("list", "-m", "-f", "{{.Dir}}", library);
  const copy = join(root, "build/out/lean/snowballstem");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(join(root, "build/out/lean"), { recursive: true });
  // The module cache is read-only, and so would be a plain copy of its modes.
  cpSync(folder, copy, { recursive: true, filter: (path) => !/\.git$/.test(path) });
  execFileSync("chmod", ["-R", "u+w", copy]);
  replace(copy, "env.go", [/^\t"log"\n/m, ""], [/^\tlog\.Printf\("snowball debug.*\n/m, ""]);
  replace(copy, "among.go", [/^import "fmt"\n/m, ""], [/fmt\.Sprintf\(.*\)/, "a.Str"]);
  const modfile = join(root, "build/out/lean/page.mod");
  copyFileSync(join(root, "go.mod"), modfile);
  copyFileSync(join(root, "go.sum"), join(root, "build/out/lean/page.sum"));
  // Relative to go.mod's folder: the path stands in the program.
  go("mod", "edit", `-replace=${library}=./${relative(root, copy).replaceAll("\\", "/")}`, modfile);
  return modfile;
}

/** Each pattern must be there: a new release of the library may differ. */
function replace(folder, name, ...changes) {
  const path = join(folder, name);
  let text = readFileSync(path, "utf8");
  for (const [pattern, by] of changes) {
    if (!pattern.test(text)) throw new Error(`${library}: ${name} is not the text that build/lean-module.mjs expects: no ${pattern}`);
    text = text.replace(pattern, by);
  }
  writeFileSync(path, text);
}
