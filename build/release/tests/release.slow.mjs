// The release of the last commit, made twice: in a clone of the repository, and in
// an archive of it without .git, in a deeper folder with a space in its name, with
// an empty cache of the compiler, other modes for new files, another time zone and
// an environment that would change a build which minded it. Both must be the same
// bytes. Then what is in it is tried out.
//
// It takes the program for this machine and for another one; ALL=1 takes all.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";

import { bundled } from "../../notices.mjs";
import { chosen, linked, platforms } from "../programs.mjs";
import { sha256 } from "../sbom.mjs";
import { source } from "../source.mjs";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const schemas = join(root, "node_modules/@cyclonedx/cyclonedx-library/res/schema");

const here = `${process.platform === "win32" ? "windows" : process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`;
const other = here === "windows/arm64" ? "linux/amd64" : "windows/arm64";
const names = process.env.ALL ? platforms.map(({ name }) => name) : [here, other];

let temp, first, second, unpacked;
/** Of the commit that is tried. */
let version, commit;

const run = (command, args, options = {}) => execFileSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, ...options });

/** Runs a step of a build; what it printed is shown where it fails. */
function step(command, args, cwd, env) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, 0, `${command} ${args.join(" ")}: ${error ?? ""}\n${stdout}${stderr}`);
}

function release(folder, env = {}, umask = process.umask()) {
  const before = process.umask(umask);
  // MAKEFLAGS are those of the make that runs this test.
  step("make", ["release"], folder, { ...process.env, MAKEFLAGS: "", npm_config_prefer_offline: "true", PLATFORMS: names.join(" "), ...env });
  process.umask(before);
  return join(folder, "build/out/release");
}

/** Unpacks an archive of the first release and returns the folder that it is in. */
function unpack(name) {
  const to = join(unpacked, name);
  if (existsSync(to)) return to;
  mkdirSync(to, { recursive: true });
  if (name.endsWith(".zip")) step("unzip", ["-q", join(first, name), "-d", to]);
  else step("tar", ["-xzf", join(first, name), "-C", to]);
  return to;
}

const filesIn = (folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile()).sort();

/** The archive of a platform, the one folder in it, and its program. */
function programOf({ name, archive, program }) {
  const folder = `cerasum-${version}-${name.replace("/", "-")}`;
  return { archive: `${folder}.${archive}`, folder: join(unpack(`${folder}.${archive}`), folder), program };
}

before(() => {
  temp = mkdtempSync(join(tmpdir(), "cerasum-release-"));
  unpacked = join(temp, "unpacked");
  const clone = join(temp, "a");
  step("git", ["clone", "-q", root, clone]);
  ({ version, commit } = source(clone, {}));

  const archive = join(temp, "another", "much deeper", "sources");
  mkdirSync(archive, { recursive: true });
  step("git", ["archive", "-o", join(temp, "sources.tar"), "HEAD"], clone);
  step("tar", ["-xf", join(temp, "sources.tar"), "-C", archive]);

  first = release(clone);
  second = release(archive, {
    GOCACHE: join(temp, "cache"), GOFLAGS: "-tags=other", GOAMD64: "v3", GOARM64: "v8.2", CGO_ENABLED: "1",
    TZ: "Asia/Kolkata", LC_ALL: "C.UTF-8", SOURCE_DATE_EPOCH: "1", CERASUM_ELSEWHERE: "https:", CERASUM_WEIGHTS: "",
  }, 0o077);
});

after(() => {
  // The compiler's cache is large; nothing in it is read-only.
  if (temp) rmSync(temp, { recursive: true, force: true });
});

describe("a release", () => {
  it("is the same bytes when it is made again elsewhere", () => {
    assert.deepEqual(readdirSync(second).sort(), readdirSync(first).sort());
    const different = readdirSync(first).filter((name) => !readFileSync(join(first, name)).equals(readFileSync(join(second, name))));
    assert.deepEqual(different, []);
    // Not only packed: the program is in the tarball and in the page, and here it is bare.
    for (const path of ["js/dist/cerasum.wasm", "build/out/site/index.html"]) {
      assert.ok(readFileSync(join(first, "../../..", path)).equals(readFileSync(join(second, "../../..", path))), path);
    }
  });

  it("has all its files, and their checksums", () => {
    const archives = chosen(names.join(" ")).map((platform) => programOf(platform).archive);
    const expected = [
      ...archives, `cerasum-${version}.cdx.json`, `cerasum-${version}.tgz`, `cerasum-encoder-${version}.tgz`, `cerasum-site-${version}.tar.gz`,
      `cerasum-chromium-${version}.zip`, `cerasum-firefox-${version}.zip`,
    ].sort();
    assert.deepEqual(readdirSync(first).sort(), ["SHA256SUMS", ...expected].sort());
    const sums = readFileSync(join(first, "SHA256SUMS"), "utf8").trim().split("\n").map((line) => line.split("  "));
    assert.deepEqual(sums.map(([, name]) => name), expected);
    assert.equal(run("sha256sum", ["-c", "SHA256SUMS"], { cwd: first }), expected.map((name) => `${name}: OK\n`).join(""));
  });

  it("tells no folder that it was made in", () => {
    for (const name of readdirSync(first)) {
      const folder = /\.(zip|tgz|tar\.gz)$/.test(name) ? unpack(name) : undefined;
      for (const file of folder ? filesIn(folder).map((path) => join(folder, path)) : [join(first, name)]) {
        const bytes = readFileSync(file);
        for (const path of [temp, root, run("go", ["env", "GOMODCACHE"]).trim()]) assert.ok(!bytes.includes(path), `${file} names ${path}`);
      }
    }
  });
});

