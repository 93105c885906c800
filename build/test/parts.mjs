// The parts of the tests. `make test` runs those of `quick`, `make test-slow`
// those of `slow`. `make test-NAME` builds what NAME, NAME-slow and NAME-timed need, and
// runs only these. What file names end in tells where a test runs: *.test.* in
// `make test`, *.slow.* and *.timed.* in `make test-slow`.
//
// A part is a list of commands, its units, that may run in parallel:
//
//   needs  parts that must finish first, if they run too
//   wants  what its tests use of the machine, in the names of build/browsers.mjs. Part
//          browsers, which installs it, runs first; tests that use what is still
//          missing then do not run
//   alone  nothing else runs at the same time: the part measures time
//   tries  how often a unit that fails is run, listed at the end; default 1. More
//          for what depends on the load of the machine or drives whole browsers:
//          a number, or a function of the unit
//   read   format of its output: go (go test -json), node (events.mjs), or
//          command or installer, which pass if they exit with 0

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { find } from "../browsers.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const events = join(root, "build/test/events.mjs");
const program = join(root, "build/out/bin/cerasum");
const wasm = { GOOS: "js", GOARCH: "wasm" };

/** The packages of the page's program without those of part wasm. */
const page = () => {
  const all = execFileSync("go", ["list", "-deps", "./wasm/page"], { cwd: root, encoding: "utf8", env: { ...process.env, ...wasm } });
  return all.split("\n").filter((path) => /^github\.com\/cerasum\/cerasum\/(?!core\/linalg$|wasm\/)/.test(path));
};

const make = (...targets) => ({ read: "command", units: () => [{ argv: ["make", "--no-print-directory", ...targets] }] });

// -trimpath as "make cli" has it: with another setting Go compiles every package again.
// Go's own limit, 10 minutes for a package, is too short on a busy machine.
const go = (args, { env, cwd, name } = {}) => ({ name, argv: ["go", "test", "-json", "-vet=off", "-trimpath", "-timeout=30m", ...args], env, cwd });

/**
 * One unit for each file of the folder whose name has this ending. `flags` are
 * V8's, in Node and in Chromium. The largest file is the first, so that the last ones end soon.
 */
const node = (folder, ending, { flags = [], wants = [], ...more } = {}) => ({
  read: "node",
  needs: ["build"],
  wants,
  units: () => readdirSync(join(root, folder)).filter((name) => name.endsWith(ending)).sort((a, b) => size(folder, b) - size(folder, a)).map((name) => ({
    name,
    argv: [process.execPath, ...flags, "--test", `--test-reporter=${events}`, join(folder, name)],
    env: { ...(wants.includes("chromium") && { CHROMIUM: find("chromium") }), CERASUM: program, ...(flags.length > 0 && { CHROMIUM_ARGS: `--js-flags=${flags.join(",")}` }) },
    uses: wants.filter((tool) => uses[tool]?.(join(root, folder, name))),
  })),
  ...more,
});

const size = (...path) => statSync(join(root, ...path)).size;

