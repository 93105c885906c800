// Finds what the tests need of the machine, browsers above all, and installs what is
// missing: Chromium by Playwright's download, the rest, or Chromium where there is none to
// download, by the package manager of Debian and Ubuntu, as root or by sudo without a password.
//
//   node build/browsers.mjs chromium                   # prints its path
//   node build/browsers.mjs chromium curl? firefox?    # "?": those may be missing
//
// It fails, with the command that would help, if one is missing that may not be.
// ENGINES_REQUIRED=1 lets none be missing, as in CI.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where Playwright's download goes. */
const downloads = join(root, "build/out/browsers");

/** Time limit of Playwright's download. */
const DOWNLOAD_MS = 10 * 60_000;

/**
 * What the tests need. `variable` may name its path; `find` gives one, if there is one. The
 * packages are those of the managers below; "a|b" is the one that the system has.
 */
const tools = {
  chromium: {
    title: "Chromium",
    variable: "CHROMIUM",
    find: () => installed("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
      ?? there("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium") ?? downloaded(),
    packages: { "apt-get": "chromium|chromium-browser", dnf: "chromium", pacman: "chromium", zypper: "chromium", apk: "chromium", brew: "google-chrome" },
    otherwise: "install Chromium or Chrome, or set CHROMIUM to its path",
  },
  firefox: {
    title: "Firefox",
    variable: "FIREFOX",
    find: () => installed("firefox-esr", "firefox") ?? there("/Applications/Firefox.app/Contents/MacOS/firefox"),
    packages: { "apt-get": "firefox-esr|firefox", dnf: "firefox", pacman: "firefox", zypper: "MozillaFirefox", apk: "firefox-esr", brew: "firefox" },
    otherwise: "install the package of https://support.mozilla.org/kb/install-firefox-linux, or set FIREFOX to its path",
  },
  webkit: {
    title: "WebKitGTK with WebKitWebDriver, MiniBrowser and Xvfb",
    find: () => inPath("WebKitWebDriver") && inPath("Xvfb") && miniBrowser(),
    packages: { "apt-get": "webkit2gtk-driver xvfb" },
    otherwise: "install them, where the system has them",
  },
  // The page's layout is tested with a font as wide as those of most systems.
  fonts: {
    title: "Arial or the Liberation fonts",
    find: () => (process.platform === "linux" ? inPath("fc-match") && /Liberation|Arial|Arimo/.test(output("fc-match", "Arial")) && "Arial" : "Arial"),
    packages: { "apt-get": "fontconfig fonts-liberation", dnf: "fontconfig liberation-fonts", pacman: "fontconfig ttf-liberation", zypper: "fontconfig liberation-fonts", apk: "fontconfig font-liberation" },
    otherwise: "install fontconfig and the Liberation fonts",
  },
  curl: { title: "curl", find: () => inPath("curl") },
  unzip: { title: "unzip", find: () => inPath("unzip") },
};

/** How each package manager installs, in the order in which they are looked for. */
const managers = {
  "apt-get": "apt-get install -y --no-install-recommends",
  dnf: "dnf install -y",
  pacman: "pacman -S --noconfirm",
  zypper: "zypper install -y",
  apk: "apk add",
  brew: "brew install",
};
const manager = Object.keys(managers).find(inPath);
const isRoot = process.getuid?.() === 0;

function there(...paths) {
  return paths.find((path) => existsSync(path));
}

function inPath(name) {
  return there(...(process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)));
}

/** The standard output of a command, empty if it cannot run. */
const output = (command, ...args) => spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";

/** Whether a browser starts: one without its libraries, or the stub of one that is to be installed, does not. */
const starts = (path) => spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0;

/** A snap has a /tmp of its own: it does not see the files that the tests give it. */
const isSnap = (path) => basename(realpathSync(path)) === "snap" || (statSync(path).size < 65_536 && readFileSync(path, "utf8").includes("/snap/"));

const installed = (...names) => names.map(inPath).find((path) => path && !isSnap(path) && starts(path));

/** Playwright's Chromium, which may lack libraries of the system. */
function playwrights() {
  if (!existsSync(downloads)) return undefined;
  // In a process of its own: Playwright reads the variable as it is loaded.
  return there(execFileSync(process.execPath, ["-p", "require('playwright-core').chromium.executablePath()"], { cwd: root, encoding: "utf8", env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: downloads } }).trim());
}

function downloaded() {
  const path = playwrights();
  return path && starts(path) ? path : undefined;
}

