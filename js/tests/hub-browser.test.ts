// Models of a hub in a real browser: from another origin, kept in its Cache
// storage.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, beforeEach, describe } from "node:test";
import type { Browser, Page } from "playwright-core";
import type * as Cerasum from "cerasum";
import { cutting, ModelHub, testID, tinyFiles } from "./model-hub.js";
import { launch } from "./page.js";
import { it, root, slow } from "./support.js";

declare global {
  // Set by the test page.
  var cerasum: typeof Cerasum;
  /** Fetches the model and gives the SHA-256 of its files, and what was warned of. */
  var pull: (options: Cerasum.FetchModelOptions) => Promise<{ files: Record<string, string>; warnings: string[] } | { error: string }>;
}

const page1 = `<!doctype html><title>hub</title><script type=module>
  import * as cerasum from "/dist/index.js";
  globalThis.cerasum = cerasum;
  globalThis.pull = async (options) => {
    const warnings = [];
    try {
      const { model } = await cerasum.fetchModel(${JSON.stringify(testID)}, { ...options, onwarning: (w) => warnings.push(w.name + ": " + w.message) });
      const files = {};
      for (const path of Object.keys(model).sort()) {
        files[path] = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", model[path])), (b) => b.toString(16).padStart(2, "0")).join("");
      }
      return { files, warnings };
    } catch (error) {
      return { error: error.name + ": " + error.message };
    }
  };
</script>`;

