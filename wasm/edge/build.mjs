// Builds the Worker into build/out/edge: the Go program, its loader and
// worker.mjs, and the built page (build/out/site) with the headers of its files.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { edgeNotices } from "../../build/notices.mjs";
import { pack } from "../../build/pack-wasm.mjs";
import { headers } from "./headers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const out = join(root, "build/out/edge");
const page = join(root, "build/out/site");

/** Limits of the platform: bytes of a file, and of the compressed program (free plan). */
const FILE = 25 << 20;
const PROGRAM = 3 << 20;

/**
 * 96 MiB of memory: an isolate has 128 MB, and if it exceeds them the platform ends
 * all of its requests. With this limit only the program ends.
 */
const PAGES = 96 * 16;

const go = (args, env = {}) => execFileSync("go", args, { cwd: root, env: { ...process.env, ...env }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

// The build empties its folder first.
go(["run", "github.com/syumai/workers/cmd/workers-assets-gen", "-mode", "go", "-o", join(out, "loader")]);
copyFileSync(join(out, "loader/wasm_exec.js"), join(out, "wasm_exec.js"));
rmSync(join(out, "loader"), { recursive: true });
for (const script of ["worker.mjs", "body.mjs", "sender.mjs"]) copyFileSync(join(here, script), join(out, script));

const linked = join(out, "linked.wasm");
go(["build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", linked, "./wasm/edge"], { GOOS: "js", GOARCH: "wasm" });
const program = pack(readFileSync(linked), { pages: PAGES });
rmSync(linked);
writeFileSync(join(out, "app.wasm"), program);
const compressed = gzipSync(program, { level: 9 }).length;
console.log(`app.wasm: ${program.length.toLocaleString("en")} bytes, gzip ${compressed.toLocaleString("en")}`);
if (compressed > PROGRAM) throw new Error(`the program is too large for the free plan: ${PROGRAM} bytes compressed`);

const site = join(out, "site");
rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
// The platform compresses the files itself, and would serve the page's copies as files.
cpSync(page, site, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) });
const files = readdirSync(site, { recursive: true, encoding: "utf8" }).map((name) => join(site, name)).filter((file) => statSync(file).isFile());
for (const file of files) {
  if (statSync(file).size > FILE) throw new Error(`${relative(site, file)} exceeds the platform's limit of ${FILE} bytes`);
}
// The page has a NOTICES.txt of its own.
writeFileSync(join(site, "NOTICES-edge.txt"), edgeNotices(root));
writeFileSync(join(site, "_headers"), headers(readFileSync(join(site, "index.html"), "utf8")));
