// Builds the readers of Word files, mail and so on for the page (wasm/files) into
// build/out/wasm, with the loader of the same Go release. The page loads both with the
// first such file.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { go, page } from "./modules.mjs";
import { pack } from "./pack-wasm.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const program = join(root, "build/out/wasm/files.wasm");
export const loader = join(root, "build/out/wasm/wasm_exec.js");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(dirname(program), { recursive: true });
  const linked = join(dirname(program), "files-linked.wasm");
  // No VCS stamp: the same sources give the same program.
  execFileSync("go", ["build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", linked, "./wasm/files"], { cwd: root, env: { ...process.env, ...page }, stdio: "inherit" });
  writeFileSync(program, pack(readFileSync(linked)));
  copyFileSync(join(go(root, ["env", "GOROOT"]), "lib/wasm/wasm_exec.js"), loader);
}
