// Prepares the module file for building the page: go.mod with one replacement.
// snowballstem imports log and fmt for two unused debug lines, which make up a
// seventh of the page's WebAssembly. The page uses a copy without these lines; all
// other builds use the library unchanged.

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
  // The module cache is read-only; a copy would keep its modes.
  cpSync(folder, copy, { recursive: true, filter: (path) => !/\.git$/.test(path) });
  execFileSync("chmod", ["-R", "u+w", copy]);
  replace(copy, "env.go", [/^\t"log"\n/m, ""], [/^\tlog\.Printf\("snowball debug.*\n/m, ""]);
  replace(copy, "among.go", [/^import "fmt"\n/m, ""], [/fmt\.Sprintf\(.*\)/, "a.Str"]);
  const modfile = join(root, "build/out/lean/page.mod");
  copyFileSync(join(root, "go.mod"), modfile);
  copyFileSync(join(root, "go.sum"), join(root, "build/out/lean/page.sum"));
  // Relative to go.mod's folder: the path becomes part of the program.
  go("mod", "edit", `-replace=${library}=./${relative(root, copy).replaceAll("\\", "/")}`, modfile);
  return modfile;
}

/** Every pattern must match: a new release of the library may differ. */
function replace(folder, name, ...changes) {
  const path = join(folder, name);
  let text = readFileSync(path, "utf8");
  for (const [pattern, by] of changes) {
    if (!pattern.test(text)) throw new Error(`${library}: ${name} does not match ${pattern}: adapt build/lean-module.mjs`);
    text = text.replace(pattern, by);
  }
  writeFileSync(path, text);
}
