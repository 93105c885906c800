// Runs parts of the tests in parallel. At the end prints how long each took, what
// failed, what did not run, and what was skipped, with the reason:
//
//   node build/test/run.mjs quick        # what make test runs
//   node build/test/run.mjs slow         # what make test-slow runs
//   node build/test/run.mjs js demo      # parts by their names (parts.mjs)
//
// JOBS is the number of parallel commands, by default one more than there are CPUs:
// tests of browsers often wait. The output of each is in build/out/test, for node --test
// with the milliseconds that each test took.
//
// Each command has a temporary folder of its own. What it leaves there is a failure.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { find } from "../browsers.mjs";
import { parts, root, runs } from "./parts.mjs";

/** Time limit of a command. */
const HANGS_MS = 35 * 60_000;

const jobs = Number(process.env.JOBS) || availableParallelism() + 1;
const logs = join(root, "build/out/test");
// The name is the same in each run: Go tests the same again if the name of the folder has
// changed. It is short, as sockets of browsers have their paths in it.
const temp = join(tmpdir(), `cerasum-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`);

const names = [...new Set(process.argv.slice(2).flatMap((name) => (runs[name] ? Object.keys(runs[name]) : name)))];
const unknown = names.find((name) => !parts[name]);
if (names.length === 0 || unknown !== undefined) {
  console.error(`run.mjs: want ${Object.keys(runs).join(", ")} or names of parts, got ${unknown ?? "nothing"}; parts: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
if (names.some((name) => parts[name].wants?.length > 0) && !names.includes("browsers")) names.unshift("browsers");

const running = new Set();
process.on("exit", () => {
  for (const child of running) end(child);
  remove(temp);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Ends a command and its child processes. */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** Removes a folder; browsers that were just ended may still write to it. */
const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const minutes = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/** Parsers of a command's output: each gets lines and adds to the result. */
const readers = {
  command: () => ({ line() {}, end(result, failed) { if (!failed) result.passed++; } }),

  /** A command that says what it installs before it does. */
  installer: () => ({ ...readers.command(), line(text) { if (text.startsWith("cerasum: installing ")) console.log(`    ${text}`); } }),

  node() {
    const path = [];
    return {
      line(text, result) {
        const event = parse(text);
        if (event?.type === undefined) return false;
        const { type, name, nesting, skip, suite, error } = event;
        // Suites are reported after their tests: use the name of the test alone.
        if (type === "test:fail" && error !== undefined) result.failures.push({ name, text: error });
        else if (skip !== undefined && skip !== false) result.skips.push({ name, reason: skip === true || skip === "" ? "no reason given" : skip });
        else if (type === "test:pass" && !suite) result.passed++;
        return true;
      },
      end() {},
    };
  },

  go() {
    const printed = new Map();
    const failed = new Set(); // packages with a test that failed, and tests with a subtest that did
    return {
      line(text, result) {
        const event = parse(text);
        if (event?.Action === undefined) return false;
        const { Action: action, Package: pkg = event.ImportPath?.replace(/ .*/, ""), Test: test, Output: output } = event;
        const key = `${pkg} ${test ?? ""}`;
        const short = pkg?.replace(/^github\.com\/cerasum\/cerasum\/?/, "./");
        if (action === "output" || action === "build-output") printed.set(key, (printed.get(key) ?? "") + output);
        const top = test !== undefined && !test.includes("/");
        const own = () => (printed.get(key) ?? "").split("\n").filter((line) => line.trim() !== "" && !/^(=== |\s*--- )/.test(line));
        if (action === "pass" && top) result.passed++;
        if (action === "skip" && test !== undefined) result.skips.push({ name: `${short} ${test}`, reason: own().at(-1)?.replace(/^\s*\S+\.go:\d+: /, "").trim() ?? "no reason given" });
        if (action === "fail" && test !== undefined) {
          // A test that fails because of its subtests has no message.
          const parents = (name) => name.split("/").slice(0, -1).map((_, i, all) => `${pkg} ${all.slice(0, i + 1).join("/")}`);
          const counted = own().length > 0 || !failed.has(key);
          for (const one of [pkg, ...parents(test)]) failed.add(one);
          if (counted) result.failures.push({ name: `${short} ${test}`, text: own().join("\n") });
        }
        if (action === "build-fail" || (action === "fail" && test === undefined && !failed.has(pkg) && event.FailedBuild === undefined)) {
          const all = [...printed].filter(([one]) => one.startsWith(`${pkg} `)).map(([, text]) => text);
          result.failures.push({ name: short, text: all.join("").trim() });
        }
        if (["pass", "fail", "skip"].includes(action)) printed.delete(key);
        return true;
      },
      end() {},
    };
  },
};

function parse(text) {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs one command, again if it failed, but did not hang, and its part has tries left. */
async function run(part, unit) {
  const { tries = 1 } = parts[part];
  const most = typeof tries === "function" ? tries(unit) : tries;
  const again = [];
  for (let n = 1; ; n++) {
    const result = await once(part, unit, n);
    if (result.failures.length === 0 || result.hung || n === most) return { ...result, again };
    printResult(result);
    console.log(`    again: ${result.title}`);
    again.push(...result.failures);
  }
}

async function once(part, { name, argv, env, cwd = ".", number }, n) {
  const title = name ? `${part} ${name}` : part;
  const own = join(temp, `${part}-${number}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  const result = { title, passed: 0, failures: [], skips: [], ms: 0 };
  const began = Date.now();
  const log = createWriteStream(join(logs, `${title.replace(/[^\w.-]+/g, "-")}${n > 1 ? `-${n}` : ""}.log`));
  const { MAKEFLAGS: _, MAKELEVEL: __, MFLAGS: ___, ...inherited } = process.env;
  const child = spawn(argv[0], argv.slice(1), { cwd: join(root, cwd), env: { ...inherited, TMPDIR: own, NODE_DISABLE_COMPILE_CACHE: "1", ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.add(child);
  const reader = readers[parts[part].read]();
  const rest = []; // output that is not a result
  const lines = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      log.write(`${line}\n`);
      if (!reader.line(line, result)) rest.push(line);
    }
  });
  const hangs = setTimeout(() => {
    result.hung = true;
    rest.push(`it was ended after ${HANGS_MS / 60_000} minutes`);
    end(child);
  }, HANGS_MS);
  const status = await new Promise((resolve) => {
    child.on("error", (error) => (rest.push(String(error)), resolve(1)));
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  clearTimeout(hangs);
  await Promise.all(lines);
  running.delete(child);
  log.end();
  result.ms = Date.now() - began;
  // A test file of Node that cannot be loaded fails; it has printed the reason.
  for (const failure of result.failures) if (argv.some((one) => failure.name.endsWith(one))) failure.text += `\n${rest.slice(-60).join("\n")}`;
  if (status !== 0 && result.failures.length === 0) {
    result.failures.push({ name: argv.join(" "), text: `exit status ${status}\n${rest.slice(-60).join("\n")}` });
  }
  const left = readdirSync(own);
  if (left.length > 0 && result.failures.length === 0) result.failures.push({ name: "temporary files", text: `left in the temporary folder: ${left.join(", ")}` });
  remove(own);
  reader.end(result, status !== 0);
  return result;
}

rmSync(logs, { recursive: true, force: true });
mkdirSync(logs, { recursive: true });
remove(temp);
mkdirSync(temp, { mode: 0o700 });

const began = Date.now();
const state = new Map(names.map((name) => [name, { name, waiting: undefined, lacking: [], active: 0, results: [], began: 0, ended: 0 }]));
const done = (one) => one.ended > 0;
let active = 0;

await new Promise((resolve) => {
  start();

  function start() {
    if ([...state.values()].every(done)) return resolve();
    for (const one of state.values()) {
      if (done(one)) continue;
      const { needs = [], wants, alone = false, units } = parts[one.name];
      const needed = needs.map((name) => state.get(name)).filter(Boolean);
      const broken = needed.find((other) => done(other) && (other.broken || other.results.some(({ failures }) => failures.length > 0)));
      if (broken && one.waiting === undefined) {
        console.log(`not run: ${one.name}, as ${broken.name} failed`);
        one.ended = one.began = Date.now();
        one.broken = true;
        return start();
      }
      if (!needed.every(done) || (wants?.length > 0 && !done(state.get("browsers")))) continue;
      if (one.waiting === undefined) {
        const all = units(names).map((unit, number) => ({ ...unit, number }));
        one.lacking = all.filter(({ uses = [] }) => !uses.every(find));
        one.waiting = all.filter((unit) => !one.lacking.includes(unit));
      }
      while (one.waiting.length > 0 && active < jobs && !(alone && active > 0)) {
        one.began ||= Date.now();
        one.active++;
        active++;
        if (alone) active += jobs;
        void run(one.name, one.waiting.shift()).then((result) => {
          one.active--;
          active--;
          if (alone) active -= jobs;
          one.results.push(result);
          printResult(result);
          if (one.waiting.length === 0 && one.active === 0) one.ended = Date.now();
          start();
        });
      }
      if (one.waiting.length === 0 && one.active === 0 && !done(one)) {
        one.began ||= Date.now();
        one.ended = Date.now();
        return start();
      }
    }
  }
});

/** The summary line of a finished command. */
function printResult({ title, passed, failures, skips, ms }) {
  const counts = [`${passed} passed`, failures.length > 0 && `${failures.length} FAILED`, skips.length > 0 && `${skips.length} skipped`].filter(Boolean);
  console.log(`[${minutes(Date.now() - began)}] ${title}: ${counts.join(", ")} (${seconds(ms)})`);
  for (const { name, text } of failures) console.log(`    ${name}\n${text.replace(/^/gm, "        ")}`);
}

const all = [...state.values()].map((one) => ({ ...one, results: one.results }));
const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const rows = all.map(({ name, results, began: from, ended, broken }) => [
  name,
  broken ? "not run" : seconds(ended - from),
  seconds(sum(results, ({ ms }) => ms)),
  String(sum(results, ({ passed }) => passed)),
  String(sum(results, ({ failures }) => failures.length)),
  String(sum(results, ({ skips }) => skips.length)),
]);
const head = ["part", "from first to last", "all commands", "passed", "failed", "skipped"];
const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
console.log(`\n${[head, ...rows].map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  ")).join("\n")}`);
console.log(`all of it: ${minutes(Date.now() - began)} minutes, ${jobs} commands at once; output in ${relative(process.cwd(), logs)}`);

const results = all.flatMap(({ results }) => results);
const skips = results.flatMap(({ title, skips }) => skips.map((skip) => ({ title, ...skip })));
if (skips.length > 0) console.log(`\nSkipped:\n${skips.map(({ title, name, reason }) => `  ${title}: ${name}: ${reason}`).join("\n")}`);
const again = results.flatMap(({ title, again }) => again.map((failure) => ({ title, ...failure })));
if (again.length > 0) console.log(`\nFailed, then run again:\n${again.map(({ title, name, text }) => `  ${title}: ${name}\n${text.replace(/^/gm, "      ")}`).join("\n")}`);
const failures = results.flatMap(({ title, failures }) => failures.map((failure) => ({ title, ...failure })));
const notRun = all.filter(({ broken }) => broken);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map(({ title, name, text }) => `  ${title}: ${name}\n${text.replace(/^/gm, "      ")}`).join("\n")}`);
for (const { name } of notRun) console.log(`  not run: ${name}`);
const lacking = all.filter(({ lacking }) => lacking.length > 0);
for (const { name, lacking: units, results } of lacking) console.log(`  not run: ${name}: ${units.length} of ${units.length + results.length} files, which need ${[...new Set(units.flatMap(({ uses }) => uses))].filter((tool) => !find(tool)).join(" and ")}`);

const failed = failures.length + notRun.length;
if (again.length > 0) console.log(`\n${again.length} failed at first`);
console.log(`\n${sum(results, ({ passed }) => passed)} passed, ${failed} failed${skips.length > 0 ? `, ${skips.length} skipped` : ""}`);
process.exitCode = failed > 0 || lacking.length > 0 ? 1 : 0;