describe("the programs", () => {
  it("are built without cgo, and bring licence, notices and README along", () => {
    for (const platform of chosen(names.join(" "))) {
      const { folder, program } = programOf(platform);
      assert.deepEqual(readdirSync(folder).sort(), ["LICENSE", "NOTICES.txt", "README.md", program].sort());
      const notices = readFileSync(join(folder, "NOTICES.txt"), "utf8");
      const modules = linked(root, join(folder, program));
      assert.ok(modules.size > 20, `${modules.size} modules`);
      const titles = [...modules.keys(), "cerasum", "The Go runtime and standard library", "The encoder", "WordNet, of which the table of irregular forms is made"];
      for (const title of titles) assert.ok(notices.includes(`\n${title}\n${"=".repeat(title.length)}\n`), `${folder}: no notice of ${title}`);
      assert.match(notices, /salience-multinews: non-commercial research and education/);
    }
  });

  it("run as they are unpacked", () => {
    const { folder, program } = programOf(platforms.find(({ name }) => name === here));
    const cerasum = join(folder, program);
    assert.equal(statSync(cerasum).mode & 0o777, 0o755 & ~process.umask());
    const about = JSON.parse(run(cerasum, ["version", "--format", "json"]));
    assert.deepEqual([about.version, about.commit, about.modified, about.platform], [version, commit, false, here]);
    const text = "The dam broke on Monday. Two villages were flooded. Nobody was hurt, the mayor said. The dam had been inspected in spring.";
    const summary = JSON.parse(run(cerasum, ["summarize", "--format", "json", "--budget", "2s", "-"], { input: text }));
    assert.equal(summary.sentences.length, 2);
    for (const { text: quoted } of summary.sentences) assert.ok(text.includes(quoted), quoted);
    // Embeddings, by the encoder that is in it.
    const vector = JSON.parse(run(cerasum, ["embed"], { input: "The dam broke.\n" }));
    assert.equal((vector.embedding ?? vector).length, 384);
  });
});

describe("the npm tarballs", () => {
  it("hold what npm pack packs", () => {
    const clone = join(temp, "a"), encoder = join(temp, "encoder");
    step(process.execPath, ["build/encoder-package.mjs", encoder], clone);
    for (const [package_, folder] of [["cerasum", join(clone, "js")], ["cerasum-encoder", encoder]]) {
      const said = Object.values(JSON.parse(run("npm", ["pack", "--json", "--pack-destination", temp], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })))[0];
      const theirs = join(temp, "packed", package_);
      mkdirSync(theirs, { recursive: true });
      step("tar", ["-xzf", join(temp, said.filename), "-C", theirs]);
      const ours = unpack(`${package_}-${version}.tgz`);
      assert.deepEqual(filesIn(ours), filesIn(theirs));
      for (const name of filesIn(theirs)) assert.ok(readFileSync(join(ours, name)).equals(readFileSync(join(theirs, name))), name);
    }
  });

  it("install in an empty folder, summarize and embed", () => {
    const folder = join(temp, "installed");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    step("npm", ["install", "--offline", "--no-audit", "--no-fund", join(first, `cerasum-${version}.tgz`), join(first, `cerasum-encoder-${version}.tgz`)], folder);
    writeFileSync(join(folder, "use.mjs"), `
      import { Summarizer } from "cerasum";
      const documents = ["The dam broke on Monday. Two villages were flooded.", "A dam broke. Nobody was hurt, the mayor said."];
      const summarizer = await Summarizer.create({ encoder: {} });
      const { embeddings } = await summarizer.embed(documents);
      if (embeddings.length !== 2 * 384) throw new Error(embeddings.length);
      const { sentences } = await summarizer.summarizeDocuments(documents, { budget: { sentences: 2 } });
      console.log(JSON.stringify(sentences.map(({ text, document, start, end }) => [text, documents[document].slice(start, end)])));
      summarizer.destroy();
    `);
    const sentences = JSON.parse(run(process.execPath, ["use.mjs"], { cwd: folder }));
    assert.equal(sentences.length, 2);
    for (const [text, quoted] of sentences) assert.equal(text, quoted);
    assert.ok(existsSync(join(folder, "node_modules/.bin/cerasum-assets")));
  });
});

