// Version, commit and date of a release: from the repository, from an archive made
// by git (which fills in commit.txt), or else from COMMIT and SOURCE_DATE_EPOCH.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns `version`; `commit`, 40 digits, followed by "-modified" if files differ
 * from it; `seconds`, the commit's date since 1970.
 */
export function source(root, env = process.env) {
  const version = readFileSync(join(root, "core/VERSION"), "utf8").trim();
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`core/VERSION: invalid version ${JSON.stringify(version)}`);
  return { version, ...commit(root, env) };
}

function commit(root, env) {
  if (existsSync(join(root, ".git"))) {
    const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
    const [hash, seconds] = git("show", "-s", "--format=%H %ct", "HEAD").split(" ");
    return checked(hash + (git("status", "--porcelain") === "" ? "" : "-modified"), seconds, "git");
  }
  const [hash, seconds] = readFileSync(join(root, "build/release/commit.txt"), "utf8").trim().split(" ");
  if (!hash.startsWith("$")) return checked(hash, seconds, "build/release/commit.txt");
  if (!env.COMMIT) throw new Error("unknown commit: build in the repository or in an archive made by git, or set COMMIT and SOURCE_DATE_EPOCH");
  return checked(env.COMMIT, env.SOURCE_DATE_EPOCH, "COMMIT and SOURCE_DATE_EPOCH");
}

function checked(commit, seconds, from) {
  if (!/^[\da-f]{40}(-modified)?$/.test(commit)) throw new Error(`${from}: want a commit of 40 digits, got ${JSON.stringify(commit)}`);
  if (!/^\d{1,11}$/.test(seconds ?? "")) throw new Error(`${from}: want seconds since 1970, got ${JSON.stringify(seconds)}`);
  return { commit, seconds: Number(seconds) };
}
