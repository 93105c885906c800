// No text makes a regular expression of the page, the extension, the package or the
// Worker run for longer than in proportion to its length.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { build } from "esbuild";
import { parseAst } from "vite";
import { again, slow as longTest, test } from "../../common/tests/limits.mjs";
import { here } from "./lib.mjs";

const root = here("../../../");
const bundled = async (source, folder, globalName) => (await build({
  stdin: { contents: source, resolveDir: root + folder, loader: "ts" }, bundle: true, write: false, format: "iife", globalName, target: "es2024", logLevel: "error",
})).outputFiles[0].text;

const encoding = await bundled('export * from "./encoding.ts";', "web/demo/src/read", "encoding");

/** Calls a function of read/encoding.ts with the bytes of a text. A pattern that hangs is ended. */
const call = (name, text) => vm.runInNewContext(`${encoding}; encoding[name](bytes)`, { name, bytes: Buffer.from(text), TextDecoder }, { timeout: 2000 });

test("tells pages from text, also after many comments", () => {
  for (const text of ["<!doctype html><p>A", " \n<HTML lang=en>", "<!-- a --> <!---->\n<head>", `${"<!---->".repeat(60)}<body>`]) {
    assert.equal(call("looksLikeHTML", text), true, text);
  }
  for (const text of ["A <html>", "<htmlish>", "<!-- <html>", "<p>A", "", `${"<!---->".repeat(60)} A river rose.`, `${"<!-- ".repeat(200)}-->`, "<!---->".repeat(146)]) {
    assert.equal(call("looksLikeHTML", text), false, text);
  }
});

test("finds the encoding that a page declares", () => {
  for (const [text, charset] of [
    ['<meta charset="koi8-r">', "koi8-r"], ["<META Charset = big5>", "big5"], ["<meta name=a content=b>\n<meta charset=' gbk'>", "gbk"],
    ['<meta http-equiv="content-type" content="text/html; charset=shift_jis">', "shift_jis"], ["<meta>charset=gbk", undefined], ["<meta ".repeat(170), undefined],
  ]) assert.equal(call("declaredCharset", text), charset, text);
});

test("text beyond ASCII with a terminal's escape sequences is UTF-8", () => {
  const log = "Résumé déjà vu \x1b(B\x1b[m";
  assert.deepEqual({ ...call("decode", log) }, { text: log });
  assert.equal(call("decode", "\x1b$B@n\x1b(B").unsure, true, "ISO-2022-JP");
});

/** Constructed expressions that are not made when their file is loaded, each with the reason why it is linear. */
const CONSTRUCTED = {
  "web/extension/src/tabs/language.ts": "a single character",
};

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "web", "js/src", "wasm/edge"], { cwd: root, encoding: "utf8" })
  .split("\n").filter((path) => /\.(ts|mjs|js)$/.test(path) && !/\.d\.ts$/.test(path) && !/\/(tests|bench|scripts)\/|\/build\.mjs$|\/vite\.config\.ts$/.test(path));

/** All expressions: { source, flags, split, where }. */
const found = new Map();
const add = (source, flags, split, where) => {
  const key = `/${source}/${flags}${split ? " split" : ""}`;
  if (!found.has(key)) found.set(key, { source, flags, split, where });
};
const constructing = new Map();
for (const path of files) {
  const text = readFileSync(root + path, "utf8");
  const walk = (node, split) => {
    if (node === null || typeof node !== "object") return;
    if (node.regex) add(node.regex.pattern, node.regex.flags, split, `${path}:${text.slice(0, node.start).split("\n").length}`);
    else if (/^(New|Call)Expression$/.test(node.type) && node.callee.name === "RegExp") constructing.set(path, (constructing.get(path) ?? 0) + 1);
    const splits = node.type === "CallExpression" && node.callee.property?.name === "split";
    for (const child of Object.values(node)) walk(child, splits || (split && Array.isArray(node)));
  };
  walk(parseAst(text, { lang: path.endsWith(".ts") ? "ts" : "js" }), false);
}