describe("the bill of materials", () => {
  const bill = () => JSON.parse(readFileSync(join(first, `cerasum-${version}.cdx.json`), "utf8"));
  const contentsOf = (name) => bill().dependencies.find(({ ref }) => ref === `file:${name}`).dependsOn;

  it("is CycloneDX 1.6", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    const schema = (name) => JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), "utf8"));
    // By the names that the library's copies call each other.
    for (const name of ["spdx", "jsf-0.82"]) ajv.addSchema({ ...schema(name), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` });
    const valid = ajv.compile(schema("bom-1.6"));
    assert.ok(valid(bill()), JSON.stringify(valid.errors, undefined, 1));
    // The schema refuses what it should: the check is one.
    assert.ok(!valid({ ...bill(), components: [{ ...bill().components[0], licenses: [{ license: { id: "Nobody's" } }] }] }));
  });

  it("tells every file, by its checksum, and nothing that is not told", () => {
    const { components, dependencies, metadata } = bill();
    const refs = new Set([metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
    assert.equal(refs.size, components.length + 1);
    for (const { ref, dependsOn } of dependencies) for (const one of [ref, ...dependsOn]) assert.ok(refs.has(one), one);
    const files = components.filter(({ type }) => type === "file");
    assert.deepEqual(files.map(({ name }) => name).sort(), readdirSync(first).filter((name) => !/SHA256SUMS|\.cdx\.json$/.test(name)).sort());
    for (const { name, hashes } of files) assert.equal(hashes[0].content, sha256(readFileSync(join(first, name))), name);
    for (const component of components) if (component.type !== "file") assert.ok(component.licenses.length > 0, component.name);
    assert.equal(metadata.component.properties[0].value, commit);
  });

  it("tells what each file is made of", () => {
    const wasm = bill().dependencies.find(({ ref }) => ref === "cerasum:cerasum.wasm").dependsOn;
    for (const part of ["pkg:golang/github.com/blevesearch/snowballstem@", "pkg:golang/std@", "pkg:npm/assemblyscript@", "model:salience-multinews", "table:internal/lexical/background.bin"]) {
      assert.ok(wasm.some((ref) => ref.startsWith(part)), part);
    }
    for (const platform of chosen(names.join(" "))) {
      const { archive, folder, program } = programOf(platform);
      const parts = contentsOf(archive);
      for (const [path, version] of linked(root, join(folder, program))) assert.ok(parts.includes(`pkg:golang/${path}@${version}`), `${archive}: ${path}`);
      for (const part of ["model:cerasum-e5-1", "model:cerai-multinews", "model:salience-multinews", "table:eval/rouge/exceptions.txt"]) assert.ok(parts.includes(part), part);
    }
    assert.deepEqual(contentsOf(`cerasum-${version}.tgz`), ["cerasum:cerasum.wasm"]);
    assert.deepEqual(contentsOf(`cerasum-encoder-${version}.tgz`).map((ref) => ref.replace(/@.*/, "")).sort(), [
      "model:cera-multinews", "model:cera-orangesum", "model:cerai-multinews", "model:cerai-orangesum", "model:cerasum-e5-1", "pkg:npm/onnxruntime-web",
    ]);
    for (const [name, packages] of [
      [`cerasum-site-${version}.tar.gz`, bundled.demo],
      [`cerasum-firefox-${version}.zip`, bundled.extension],
    ]) {
      const parts = contentsOf(name);
      assert.ok(parts.includes("cerasum:cerasum.wasm") && parts.includes("model:cerasum-e5-1"), name);
      for (const one of packages.filter((one) => one !== "assemblyscript")) assert.ok(parts.some((ref) => ref.startsWith(`pkg:npm/${one.replace("@", "%40")}@`)), `${name}: ${one}`);
    }
    // As the archives say it themselves.
    assert.equal(existsSync(join(unpack(`cerasum-firefox-${version}.zip`), "weights")), contentsOf(`cerasum-firefox-${version}.zip`).includes("model:cera-multinews"));
  });
});