describe("models in a browser", () => {
  let hub: ModelHub;
  let site: Server;
  let origin: string;
  let browser: Browser;
  let page: Page;

  before(async () => {
    hub = await new ModelHub().start();
    site = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      if (path.startsWith("/dist/") && existsSync(join(root, "js", path))) {
        response.setHeader("content-type", "text/javascript").end(readFileSync(join(root, "js", path)));
      } else {
        response.setHeader("content-type", "text/html").end(path === "/" ? page1 : "");
      }
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    hub?.stop();
  });
  beforeEach(async () => {
    hub.reset();
    await page?.context().close();
    page = await (await browser.newContext()).newPage();
    await open();
  });

  const open = async (): Promise<void> => {
    await page.goto(origin);
    await page.waitForFunction(() => "pull" in globalThis);
  };
  const pull = (options: Cerasum.FetchModelOptions = {}): ReturnType<typeof globalThis.pull> =>
    page.evaluate((options) => globalThis.pull(options), { baseURL: hub.baseURL, ...options });
  /** What the server has, as pull gives it. */
  const wanted = async (): Promise<{ files: Record<string, string>; warnings: string[] }> => {
    const { createHash } = await import("node:crypto");
    return { files: Object.fromEntries(tinyFiles.map((path) => [path, createHash("sha256").update(hub.files[path]!).digest("hex")])), warnings: [] };
  };
  const kept = (): Promise<string[]> =>
    page.evaluate(async () => (await (await caches.open("cerasum-models")).keys()).map(({ url }) => decodeURIComponent(new URL(url).pathname)));

  for (const lfs of [false, true]) {
    (lfs ? slow : it)(`brings them from another origin${lfs ? ", which redirects to a third" : ""}, once`, async () => {
      hub.lfs = lfs;
      assert.deepEqual(await pull(), await wanted());
      hub.forget();
      await open();
      assert.deepEqual(await pull(), await wanted());
      assert.deepEqual(await pull({ offline: true }), await wanted());
      assert.deepEqual(hub.asked, []);
      assert.deepEqual(await kept(), [...[...tinyFiles].sort(byLayout), "cerasum-model.json"].map((path) => `/${testID}/main//${path}`));
      const [model] = await page.evaluate(() => cerasum.listModels());
      assert.equal(model?.id, testID);
      assert.equal(model?.licence, "apache-2.0");
      assert.equal(await page.evaluate((id) => cerasum.deleteModel(id), testID), 1);
      assert.deepEqual(await kept(), []);
    });

    (lfs ? slow : it)(`goes on after cuts${lfs ? " of the third origin" : ""}`, async () => {
      hub.lfs = lfs;
      let n = 0;
      hub.trouble = (request, response, file, data) => {
        if (lfs && !request.url!.startsWith("/store/")) return false;
        return n < 4 && cutting(() => (n++, 50_000 + n))(request, response, file, data);
      };
      assert.deepEqual(await pull(), await wanted());
      const ranges = hub.of("onnx/model.onnx").filter((line) => line.includes("bytes="));
      assert.ok(ranges.length >= 1, hub.of("onnx/model.onnx").join("\n"));
    });
  }

  it("takes files that come compressed", async () => {
    const { gzipSync } = await import("node:zlib");
    hub.trouble = (request, response, file, data) => {
      if (file !== "tokenizer.json" || !String(request.headers["accept-encoding"]).includes("gzip")) return false;
      const packed = gzipSync(data!);
      response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length }).end(packed);
      return true;
    };
    hub.files["tokenizer.json"] = Buffer.from(JSON.stringify({ version: "1.0", padding: "x".repeat(5000) }));
    assert.deepEqual(await pull(), await wanted());
  });

  it("gives the model from memory where there is no room, and says so", async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 100_000 });
    const answer = await pull();
    assert.ok("files" in answer, JSON.stringify(answer));
    assert.deepEqual(answer.files, (await wanted()).files);
    assert.equal(answer.warnings.length, 1);
    assert.match(answer.warnings[0]!, /^QuotaExceededError: tests\/tiny-encoder: onnx\/model\.onnx: no storage space left; the model is used from memory/);
    assert.deepEqual(await kept(), [], "files without a manifest only take room");
    await devtools.send("Storage.overrideQuotaForOrigin", { origin });
    assert.deepEqual(await pull(), await wanted());
    assert.equal((await kept()).length, tinyFiles.length + 1);
  });

  it("uses nothing that lacks a file", async () => {
    await pull();
    for (const lost of ["cerasum-model.json", "onnx/model.onnx"]) {
      await page.evaluate(async (lost) => {
        const cache = await caches.open("cerasum-models");
        for (const request of await cache.keys()) if (request.url.endsWith(lost)) await cache.delete(request);
      }, lost);
      const offline = await pull({ offline: true });
      assert.ok("error" in offline && offline.error.startsWith("NotFoundError"), JSON.stringify(offline));
      assert.deepEqual(await pull(), await wanted());
    }
  });

  it("leaves nothing of a page that is closed in the middle", async () => {
    hub.trouble = (_, response, file) => file === "onnx/model.onnx" && Boolean(response.writeHead(200, { "content-length": 300_000 }).write("\b"));
    void pull().catch(() => undefined);
    while (hub.of("onnx/model.onnx").length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await page.goto("about:blank");
    hub.trouble = undefined;
    await open();
    assert.deepEqual(await kept(), []);
    assert.deepEqual(await pull(), await wanted());
  });

  it("lets one page of two bring a model, and the other take it", async () => {
    const other = await page.context().newPage();
    await other.goto(origin);
    await other.waitForFunction(() => "pull" in globalThis);
    const [one, two] = await Promise.all([pull(), other.evaluate((options) => globalThis.pull(options), { baseURL: hub.baseURL })]);
    assert.deepEqual(one, await wanted());
    assert.deepEqual(two, await wanted());
    assert.equal(hub.of("onnx/model.onnx").length, 1);
    await other.close();
  });

  it("stops when it is aborted", async () => {
    hub.trouble = (_, response, file) => file === "onnx/model.onnx" && Boolean(response.writeHead(200, { "content-length": 300_000 }).write("\b"));
    const call = page.evaluate(async ({ id, baseURL }) => {
      const controller = new AbortController();
      (globalThis as { stop?: () => void }).stop = () => controller.abort();
      return cerasum.fetchModel(id, { baseURL, signal: controller.signal }).then(() => "done", (error: DOMException) => error.name);
    }, { id: testID, baseURL: hub.baseURL });
    while (hub.of("onnx/model.onnx").length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await page.evaluate(() => (globalThis as { stop?: () => void }).stop!());
    assert.equal(await call, "AbortError");
    assert.deepEqual(await kept(), []);
  });
});

/** The order in which the files are brought. */
const byLayout = (a: string, b: string): number => {
  const order = ["modules.json", "config.json", "sentence_bert_config.json", "README.md", "1_Pooling/config.json", "tokenizer.json", "onnx/model.onnx"];
  return order.indexOf(a) - order.indexOf(b);
};
