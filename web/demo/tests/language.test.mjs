// The page in each of its languages.

import assert from "node:assert/strict";
import { runnerImport } from "vite";
import { slow, test } from "../../common/tests/limits.mjs";
import { begin, here, loadSample, open, paste, quotes, summarized } from "./lib.mjs";

const languages = ["de", "en", "es", "fr", "it", "pt"];
const tables = Object.fromEntries(await Promise.all(languages.map(async (tag) => {
  const { module } = await runnerImport(here(`../src/strings/${tag}.ts`), { configFile: false, logLevel: "error" });
  return [tag, module.default()];
})));
/** The tables of the parts that load by themselves. */
const parts = Object.fromEntries(await Promise.all(["compare", "privacy"].map(async (name) => {
  const { module } = await runnerImport(here(`../src/strings/${name}.ts`), { configFile: false, logLevel: "error" });
  return [name, module.tables];
})));

/** What functions that want more than numbers and words are given. */
const samples = {
  about: [["1 (3)", "4 (2)"], [1, 4]], lengthNumber: ["words", 20, 500], used: [3, "characters", 100], overBudget: ["sentences", 20], elsewhere: [3, ["A", "B"]], ruleWide: [["A"]],
};

/** Every string of a table by its path; functions are called with numbers, for one and for several. */
function strings(table, path = "", found = new Map()) {
  for (const [key, value] of Object.entries(table)) {
    const name = path ? `${path}.${key}` : key;
    if (typeof value === "string") found.set(name, value);
    else if (typeof value === "function") {
      for (const n of [1, 3]) found.set(`${name}(${n})`, value(...(samples[key] ?? Array(value.length).fill(n))));
    } else strings(value, name, found);
  }
  return found;
}
const said = Object.fromEntries(languages.map((tag) => [tag, strings({
  page: tables[tag].page, text: tables[tag].text, ...Object.fromEntries(Object.entries(parts).map(([name, all]) => [name, all[tag](tables[tag])])),
})]));
/** English knows most of the core's methods by the core's own words. */
const theCores = (path) => /^text\.methods\./.test(path);

const { server, browser } = await begin();

