// Lays out the npm package cerasum-encoder, the encoder for cerasum and the weights of CeRA and
// CeRAI: js/encoder, with what the build has written to js/dist, and the version of js/package.json.
//
//	node build/encoder-package.mjs FOLDER

import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { encoder } from "./encoder.mjs";
import { encoderNotices } from "./notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function layEncoder(folder) {
  const read = (file) => JSON.parse(readFileSync(join(root, "js", file), "utf8"));
  const { version, homepage, bugs, repository, author } = read("package.json");
  mkdirSync(folder, { recursive: true });
  for (const part of ["encoder", "ort", "weights"]) cpSync(join(root, "js/dist", part), join(folder, part), { recursive: true });
  copyFileSync(join(root, "js/encoder/README.md"), join(folder, "README.md"));
  copyFileSync(join(encoder, "README.md"), join(folder, "encoder/README.md"));
  writeFileSync(join(folder, "NOTICES.txt"), encoderNotices(root));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...read("encoder/package.json"), version, homepage, bugs, repository, author }, undefined, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error("usage: node build/encoder-package.mjs FOLDER");
    process.exit(2);
  }
  layEncoder(folder);
}