again("every constructed expression is tested, or known to be linear", async () => {
  for (const [path, count] of constructing) {
    if (path in CONSTRUCTED) continue;
    const made = [];
    class Recorder extends RegExp {
      constructor(source, flags) {
        super(source, flags);
        made.push([source, flags]);
      }
    }
    const folder = path.slice(0, path.lastIndexOf("/"));
    const code = await bundled(`export * from "./${path.slice(folder.length + 1)}";`, folder, "file");
    vm.runInNewContext(code, { RegExp: Recorder });
    assert.ok(made.length >= count, path);
    for (const [source, flags] of made) add(source, flags ?? "", false, path);
  }
  assert.deepEqual(Object.keys(CONSTRUCTED).filter((path) => !constructing.has(path)), []);
});

const POOL = [..." \t\n\r\f\va1xZ_\"'`.,:;!?-–’([{<>)]}/\\|=&#*+%@^~$é\u0301字あกアعक한\u00ad\u200d\u00a0‐•"];
/** Characters that a class, an escape or a dot matches, and one that it does not. */
function samples(part, flags) {
  const one = new RegExp(`^(?:${part})$`, flags.replace(/[gym]/g, ""));
  const all = POOL.filter((c) => one.test(c));
  // Blanks and other characters: what follows often matches only some.
  const some = [...new Set([all[0], all.find((c) => /\S/.test(c)), all.find((c) => /[^\s\w]/.test(c))])].filter((c) => c !== undefined);
  return { all: some, other: POOL.find((c) => !one.test(c)) };
}

/**
 * The alternatives of an expression, each a list of items { all, inner }: texts
 * that the item matches, and the alternatives of a group. Groups that look ahead
 * or behind count like others.
 */
function parse(source, flags) {
  let at = 0;
  /** What ends a run of the repeated classes. */
  const others = new Set();
  const brackets = () => {
    const start = at++;
    for (let depth = 1; depth > 0; at++) {
      if (source[at] === "\\") at++;
      else if (source[at] === "[" && flags.includes("v")) depth++;
      else if (source[at] === "]") depth--;
    }
    return source.slice(start, at);
  };
  const alternatives = () => {
    const all = [[]];
    while (at < source.length && source[at] !== ")") {
      if (source[at] === "|") {
        at++;
        all.push([]);
        continue;
      }
      const item = next();
      if (item) all.at(-1).push(item);
    }
    return all;
  };
  const next = () => {
    let item;
    const c = source[at];
    if (c === "^" || c === "$") {
      at++;
      return undefined;
    }
    if (c === "(") {
      at += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))[0].length;
      const inner = alternatives();
      at++;
      item = { inner, all: inner.flatMap((items) => plain(items)).slice(0, 3) };
    } else if (c === "[") {
      item = samples(brackets(), flags);
    } else if (c === "\\") {
      const escape = /^\\(?:[pPux]\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|.)/i.exec(source.slice(at))[0];
      at += escape.length;
      if (/^\\[bB]$/.test(escape)) return undefined;
      item = /^\\[1-9]$/.test(escape) ? { all: ["---"] } : samples(escape, flags);
      // A character that is not in the pool, such as \x89.
      if (item.all.length === 0 && /^\\[ux]/.test(escape)) item.all = [String.fromCodePoint(parseInt(escape.replace(/[^\da-f]/gi, ""), 16))];
    } else {
      const character = String.fromCodePoint(source.codePointAt(at));
      at += character.length;
      item = character === "." ? samples(".", flags) : { all: [character] };
    }
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
    if (quantifier) at += quantifier[0].length;
    const least = Number(quantifier?.[1] ?? 1);
    if (item.other && quantifier) others.add(item.other);
    item.all = item.all.map((text) => text.repeat(least || 1));
    return item;
  };
  return { sequences: alternatives(), others };
}

/** A few texts of the items: with the first sample of each, with the second, with the third. */
const plain = (items) => [...new Set([0, 1, 2].map((i) => items.map(({ all }) => all[i] ?? all.at(-1) ?? "").join("")))].filter(Boolean);

