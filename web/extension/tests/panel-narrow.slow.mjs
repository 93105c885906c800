// The panel at the width of Firefox's sidebar, in every language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPanel, start, summarized } from "./panel-lib.mjs";

test("240 px, the width of Firefox's sidebar: presets in one line, nothing is cut off, in every language", async () => {
  const { panel, browser, close } = await start(["alfa/harbour", "charlie/puerto"]);
  await summarized(panel);
  await panel.close();
  for (const tag of ["en", "es", "fr", "pt", "de", "it"]) {
    const narrow = await openPanel(browser, { width: 240, init: `Object.defineProperty(navigator, "languages", { get: () => ["${tag}"] })` });
    await narrow.click("#controls .options summary");
    const { lang, wide, lines, cut } = await narrow.evaluate(() => ({
      lang: document.documentElement.lang,
      wide: document.documentElement.scrollWidth,
      lines: new Set([...document.querySelectorAll(".presets button")].map((one) => `${one.offsetTop} ${one.offsetHeight}`)).size,
      cut: [...document.querySelectorAll("button, label, .small")].filter((one) => one.offsetParent && !one.closest(".tab, .picks, .quote") && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline").map(({ textContent }) => textContent),
    }));
    assert.equal(lang, tag);
    assert.ok(wide <= 240, `${tag}: ${wide} px wide`);
    assert.equal(lines, 1, `${tag}: presets in several lines`);
    assert.deepEqual(cut, [], tag);
    await narrow.close();
  }
  await close();
});

