// What a release is made from: version, commit and date. They come from the
// repository, from an archive of it that git made (which fills in commit.txt), or,
// where neither is, from COMMIT and SOURCE_DATE_EPOCH.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns `version`; `commit`, 40 digits, with "-modified" after them where files
 * are not as committed; `seconds`, the commit's date since 1970.
 */
export function source(root, env = process.env) {
  const version = readFileSync(join(root, "core/VERSION"), "utf8").trim();
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error(`core/VERSION: ${JSON.stringify(version)} is no version`);
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
  if (!env.COMMIT) throw new Error("these sources do not tell their commit: build in the repository or in an archive that git made of it, or set COMMIT and SOURCE_DATE_EPOCH");
  return checked(env.COMMIT, env.SOURCE_DATE_EPOCH, "COMMIT and SOURCE_DATE_EPOCH");
}

function checked(commit, seconds, from) {
  if (!/^[\da-f]{40}(-modified)?$/.test(commit)) throw new Error(`${from}: ${JSON.stringify(commit)} is no commit of 40 digits`);
  if (!/^\d{1,11}$/.test(seconds ?? "")) throw new Error(`${from}: ${JSON.stringify(seconds)} is no number of seconds since 1970`);
  return { commit, seconds: Number(seconds) };
}