/** Texts to repeat, and the text before them: all stretches of all sequences, behind what stands before. */
function repetitions(source, flags) {
  const all = new Map();
  const note = (before, again) => {
    if (again) all.set(`${before}\0${again}`, [before, again]);
  };
  const collect = (sequences, before) => {
    for (const items of sequences) {
      // Runs of literal characters are one item.
      const joined = [];
      for (const item of items) {
        const last = joined.at(-1);
        if (last && !item.inner && !last.inner && item.all.length === 1 && last.all.length === 1) joined[joined.length - 1] = { all: [last.all[0] + item.all[0]] };
        else joined.push(item);
      }
      joined.forEach((item, i) => {
        const ahead = [...new Set(["", ...plain(joined.slice(0, i)).map((text) => before + text)])];
        for (let j = i; j < joined.length; j++) for (const again of plain(joined.slice(i, j + 1))) for (const text of ahead) note(text, again);
        // A stretch may begin anywhere, also behind what does not match.
        for (const one of item.all) for (const text of [...ahead, "\u0001", ...plain(joined.slice(0, i + 1)).map((text) => before + text)]) note(text, one);
        if (item.inner) collect(item.inner, ahead.at(-1));
      });
    }
  };
  const { sequences, others } = parse(source, flags);
  collect(sequences, "");
  for (const c of POOL) note("", c);
  for (const common of ["<!---->", "<a ", "a ", "a. ", " a", "\na", "- ", "] ", "a\n\n"]) note("", common);
  return { repetitions: [...all.values()], ends: [...new Set([...ENDS, ...others])] };
}

// What makes a match fail at the end: a control character that no class has, a word and line, a blank.
const ENDS = ["", "\u0001", "a\n\u0001", " \u0001"];
/** Characters: parts of one to some are repeated so often that the text has as many, and twice. */
const LENGTH = 100_000;
/** Milliseconds of the processor: what takes less is not measured again, and what takes more has failed. */
const QUICK = 8;
const MOST = 2000;
/** For all texts of an expression, by the clock: a loaded machine takes 180 seconds for the slowest. */
const PATIENCE = 400_000;

/** The time of this process alone: other work on the machine does not count. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const probe = `
  const re = new RegExp(source, flags);
  const time = (text) => {
    const start = now();
    if (split) text.split(re);
    else if (re.global) text.replace(re, "");
    else re.exec(text);
    return now() - start;
  };
  const least = (text) => Math.min(time(text), time(text), time(text));
  const slow = () => {
    for (const [before, again] of repetitions) for (const end of ends) {
      const text = (n) => before + again.repeat(Math.ceil(n / again.length)) + end;
      state.at = JSON.stringify([before, again, end]);
      // What takes exponential time never ends here.
      time(text(100));
      time(text(1000));
      if (time(text(length)) < quick) continue;
      let one, two;
      // Measured again if something else took the time.
      for (let n = 0; n < 3 && (n === 0 || two > 3 * one); n++) [one, two] = [least(text(length)), least(text(2 * length))];
      if (two > most || one > quick && two > 3 * one) return state.at + " " + one.toFixed(1) + " ms, twice as long " + two.toFixed(1) + " ms";
    }
  };
  slow();
`;

/** For which text an expression takes too long, if any. */
function slow({ source, flags, split = false }, { length = LENGTH, quick = QUICK, timeout = PATIENCE } = {}) {
  const state = { at: "" };
  try {
    return vm.runInNewContext(probe, { source, flags, split, state, ...repetitions(source, flags), length, quick, most: MOST, now }, { timeout });
  } catch (error) {
    return `${state.at} ${error.message}`;
  }
}

longTest("finds the expressions that are slow", () => {
  const known = [
    /^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i, /[ (]*\d*\)?\.json$/, /\/+$/, /[^/]*$/, /#.*$/, /^["']+|["']+$/g,
    /^title[ \t]*[:=][ \t]*(.+?)[ \t]*$/m, /<style\b[^>]*>[\s\S]*?<\/style\s*>/gi, /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i,
    /([\p{L}\p{M}]+(?:[-‐][\p{L}\p{M}]+)*)([-‐\u00ad])$/u, /\s+[|·–—-]\s+(?=[^|·–—]{1,40}$)/u, /was removed|context.*(invalidated|destroyed)/i,
  ];
  for (const expression of known) assert.ok(slow(expression, { length: 3000, quick: 0.5, timeout: 1000 }), String(expression));
});

longTest("every expression takes time in proportion to the text, whatever is repeated", () => {
  assert.ok(found.size > 150, `${found.size} expressions`);
  const bad = [...found.values()].map((one) => ({ ...one, text: slow(one) })).filter(({ text }) => text);
  assert.deepEqual(bad.map(({ where, source, flags, text }) => `${where}: /${source}/${flags}: ${text}`), []);
});
