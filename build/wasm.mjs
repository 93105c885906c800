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
import { page } from "./modules.mjs";
import { notices } from "./notices.mjs";
import { pack } from "./pack-wasm.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wasm = join(root, "build/out/wasm/cerasum.wasm");
const linked = join(root, "build/out/wasm/linked.wasm"); // as Go makes it
const dist = join(root, "js/dist");

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
go(["build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", linked, "./wasm/page"], page);
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