test("every language has every string, and none is empty", () => {
  const wanted = [...said.en.keys()].filter((path) => !theCores(path)).sort();
  for (const tag of languages) {
    assert.deepEqual([...said[tag].keys()].filter((path) => !theCores(path)).sort(), wanted, tag);
    for (const [path, value] of said[tag]) {
      assert.ok(typeof value === "string" && value.trim() === value && value !== "", `${tag}: ${path} is ${JSON.stringify(value)}`);
      assert.doesNotMatch(value, /undefined|NaN|\[object|\{\{/, `${tag}: ${path}`);
      assert.doesNotMatch(value, /['"]|\.\.\./, `${tag}: ${path} has marks of a typewriter: ${value}`);
    }
  }
  for (const tag of languages.filter((tag) => tag !== "en")) {
    const same = [...said.en].filter(([path, value]) => said[tag].get(path) === value && /\p{L}{4}/u.test(value) && path.startsWith("page."));
    const allowed = ["page.brand", "page.download", "page.json", "page.documents", "page.reader", "page.options",
      ...(tag === "de" ? ["page.pasteText", "page.editText"] : [])];
    assert.deepEqual(same.map(([path]) => path).filter((path) => !allowed.includes(path)), [], `${tag}: not translated`);
  }
});

test("each language is set by its own rules", () => {
  for (const [path, value] of said.fr) {
    assert.doesNotMatch(value, /[^\u00a0\u202f]»|«[^\u00a0\u202f]/u, `${path}: ${value}`);
    assert.doesNotMatch(value, / [;:!?]|\p{L}[;:!?](?!\/\/)/u, `${path}: ${value}`);
    assert.doesNotMatch(value, /[“”]/, `${path}: ${value}`);
  }
  for (const [path, value] of said.es) {
    assert.doesNotMatch(value, /[“”]/, `${path}: ${value}`);
    assert.equal((value.match(/\?/g) ?? []).length, (value.match(/¿/g) ?? []).length, `${path}: ${value}`);
    assert.equal((value.match(/!/g) ?? []).length, (value.match(/¡/g) ?? []).length, `${path}: ${value}`);
  }
  for (const tag of ["en", "pt"]) for (const [path, value] of said[tag]) assert.doesNotMatch(value, /[«»]/, `${tag}: ${path}: ${value}`);
  assert.equal(tables.fr.words(1234567), "1\u202f234\u202f567 mots");
  assert.equal(tables.fr.words(0), "0 mot");
  assert.equal(tables.en.words(0), "0 words");
  assert.equal(tables.es.percent(0.5), "50\u00a0%");
  assert.equal(tables.pt.languageName("tr"), "turco");
  assert.equal(tables.en.languageName("no tag"), "no tag");
});

/** Every text and label of the page that is not a reader's or an author's. */
const labels = (page) => page.evaluate(() => {
  const found = [document.title];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) found.push(texts.currentNode.data.trim());
  for (const element of document.querySelectorAll("[aria-label], [title]")) {
    for (const name of ["aria-label", "title"]) if (element.hasAttribute(name)) found.push(element.getAttribute(name));
  }
  return found.filter((text) => /\p{L}{3}/u.test(text));
});
/** English strings that a page in another language shows. */
const english = async (page, tag) => {
  const known = new Set(said[tag].values());
  const left = new Set([...said.en.values()].filter((value) => !known.has(value)));
  return (await labels(page)).filter((label) => left.has(label));
};

for (const [locale, tag, number] of [["es-MX", "es", "1,234"], ["fr-CA", "fr", "1\u00a0234"], ["pt-PT", "pt", "1234"], ["de-DE", "de", "1.234"], ["it-IT", "it", "1234"], ["nl-NL", "en", "1,234"]]) {
  (tag === "fr" ? test : slow)(`a browser that asks for ${locale} gets ${tag}`, async () => {
    const { page, context, log, requests } = await open(browser, server.url, { locale });
    // Its strings may come after the page has loaded.
    await page.waitForSelector("html:not([data-waiting])");
    assert.equal(await page.getAttribute("html", "lang"), tag);
    assert.equal(await page.title(), tables[tag].page.title);
    assert.equal(await page.inputValue("#language"), tag);
    assert.equal(await page.isVisible("#choose"), true);
    if (tag !== "en") assert.deepEqual(await english(page, tag), []);
    await loadSample(page, "mixed");
    if (tag !== "en") assert.deepEqual(await english(page, tag), []);
    assert.match(await page.textContent("#status"), new RegExp(tables[tag].text.made(3, 3, 3).replace(/\d/g, "\\d+")));
    await paste(page, "word ".repeat(1234));
    await page.waitForFunction((want) => [...document.querySelectorAll(".doc-meta")].some((one) => one.textContent.includes(want)), number);
    const loaded = requests.filter((url) => /assets\/(de|es|fr|it|pt)-[^/]*\.js$/.test(url));
    assert.equal(loaded.length, tag === "en" ? 0 : 1, `only the page's language is loaded: ${loaded}`);
    assert.deepEqual(log, []);
    await context.close();
  });
}

test("the picker changes every string at once, and the documents stay", async () => {
  const { page, context, log } = await open(browser, server.url);
  assert.deepEqual(await page.$$eval("#language option", (all) => all.map((one) => [one.value, one.lang, one.textContent])), [
    ["de", "de", "Deutsch"], ["en", "en", "English"], ["es", "es", "español"], ["fr", "fr", "français"], ["it", "it", "italiano"], ["pt", "pt", "português"],
  ]);
  await loadSample(page, "mixed");
  const found = await quotes(page);
  await page.click("#edit");
  const methods = await page.$$eval("#method option", (all) => all.map((one) => one.value));
  for (const tag of ["fr", "es", "pt", "de", "it", "en"]) {
    await summarized(page, () => page.selectOption("#language", tag));
    assert.equal(await page.getAttribute("html", "lang"), tag);
    assert.deepEqual(await quotes(page), found);
    assert.equal(await page.textContent("#closely-no"), tables[tag].page.closelyNo);
    assert.ok((await page.textContent("#closely-more")).endsWith(tables[tag].text.closely.why));
    assert.ok((await page.textContent("#edit-language")).includes(tables[tag].languageName("tr")));
    if (tag === "en") continue;
    assert.deepEqual(await english(page, tag), [], tag);
    for (const method of methods) {
      const { title, description } = tables[tag].text.methods[method] ?? {};
      assert.ok(title && description, `${tag} has no words for the method ${method}`);
    }
    assert.equal(await page.textContent("#method-more"), tables[tag].text.methods.auto.description);
    assert.equal(await page.textContent('#method option[value="salience"]'), tables[tag].text.methods.salience.title);
  }
  await page.reload();
  assert.equal(await page.getAttribute("html", "lang"), "en", "the choice lasts as long as the page");
  assert.deepEqual(log, []);
  await context.close();
});

test("a language that cannot be loaded leaves the page in English, and visible", async () => {
  const { page, context } = await open(browser, server.url, { locale: "fr", routes: { "**/assets/fr-*.js*": (route) => route.abort() } });
  await page.waitForSelector("#choose", { state: "visible" });
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.equal(await page.inputValue("#language"), "en");
  await loadSample(page, "es");
  await page.selectOption("#language", "fr");
  await page.waitForFunction(() => document.getElementById("language").value === "en");
  await context.close();
});

slow("a narrow window: the head of the page stands in two rows, in every language", async () => {
  const { page, context } = await open(browser, server.url, { viewport: { width: 320, height: 720 } });
  for (const tag of languages) {
    await page.selectOption("#language", tag);
    await page.waitForFunction((tag) => document.documentElement.lang === tag, tag);
    const [bar, privacy, inner] = await page.evaluate(() => [
      document.querySelector(".bar").offsetHeight, document.querySelector(".privacy").offsetHeight, document.documentElement.scrollWidth,
    ]);
    assert.ok(privacy <= 36 && bar <= 112, `${tag}: ${privacy} and ${bar} px high`);
    assert.ok(inner <= 320, `${tag}: ${inner} px wide`);
  }
  await context.close();
});
