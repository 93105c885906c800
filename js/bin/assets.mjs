#!/usr/bin/env node
// Copies the files that a bundler does not find, or all that a page loads: see README.md.

import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const parts = {
  library: ["index.js"],
  core: ["worker.js", "encoder-worker.js", "cerasum.wasm"],
  encoder: ["encoder", "ort"],
  weights: ["weights"],
};

const usage = `usage: cerasum-assets FOLDER PART...

Copies parts of cerasum into a folder of your site, which it makes:

  library   index.js: for pages without a bundler
  core      worker.js, encoder-worker.js, cerasum.wasm: where the bundler does not find them
  encoder   encoder/, ort/: the encoder, from the package cerasum-encoder
  weights   weights/: for the methods cera and cerai

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

/** The folder of a part, and the package that it comes from. */
function from(part) {
  if (part !== "encoder") return [new URL("../dist/", import.meta.url), "cerasum"];
  try {
    return [new URL(".", import.meta.resolve("cerasum-encoder/package.json")), "cerasum-encoder"];
  } catch {
    refuse("encoder: run npm install cerasum-encoder first");
  }
}

try {
  for (const part of wanted) {
    const [url, name] = from(part);
    const source = fileURLToPath(url);
    mkdirSync(folder, { recursive: true });
    for (const file of parts[part]) {
      // A build without weights has no such folder.
      if (!existsSync(join(source, file))) refuse(`this build of cerasum has no ${file}`);
      cpSync(join(source, file), join(folder, file), { recursive: true });
    }
    cpSync(join(source, "NOTICES.txt"), join(folder, `${name}-NOTICES.txt`));
  }
} catch (error) {
  refuse(error.message);
}