/** Whether one of a test's files, which are it and those that it imports from this repository, matches. */
function matches(pattern, file, seen = new Set()) {
  if (seen.has(file) || !/\.m?[jt]s$/.test(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  return pattern.test(text) || [...text.matchAll(/^(?:import|}|await|export) .*"(\.\.?\/[^"]+)"/gm)].some(([, other]) => matches(pattern, join(dirname(file), other), seen));
}

/** Whether a test uses a tool. The engines' tests are each for one browser. */
const uses = {
  chromium: (file) => (file.startsWith(join(root, "build/engines")) ? /\/chromium\.[^/]+$/.test(file) : matches(/^import .*"playwright-core"/m, file)),
  curl: (file) => matches(/\("curl"/, file),
  unzip: (file) => matches(/\("unzip"/, file),
};

const onWasm = (kernel, ...args) => go(["-exec", join(root, "build/wasm-exec.sh"), ...args], { name: kernel, env: { ...wasm, CERASUM_KERNEL: kernel } });

/** cerasum-beam on a cluster of this machine; skipped where Java or Maven is missing. Maven may take 10 minutes of the limit. */
const runner = (test) => ({
  read: "go",
  needs: ["install"],
  alone: true,
  tries: 2,
  units: () => [go(["-tags", "runners", "-count=1", "-timeout=25m", "-run", `^${test}$`, "./runners"], { cwd: "batch/beam" })],
});

/** The packages with tests that -short skips or shortens. */
const shortened = () => {
  const files = execFileSync("git", ["grep", "-l", "testing.Short()", "--", "*_test.go", ":!batch/beam"], { cwd: root, encoding: "utf8" });
  return [...new Set(files.trim().split("\n").map((file) => `./${dirname(file)}`))];
};

/** The tests of batch/beam that -short skips. */
const shortenedBeam = () => {
  const folder = join(root, "batch/beam");
  const functions = readdirSync(folder).filter((name) => name.endsWith("_test.go")).flatMap((name) => readFileSync(join(folder, name), "utf8").split(/^(?=func )/m));
  return functions.filter((text) => text.includes("testing.Short()")).map((text) => /^func (\w+)/.exec(text)[1]);
};

// Most tests start a worker of their own: without V8's optimizing compiler for
// WebAssembly that takes a quarter of the CPU time. The slow tests run with it.
const flags = ["--liftoff-only"];

// Browsers and workerd are many processes, which a loaded machine runs in an order of
// its own: one test that loses a race with them must not fail all of make test.
const processes = { tries: 2 };

/** Parts that drive Chromium. Without the fonts some tests of the layout may fail. */
const chromium = { wants: ["chromium", "fonts?"], ...processes };
/** The library's: few of its tests drive it. */
const library = { ...chromium, tries: ({ uses }) => (uses.includes("chromium") ? 2 : 1) };
const engines = { ...chromium, wants: [...chromium.wants, "firefox?", "webkit?"] };
const timed = { wants: chromium.wants, alone: true, tries: 3 };

export const quick = {
  install: make("deps"),
  browsers: { read: "installer", needs: ["install"], units: (names) => [{ argv: [process.execPath, "build/browsers.mjs", ...new Set(names.flatMap((name) => parts[name].wants ?? []))] }] },
  build: { ...make("-j2", "test-build"), needs: ["install"] },
  go: { read: "go", needs: ["install"], units: () => [go(["-short", "./..."])] },
  gofmt: make("gofmt"),
  beam: { read: "go", units: () => [go(["-short", "./..."], { cwd: "batch/beam" })] },
  wasm: { read: "go", needs: ["build"], units: () => [onWasm("simd", "./core/linalg", "./wasm/..."), onWasm("relaxed", "./wasm/internal/kernel")] },
  js: node("js/dist-tests", ".test.js", { flags, ...library }),
  extension: node("web/extension/tests", ".test.mjs", { flags, ...chromium }),
  edge: node("wasm/edge/tests", ".test.mjs", { flags, wants: ["curl"], ...processes }),
  release: node("build/release/tests", ".test.mjs", { needs: ["install"] }),
  demo: node("web/demo/tests", ".test.mjs", { flags, ...chromium }),
  engines: node("build/engines/tests", ".test.mjs", { flags, ...(process.env.ENGINES_REQUIRED === "1" ? engines : chromium) }),
};

export const slow = {
  install: quick.install,
  build: quick.build,
  "js-slow": node("js/dist-tests", ".slow.js", library),
  "demo-slow": node("web/demo/tests", ".slow.mjs", chromium),
  "extension-slow": node("web/extension/tests", ".slow.mjs", chromium),
  "edge-slow": node("wasm/edge/tests", ".slow.mjs", processes),
  "engines-slow": node("build/engines/tests", ".slow.mjs", engines),
  "release-slow": node("build/release/tests", ".slow.mjs", { wants: ["unzip"] }),
  "js-timed": node("js/dist-tests", ".timed.js", timed),
  "demo-timed": node("web/demo/tests", ".timed.mjs", timed),
  "extension-timed": node("web/extension/tests", ".timed.mjs", timed),
  "go-slow": { read: "go", needs: ["install"], units: () => [go([...shortened()])] },
  "beam-slow": { read: "go", needs: ["install"], units: () => [go(["-run", `^(${shortenedBeam().join("|")})$`, "."], { cwd: "batch/beam" })] },
  flink: runner("TestFlink"),
  spark: runner("TestSpark"),
  "wasm-slow": { read: "go", needs: ["build"], units: () => [onWasm("simd", ...page())] },
  "lint-extension": { ...make("lint-extension"), needs: ["build"] },
  vet: make("vet"),
  staticcheck: make("staticcheck"),
  audit: make("audit"),
};

export const parts = { ...quick, ...slow };
export const runs = { quick, slow };
