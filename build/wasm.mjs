// Builds the core for the page (GOOS=js GOARCH=wasm) into build/out/wasm and copies
// it into js/dist, with the loader of the same Go release. --size also prints the
// compressed sizes, which takes some seconds. --lines keeps files and lines in stack
// traces, which the shipped program lacks.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { host, kernels } from "./kernel.mjs";
import { leanModule } from "./lean-module.mjs";
import { leanRuntime } from "./lean-runtime.mjs";
import { notices } from "./notices.mjs";
import { pack } from "./pack-wasm.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wasm = join(root, "build/out/wasm/cerasum.wasm");
const linked = join(root, "build/out/wasm/linked.wasm"); // as Go makes it
const dist = join(root, "js/dist");

// Packages compiled without inlining, which saves about 30 kB of the compressed
// program: packages that run rarely, the stemmers, whose results are cached, and
// packages that are hardly slower (opening ten articles takes 5 % longer). The
// runtime would save another 35 kB but cost a fifth of the speed.
const rare = [
  "bufio", "bytes", "context", "embed", "errors", "io", "io/fs", "strconv", "sync", "syscall", "syscall/js", "time",
  "internal/abi", "internal/bisect", "internal/godebug", "internal/oserror", "internal/poll", "internal/reflectlite",
  "internal/strconv", "internal/sync", "internal/syscall/...",
  "github.com/blevesearch/snowballstem/...", "github.com/cerasum/cerasum/wasm/...",
  "github.com/cerasum/cerasum/core", "github.com/cerasum/cerasum/core/cluster", "github.com/cerasum/cerasum/core/selection", "github.com/cerasum/cerasum/internal/errorf",
  "github.com/cerasum/cerasum/internal/salience", "github.com/cerasum/cerasum/internal/reading", "github.com/cerasum/cerasum/internal/reading/disagreements", "slices", "github.com/cerasum/cerasum/internal/text", "github.com/cerasum/cerasum/internal/lexical", "strings", "unicode/utf8",
];
const smaller = rare.map((name) => `-gcflags=${name}=-l`);

function go(args, env = {}) {
  try {
    return execFileSync("go", args, {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  } catch (error) {
    if (error.code === "ENOENT") {
      console.error("go is not installed or not on the PATH: get Go 1.26 or later from https://go.dev/dl/");
      process.exit(1);
    }
    process.exit(error.status ?? 1); // the compiler has printed the reason
  }
}

mkdirSync(dirname(wasm), { recursive: true });
mkdirSync(dist, { recursive: true });
// No VCS stamp: the same sources give the same program.
go(["build", "-modfile", leanModule(root), "-overlay", leanRuntime(root), "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", ...smaller, "-o", linked, "./wasm/page"], {
  GOOS: "js",
  GOARCH: "wasm",
});
// The program contains its SIMD kernel: one file, so the versions always match.
const custom = (await kernels()).map((kernel) => ["cerasum.kernel", kernel]);
await host();
const bytes = pack(readFileSync(linked), { lines: process.argv.includes("--lines"), custom });
writeFileSync(wasm, bytes);
copyFileSync(wasm, join(dist, "cerasum.wasm"));
copyFileSync(join(go(["env", "GOROOT"]), "lib/wasm/wasm_exec.js"), join(dist, "wasm_exec.js"));
writeFileSync(join(dist, "NOTICES.txt"), notices(root));

let line = `cerasum.wasm: ${bytes.length.toLocaleString("en")} bytes`;
if (process.argv.includes("--size")) {
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  line += `, gzip ${gzipSync(bytes, { level: 9 }).length.toLocaleString("en")}, brotli 11 ${brotli.length.toLocaleString("en")}`;
}
console.log(line);
