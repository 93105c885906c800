// Lists the exports of the npm package, with their types, in js/api.md, so that no
// change of the public API goes unnoticed. `node build/api.mjs` writes it from
// js/dist; a test compares.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "js/dist");

/** The statements of a declaration file, as tsc writes it, without comments. */
function statements(file) {
  const text = readFileSync(join(dist, file.replace(/\.js$/, ".d.ts")), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return text.split(/^(?=export |import |declare |type |interface |class |const |function )/m).map((s) => s.trim()).filter(Boolean);
}

/** Parses "type A as B" in a list of exports: the inner name, the outer name, and whether it is only a type. */
const names = (list) => list.split(",").map((item) => item.trim()).filter(Boolean).map((item) => {
  const [inner, outer = inner] = item.replace(/^type /, "").split(/ as /);
  return { inner, outer, type: item.startsWith("type ") };
});

/** The exports of a file: the declarations of each name, and whether it is also a value. */
function exportsOf(file) {
  const found = new Map();
  const imported = new Map();
  const add = (name, ...of) => found.set(name, [...(found.get(name) ?? []), ...of]);
  for (const statement of statements(file)) {
    const brought = /^import (?:type )?\{([^}]*)\} from "\.\/(.+)";$/s.exec(statement);
    if (brought) for (const { inner, outer } of names(brought[1])) imported.set(outer, () => exportsOf(brought[2]).get(inner));
    const from = /^export \* from "\.\/(.+)";$/.exec(statement);
    const some = /^export (type )?\{([^}]*)\} from "\.\/(.+)";$/s.exec(statement);
    const declared = /^export (?:declare )?(?:abstract )?(?:class|interface|type|const|function) (\w+)/.exec(statement);
    if (from) for (const [name, of] of exportsOf(from[1])) add(name, ...of);
    else if (some) {
      const all = exportsOf(some[3]);
      for (const { inner, outer, type } of names(some[2])) {
        if (!all.has(inner)) throw new Error(`${file}: ${some[3]} does not export ${inner}`);
        add(outer, ...all.get(inner).map((one) => ({ ...one, value: one.value && !some[1] && !type })));
      }
    } else if (declared) {
      // An alias of another type is shown as that type.
      const alias = /^export (?:declare )?type \w+ = (\w+);$/.exec(statement);
      const shown = alias && imported.get(alias[1])?.();
      if (shown) add(declared[1], ...shown.map((one) => ({ ...one, value: false })));
      else add(declared[1], { statement, value: /^export (?:declare )?(?:class|const|function)/.test(statement) });
    }
    else if (/^export (?!\{\})/.test(statement)) throw new Error(`${file}: unsupported statement: ${statement}`);
  }
  return found;
}

/** One declaration without private members and blank lines. */
const tidy = (statement) => statement
  .replace(/^export (declare )?/, "")
  .replace(/^\s*(?:readonly )?(?:#private|private .*);\n/gm, "")
  .replace(/\n\s*\n/g, "\n")
  .replace(/^(?: {4})+/gm, (indent) => indent.replaceAll("    ", "  "));

/** The text of js/api.md. */
export function report() {
  const page = exportsOf("index.js");
  const node = exportsOf("index.node.js");
  const only = (a, b) => [...a.keys()].filter((name) => !b.has(name));
  const differing = [...only(page, node), ...only(node, page)];
  if (differing.length > 0) throw new Error(`pages and Node differ in ${differing.join(", ")}`);
  const list = [...page].sort(([a], [b]) => (a < b ? -1 : 1));
  return `# What cerasum exports

Written by \`node build/api.mjs\`; a test compares it with the package. The names are the
same in pages and in Node; "(type)" marks those that are only types. The README describes them.
${list.map(([name, of]) => `\n## ${name}${of.some(({ value }) => value) ? "" : " (type)"}\n\n\`\`\`ts\n${of.map(({ statement }) => tidy(statement)).join("\n")}\n\`\`\`\n`).join("")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, "js/api.md"), report());
