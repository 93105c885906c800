// The content of `npm pack` as a folder. npm decides which files; the compression is
// ours, since npm's depends on the releases of npm and Node and on the CPU.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies the package of a folder to `to`/package, and returns npm's name for the tarball. */
export function lay(folder, to) {
  const said = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const { filename, files } = Object.values(said)[0]; // a list or an object, depending on npm's release
  for (const { path, mode } of files) {
    const file = join(to, "package", path);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(folder, path), file);
    chmodSync(file, mode & 0o100 ? 0o755 : 0o644);
  }
  return filename;
}
