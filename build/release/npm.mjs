// What `npm pack` would pack, as a folder: which files, npm decides; how they are
// compressed must not depend on npm's and Node's own releases, nor on the
// processor, as Node's zlib does.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Lays the package of a folder into `to`/package, and returns npm's name for the tarball. */
export function lay(folder, to) {
  const said = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const { filename, files } = Object.values(said)[0]; // a list, or by name, as npm's release has it
  for (const { path, mode } of files) {
    const file = join(to, "package", path);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(folder, path), file);
    chmodSync(file, mode & 0o100 ? 0o755 : 0o644);
  }
  return filename;
}
