// What documents and saved files may not do to the page, in every engine: docs/security.md.

import assert from "node:assert/strict";
import fc from "fast-check";
import { document, like, settings } from "../../../web/demo/tests/saved-files.mjs";
import { holding } from "../../../web/demo/tests/lib.mjs";
import { quotes, sample, scenario, summarized } from "./page.mjs";

const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const told = (page) => page.texts("#file-problems li");

/** Changes one byte of a stored file of the page: its address, and the text that it had. */
const damage = (page, pattern) => page.evaluate(async (source) => {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      if (!new RegExp(source).test(url)) continue;
      const found = await cache.match(url);
      const text = await found.clone().text();
      const bytes = new Uint8Array(await found.arrayBuffer());
      bytes[bytes.length >> 1] ^= 1;
      await cache.put(url, new Response(bytes, { headers: found.headers }));
      return { url, text };
    }
  }
}, pattern.source);

/** What the page gets at an address: "200 …" and the text, or the status and its reason. */
const got = (page, url) => page.evaluate(async (url) => {
  const response = await fetch(url);
  return response.ok ? `200 ${await response.text()}` : `${response.status} ${response.statusText}`;
}, url);

export const security = [
  scenario("files that try to freeze their readers are read or refused; reading can be cancelled", async (page) => {
    const bombs = [
      { name: "comments.txt", content: `${"<!---->".repeat(60)} The river rose.` },
      { name: "title.md", content: `---\ntitle:${" ".repeat(200_000)}x\n---\nThe river rose.` },
      { name: "styles.html", content: `<p>The river rose.</p>${"<style>".repeat(40_000)}` },
      { name: "marks.md", content: `The river rose.\n\n${"*a_ ".repeat(80_000)}` },
    ];
    await summarized(page, () => page.files("#files", bombs));
    assert.equal((await page.count("#document-list > li")) + (await told(page)).filter((text) => !/read/.test(text)).length, bombs.length, `${await told(page)}`);
    await page.click("#clear");

    // The first file never reaches its Worker, whose time is over after a moment.
    await page.evaluate(holding);
    await page.evaluate(() => {
      const { setTimeout } = window;
      window.setTimeout = (work, delay, ...rest) => setTimeout(work, delay === 20_000 && window.soon ? 300 : delay, ...rest);
      window.soon = true;
      window.holds = ({ file }) => file?.name === "slow.txt";
    });
    const slow = [{ name: "slow.txt", content: "The river rose." }, { name: "next.txt", content: "The harbour of Nessel is open again." }];
    await summarized(page, () => page.files("#files", slow));
    assert.deepEqual(await told(page), ["slow.txt: reading took longer than 20 seconds and was stopped"]);
    assert.deepEqual(await page.texts("#document-list .doc-title"), ["next"]);

    await page.click("#clear");
    await page.evaluate(() => {
      window.soon = false;
      window.holds = ({ file }) => Boolean(file);
    });
    await page.files("#files", slow);
    await page.until(() => document.getElementById("stop"));
    await page.click("#stop");
    await page.until(() => !document.getElementById("stop"));
    assert.equal(await page.count("#document-list > li"), 0);
  }),

  scenario("titles, addresses and quotes cannot reverse a line or imitate another source", async (page) => {
    const documents = [
      { title: "\u202eelpmaxe.sretuer A [9] Reuters, https://reuters.example/a", source: "https://reuters.example@evil.example/a", text: "\u202eThe harbour of Nessel\u202c is closed for three weeks, the council\u2067 said on Monday. Ships wait outside of it." },
      { title: "مرفأ \u2067نيسل", source: "https://аpple.example/\u202efdp", text: "The ferry to the islands sails from the northern quay until the harbour opens again, its owner said." },
    ];
    await summarized(page, () => page.files("#files", [{ name: "a.cerasum.json", content: JSON.stringify({ cerasum: 1, documents }) }]));
    const hosts = await page.texts("#quotes .quote-source > bdi:nth-child(2)");
    assert.deepEqual([...new Set(hosts)].sort(), ["evil.example", "xn--pple-43d.example"]);
    await page.click("#document-list > li:first-child .doc-open");
    assert.equal(await page.text("#reader-meta > bdi"), "https://evil.example/a");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.deepEqual(await page.texts("#print-sources bdi"), ["elpmaxe.sretuer A [9] Reuters, https://reuters.example/a", "https://evil.example/a", "مرفأ نيسل", "https://xn--pple-43d.example/fdp"]);
    assert.doesNotMatch(await page.evaluate(() => document.documentElement.outerHTML), TURNS);
    await page.click("#copy");
    await page.until(() => document.getElementById("copy-label").textContent === "Copied");
    await page.click("#download");
    await page.until(() => window.saved.length === 1);
    const [copied, markdown] = await page.evaluate(() => [window.copied[0], window.saved[0].text]);
    assert.ok(copied.endsWith('\nSources\n[1] "elpmaxe.sretuer A (9) Reuters, https://reuters.example/a", https://evil.example/a\n[2] "مرفأ نيسل", https://xn--pple-43d.example/fdp\n'), copied);
    for (const text of [copied, markdown]) assert.doesNotMatch(text, TURNS);
  }),

  scenario("saved files: names in them never reach members of built-in objects", async (page) => {
    const documents = [{ title: "Nessel", text: "The harbour of Nessel is closed. Ships wait outside of it.", source: "a.txt" }];
    // Written out: a literal would set the prototype.
    const made = ["constructor", "__proto__", "toString"].flatMap((name) => [
      JSON.parse(`{ "budget": { "amount": 100, "unit": "${name}" }, "order": "${name}", "method": "${name}", "encoder": "${name}" }`),
      JSON.parse(`{ "budget": { "${name}": 100 }, "order": "story", "method": "auto", "encoder": "shipped" }`),
    ]).map((settings) => ({ cerasum: 1, settings, documents }));
    made.push(...fc.sample(like({ cerasum: fc.constant(1), documents: fc.array(document, { minLength: 1, maxLength: 2 }), settings }), { numRuns: 30, seed: 1 }));
    for (const [i, content] of made.entries()) {
      await page.files("#files", [{ name: `${i}.cerasum.json`, content: JSON.stringify(content) }]);
      await page.until(() => document.getElementById("files").value === "");
      const found = await page.evaluate(() => `${document.documentElement.innerText.match(/NaN|\[native code\]|\[object \w+\]|function \w+\(/)?.[0] ?? "nothing"} ${Number(document.getElementById("budget-number").value) > 0}`);
      assert.equal(found, "nothing true", JSON.stringify(content));
    }
  }),

  scenario("the content security policy: no scripts from documents, no strings run as code, no requests to other hosts", async (page, { server }) => {
    const attack = `<script>window.ran = 1</script><img src="x" onerror="window.ran = 1"><svg onload="window.ran = 1"><a href="javascript:window.ran = 1">x</a></svg><iframe srcdoc="<script>parent.ran = 1</script>"></iframe>`;
    const text = "The harbour of Nessel is closed for three weeks, the council said on Monday. Ships wait outside of it.";
    await summarized(page, () => page.files("#files", [
      { name: "a.html", content: `<title>${attack.replaceAll("<", "&lt;")}</title><article><p>${text}</p>${attack}</article>` },
      { name: "b.md", content: `# ${attack}\n\n${text.replace("Nessel", "Varn")} ${attack}\n\n[x](javascript:window.ran=1)` },
      { name: "c.cerasum.json", content: JSON.stringify({ cerasum: 1, documents: [{ title: attack, text: `${attack} ${text.replace("Nessel", "Lund")}`, source: "javascript:window.ran=1" }] }) },
    ]));
    await page.click("#document-list > li:last-child .doc-open");
    assert.equal(await page.count('a[href^="javascript:" i], iframe, #quotes img, #reader-text img, [onerror], [onload]'), 0);
    const refused = await page.evaluate(async () => {
      // Beyond the call of the driver, which may evaluate strings.
      await new Promise((done) => setTimeout(done));
      // The browser reports each refusal, which is not the page's fault.
      const faults = window.log.length;
      const tries = {
        // Where it does not throw, it is not run.
        code: () => {
          setTimeout("window.ran = 1");
          throw new Error("not run at once");
        },
        inline: () => {
          const script = document.createElement("script");
          script.textContent = "window.ran = 1";
          document.head.append(script);
          if (!window.ran) throw new Error("refused");
        },
        elsewhere: () => fetch("http://127.0.0.1:9/"),
        ...("trustedTypes" in window && {
          markup: () => (document.createElement("div").innerHTML = "<b>x</b>"),
          worker: () => new Worker("./sw.js"),
          policy: () => trustedTypes.createPolicy("another", {}),
          default: () => trustedTypes.createPolicy("default", {}),
        }),
      };
      const passed = [];
      for (const [name, attempt] of Object.entries(tries)) {
        try {
          await attempt();
          passed.push(name);
        } catch {
          // as it should be
        }
      }
      await new Promise((done) => setTimeout(done, 50));
      window.log.length = faults;
      return { passed, ran: window.ran ?? 0, trusted: "trustedTypes" in window };
    });
    assert.deepEqual(refused, { passed: [], ran: 0, trusted: true });
    const asked = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.deepEqual(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith("http://127.0.0.1:9/")), []);
  }),

  scenario("offline: a damaged stored file is fetched again, and never used", async (page, { server }) => {
    await page.until(() => navigator.serviceWorker.controller?.state === "activated");
    const fetched = await damage(page, /\/fr-[^/]*\.js$/);
    assert.equal(await got(page, fetched.url), `200 ${fetched.text}`);
    const lost = await damage(page, /\/pt-[^/]*\.js$/);
    await server.close();
    assert.equal(await got(page, fetched.url), `200 ${fetched.text}`, "it is stored again");
    assert.equal(await got(page, lost.url), "503 the stored copy is damaged");
    await sample(page, "en");
    assert.ok((await quotes(page)).length > 0);
  }, { options: { first: undefined } }),
];
