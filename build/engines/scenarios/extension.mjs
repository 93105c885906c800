// The browser extension: tabs are summarized and quotes shown in them. In Chromium it is
// the build for tests, whose hosts are granted; in Firefox the shipped one, whose
// prompts are answered.

import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch as launchChromium, serve } from "../../../web/extension/tests/lib.mjs";
import { sites, story } from "../../../web/extension/tests/pages.mjs";
import { hidden, says, together, visible } from "../../../web/extension/tests/seen-pages.mjs";
import { tab } from "../chromium.mjs";
import { launch as launchFirefox } from "../firefox.mjs";
import { Page } from "../page.mjs";

const id = "cerasum@cerasum.github.io";
const uuid = "3b0a3c5e-8a5c-4b86-9d3a-6f1f2a7d9c10";
const shipped = fileURLToPath(new URL("../../out/extension/firefox", import.meta.url));

/** A browser with the extension: `open` gives a Page, of an address or of the panel. */
const starts = {
  async chromium() {
    const browser = await launchChromium();
    const opened = (page) => new Page(tab(page, () => page.close()));
    return {
      visit: async (url) => opened(await browser.visit(url)),
      panel: async () => opened(await browser.open("panel.html")),
      close: () => browser.close(),
    };
  },
  async firefox() {
    // Firefox takes a temporary add-on from a folder of which it may keep files open.
    const folder = await mkdtemp(join(tmpdir(), "cerasum-add-on-"));
    await cp(shipped, folder, { recursive: true });
    const browser = await launchFirefox({ "extensions.webextensions.uuids": JSON.stringify({ [id]: uuid }), "network.dns.localDomains": "alfa.test,bravo.test" });
    await browser.install(folder);
    const visit = async (url, { secret = false } = {}) => {
      const page = new Page(await browser.open(undefined, { secret }));
      await page.goto(url);
      return page;
    };
    return {
      visit,
      panel: () => visit(`moz-extension://${uuid}/panel.html`),
      secretPanel: () => visit(`moz-extension://${uuid}/panel.html`, { secret: true }),
      /** Answers the browser's question for permissions. */
      allow: () => browser.chrome(`(async () => {
        const { document } = Services.wm.getMostRecentWindow("navigator:browser");
        for (let i = 0; i < 600; i++) {
          const prompt = document.getElementById("addon-webext-permissions-notification");
          if (prompt?.closest("panel")?.state === "open") return prompt.button.click();
          await new Promise((done) => setTimeout(done, 100));
        }
        throw new Error("Firefox asks for no permission");
      })()`),
      async close() {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};

/** The panel with the tabs that are open, and their summary. */
async function summaryOf(browser, context, open = browser.panel) {
  const panel = (context.page = await open());
  await panel.until(() => !document.documentElement.classList.contains("waiting"));
  if (browser.allow && (await panel.evaluate(() => Boolean(document.getElementById("show-tabs")?.checkVisibility())))) {
    await panel.click("#show-tabs");
    await browser.allow();
  }
  return panel;
}

async function summarize(panel, browser) {
  // The panel may show an earlier summary.
  await panel.evaluate(() => document.getElementById("quotes").replaceChildren());
  await panel.click("#summarize");
  // Of the hosts; it asks for each only once.
  await browser.allow?.();
  delete browser.allow;
  await panel.until(() => document.querySelectorAll("#quotes .quote-text").length > 0 && document.getElementById("quotes").getAttribute("aria-busy") === "false");
}

/** A scenario with the extension and sites. */
const scenario = (name, pages, act, more = {}) => ({
  name: `extension: ${name}`,
  needs: ["extension"],
  own: true,
  ...more,
  async act(_, context) {
    let server;
    server = await serve(typeof pages === "function" ? pages(() => server) : pages);
    const browser = await starts[context.engine]();
    try {
      await act({ browser, server, context });
    } finally {
      context.after = async () => {
        await browser.close();
        await server.close();
      };
    }
  },
});

/** The texts of the tabs that were read, as the panel keeps them in memory soon after the summary; until then it may keep those of other tabs. */
async function textsRead(panel, address) {
  await panel.until(async (address) => {
    const kept = JSON.stringify(await chrome.storage.session.get());
    return kept.includes(address) && kept.includes("crane of Nessel");
  }, address);
  return panel.evaluate(async () => JSON.stringify(await chrome.storage.session.get()));
}

/** A page of some length, which frames need to be read. */
const inner = (name) => `<!doctype html><html lang="en"><title>Inner</title><body><article><p>${says(name)}</p>${Array.from({ length: 20 }, (_, i) => `<p>Paragraph ${i} stands here so that the frame has something to say, and it says nothing that is said elsewhere.</p>`).join("")}</article>`;

/** Without words of its own: only such pages are read with their frames. */
const framed = (server) => `<!doctype html><html lang="en"><title>Frames</title><body>
<iframe src="${server().url("bravo/inner")}" width=600 height=300></iframe><iframe sandbox src="/sandboxed" width=600 height=300></iframe><iframe src="/inner" width=600 height=300></iframe>`;

export const extension = [
  scenario("two tabs are read and summarized, and a quote is shown in its tab", sites, async ({ browser, server, context }) => {
    const visited = [await browser.visit(server.url("alfa/harbour")), await browser.visit(server.url("bravo/news"))];
    const panel = await summaryOf(browser, context);
    // Firefox also has the tab that it started with.
    await panel.until(() => document.querySelectorAll(".tab").length >= 2);
    assert.deepEqual((await panel.texts(".tab-title")).slice(-2), ["Harbour of Nessel closed | The Site", "Stones in the channel | The Site"]);
    await summarize(panel, browser);
    const quotes = await panel.texts("#quotes .quote-text");
    const all = [...story.en, ...story.en2];
    for (const quote of quotes) assert.ok(all.some((text) => text.includes(quote)), quote);

    await panel.click("#quote-0");
    await panel.until(() => document.querySelector("#toast p")?.textContent === "Highlighted in the tab.");
    const page = visited[story.en.some((text) => text.includes(quotes[0])) ? 0 : 1];
    assert.equal(await page.evaluate(() => [...(CSS.highlights.get("cerasum") ?? [])].map(String).join("").replace(/\s+/g, " ")), quotes[0]);
  }),

  scenario("hidden text, frames of other sites and sandboxed frames are not read", (server) => ({
    "alfa/hidden-light": together(hidden, "light"), "alfa/hidden-dark": together(hidden, "dark"), "alfa/seen-light": together(visible, "light"), "alfa/seen-dark": together(visible, "dark"),
    "alfa/frames": () => framed(server), "alfa/inner": inner("inner"), "alfa/sandboxed": inner("sandboxed"), "bravo/inner": inner("foreign"),
  }), async ({ browser, server, context }) => {
    const read = {};
    for (const places of [["hidden-light", "hidden-dark"], ["frames"], ["seen-light", "seen-dark"]]) {
      const tabs = [];
      for (const place of places) tabs.push(await browser.visit(server.url(`alfa/${place}`)));
      const panel = await summaryOf(browser, context);
      await panel.until((n) => document.querySelectorAll(".tab").length >= n, places.length);
      await summarize(panel, browser);
      read[places[0]] = await textsRead(panel, server.url(`alfa/${places[0]}`));
      for (const page of [panel, ...tabs]) await page.close();
    }
    const named = (text) => [...text.matchAll(/The ([\w-]+) crane of Nessel/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(named(read["hidden-light"]))], ["neighbouring"]);
    assert.deepEqual([...new Set(named(read.frames))], ["inner"]);
    const found = named(read["seen-light"]).filter((name) => name !== "neighbouring");
    const all = 4 * Object.keys(visible).length;
    assert.ok(new Set(found).size <= all / 2 && found.length >= (all * 55) / 60, `${found.length} of ${all}`);
  }),

  scenario("summaries of a private window are not kept", sites, async ({ browser, server, context }) => {
    const panel = await summaryOf(browser, context);
    await panel.evaluate(() => document.getElementById("menu").click());
    await panel.click("#history-keep");
    await panel.until(async () => Array.isArray((await browser.storage.local.get()).history));
    await browser.visit(server.url("alfa/harbour"), { secret: true });
    const secret = await summaryOf(browser, context, browser.secretPanel);
    assert.equal(await secret.evaluate(async () => (await browser.windows.getCurrent()).incognito), true);
    await summarize(secret, browser);
    await secret.evaluate(() => document.getElementById("menu").click());
    assert.match(await secret.text("#history-private"), /private window: its summaries are never saved/);
    assert.deepEqual(await secret.evaluate(async () => (await browser.storage.local.get()).history), []);
  }, { needs: ["extension", "private"] }),
];
