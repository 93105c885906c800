// Trusted Types: no string becomes HTML or a script but through the page's one policy,
// and everything that makes HTML or workers goes on to work.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { makePDF } from "../../common/tests/pdf.mjs";
import { begin, open, readClosely, site, summarized, textFile } from "./lib.mjs";

const { server, browser } = await begin();

test("strings are refused, by the page and by the service worker's policy; there is no default policy", async () => {
  const { page, context } = await open(browser, server.url);
  const refused = await page.evaluate(() => {
    const tries = {
      innerHTML: () => (document.createElement("div").innerHTML = "<b>x</b>"),
      inert: () => (document.implementation.createHTMLDocument("").body.innerHTML = "<b>x</b>"),
      parser: () => new DOMParser().parseFromString("<b>x</b>", "text/html"),
      worker: () => new Worker("./sw.js"),
      script: () => (document.createElement("script").text = "1"),
      policy: () => trustedTypes.createPolicy("another", {}),
      again: () => trustedTypes.createPolicy("cerasum", {}),
      default: () => trustedTypes.createPolicy("default", {}),
    };
    return Object.keys(tries).filter((name) => {
      try {
        tries[name]();
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    });
  });
  assert.deepEqual(refused, ["innerHTML", "inert", "parser", "worker", "script", "policy", "again", "default"]);
  assert.equal(await page.evaluate(() => trustedTypes.defaultPolicy), null);
  assert.match(await readFile(`${site}/sw.js`, "utf8"), /require-trusted-types-for 'script'/);
  await context.close();
});

const story = "The harbour of Nessel is closed for three weeks, the council said on Monday. Ships wait outside of it, and nobody knows for how long it will last.";

test("HTML, Markdown and PDF are read, the core and the encoder run", async () => {
  const { page, context, log } = await open(browser, server.url);
  await summarized(page, () => page.setInputFiles("#files", [
    { name: "a.html", mimeType: "text/html", buffer: Buffer.from(`<!doctype html><title>One</title><article>${`<p>${story}</p>`.repeat(6)}</article><noscript><img src="x.png"></noscript>`) },
    { name: "b.md", mimeType: "text/markdown", buffer: Buffer.from(`# Two\n\n${story.replace("Nessel", "Varn")}\n`) },
    { name: "c.pdf", mimeType: "application/pdf", buffer: makePDF([story.replace("Nessel", "Ostra").match(/.{1,60}(?: |$)/g).map((text, i) => ({ text: text.trim(), y: 60 + 14 * i }))]) },
    textFile("d.txt", story.replace("Nessel", "Lund")),
  ]));
  assert.equal(await page.locator("#document-list > li").count(), 4);
  assert.equal(await page.isVisible("#file-problems"), false);
  await summarized(page, () => page.selectOption("#method", "multilingual"));
  await readClosely(page);
  assert.deepEqual(log, []);
  await context.close();
});
