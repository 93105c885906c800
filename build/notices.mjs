// The licence notices of everything in the WebAssembly, the package, the page, the
// Worker and the command line program: the text of every licence, from the
// installed parts.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encoder as folder } from "./encoder.mjs";
import { licencesIn, modules, page, standard } from "./modules.mjs";
import { weights } from "./weights.mjs";

const library = ["assemblyscript"], encoder = ["onnxruntime-web"];

/** The npm packages in each part, completely or partly. */
export const bundled = {
  library,
  encoder,
  demo: [
    ...library, ...encoder,
    "@mozilla/readability", "boolbase", "css-select", "css-tree", "css-what", "cssomnom", "dom-serializer", "domelementtype", "domhandler", "domutils", "entities", "html-escaper",
    "htmlparser2", "linkedom", "marked", "nth-check", "parse5", "pdfjs-dist", "uhyphen",
  ],
  extension: [...library, ...encoder, "@mozilla/readability", "pdfjs-dist"],
};

/** A plugin of Vite and rolldown: the build fails if it bundles any other npm package. */
export function onlyBundled(names) {
  return {
    name: "only-bundled",
    generateBundle(_options, files) {
      for (const id of Object.values(files).flatMap(({ moduleIds = [] }) => moduleIds)) {
        const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1].replace("\\", "/");
        if (name && !names.includes(name)) this.error(`${name} is bundled, but build/notices.mjs does not name it: its licence would be missing`);
      }
    },
  };
}

/** Remarks about a part, in addition to its licence. */
const remarks = {
  assemblyscript: "Parts of its standard library are compiled into the SIMD kernel, within cerasum.wasm.",
  "onnxruntime-web": "In ort/. The libraries that it is built with have notices of their own:\nhttps://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt",
};

/** What the library calls the option that allows weights for non-commercial use. */
const any = `licence: "any", an option of
Summarizer.create and of core.summarize`;

/** Returns the notices of npm packages and the core; `programs` are further Go programs. */
export function notices(root, packages = bundled.library, programs = []) {
  const embedded = {
    of: "cerasum.wasm, ", weights: packages === bundled.demo ? "weights/" : undefined, encoder: packages.includes("onnxruntime-web") && "encoder/", card: "Its card, below,", scripts: ", and so are its scripts", any,
  };
  // By their paths: programs share modules.
  const linked = [...new Map(["./wasm/page", ...programs].flatMap((program) => modules(root, program, page)).map((module) => [module.path, module])).values()];
  return [
    learned(root, embedded),
    ...ours(root),
    ...(embedded.encoder && encoderLicence() ? [part("The encoder", [card])] : []),
    ...linked.map(({ path, licences }) => part(path, licences)),
    ...packages.map((name) => part(name, licencesOf(root, name))),
  ].join("\n\n");
}

/** Returns the notices of the command line program for a platform. */
export function programNotices(root, platform) {
  const embedded = {
    of: "", weights: "", encoder: "the encoder", card: "Its card, below,", scripts: "",
    any: `--licence any`,
  };
  return [
    learned(root, embedded),
    ...ours(root),
    ...(encoderLicence() ? [part("The encoder", [card])] : []),
    part("WordNet, of which the table of irregular forms is made", [join(root, "eval/rouge/WORDNET-LICENSE.txt")]),
    part("PDFium", [join(root, "build/licences/pdfium.txt")]),
    ...modules(root, "./cmd/cerasum", platform).map(({ path, licences }) => part(path, licences)),
  ].join("\n\n");
}

/** Returns the notices of the package cerasum-encoder. */
export function encoderNotices(root) {
  const embedded = { weights: "weights/", encoder: "encoder/", card: "Its card, below,", any };
  return [
    learned(root, embedded),
    ...(encoderLicence() ? [part("The encoder", [card])] : []),
    ...encoder.map((name) => part(name, licencesOf(root, name))),
  ].join("\n\n");
}

/** Returns the notices of the Worker's program (wasm/edge); the page has its own. */
export function edgeNotices(root) {
  const embedded = {
    of: "", scripts: ", and so are its scripts",
    any: `"licence": "any" in a request`,
  };
  return [learned(root, embedded), ...ours(root), ...modules(root, "./wasm/edge", page).map(({ path, licences }) => part(path, licences))].join("\n\n");
}

const ours = (root) => [
  part("cerasum", [join(root, "LICENSE")]),
  part("cerasum's tables of word frequencies", [join(root, "internal/lexical/DATA.md")]),
  part("cerasum's tables and weights of standing alone", [join(root, "internal/reading/DATA.md")]),
  titled("cerasum's tables of languages", [languages(root)]),
  part("The Go runtime and standard library", standard(root).licences),
];

/** The corpora of the tables, as stated in the README of their folder. */
function languages(root) {
  const said = /^## Languages\n\n`profiles\.go` (is generated from [^]*?):?\n\n/m.exec(readFileSync(join(root, "internal/text/README.md"), "utf8"))?.[1];
  if (!said) throw new Error("internal/text/README.md does not say what profiles.go is generated from");
  return `What tells languages apart ${said}.`;
}

const part = (name, files) => titled(name, [...(remarks[name] ? [remarks[name]] : []), ...files.map((file) => readFileSync(file, "utf8"))]);

const titled = (name, texts) => [`${name}\n${"=".repeat(name.length)}`, ...texts.map((text) => text.trim())].join("\n\n") + "\n";

/** Notices of trained parameters: the licences inherited from the training texts. `at` has the path of each part; parts without a path are left out. */
function learned(root, at) {
  const { built_in: networks } = JSON.parse(readFileSync(join(root, "models/manifest.json"), "utf8"));
  const of = (where) => ({ name, licence, corpora }) => [`- ${where}${name}: ${licence}.`, ...corpora.map((corpus) => `    trained on ${corpus}`)].join("\n");
  const core = at.of === undefined ? [] : [`- ${at.of}tables of word frequencies: CC BY-SA 4.0. Below is what they were counted in.`, ...networks.map(of(at.of))];
  const parts = [...core, ...(at.weights === undefined ? [] : weights.map(of(at.weights)))];
  const licence = encoderLicence();
  if (licence && at.encoder) parts.push(`- ${at.encoder}: ${licence}. ${at.card} names what it was trained on.`);
  return titled("Not all of this is under cerasum's own licence, and not all of it is free for business", [
    at.of === undefined ? "What was trained on texts is under these licences:" : `The program is under the Apache License 2.0, below${at.scripts}. Weights
trained on texts, and tables counted in texts, are under these licences:`,
    parts.join("\n"),
    `Those trained on Multi-News are for non-commercial research and education, as
Multi-News is. They are used only with ${at.any}.`,
  ]);
}

const card = join(folder, "README.md");

/** The card of the shipped encoder; undefined if none is shipped. */
export function encoderLicence() {
  if (!existsSync(folder)) return undefined;
  return (existsSync(card) && /^---\r?\n(?:.*\r?\n)*?license:[ \t]*(.+)/.exec(readFileSync(card, "utf8"))?.[1]) || "see there";
}

/** The licence in an npm package, or our copy for a package without one. */
function licencesOf(root, name) {
  const kept = join(root, "build/licences", `${name}.txt`);
  return existsSync(kept) ? [kept] : licencesIn(join(root, "node_modules", name));
}
