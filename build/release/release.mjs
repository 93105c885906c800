// Makes a release in build/out/release: the command line program for all
// platforms, the npm package, the browser extension, the page, a bill of
// materials and checksums. The same commit gives the same bytes, whatever the
// folder, the machine's settings and the time (docs/runbook.md).
//
//	node build/release/release.mjs
//
// PLATFORMS="linux/amd64 …" in the environment limits the platforms of the program.

import { setDate } from "./environment.mjs"; // before all others, which may read the environment

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { layEncoder } from "../encoder-package.mjs";
import { go } from "../modules.mjs";
import { programNotices } from "../notices.mjs";
import { lay } from "./npm.mjs";
import { build, chosen, linked } from "./programs.mjs";
import { Bill, contents, sha256 } from "./sbom.mjs";
import { source } from "./source.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const out = join(root, "build/out/release");
const work = join(root, "build/out/release-work");

function main() {
  const from = source(root);
  const platforms = chosen(process.env.PLATFORMS);
  setDate(from.seconds);
  console.log(`cerasum ${from.version}, commit ${from.commit}`);
  if (from.commit.endsWith("-modified")) console.log("Files differ from that commit: this is for trying out, not for publishing.");

  // Remove the output of earlier builds.
  for (const path of ["build/out/release", "build/out/release-work", "build/out/wasm", "build/out/site", "build/out/compressed", "build/out/extension", "js/dist"]) {
    rmSync(join(root, path), { recursive: true, force: true });
  }
  mkdirSync(out, { recursive: true });
  const pack = packer();

  npm("run", "build", "-w", "js");
  npm("run", "build", "-w", "web/demo", "--", "--logLevel", "warn");
  npm("run", "build", "-w", "web/extension");

  const bill = new Bill(root, from);
  const made = contents(bill, { wasm: readFileSync(join(root, "js/dist/cerasum.wasm")) });
  const add = (name, references) => {
    const bytes = readFileSync(join(out, name));
    bill.file(name, bytes, references);
    console.log(`${name}: ${bytes.length.toLocaleString("en")} bytes`);
  };

  for (const platform of platforms) {
    const name = `cerasum-${from.version}-${platform.name.replace("/", "-")}`;
    const folder = join(work, name, name);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, platform.program);
    build(root, platform, from.commit, file);
    for (const text of ["LICENSE", "README.md"]) copyFileSync(join(root, text), join(folder, text));
    writeFileSync(join(folder, "NOTICES.txt"), programNotices(root, platform.env));
    const archive = `${name}.${platform.archive}`;
    pack(join(work, name), join(out, archive));
    const references = made.program(platform.env);
    for (const [path, version] of linked(root, file)) {
      if (!references.includes(`pkg:golang/${path}@${version}`)) throw new Error(`${archive} contains ${path} ${version}, which the bill of materials lacks`);
    }
    add(archive, references);
  }

  const encoder = join(work, "encoder");
  layEncoder(encoder);
  for (const [name, folder, parts] of [["cerasum", join(root, "js"), made.library], ["cerasum-encoder", encoder, made.encoder]]) {
    const tarball = lay(folder, join(work, "npm", name));
    if (tarball !== `${name}-${from.version}.tgz`) throw new Error(`want version ${from.version} of core/VERSION in js/package.json, got the package ${tarball}`);
    pack(join(work, "npm", name), join(out, tarball));
    add(tarball, parts);
  }

  const site = `cerasum-site-${from.version}`;
  mkdirSync(join(work, "site"), { recursive: true });
  // Moved, not copied: the folder is large, and the next build creates it again.
  renameSync(join(root, "build/out/site"), join(work, "site", site));
  pack(join(work, "site"), join(out, `${site}.tar.gz`));
  renameSync(join(work, "site", site), join(root, "build/out/site"));
  add(`${site}.tar.gz`, made.site);

  for (const browser of ["chromium", "firefox"]) {
    const zip = `cerasum-${browser}-${from.version}.zip`;
    // The limit of the stores.
    pack(join(root, "build/out/extension", browser), join(out, zip), "-max", "30000000");
    add(zip, made.extension);
  }

  writeFileSync(join(out, `cerasum-${from.version}.cdx.json`), bill.text([
    ["go", go(root, ["env", "GOVERSION"])],
    ["node", process.version],
    ["npm", execFileSync("npm", ["--version"], { encoding: "utf8" }).trim()],
  ]));
  const sums = readdirSync(out).sort().map((name) => `${sha256(readFileSync(join(out, name)))}  ${name}\n`);
  writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
  rmSync(work, { recursive: true });
  console.log(`build/out/release: ${sums.length} files and their SHA256SUMS`);
}

function npm(...args) {
  execFileSync("npm", ["--silent", ...args], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}

/** The program that writes archives, built once. */
function packer() {
  const program = join(work, "zip");
  go(root, ["build", "-o", program, "./build/release/zip"]);
  return (folder, file, ...options) => execFileSync(program, [...options, folder, file], { stdio: "inherit" });
}

try {
  main();
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exit(1);
}
