// The panel says the same in every language, and panel.html names no string
// that there is not. What stores and browsers show is short enough for them.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { runnerImport } from "vite";
import { here } from "./lib.mjs";

const languages = ["en", "de", "es", "fr", "it", "pt"];
const tables = Object.fromEntries(await Promise.all(languages.map(async (tag) => [tag, (await runnerImport(here(`../src/strings/${tag}.ts`))).module.default()])));

/** Every string by its path; of a function, with marks for its arguments, so that a placeholder that is left out shows. */
function strings(value, path = "") {
  if (typeof value === "string") return [[path, value, []]];
  if (typeof value === "function") {
    // Numbers that no other part of a sentence holds, large enough for a plural.
    const args = Array.from({ length: value.length }, (_, i) => 71 + i);
    return [[path, value(...args), args]];
  }
  return Object.entries(value).flatMap(([key, inner]) => strings(inner, path ? `${path}.${key}` : key));
}

for (const tag of languages) {
  test(`${tag} has every string, with every placeholder`, () => {
    const { page, text } = tables[tag];
    const own = strings({ page, text });
    const english = strings({ page: tables.en.page, text: tables.en.text });
    assert.deepEqual(own.map(([path]) => path), english.map(([path]) => path), "in the same order, which tells a translator where to look");
    own.forEach(([path, said], i) => {
      assert.ok(said.trim().length > 0, `${path} is empty`);
      assert.doesNotMatch(said, /undefined|\[object|NaN/, path);
      const held = (s) => [71, 72, 73].filter((n) => s.replace(/7[\d.,\s\u00a0\u202f]*%/g, "").includes(String(n)));
      assert.deepEqual(held(said), held(english[i][1]), `${path}: ${said}`);
    });
    assert.equal(page.locale, tag);
  });
}

test("French has no-break spaces before its marks", () => {
  for (const [path, said] of strings(tables.fr)) {
    assert.doesNotMatch(String(said), / [;:!?»]|« |\p{L}[;!?]/u, `${path}: ${said}`);
  }
});

test("what is translated differs from English", () => {
  const english = new Map(strings({ page: tables.en.page, text: tables.en.text }).map(([path, said]) => [path, said]));
  const alike = new Set(["page.options", "page.locale", "page.markdown", "page.long", "text.sources"]);
  for (const tag of languages.slice(1)) {
    const { page, text } = tables[tag];
    const same = strings({ page, text }).filter(([path, said]) => english.get(path) === said && !alike.has(path)).map(([path]) => path);
    assert.deepEqual(same, [], tag);
  }
});

test("one is counted as one", () => {
  assert.equal(tables.en.text.summarizeTabs(1), "Summarize 1 tab");
  assert.equal(tables.es.text.summarizeTabs(1), "Resumir 1 pestaña");
  assert.equal(tables.fr.text.summarizeTabs(1), "Résumer 1 onglet");
  assert.equal(tables.pt.text.summarizeTabs(2), "Resumir 2 separadores");
  assert.deepEqual([1, 2].map((n) => tables.it.text.ticked(n, 3)), ["1 di 3 spuntata", "2 di 3 spuntate"]);
  assert.deepEqual([1, 2].map((n) => tables.it.text.quoted(n, 3)), ["1 di 3 frasi citata", "2 di 3 frasi citate"]);
  assert.match(tables.fr.text.used(1234, 2000), /1\s234 sur 2\s000 mots/);
});

test("panel.html names strings that there are", async () => {
  const html = await readFile(here("../panel.html"), "utf8");
  const named = [...html.matchAll(/data-(?:text|label)="(\w+)"/g)].map(([, key]) => key);
  assert.ok(named.length > 40);
  for (const key of named) assert.ok(key in tables.en.page, key);
});

test("every string is shown somewhere", async () => {
  const files = (await readdir(here("../src"), { recursive: true })).filter((name) => name.endsWith(".ts") && !name.startsWith("strings/"));
  const code = (await Promise.all([...files.map((name) => readFile(here(`../src/${name}`), "utf8")), readFile(here("../panel.html"), "utf8")])).join("\n");
  const { page, text } = tables.en;
  const shown = (object, key) => new RegExp(`\\b${object}\\.${key}\\b|data-(text|label)="${key}"`).test(code);
  assert.deepEqual(Object.keys(page).filter((key) => !shown("page", key)), []);
  assert.deepEqual(Object.keys(text).filter((key) => !shown("t", key)), []);
  assert.deepEqual(Object.keys(text.problems).filter((key) => !shown("problems", key)), []);
});

test("name, description and commands are there in every language, and short enough", async () => {
  const english = JSON.parse(await readFile(here("../_locales/en/messages.json"), "utf8"));
  for (const tag of languages) {
    const messages = JSON.parse(await readFile(here(`../_locales/${tag}/messages.json`), "utf8"));
    assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort(), tag);
    for (const [key, { message }] of Object.entries(messages)) assert.ok(message.trim().length > 0, key);
    assert.ok(messages.description.message.length <= 132, `${tag}: ${messages.description.message.length} characters`);
    assert.ok(messages.name.message.length <= 45, tag);
    const store = await readFile(here(`../store/${tag}.md`), "utf8");
    assert.ok(store.includes(messages.description.message), `store/${tag}.md has the short description`);
  }
});
