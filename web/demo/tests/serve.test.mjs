// The page as `cerasum serve` serves it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { countWords, here, launch, loadSample, open, quotes, site } from "./lib.mjs";

test("cerasum serve: a sample is summarized, a sentence leads to its source", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cerasum-"));
  const program = process.env.CERASUM ?? join(folder, "cerasum");
  if (!process.env.CERASUM) execFileSync("go", ["build", "-o", program, "./cmd/cerasum"], { cwd: here("../../.."), stdio: ["ignore", "inherit", "inherit"] });
  const server = spawn(program, ["serve", "--port", "0", "--site", site], { stdio: ["ignore", "pipe", "inherit"] });
  const browser = await launch();
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    const url = /http:\S+/.exec(line)[0];
    const policy = (await fetch(url)).headers.get("content-security-policy") ?? "";
    for (const part of ["default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'"]) {
      assert.ok(policy.split(/;\s*/).includes(part), `${part} is not in the policy: ${policy}`);
    }
    const { page, log } = await open(browser, url);
    await loadSample(page, "en");
    const found = await quotes(page);
    assert.ok(found.length > 1 && countWords(found.join("\n")) <= 100);
    await page.click("#quotes > li:first-child .quote-link");
    assert.deepEqual(await page.$$eval("#reader-text mark.active", (all) => all.map((mark) => mark.textContent)), [found[0]]);
    await page.click(".samples summary");
    await loadSample(page, "mixed");
    assert.match(await page.textContent("#status"), /encoder: Built-in\)$/, "the encoder's files are served as what they are");
    assert.deepEqual(log, []);
  } finally {
    await browser.close();
    if (server.exitCode === null) {
      server.kill("SIGINT");
      await once(server, "exit");
    }
    await rm(folder, { recursive: true });
  }
});
