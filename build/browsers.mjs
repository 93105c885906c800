// Prints the path of a Chromium for the browser tests: $CHROMIUM, an installed one,
// or one that Playwright downloads into build/out/browsers.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];
const fixed = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function installed() {
  if (process.env.CHROMIUM) {
    if (existsSync(process.env.CHROMIUM)) return process.env.CHROMIUM;
    console.error(`cerasum: CHROMIUM names ${process.env.CHROMIUM}, which is not there`);
    process.exit(1);
  }
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return fixed.find((path) => existsSync(path));
}

async function downloaded() {
  process.env.PLAYWRIGHT_BROWSERS_PATH = fileURLToPath(new URL("./out/browsers", import.meta.url));
  const { chromium } = await import("playwright-core");
  if (!existsSync(chromium.executablePath())) {
    console.error("cerasum: no Chromium found; Playwright downloads one into build/out/browsers");
    const cli = fileURLToPath(import.meta.resolve("playwright-core/package.json")).replace(/package\.json$/, "cli.js");
    spawnSync(process.execPath, [cli, "install", "chromium"], { stdio: ["ignore", 2, 2] });
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

const path = installed() ?? (await downloaded());
if (!path) {
  console.error("cerasum: the browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to its path");
  process.exit(1);
}
console.log(path);
