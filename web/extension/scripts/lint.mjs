// Checks the Firefox build as addons.mozilla.org does, with web-ext's linter: no
// errors, and only the warnings below, each with its reason.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// A tool of 86 MB that nothing else needs: npx fetches it if it is not installed.
const tool = "web-ext@10.7.0";
const folder = fileURLToPath(new URL("../../../build/out/extension/firefox", import.meta.url));

const explained = [
  ["KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION", /^manifest\.json$/, "there is no sidebar on Android, and the extension is not offered there"],
  ["UNSAFE_VAR_ASSIGNMENT", /^page\/extract\.js$/, "Readability writes into its own copy of a page, which has no window and runs nothing"],
  ["UNSAFE_VAR_ASSIGNMENT", /^(assets\/(encoder-worker|cerasum|panel)[^/]*\.js|ort\/ort\.wasm\.min\.mjs)$/, "the library imports onnxruntime-web from the folder beside it; the policy allows no other origin"],
  ["UNSAFE_VAR_ASSIGNMENT", /^assets\/pdf[^/]*\.js$/, "pdf.js can import a worker by its address; the panel hands it one instead"],
];

let output;
try {
  output = execFileSync("npx", ["--yes", tool, "lint", "--source-dir", process.env.CERASUM_EXTENSION_OUT ? `${process.env.CERASUM_EXTENSION_OUT}/firefox` : folder, "--output", "json"], { encoding: "utf8", maxBuffer: 64 << 20, stdio: ["ignore", "pipe", "ignore"] });
} catch (error) {
  // It says what is wrong on its output, and fails.
  output = error.stdout;
  if (!output) throw error;
}
const { errors, warnings, notices } = JSON.parse(output);
const reason = ({ code, file }) => explained.find(([known, files]) => known === code && files.test(file))?.[2];
const print = ({ code, file, line, column, message }, why) => console.log(`${file}:${line ?? 0}:${column ?? 0}: ${code}: ${message}${why ? ` (${why})` : ""}`);
for (const one of warnings) if (reason(one)) print(one, reason(one));
const bad = [...errors, ...notices, ...warnings.filter((one) => !reason(one))];
for (const one of bad) print(one);
console.log(`${errors.length} errors, ${warnings.length} warnings, of which ${warnings.filter(reason).length} are explained`);
process.exit(bad.length > 0 ? 1 : 0);
