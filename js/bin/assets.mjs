#!/usr/bin/env node
// Copies the files that a bundler does not find, or all that a page loads: see README.md.

import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const parts = {
  library: ["index.js", "hub-browser.js"],
  core: ["worker.js", "encoder-worker.js", "cerasum.wasm"],
  encoder: ["encoder"],
  ort: ["ort"],
  weights: ["weights"],
};

const usage = `usage: cerasum-assets FOLDER PART...

Copies parts of cerasum into a folder of your site, which it makes:

  library   index.js, hub-browser.js: for pages without a bundler
  core      worker.js, encoder-worker.js, cerasum.wasm: where the bundler does not find them
  encoder   encoder/: the shipped encoder
  ort       ort/: for other encoders
  weights   weights/: for the methods cera and cerai

and always the licences of what is in them, cerasum-NOTICES.txt. What is there
under these names is replaced.`;

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
try {
  mkdirSync(folder, { recursive: true });
  for (const name of wanted.flatMap((part) => parts[part])) {
    // A build without an encoder has no such folder.
    if (!existsSync(join(dist, name))) refuse(`this build of cerasum has no ${name}`);
    cpSync(join(dist, name), join(folder, name), { recursive: true });
  }
  cpSync(join(dist, "NOTICES.txt"), join(folder, "cerasum-NOTICES.txt"));
} catch (error) {
  refuse(error.message);
}
