// Copies the shipped weights of CeRA and CeRAI into js/dist: a folder for each, and
// manifest.json, which lists them. CERASUM_WEIGHTS replaces models/ as the source;
// if it is empty, none are shipped.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = process.env.CERASUM_WEIGHTS ?? join(root, "models");

/** The entries of the folder's manifest.json. */
export const weights = folder === "" ? [] : JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).weights ?? [];

/** The content of weights/manifest.json. */
export const manifest = `${JSON.stringify({ weights }, undefined, 2)}\n`;

/** Their files: the path below weights/ and the source path. */
export const files = weights.flatMap(({ files }) => files.map(({ path }) => [path, join(folder, path)]));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const to = join(root, "js/dist/weights");
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, "manifest.json"), manifest);
  for (const [path, file] of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    copyFileSync(file, join(to, path));
  }
  if (weights.length === 0) console.warn("js/dist: without weights");
}
