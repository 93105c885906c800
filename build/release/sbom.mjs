// The bill of materials, CycloneDX 1.6: every file of the release with its parts: Go
// modules, npm packages, models and tables, each with its licence. It does not
// depend on when or where it is made.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encoderLicence, bundled } from "../notices.mjs";
import { modules, page, spdx, standard } from "../modules.mjs";

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

const names = { "cc by-sa 4.0": "CC-BY-SA-4.0", "cc-by-sa-4.0": "CC-BY-SA-4.0", mit: "MIT" };
/** The SPDX name, or our own name if there is none. */
const licence = (name) => ({ license: names[name.toLowerCase()] ? { id: names[name.toLowerCase()] } : { name } });
const licences = (ids) => ids.map((id) => ({ license: { id } }));

/** Collects components by their references, which are sorted at the end. */
export class Bill {
  #components = new Map();
  #dependencies = new Map();

  constructor(root, { version, commit, seconds }) {
    this.root = root;
    this.source = { version, commit, seconds };
  }

  add(component) {
    this.#components.set(component["bom-ref"], component);
    return component["bom-ref"];
  }

  /** A file of the release: its bytes, and the references of its parts. */
  file(name, bytes, contents) {
    const ref = this.add({ type: "file", "bom-ref": `file:${name}`, name, version: this.source.version, hashes: [{ alg: "SHA-256", content: sha256(bytes) }] });
    this.#dependencies.set(ref, [...new Set(contents)].sort());
  }

  /** A part that consists of others, under our own licence. */
  own(name, contents, about = {}) {
    const ref = this.add({ type: "library", "bom-ref": `cerasum:${name}`, name, version: this.source.version, licenses: licences(["Apache-2.0"]), ...about });
    this.#dependencies.set(ref, [...new Set(contents)].sort());
    return ref;
  }

  /** The modules linked into a Go program. */
  go(program, platform = page) {
    return [standard(this.root), ...modules(this.root, program, platform)].map(({ path, version, licences: files }) => {
      const purl = `pkg:golang/${path}@${path === "std" ? version.replace(/^go/, "") : version}`;
      return this.add({ type: "library", "bom-ref": purl, name: path, version, purl, licenses: licences(spdx(files)) });
    });
  }

  /** npm packages, in the versions of package-lock.json. */
  npm(packages) {
    const lock = JSON.parse(readFileSync(join(this.root, "package-lock.json"), "utf8")).packages;
    return packages.map((name) => {
      const { version, integrity, license } = lock[`node_modules/${name}`] ?? {};
      if (!version || !license || !integrity?.startsWith("sha512-")) throw new Error(`package-lock.json lacks version, licence or SHA-512 of ${name}`);
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      const content = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
      return this.add({ type: "library", "bom-ref": purl, name, version, purl, hashes: [{ alg: "SHA-512", content }], licenses: licences([license]) });
    });
  }

  /** The shipped encoder, the weights, and the networks in the core. */
  models() {
    const { encoder, weights, built_in: networks } = JSON.parse(readFileSync(join(this.root, "models/manifest.json"), "utf8"));
    const card = names[encoderLicence()?.toLowerCase()];
    if (card !== names[encoder.licence.toLowerCase()]) throw new Error(`licence of the encoder: models/manifest.json has ${encoder.licence}, its card ${card}`);
    const model = ({ name, licence: of, corpora = [], files, sha256: digest }) => this.add({
      type: "machine-learning-model",
      "bom-ref": `model:${name}`,
      name,
      version: this.source.version,
      hashes: [{ alg: "SHA-256", content: digest ?? files.find(({ path }) => /\.(onnx|safetensors)$/.test(path)).sha256 }],
      licenses: [licence(of)],
      properties: corpora.map((value) => ({ name: "cerasum:learned-from", value })),
    });
    return { encoder: model(encoder), weights: weights.map(model), networks: networks.map(model) };
  }

  /** A compiled table, under the licences of its corpora. */
  table(path, name, ids) {
    return this.add({
      type: "data", "bom-ref": `table:${path}`, name, version: this.source.version,
      hashes: [{ alg: "SHA-256", content: sha256(readFileSync(join(this.root, path))) }],
      licenses: ids.map((id) => ({ license: id.includes(" ") ? { name: id } : { id } })),
    });
  }

  /** The complete bill as text. `tools` are the build tools, with name and version. */
  text(tools) {
    const { version, commit, seconds } = this.source;
    const purl = `pkg:golang/github.com/cerasum/cerasum@v${version}`;
    const by = (key) => (a, b) => (a[key] < b[key] ? -1 : 1);
    const components = [...this.#components.values()].sort(by("bom-ref"));
    const files = components.filter(({ type }) => type === "file").map((component) => component["bom-ref"]);
    const dependencies = [[purl, files], ...this.#dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })).sort(by("ref"));
    // The same release gets the same serial number.
    const digest = sha256(JSON.stringify([version, commit, components]));
    return `${JSON.stringify({
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      serialNumber: `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`,
      version: 1,
      metadata: {
        timestamp: new Date(seconds * 1000).toISOString(), // of the commit
        tools: { components: tools.map(([name, version]) => ({ type: "application", name, version })) },
        component: {
          type: "application", "bom-ref": purl, name: "cerasum", version, purl, licenses: licences(["Apache-2.0"]),
          properties: [{ name: "cerasum:commit", value: commit }],
        },
      },
      components,
      dependencies,
    }, undefined, 2)}\n`;
  }
}

/** The parts of each kind of file. */
export function contents(bill, { wasm }) {
  const { encoder, weights, networks } = bill.models();
  const tables = [
    bill.table("internal/lexical/background.bin", "frequencies of common terms", ["CC-BY-SA-4.0"]),
    bill.table("internal/lexical/stopwords.bin", "stop words", ["Apache-2.0", "BSD-3-Clause", "MIT"]),
    bill.table("internal/text/profiles.go", "profiles of languages", ["CC BY 2.0 FR", "CC0-1.0", "CC-BY-SA-4.0", "CC-BY-SA-3.0"]),
  ];
  const irregular = bill.table("eval/rouge/exceptions.txt", "irregular forms", ["WordNet"]);
  const program = bill.own("cerasum.wasm", [...bill.go("./wasm/page"), ...bill.npm(["assemblyscript"]), ...tables, ...networks], { hashes: [{ alg: "SHA-256", content: sha256(wasm) }] });
  const bundle = (packages) => [program, ...bill.npm(packages.filter((name) => name !== "assemblyscript"))];
  return {
    program: (platform) => [...bill.go("./cmd/cerasum", platform), encoder, ...weights, ...networks, ...tables, irregular],
    library: bundle(bundled.library),
    encoder: [encoder, ...weights, ...bill.npm(bundled.encoder)],
    site: [...new Set([encoder, ...weights, ...bundle(bundled.demo), ...bill.go("./wasm/files")])],
    // It has no weights of CeRA.
    extension: [encoder, ...bundle(bundled.extension)],
  };
}
