// The tarball: what it holds, the licences of what it holds, its types, and what
// a bundler makes of one import.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { encoderFiles } from "../dist/shipped.js";
import { install, type Installed, run } from "./package.js";
import { root } from "./support.js";

interface Manifest {
  weights: { name: string; licence: string; files: { path: string }[] }[];
  built_in: { name: string; licence: string }[];
}
const manifest = JSON.parse(readFileSync(join(root, "models/manifest.json"), "utf8")) as Manifest;

/** How notices begin, and what they say of Multi-News. */
const restricted = "Not all of this is under cerasum's own licence, and not all of it is free for business";
const nonCommercial = "for non-commercial research and education, as\nMulti-News is";

const noEncoder = !encoderFiles["encoder.onnx"] && "this build has no encoder";

describe("the package", () => {
  let installed: Installed;
  let packed: string;
  const read = (path: string): string => readFileSync(join(packed, path), "utf8");

  before(async () => {
    installed = await install();
    packed = join(installed.folder, "node_modules/cerasum");
  });
  after(() => installed?.remove());

  /** The files of dist/ with this ending that these come to, themselves among them. */
  function reached(entries: string[], ending: ".js" | ".d.ts"): string[] {
    const found = new Set<string>();
    for (const name of entries) reach(name);
    function reach(name: string): void {
      if (found.has(name)) return;
      found.add(name);
      for (const [, next] of read(`dist/${name}${ending}`).matchAll(/["'`]\.\/([\w.-]+)\.js["'`]/g)) reach(next!);
    }
    return [...found].map((name) => `dist/${name}${ending}`);
  }

  it("holds what its users need, and nothing else", (t) => {
    const scripts = reached(["index", "index.modules", "index.node"], ".js");
    const declared = reached(["index", "worker", "encoder-worker"], ".d.ts");
    const wanted = [
      "LICENSE", "README.md", "package.json", "bin/assets.mjs", "dist/NOTICES.txt",
      ...scripts,
      ...declared,
      // tsc writes both for every module.
      ...scripts.map((path) => path.replace(/js$/, "d.ts")).filter((path) => existsSync(join(packed, path))),
      ...declared.map((path) => path.replace(/d\.ts$/, "js")).filter((path) => existsSync(join(packed, path))),
      "dist/cerasum.wasm",
    ];
    const { files, size, unpackedSize } = installed.tarball;
    const paths = files.map(({ path }) => path);
    assert.deepEqual(wanted.filter((path) => !paths.includes(path)), [], "missing");
    assert.deepEqual(paths.filter((path) => !wanted.includes(path)), [], "nobody needs these; where js/dist is from an older build: make clean");
    t.diagnostic(`${files.length} files, ${(size / 1e6).toFixed(1)} MB, unpacked ${(unpackedSize / 1e6).toFixed(1)} MB`);
    assert.ok(size < 2e6, `${size} bytes`);
    // They bring all that they run on.
    assert.deepEqual(readdirSync(join(installed.folder, "node_modules")).filter((name) => !name.startsWith(".")), ["cerasum", ...(installed.encoder ? ["cerasum-encoder"] : [])]);
  });

  it("is completed by cerasum-encoder, of the same version", { skip: noEncoder }, async (t) => {
    const { files, size, unpackedSize, filename } = installed.encoder!;
    assert.equal(filename.replace("-encoder", ""), installed.tarball.filename);
    assert.deepEqual(files.map(({ path }) => path).sort(), [
      "NOTICES.txt", "README.md", "encoder/README.md", "encoder/encoder.onnx", "encoder/vocabulary.bin",
      "ort/ort-wasm-simd-threaded.mjs", "ort/ort-wasm-simd-threaded.wasm", "ort/ort.wasm.min.mjs", "package.json",
      "weights/manifest.json", ...manifest.weights.flatMap(({ files }) => files.map(({ path }) => `weights/${path}`)),
    ].sort());
    t.diagnostic(`${(size / 1e6).toFixed(1)} MB, unpacked ${(unpackedSize / 1e6).toFixed(1)} MB`);
    // What static hosts take as a file.
    for (const file of files) assert.ok(file.size <= 25 << 20, `${file.path}: ${file.size} bytes`);
    const notices = readFileSync(join(packed, "../cerasum-encoder/NOTICES.txt"), "utf8");
    assert.deepEqual([...notices.matchAll(/^(.+)\n=+$/gm)].map(([, title]) => title), [restricted, "The encoder", "onnxruntime-web"]);
    for (const part of [...manifest.weights.map(({ name, licence }) => `- weights/${name}: ${licence}.`), "- encoder/: ", 'licence: "any"']) assert.ok(notices.includes(part), part);
    assert.ok(notices.indexOf(nonCommercial) < notices.indexOf("\nThe encoder\n"));
    // Node finds them.
    const script = `import { createCore, createEncoder } from "cerasum";
      const core = createCore();
      const encoder = createEncoder({ core });
      const { dimensions } = await encoder.embed(["One text."]);
      const { weights } = await core.summarize([{ text: "One text. Another one." }], { method: "cerai" }, { encoder });
      console.log(dimensions, weights);`;
    assert.equal(await run(process.execPath, ["--input-type=module", "-e", script], installed.folder), "384 cerai-orangesum\n");
  });

  it("holds its licence, and those of what is in it, the restrictive ones first", () => {
    assert.equal(read("LICENSE"), readFileSync(join(root, "LICENSE"), "utf8"));
    const notices = read("dist/NOTICES.txt");
    const titles = [...notices.matchAll(/^(.+)\n=+$/gm)].map(([, title]) => title);
    assert.deepEqual(titles, [
      restricted,
      "cerasum", "cerasum's tables of word frequencies", "cerasum's tables and weights of standing alone", "cerasum's tables of languages", "The Go runtime and standard library",
      "github.com/blevesearch/snowballstem", "github.com/clipperhouse/uax29/v2",
      "assemblyscript",
    ]);
    for (const part of [
      ...manifest.built_in.map(({ name, licence }) => `${name}: ${licence}.`),
      "tables of word frequencies: CC BY-SA 4.0", "NTREX-128", "Snowball", "stopwords-iso", 'licence: "any"',
      "musl libc", "Copyright 2009 The Go Authors",
    ]) assert.ok(notices.includes(part), part);
    for (const { name } of manifest.weights) assert.ok(!notices.includes(name), name);
    assert.ok(notices.indexOf(nonCommercial) < notices.indexOf("Apache License\n"));
    // As said of what it is made of.
    for (const path of installed.tarball.files.map(({ path }) => path).filter((path) => /\.(js|mjs|wasm|txt)$/.test(path))) {
      assert.equal(readFileSync(join(packed, path)).includes(root), false, `${path} names a folder of the machine that built it`);
    }
  });

  it("says who made it and where, and its README has no link that npm cannot follow", () => {
    const { name, version, license, repository, homepage, bugs, keywords, author, dependencies } = JSON.parse(read("package.json")) as Record<string, unknown>;
    assert.deepEqual([name, license, dependencies], ["cerasum", "Apache-2.0", undefined]);
    assert.match(String(version), /^\d+\.\d+\.\d+/);
    const module = /^module (.+)$/m.exec(readFileSync(join(root, "go.mod"), "utf8"))![1]!;
    assert.deepEqual(repository, { type: "git", url: `git+https://${module}.git`, directory: "js" });
    for (const address of [homepage, bugs]) assert.ok(String(address).startsWith(`https://${module}`), String(address));
    assert.ok(Array.isArray(keywords) && keywords.length > 5 && author);
    const readme = read("README.md");
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title]) => `#${title!.toLowerCase().replace(/[^\w -]/g, "").replaceAll(" ", "-")}`);
    for (const [, link] of readme.matchAll(/\]\(([^)]+)\)/g)) {
      const file = link!.startsWith(`https://${module}/`) ? /\/(?:blob|tree)\/HEAD\/([^#]+)/.exec(link!)?.[1] : undefined;
      assert.ok(link!.startsWith("https://") ? file === undefined || existsSync(join(root, file)) : anchors.includes(link!), `README.md: ${link}`);
    }
  });

  it("cerasum-assets copies the parts that are named, again and again, and refuses others", async () => {
    const assets = (...args: string[]): Promise<string> => run(join(installed.folder, "node_modules/.bin/cerasum-assets"), args, installed.folder);
    const parts: Record<string, string[]> = {
      library: ["index.js"],
      core: ["worker.js", "encoder-worker.js", "cerasum.wasm"],
      ...(installed.encoder && { encoder: ["encoder", "ort"], weights: ["weights"] }),
    };
    for (const [part, wanted] of [...Object.entries(parts), ["core", parts["core"]!] as const]) {
      await assets(`site/${part}`, part);
      assert.deepEqual(readdirSync(join(installed.folder, "site", part)).sort(), [...wanted, `cerasum-${["encoder", "weights"].includes(part) ? "encoder-" : ""}NOTICES.txt`].sort());
    }
    await assert.rejects(assets("site", "everything"), /there is no part "everything": want library, core, encoder, weights/);
    // Without the second package.
    const encoder = join(packed, "../cerasum-encoder");
    if (installed.encoder) renameSync(encoder, `${encoder}-gone`);
    for (const part of ["encoder", "weights"]) await assert.rejects(assets("site", part), new RegExp(`${part}: run npm install cerasum-encoder first`));
    const script = `import { loadWeights } from "cerasum"; await loadWeights("cera-orangesum");`;
    await assert.rejects(run(process.execPath, ["--input-type=module", "-e", script], installed.folder), /the shipped weights are in the package cerasum-encoder/);
    if (installed.encoder) renameSync(`${encoder}-gone`, encoder);
    await assert.rejects(assets("site"), /usage: cerasum-assets FOLDER PART/);
    await assert.rejects(assets("package.json", "core"), /cerasum-assets: .*package\.json/);
    assert.match(await assets("--help"), /usage: cerasum-assets/);
  });

  it("is as large as its README says, and so are its parts", () => {
    const files = [...installed.tarball.files, ...(installed.encoder?.files ?? [])];
    const bytes = (number: string, unit: string): number => Number(number) * { kB: 1e3, MB: 1e6 }[unit]!;
    const rows = [...read("README.md").matchAll(/^\| `\w+` \| (`.+?`).* \| ([\d.]+) (kB|MB)\b.*\|$/gm)];
    const sizes = rows.map(([row, , number, unit]) => {
      const names = [...row.matchAll(/`([\w.-]+\.\w+|\w+\/)`/g)].map(([, name]) => (/^(encoder|ort|weights)\/$/.test(name!) ? name! : `dist/${name}`));
      return [row, bytes(number!, unit!), files.filter(({ path }) => names.some((name) => path === name || name.endsWith("/") && path.startsWith(name))).reduce((sum, file) => sum + file.size, 0)] as const;
    });
    assert.equal(sizes.length, 4);
    const packages = [...read("README.md").matchAll(/The package\b[^.]* is ([\d.]+) MB \(([\d.]+) MB unpacked\)/g)].flatMap(([, packed, whole], i) => {
      const { filename, size, unpackedSize } = [installed.tarball, installed.encoder][i] ?? { filename: "cerasum-encoder", size: 0, unpackedSize: 0 };
      return [[filename, bytes(packed!, "MB"), size], [`${filename}, unpacked`, bytes(whole!, "MB"), unpackedSize]] as const;
    });
    assert.equal(packages.length, 4);
    for (const [what, said, is] of [...sizes, ...packages]) {
      assert.ok(Math.abs(said - is) < 0.02 * is || is === 0 && noEncoder, `${what}: ${is} bytes`);
    }
  });

  it("has types that compile as strictly as can be", async () => {
    const folder = installed.folder;
    writeFileSync(join(folder, "consumer.ts"), `
      import { createCore, createEncoder, EmptyInputError, installPolyfill, loadWeights, OptionError, QuotaExceededError, Summarizer, type DocumentsSummary, type SummarizerCreateOptions } from "cerasum";
      const options: SummarizerCreateOptions = { type: "tldr", encoder: { threads: 2 }, monitor: (m) => m.addEventListener("downloadprogress", ({ loaded }) => loaded.toFixed()) };
      const summarizer: Summarizer = await Summarizer.create(options);
      const summary: DocumentsSummary = await summarizer.summarizeDocuments(["text", { text: "text", title: "title" }], { budget: { words: 20 } });
      const first: string | undefined = summary.sentences[0]?.text;
      for await (const chunk of summarizer.summarizeStreaming("text") as unknown as AsyncIterable<string>) first?.concat(chunk);
      const row: Float32Array = (await summarizer.embed(["text"])).embeddings;
      const core = createCore({ wasmURL: new URL("https://example.org/cerasum.wasm") });
      await core.summarize([{ text: "text" }], { budget: { sentences: 1 } }, { encoder: createEncoder({ core, modelURL: "encoder" }) });
      await loadWeights("cerai-orangesum");
      installPolyfill({ core: createCore() }).create().catch((error: unknown) => error instanceof OptionError && error.field || error instanceof EmptyInputError || error instanceof QuotaExceededError && error.quota);
      // @ts-expect-error: there is no such type of summary
      await Summarizer.create({ type: "poem" });
      export { row };
    `);
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    for (const [module, moduleResolution] of [["node16", "node16"], ["nodenext", "nodenext"], ["esnext", "bundler"]] as const) {
      const compilerOptions = {
        module, moduleResolution, target: "es2022", lib: ["es2022", "dom"], types: [], strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
        skipLibCheck: false, noEmit: true,
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
      await run(process.execPath, [compiler, "-p", "tsconfig.json"], folder);
    }
  });

  it("leaves out of a page what the page does not import", async (t) => {
    const bytes = async (source: string): Promise<number> => {
      const { outputFiles } = await build({
        stdin: { contents: source, resolveDir: installed.folder }, bundle: true, format: "esm", target: "es2022", minify: true, splitting: true,
        outdir: "out", entryNames: "page", write: false, logLevel: "error",
      });
      const page = outputFiles.find(({ path }) => path.endsWith("page.js"))!.contents;
      t.diagnostic(`${source}: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} with gzip`);
      return page.length;
    };
    assert.equal(await bytes('import "cerasum";'), 0);
    assert.ok(await bytes('export { OptionError } from "cerasum";') < 300);
    assert.ok(await bytes('export { QuotaExceededError } from "cerasum";') < 1_200);
    const core = await bytes('export { createCore } from "cerasum";');
    const summarizer = await bytes('export { Summarizer } from "cerasum";');
    const all = await bytes('export * from "cerasum";');
    assert.ok(core < 34_800 && summarizer < 52_300 && all < 56_300, `${core}, ${summarizer}, ${all}`);
  });
});
