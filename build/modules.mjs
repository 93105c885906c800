// The Go modules that are linked into a program for a platform, with the paths of
// their licences, for the notices and the bill of materials.

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The platform of the page's program. */
export const page = { GOOS: "js", GOARCH: "wasm" };

/** Runs go in the folder and returns what it printed. */
export function go(root, args, env = {}) {
  return execFileSync("go", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26, env: { ...process.env, ...env } }).trim();
}

/**
 * The modules of which `program`, one of our packages, uses a package, sorted: path,
 * version, folder, and the licence files of the used packages, its own first.
 */
export function modules(root, program, platform) {
  const line = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}";
  const found = new Map();
  for (const text of go(root, ["list", "-deps", "-f", line, program], platform).split("\n").filter(Boolean)) {
    const [path, version, folder, used] = text.split("\t");
    if (!found.has(path)) found.set(path, { path, version, folder, licences: licencesIn(folder) });
    // A package may be under another licence than its module.
    for (let at = used; at !== folder; at = dirname(at)) {
      for (const file of licencesIn(at, { optional: true })) if (!found.get(path).licences.includes(file)) found.get(path).licences.push(file);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The standard library and runtime, which are not a module. */
export function standard(root) {
  return { path: "std", version: go(root, ["env", "GOVERSION"]), licences: licencesIn(go(root, ["env", "GOROOT"])) };
}

/** gonum's folder with the licences of code that it is derived from. */
const others = "THIRD_PARTY_LICENSES";

/** The licence in a folder, with its notices if there are any. */
export function licencesIn(folder, { optional = false } = {}) {
  const names = readdirSync(folder).sort();
  const find = (pattern) => names.filter((name) => pattern.test(name) && statSync(join(folder, name)).isFile()).slice(0, 1).map((name) => join(folder, name));
  const licence = find(/^(licen[cs]e|copying)(\.|$)/i);
  if (licence.length === 0 && !optional) throw new Error(`no licence in ${folder}`);
  const more = names.includes(others) ? readdirSync(join(folder, others)).sort().map((name) => join(folder, others, name)) : [];
  return [...licence, ...find(/^notice(\.|$)/i), ...more];
}

const known = [
  ["Apache-2.0", /Apache License Version 2\.0/],
  ["MIT", /Permission is hereby granted, free of charge, to any person obtaining a copy/],
  ["BSD-3-Clause", /Redistribution and use in source and binary forms[^]*(may not be used to|be used to endorse)/],
  ["BSD-2-Clause", /Redistribution and use in source and binary forms(?![^]*endorse)/],
  ["ISC", /Permission to use, copy, modify, and(\/or)? distribute this software for any purpose/],
];

/** SPDX names of the licences in these files. Throws for an unknown licence, which somebody has to read. */
export function spdx(files) {
  const found = files
    .filter((file) => !/^notice/i.test(basename(file)) && basename(dirname(file)) !== others)
    .flatMap((file) => {
      const text = readFileSync(file, "utf8").replace(/\s+/g, " ");
      const names = known.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
      if (names.length === 0 || /\bGNU\b/.test(text)) throw new Error(`${file}: unknown licence: read it and add it to build/modules.mjs`);
      return names;
    });
  return [...new Set(found)].sort();
}
