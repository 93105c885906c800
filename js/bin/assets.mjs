#!/usr/bin/env node
// Copies the files that a bundler does not find, or all that a page loads: see README.md.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package that each part is in, and its files there. */
const parts = {
  library: ["cerasum", "index.js"],
  core: ["cerasum", "worker.js", "encoder-worker.js", "cerasum.wasm"],
  encoder: ["cerasum-encoder", "encoder", "ort"],
  weights: ["cerasum-encoder", "weights"],
};

const usage = `usage: cerasum-assets FOLDER PART...

Copies parts of cerasum into a folder of your site, which it makes:

  library   index.js: for pages without a bundler
  core      worker.js, encoder-worker.js, cerasum.wasm: where the bundler does not find them
  encoder   encoder/, ort/: the encoder, from the package cerasum-encoder
  weights   weights/: for the methods cera and cerai, from the same package

and the licences of what is in them, cerasum-NOTICES.txt and
cerasum-encoder-NOTICES.txt. What is there under these names is replaced.`;

function refuse(message) {
  console.error(`cerasum-assets: ${message}`);
  process.exit(1);
}

const [folder, ...wanted] = process.argv.slice(2);
if (folder === "--help") {
  console.log(usage);
  process.exit();
}
if (folder === undefined || folder.startsWith("-") || wanted.length === 0) {
  console.error(usage);
  process.exit(2);
}
for (const part of wanted) {
  if (!Object.hasOwn(parts, part)) refuse(`there is no part ${JSON.stringify(part)}: want ${Object.keys(parts).join(", ")}`);
}

/** The folder that has the files of a part. */
function folderOf(part) {
  if (parts[part][0] === "cerasum") return new URL("../dist/", import.meta.url);
  try {
    return new URL(".", import.meta.resolve("cerasum-encoder/package.json"));
  } catch {
    refuse(`${part}: run npm install cerasum-encoder first`);
  }
}

try {
  for (const part of wanted) {
    const [name, ...files] = parts[part];
    const source = fileURLToPath(folderOf(part));
    mkdirSync(folder, { recursive: true });
    for (const file of files) cpSync(join(source, file), join(folder, file), { recursive: true });
    cpSync(join(source, "NOTICES.txt"), join(folder, `${name}-NOTICES.txt`));
  }
} catch (error) {
  refuse(error.message);
}