/** WebKitGTK's browser, which is not in PATH. */
function miniBrowser() {
  const folders = ["/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec"];
  return there(...folders.flatMap((folder) => ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"].map((name) => join(folder, name, "MiniBrowser"))));
}

const known = new Map();

/** The path of a tool, or undefined. */
export function find(name) {
  const named = process.env[tools[name].variable];
  // What is missing now may be installed later.
  if (!known.get(name)) known.set(name, (named ? there(named) : tools[name].find()) || undefined);
  return known.get(name);
}

/** Why there is no such tool, with the command that installs it; undefined if there is one. */
export function missing(name) {
  if (find(name)) return undefined;
  const { title, variable, otherwise = "install it" } = tools[name];
  if (process.env[variable]) return `${variable} names ${process.env[variable]}, which is not there`;
  const packages = packagesOf(name);
  const how = packages ? `${isRoot || manager === "brew" ? "" : "sudo "}${managers[manager]} ${packages.join(" ")}` : otherwise;
  return `the tests need ${title}, which is not installed: ${how}`;
}

/** The packages that have a tool, or undefined if this system has none. */
function packagesOf(name) {
  const packages = tools[name].packages ? tools[name].packages[manager] : manager && name;
  if (manager !== "apt-get") return packages?.split(" ");
  const versions = (one) => /Candidate: (.*)/.exec(output("apt-cache", "policy", one))?.[1] ?? "(none)";
  const chosen = packages.split(" ").map((names) => {
    const all = names.split("|").map((one) => ({ one, version: versions(one) }));
    // Ubuntu's package of a browser only installs the snap.
    return all.find(({ version }) => version !== "(none)" && !version.includes("snap"))?.one ?? (all.some(({ version }) => version !== "(none)") ? undefined : all[0].one);
  });
  return chosen.includes(undefined) ? undefined : chosen;
}

/** The start of a command that runs as root; undefined if it would ask for a password. */
const asRoot = () => (isRoot ? [] : inPath("sudo") && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0 ? ["sudo", "-n"] : undefined);

/** Runs a command whose output is not a result. */
const run = ([command, ...args]) => spawnSync(command, args, { stdio: ["ignore", 2, 2] });

const say = (text) => console.error(`cerasum: ${text}`);

/** Runs Playwright's installer, which has much to say about a failure; the error that it begins with is enough. */
function playwright(...args) {
  const cli = fileURLToPath(import.meta.resolve("playwright-core/package.json")).replace(/package\.json$/, "cli.js");
  const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: downloads, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000" };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [cli, ...args, "chromium"], { encoding: "utf8", timeout: DOWNLOAD_MS, env });
  if (status !== 0) say(`Playwright failed: ${error?.message ?? /^Error: (.*?)(?:, caused by)?$/m.exec(stderr + stdout)?.[1] ?? `exit status ${status}`}`);
}

/** Installs what it can of these tools. */
function install(names) {
  // What a variable names is not to be replaced.
  const absent = () => names.filter((name) => !find(name) && !process.env[tools[name].variable]);
  if (absent().includes("chromium")) {
    say("installing Chromium in build/out/browsers, by Playwright");
    playwright("install", "--no-shell");
    if (playwrights() && !find("chromium") && manager === "apt-get" && asRoot()) {
      say("installing the libraries that this Chromium needs, by apt-get");
      playwright("install-deps");
    }
  }
  const sudo = manager === "apt-get" && absent().length > 0 ? asRoot() : undefined;
  if (!sudo) return;
  const apt = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"];
  run([...apt, "update"]);
  const packages = absent().flatMap((name) => packagesOf(name) ?? []);
  if (packages.length === 0) return;
  say(`installing ${packages.join(", ")} and dependencies, by apt-get`);
  run([...apt, "install", "-y", "--no-install-recommends", ...packages]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  const names = wanted.map((name) => name.replace(/\?$/, ""));
  const unknown = names.find((name) => !tools[name]);
  if (names.length === 0 || unknown !== undefined) {
    console.error(`browsers.mjs: want names of ${Object.keys(tools).join(", ")}; got ${unknown ?? "nothing"}`);
    process.exit(2);
  }
  install(names);
  for (const name of names) {
    const reason = missing(name);
    if (!reason) console.log(find(name));
    else say(reason);
    if (reason && (process.env.ENGINES_REQUIRED === "1" || wanted.includes(name))) process.exitCode = 1;
  }
}
