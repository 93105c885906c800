// Writes sw.js into a built page: service-worker.js with the list of the page's files.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files that are stored on first use: the encoder and its runtime, weights, and files that few PDFs need. */
export const LATER = /^(encoder|ort|weights|pdf)\//;

/** The files of a built page, sorted, without their compressed copies (compress.mjs). */
export const filesIn = (dir) =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(dir, name)).isFile() && !/\.(br|gz)$/.test(name))
    .map((name) => name.replaceAll("\\", "/"))
    .sort();

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/**
 * Runs after all other files have been written. `policy` is the page's
 * Content-Security-Policy; `damaged`, by language, is what a visitor reads if a
 * stored file is damaged and the host cannot be reached.
 */
export function writeServiceWorker(dir, policy, damaged) {
  const page = readFileSync(join(dir, "index.html"), "utf8");
  const files = filesIn(dir)
    .filter((name) => name !== "sw.js")
    .map((path) => {
      const content = readFileSync(join(dir, path));
      return {
        path: path === "index.html" ? "./" : path, bytes: content.length, sha256: sha256(content),
        ...((path === "index.html" || /^assets\/.*\.wasm$/.test(path) || (/\.(js|css)$/.test(path) && page.includes(`"./${path}"`))) && { first: true }),
      };
    });
  const code = readFileSync(new URL("../service-worker.js", import.meta.url), "utf8");
  const program = files.filter(({ path }) => !LATER.test(path));
  const later = files.filter(({ path }) => LATER.test(path));
  const version = (...parts) => sha256(JSON.stringify(parts)).slice(0, 16);
  const build = { program, programVersion: version(program, policy, damaged, code), later, policy, damaged };
  writeFileSync(join(dir, "sw.js"), `const build = ${JSON.stringify(build)};\n${code}`);
}
