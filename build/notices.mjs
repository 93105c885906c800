// The licence notices of what ends up in the WebAssembly, in the package and in
// the page: the text of every licence, from where each part was installed.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { encoder } from "./encoder.mjs";
import { weights } from "./weights.mjs";

/** npm packages that every build of the library holds a part of. */
const library = ["@huggingface/tokenizers", "onnxruntime-web", "assemblyscript"];

/** What is said of a part besides its licence. */
const remarks = {
  assemblyscript: "Parts of its standard library are compiled into the SIMD kernel, within cerasum.wasm.",
  "onnxruntime-web": "In ort/. The libraries that it is built with have notices of their own:\nhttps://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt",
};

/** Returns one text; `packages` are npm packages bundled besides. */
export function notices(root, packages = []) {
  const go = (args, env = {}) => execFileSync("go", args, { cwd: root, encoding: "utf8", env: { ...process.env, ...env } }).trim();
  const program = go(["list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./wasm/page"], { GOOS: "js", GOARCH: "wasm" });
  const modules = [...new Set(program.split("\n").filter(Boolean))].sort().map((line) => line.split("\t"));
  const parts = [
    ["cerasum", [join(root, "LICENSE")]],
    ["cerasum's tables of word frequencies and languages", [join(root, "core/lexical/DATA.md")]],
    ["The Go runtime and standard library", licencesIn(go(["env", "GOROOT"]))],
    ...modules.map(([name, folder]) => [name, licencesIn(folder)]),
    ...[...library, ...packages].map((name) => [name, licencesOf(root, name)]),
  ];
  return [
    learned(root),
    ...parts.map(([name, files]) => titled(name, [...(remarks[name] ? [remarks[name]] : []), ...files.map((file) => readFileSync(file, "utf8"))])),
  ].join("\n\n");
}

const titled = (name, texts) => [`${name}\n${"=".repeat(name.length)}`, ...texts.map((text) => text.trim())].join("\n\n") + "\n";

/** Of what was learned from texts: the licences that these texts have left. */
function learned(root) {
  const { built_in: networks } = JSON.parse(readFileSync(join(root, "models/manifest.json"), "utf8"));
  const of = (where) => ({ name, licence, corpora }) => [`- ${where}${name}: ${licence}.`, ...corpora.map((corpus) => `    learned from ${corpus}`)].join("\n");
  const parts = ["- cerasum.wasm, tables of word frequencies: CC BY-SA 4.0. Below is what they were counted in.", ...networks.map(of("cerasum.wasm, ")), ...weights.map(of("weights/"))];
  if (existsSync(encoder)) {
    const licence = /^---\r?\n(?:.*\r?\n)*?license:[ \t]*(.+)/.exec(readIfThere(join(encoder, "README.md")))?.[1] ?? "see there";
    parts.push(`- encoder/: ${licence}. Its README.md names what it was trained on.`);
  }
  return titled("Not all of this is under cerasum's own licence, and not all of it is free for business", [
    `The program is under the Apache License 2.0, below, and so are its scripts. What it
learned from texts, and the tables that it counted in texts, are under these:`,
    parts.join("\n"),
    `Those that learned from Multi-News are for non-commercial research and education, as
Multi-News is, and the default method, auto, goes by one of them. licence: "free", an
option of Summarizer.create and of core.summarize, keeps to what learned from corpora
under free licences alone.`,
  ]);
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** The licence in an npm package, or the one kept for a package that comes without. */
function licencesOf(root, name) {
  const kept = join(root, "build/licences", `${name}.txt`);
  return existsSync(kept) ? [kept] : licencesIn(join(root, "node_modules", name));
}

/** The licence, and the notice that goes with it where there is one. */
function licencesIn(folder) {
  const find = (pattern) => readdirSync(folder).filter((file) => pattern.test(file)).slice(0, 1).map((file) => join(folder, file));
  const licence = find(/^(licen[cs]e|copying)(\.|$)/i);
  if (licence.length === 0) throw new Error(`no licence in ${folder}`);
  return [...licence, ...find(/^notice(\.|$)/i)];
}
