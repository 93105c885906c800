// build/browsers.mjs on machines that are a folder of programs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../browsers.mjs", import.meta.url));
const sudo = process.getuid() === 0 ? "" : "sudo ";

let machine;
beforeEach(() => (machine = mkdtempSync(join(tmpdir(), "cerasum-"))));
afterEach(() => rmSync(machine, { recursive: true, force: true }));

/** Adds a program to the machine. */
const program = (name, text) => writeFileSync(join(machine, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

function run(names, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...names], { encoding: "utf8", env: { PATH: machine, ...env } });
  return { status, out: stdout.trim().split("\n").filter(Boolean), said: stderr.trim().split("\n").filter(Boolean) };
}

const needs = (title, how) => `cerasum: the tests need ${title}, which is not installed: ${how}`;

test("what is missing is named with the command of the system's package manager", () => {
  program("dnf", "exit 1");
  assert.deepEqual(run(["curl", "unzip?"]), { status: 1, out: [], said: [needs("curl", `${sudo}dnf install -y curl`), needs("unzip", `${sudo}dnf install -y unzip`)] });
  program("curl", "exit 0");
  assert.deepEqual(run(["curl", "unzip?"]), { status: 0, out: [join(machine, "curl")], said: [needs("unzip", `${sudo}dnf install -y unzip`)] });
  assert.equal(run(["curl", "unzip?"], { ENGINES_REQUIRED: "1" }).status, 1);
  rmSync(join(machine, "dnf"));
  assert.deepEqual(run(["unzip"]).said, [needs("unzip", "install it")]);
});

test("a variable names the browser, and only that one counts", () => {
  program("chromium", "exit 0");
  program("mine", "exit 0");
  assert.deepEqual(run(["chromium"]), { status: 0, out: [join(machine, "chromium")], said: [] });
  assert.deepEqual(run(["chromium"], { CHROMIUM: join(machine, "mine") }).out, [join(machine, "mine")]);
  assert.deepEqual(run(["chromium"], { CHROMIUM: "/none" }), { status: 1, out: [], said: ["cerasum: CHROMIUM names /none, which is not there"] });
});

test("a browser that does not start, or is a snap, is none", { skip: process.platform !== "linux" && "a browser may be in /Applications" }, () => {
  program("pacman", "exit 1");
  for (const text of ["exit 127", "exec /snap/bin/firefox"]) {
    program("firefox", text);
    assert.deepEqual(run(["firefox"]).said, [needs("Firefox", `${sudo}pacman -S --noconfirm firefox`)]);
  }
});

test("apt-get installs what is missing and says so; not a package that is a snap", { skip: process.platform !== "linux" && "Linux" }, () => {
  for (const name of ["env", "cat", "chmod"]) symlinkSync(join("/usr/bin", name), join(machine, name));
  const log = join(machine, "log");
  program("sudo", '[ "$1" = -n ] || exit 1\nshift\n[ "$1" = true ] || exec "$@"');
  program("apt-cache", 'case $2 in firefox) echo "  Candidate: 1:1snap1-0ubuntu5" ;; firefox-esr) echo "  Candidate: (none)" ;; *) echo "  Candidate: 1.0" ;; esac');
  program("apt-get", `echo "$DEBIAN_FRONTEND $*" >>${log}\ncase "$*" in *install*) echo "#!/bin/sh" >${machine}/curl; chmod +x ${machine}/curl ;; esac`);
  const { status, out, said } = run(["curl", "firefox?"]);
  assert.deepEqual([status, out], [0, [join(machine, "curl")]]);
  assert.deepEqual(said, ["cerasum: installing curl and dependencies, by apt-get", needs("Firefox", "install the package of https://support.mozilla.org/kb/install-firefox-linux, or set FIREFOX to its path")]);
  const options = "noninteractive -qq -o DPkg::Lock::Timeout=300";
  assert.equal(readFileSync(log, "utf8"), `${options} update\n${options} install -y --no-install-recommends curl\n`);
  // Without a password none can be installed, and nothing is tried.
  rmSync(join(machine, "curl"));
  rmSync(log);
  if (process.getuid() === 0) return;
  program("sudo", "exit 1");
  assert.deepEqual(run(["curl"]).said, [needs("curl", "sudo apt-get install -y --no-install-recommends curl")]);
  assert.throws(() => readFileSync(log));
});
