// Models of a hub under Node, kept in a folder.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { deleteModel, fetchModel, knownModels, listModels, modelFromFiles } from "cerasum";
import { createHub, type FetchModelOptions, type Hub, KeepError, type ModelStore } from "../dist/hub.js";
import { folderStore } from "../dist/hub-folder.node.js";
import { layout } from "../dist/hub-layout.js";
import { cutting, gitBlob, ModelHub, send, testID, tinyFiles } from "./model-hub.js";
import { isDOM, program, rejection, root } from "./support.js";

const tuning = { tries: 4, restarts: 2, backoff: 1, idle: 5000 };

let server: ModelHub;
let cache: string;
let hub: Hub;
before(async () => {
  server = await new ModelHub().start();
});
after(() => server.stop());
beforeEach((t) => {
  server.reset();
  cache = mkdtempSync(join(tmpdir(), "cerasum-hub-"));
  hub = createHub({ store: (folder) => folderStore(folder ?? cache), baseURL: server.baseURL }, tuning);
  (t as { after?(work: () => void): void }).after?.(() => rmSync(cache, { recursive: true, force: true }));
});

/** Fetches, and checks that what comes is what the server has. */
async function fetched(options: FetchModelOptions = {}, files = tinyFiles): Promise<void> {
  const { model, name } = await hub.fetchModel(testID, options);
  assert.equal(name, testID);
  assert.deepEqual(Object.keys(model).sort(), files);
  for (const path of files) assert.ok(Buffer.from(model[path]!).equals(server.files[path]!), path);
}

/** Checks that nothing is kept. */
async function nothingKept(): Promise<void> {
  assert.deepEqual((await hub.listModels()).filter((m) => m.state === "downloaded"), []);
  assert.ok(isDOM(await rejection(hub.fetchModel(testID, { offline: true })), "NotFoundError"));
  assert.ok(!existsSync(join(cache, testID)), "there is a folder");
}

describe("the files of an export", () => {
  interface Case { name: string; modules: unknown; variant?: string; files?: unknown; error?: string }
  const cases = JSON.parse(readFileSync(join(root, "models/testdata/layout.json"), "utf8")) as Case[];
  for (const { name, modules, variant, files, error } of cases) {
    it(name, () => {
      const list = (): unknown => layout(modules ?? undefined, variant);
      if (error === undefined) assert.deepEqual(list(), files);
      else assert.throws(list, { message: error });
    });
  }
});

it("the known models are those of models/known.json", () => {
  assert.deepEqual({ models: knownModels }, JSON.parse(readFileSync(join(root, "models/known.json"), "utf8")));
});

describe("fetching", () => {
  it("brings the files, and nothing the second time", async () => {
    const start = Math.floor(Date.now() / 1000) * 1000; // the entry has whole seconds
    const progress = new Map<string, number>();
    await fetched({
      onprogress: ({ file, loaded, total }) => {
        assert.ok(total === undefined || loaded <= total);
        assert.ok(loaded >= (progress.get(file) ?? 0));
        progress.set(file, loaded);
      },
    });
    for (const path of tinyFiles) assert.equal(progress.get(path), server.files[path]!.length, path);
    assert.ok(server.of("onnx/model.onnx")[0]!.includes(`/resolve/${server.commit}/`), "the commit of the first answer");
    const allowed = ["host", "connection", "accept", "accept-language", "accept-encoding", "user-agent", "sec-fetch-mode", "cache-control", "pragma"];
    for (const headers of server.headers) {
      for (const name in headers) assert.ok(allowed.includes(name), `the server was sent ${name}`);
    }
    server.forget();
    await fetched();
    await fetched({ offline: true });
    assert.deepEqual(server.asked, []);
    const [kept] = await hub.listModels();
    assert.deepEqual({ ...kept, downloaded: "" }, {
      name: undefined, id: testID, revision: "main", variant: "", state: "downloaded", languages: "", downloaded: "",
      bytes: tinyFiles.reduce((sum, path) => sum + server.files[path]!.length, 0), licence: "apache-2.0", dimensions: 16,
    });
    const downloaded = Date.parse(kept!.downloaded!);
    assert.ok(start <= downloaded && downloaded <= Date.now());
  });

  it("follows redirects to a store", async () => {
    server.lfs = true;
    await fetched();
    assert.ok(server.asked.includes("/store/onnx/model.onnx"));
  });

  it("brings from a plain file server, and from the address of a folder", async () => {
    server.commit = "";
    await fetched();
    const url = `${server.baseURL}/${testID}/resolve/main/`;
    const { model, name } = await hub.fetchModel({ url });
    assert.deepEqual(Object.keys(model).sort(), tinyFiles);
    assert.equal(name, url.replace(/\/$/, ""));
    server.forget();
    await hub.fetchModel({ url });
    assert.deepEqual(server.asked, []);
    assert.equal(await hub.deleteModel(name), 1);
    assert.equal((await hub.listModels()).filter((m) => m.state === "downloaded").length, 1);
  });

  it("brings a variant in the place of the model", async () => {
    const { model } = await hub.fetchModel(testID, { variant: "quantized" });
    assert.ok(Buffer.from(model["onnx/model.onnx"]!).equals(server.files["onnx/model_quantized.onnx"]!));
    await fetched();
    assert.equal((await hub.listModels()).filter((m) => m.id === testID).length, 2);
  });

  it("keeps nothing where it shall not", async () => {
    await fetched({ cache: false });
    await nothingKept();
  });

  it("goes on after cuts, each time from where it was", async () => {
    let state = 5;
    server.trouble = cutting(() => (state = (state * 48271) % 2147483647) % 90_000);
    await fetched();
    const from = server.of("onnx/model.onnx").map((line) => Number(/bytes=(\d+)-/.exec(line)?.[1] ?? 0));
    assert.ok(from.length > 2 && from[0] === 0 && from.at(-1)! > 0, String(from));
    from.slice(1).forEach((at, i) => assert.ok(at >= from[i]!, String(from)));
  });

  it("takes no parts of two versions", async () => {
    let tries = 0;
    server.commit = "";
    server.trouble = (request, response, file, data) => {
      if (file !== "onnx/model.onnx" || ++tries > 1) return false;
      return cutting(() => 50_000)(request, response, file, Buffer.alloc(data!.length, 8));
    };
    await fetched();
    assert.equal(tries, 3);
  });

  it("begins again where a server knows no ranges", async () => {
    let tries = 0;
    server.trouble = (request, response, file, data) => {
      if (++tries === 1 || request.headers.range) delete request.headers.range;
      return file === "onnx/model.onnx" && tries < 12 && tries % 2 === 0 && cutting(() => 50_000)(request, response, file, data);
    };
    await fetched();
  });

  it("asks without a range where ranges are refused", async () => {
    let tries = 0;
    server.trouble = (request, response, file, data) => {
      if (file !== "onnx/model.onnx") return false;
      if (++tries === 1) return cutting(() => 50_000)(request, response, file, data);
      if (!request.headers.range) return false;
      response.destroy(); // as a preflight that fails looks
      return true;
    };
    await fetched();
  });

  it("asks a server again that is unwell", async () => {
    const times = new Map<string, number>();
    server.trouble = (_, response, file) => {
      const n = (times.get(file) ?? 0) + 1;
      times.set(file, n);
      if (n > 3) return false;
      if (n === 1) response.writeHead(503, { "retry-after": "0" }).end();
      else if (n === 2) response.writeHead(429, { "retry-after": new Date().toUTCString() }).end();
      else response.destroy();
      return true;
    };
    await fetched();
  });

  const failures: [name: string, trouble: ModelHub["trouble"], error: string, message: RegExp, asked?: number][] = [
    ["a server that always fails", (_, r, file) => file === "tokenizer.json" && Boolean(r.writeHead(500).end()),
      "NetworkError", /tokenizer\.json: the server answered 500.*\(tried 4 times\)/, 4],
    ["a long time to wait", (_, r, file) => file === "tokenizer.json" && Boolean(r.writeHead(503, { "retry-after": "3600" }).end()),
      "NetworkError", /retry after 3600 s/, 1],
    ["a request that it does not like", (_, r, file) => file === "tokenizer.json" && Boolean(r.writeHead(400).end()), "NetworkError", /answered 400/, 1],
    ["a model that is not public", (_, r) => Boolean(r.writeHead(401).end()), "NetworkError", /modules\.json: .*not public/],
    ["a revision that is not", (_, r) => Boolean(r.writeHead(404, { "x-error-code": "RevisionNotFound" }).end()), "NotFoundError", /revision not found/],
    ["a page that wants a login", (_, r, file) => file === "onnx/model.onnx" && Boolean(r.writeHead(200, { "content-type": "text/html" }).end("<html>")),
      "NetworkError", /onnx\/model\.onnx: the server sent a web page/],
    ["a redirect to no web address", (_, r) => Boolean(r.writeHead(302, { location: "file:///etc/hostname" }).end()), "NetworkError", /modules\.json/],
  ];
  for (const [name, trouble, error, message, asked] of failures) {
    it(`says what is wrong: ${name}`, async () => {
      server.trouble = trouble;
      const e = await rejection(hub.fetchModel(testID));
      assert.ok(isDOM(e, error), String(e));
      assert.match((e as Error).message, message);
      assert.match((e as Error).message, /^tests\/tiny-encoder: /);
      if (asked !== undefined) assert.equal(server.of("tokenizer.json").length, asked);
      await nothingKept();
    });
  }

  const repositories: [name: string, without: string[], change: Record<string, string>, message: RegExp | undefined][] = [
    ["optional files", ["config.json", "sentence_bert_config.json", "README.md"], {}, undefined],
    ["a bare model", ["modules.json"], {}, undefined],
    ["the model at the root", ["onnx/model.onnx"], { "model.onnx": "\bweights" }, undefined],
    ["the tokenizer", ["tokenizer.json"], {}, /the repository has no tokenizer\.json/],
    ["the model", ["onnx/model.onnx"], {}, /the repository has no ONNX export \(onnx\/model\.onnx or model\.onnx\)/],
    ["the pooling", ["1_Pooling/config.json"], {}, /the repository has no 1_Pooling\/config\.json, which its modules\.json needs/],
    ["a path that stays inside", [], { "modules.json": '[{"path":"","type":"T.Transformer"},{"path":"../x","type":"P.Pooling"}]' }, /want a path inside/],
    ["JSON", [], { "tokenizer.json": "nothing" }, /tokenizer\.json: the server sent invalid JSON/],
    ["the file instead of a pointer", [], { "onnx/model.onnx": "version https://git-lfs.github.com/spec/v1\n" }, /onnx\/model\.onnx: .*Git LFS pointer/],
    ["bytes", [], { "tokenizer.json": "" }, /tokenizer\.json: the server sent an empty file/],
  ];
  for (const [name, without, change, message] of repositories) {
    it(`${message ? "refuses" : "takes"} a repository without ${name}`, async () => {
      for (const path of without) delete server.files[path];
      for (const path in change) server.files[path] = Buffer.from(change[path]!);
      if (!message) {
        assert.ok((await hub.fetchModel(testID)).model["tokenizer.json"]);
        return;
      }
      const e = await rejection(hub.fetchModel(testID));
      assert.ok(e instanceof DOMException, String(e));
      assert.match(e.message, message);
      await nothingKept();
    });
  }

  it("refuses bytes that are not those the hub promised", async () => {
    const good = server.files["tokenizer.json"]!;
    server.trouble = (request, response, file) => {
      if (file !== "tokenizer.json") return false;
      response.setHeader("etag", `"${gitBlob(good)}"`);
      send(request, response, Buffer.from(good.toString().replace("1.0", "1.1")));
      return true;
    };
    const e = await rejection(hub.fetchModel(testID));
    assert.ok(isDOM(e, "NetworkError"));
    assert.match((e as Error).message, /tokenizer\.json: .*git hash mismatch/);
    assert.equal(server.of("tokenizer.json").length, 2);
    await nothingKept();
  });

  it("checks the hashes of the known list", async () => {
    // The known model's own address leads to the small one: its weights must be refused.
    const minilm = knownModels.find((m) => m.name === "minilm")!;
    const trouble = server.trouble;
    server.commit = "";
    const address = createHub({ store: () => folderStore(cache), baseURL: undefined }, tuning);
    const real = globalThis.fetch;
    globalThis.fetch = (url, init) => real(String(url).replace(`https://huggingface.co/${minilm.id}/`, `${server.baseURL}/${testID}/`), init);
    try {
      const e = await rejection(address.fetchModel("minilm"));
      assert.ok(isDOM(e, "NetworkError"), String(e));
      assert.match((e as Error).message, /all-MiniLM-L6-v2.*tokenizer\.json: SHA-256 mismatch: got .*, want be50c362/);
    } finally {
      globalThis.fetch = real;
      server.trouble = trouble;
    }
    assert.ok(server.asked.some((line) => line.includes(`/resolve/${minilm.revision}/`)));
  });

  it("gives up on a server that is silent", async () => {
    const impatient = createHub({ store: () => folderStore(cache), baseURL: server.baseURL }, { ...tuning, tries: 2, idle: 1000 });
    server.trouble = (_, __, file) => file === "onnx/model.onnx";
    const e = await rejection(impatient.fetchModel(testID));
    assert.match((e as Error).message, /onnx\/model\.onnx: no data from the server for 1 s \(tried 2 times\)/);
    await nothingKept();
  });

  it("stops when it is aborted, in the middle of a file or of a pause", async () => {
    for (const trouble of [cutting(() => 60_000), ((_, r, file) => file === "onnx/model.onnx" && Boolean(r.writeHead(503, { "retry-after": "60" }).end())) as ModelHub["trouble"]]) {
      const controller = new AbortController();
      server.trouble = trouble;
      const reason = new Error("enough");
      const call = rejection(hub.fetchModel(testID, { signal: controller.signal }));
      while (server.of("onnx/model.onnx").length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 30));
      controller.abort(reason);
      assert.equal(await call, reason);
      server.forget();
      assert.equal(await rejection(hub.fetchModel(testID, { signal: controller.signal })), reason);
      assert.deepEqual(server.asked, []);
      await nothingKept();
    }
  });

  it("lets several bring the same at once", async () => {
    await Promise.all(Array.from({ length: 4 }, () => fetched()));
    server.forget();
    await fetched();
    assert.deepEqual(server.asked, []);
    assert.deepEqual(readdirSync(join(cache, testID)), ["main"]);
  });

  it("refuses bad names and options", async () => {
    for (const name of ["mini", "a/b/c", "../x/y", "owner/", "-o/name", "owner/na/../me", "a@b@c", ""]) {
      const e = await rejection(hub.fetchModel(name));
      assert.ok(e instanceof TypeError && e.message.includes("minilm"), String(e));
    }
    const bad: [FetchModelOptions, RegExp][] = [
      [{ revision: "../x" }, /revision/], [{ revision: "" }, /revision/], [{ variant: "../x.onnx" }, /want a path inside/],
      [{ baseURL: "ftp://x" }, /baseURL/], [{ baseURL: "huggingface.co" }, /baseURL/], [{ base: "x" } as FetchModelOptions, /unknown option base/],
    ];
    for (const [options, message] of bad) {
      const e = await rejection(hub.fetchModel(testID, options));
      assert.ok(e instanceof TypeError && message.test(e.message), String(e));
    }
    assert.ok(await rejection(hub.fetchModel({ url: "nowhere" })) instanceof TypeError);
    assert.deepEqual(server.asked, []);
  });
});

describe("keeping in a folder", () => {
  it("fetches again what is damaged", async () => {
    await fetched();
    const dir = join(cache, testID, "main");
    const damages: (() => void)[] = [
      () => truncateSync(join(dir, "onnx/model.onnx"), 7),
      () => rmSync(join(dir, "tokenizer.json")),
      () => rmSync(join(dir, "cerasum-model.json")),
      () => writeFileSync(join(dir, "cerasum-model.json"), "{"),
      () => writeFileSync(join(dir, "cerasum-model.json"), '{"format":1,"files":[{"path":"../../x","bytes":1}]}'),
    ];
    for (const damage of damages) {
      damage();
      assert.ok(isDOM(await rejection(hub.fetchModel(testID, { offline: true })), "NotFoundError"));
      await fetched();
      await fetched({ offline: true });
    }
    assert.deepEqual(readdirSync(join(cache, testID)), ["main"]);
  });

  it("is not another hub's", async () => {
    await fetched();
    const other = await new ModelHub().start();
    try {
      other.files["config.json"] = Buffer.from('{"hidden_size":32}');
      const { model } = await hub.fetchModel(testID, { baseURL: other.baseURL });
      assert.equal(Buffer.from(model["config.json"]!).toString(), '{"hidden_size":32}');
    } finally {
      other.stop();
    }
  });

  it("deletes a revision, or all", async () => {
    await fetched();
    await fetched({ revision: "v1/x" });
    assert.deepEqual(readdirSync(join(cache, testID)).sort(), ["main", "v1%2Fx"]);
    assert.equal(await hub.deleteModel(`${testID}@v1/x`), 1);
    assert.equal(await hub.deleteModel(testID), 1);
    assert.equal(await hub.deleteModel(testID), 0);
    assert.deepEqual(readdirSync(cache), []);
  });

  it("gives the model all the same where it cannot be kept, and says so", async () => {
    writeFileSync(join(cache, "tests"), "a file in the way");
    const warnings: DOMException[] = [];
    await fetched({ onwarning: (warning) => warnings.push(warning) });
    assert.equal(warnings.length, 1);
    assert.ok(isDOM(warnings[0], "OperationError"));
    assert.match(warnings[0]!.message, /^tests\/tiny-encoder: modules\.json: cannot be stored .*used from memory/);
  });

  it("says that the disk is full", async () => {
    const full: ModelStore = {
      ...folderStore(cache),
      save: () => Promise.reject(new KeepError("onnx/model.onnx", Object.assign(new Error("no space left on device"), { code: "ENOSPC" }))),
    };
    const warnings: DOMException[] = [];
    const small = createHub({ store: () => full, baseURL: server.baseURL }, tuning);
    const { model } = await small.fetchModel(testID, { onwarning: (warning) => warnings.push(warning) });
    assert.equal(Object.keys(model).length, tinyFiles.length);
    assert.ok(isDOM(warnings[0], "QuotaExceededError"));
    assert.match(warnings[0]!.message, /onnx\/model\.onnx: no storage space left/);
    await nothingKept();
  });

  it("shares the folder with the command line program", async () => {
    const cli = program(cache);
    const home = join(cache, "home");
    const env = { ...process.env, XDG_CACHE_HOME: home, HOME: home, LocalAppData: home, CERASUM_HUB: server.baseURL };
    const folder = process.platform === "darwin" ? join(home, "Library/Caches/cerasum/models") : join(home, "cerasum/models");
    mkdirSync(home);
    const run = (...args: string[]): Promise<{ stdout: string }> => promisify(execFile)(cli, ["models", ...args], { env });
    // What it pulls is here without a request, and the other way round.
    assert.equal((await run("pull", testID)).stdout.trim(), join(folder, testID, "main"));
    server.forget();
    await fetched({ cache: folder });
    assert.deepEqual(server.asked, []);
    await fetched({ cache: folder, revision: "v1/x", variant: "onnx/model.onnx" });
    server.forget();
    assert.equal((await run("pull", `${testID}@v1/x`, "--variant", "onnx/model.onnx")).stdout.trim(), join(folder, testID, "v1%2Fx+onnx%2Fmodel"));
    assert.deepEqual(server.asked, []);
    assert.match((await run("verify", testID)).stdout, /v1\/x: 7 files verified/);
    await run("rm", testID);
    assert.deepEqual((await hub.listModels({ cache: folder })).filter((m) => m.state === "downloaded"), []);
  });
});

describe("the package's own", () => {
  it("takes the hub of CERASUM_HUB", async () => {
    process.env["CERASUM_HUB"] = server.baseURL;
    try {
      const { model } = await fetchModel(testID, { cache });
      assert.deepEqual(Object.keys(model).sort(), tinyFiles);
    } finally {
      delete process.env["CERASUM_HUB"];
    }
    assert.ok((await listModels({ cache })).some((m) => m.id === testID && m.state === "downloaded"));
    assert.ok((await listModels({ cache })).some((m) => m.name === "minilm" && m.state === "available" && m.bytes > 9e7));
    assert.equal(await deleteModel(testID, { cache }), 1);
  });
});

describe("files of a picker", () => {
  const pick = (files: Record<string, string>, folder = ""): File[] =>
    Object.entries(files).map(([path, text]) => {
      const file = new File([text], path.split("/").at(-1)!);
      Object.defineProperty(file, "webkitRelativePath", { value: folder && `${folder}/${path}` });
      return file;
    });
  const whole = {
    "modules.json": '[{"path":"","type":"a.Transformer"},{"path":"1_Pooling","type":"a.Pooling"}]',
    "1_Pooling/config.json": "{}", "tokenizer.json": "{}", "onnx/model.onnx": "x", "onnx/model_quantized.onnx": "q", "other.txt": "",
  };

  it("of a folder", async () => {
    const { model, name } = await modelFromFiles(pick(whole, "my-encoder"));
    assert.equal(name, "my-encoder");
    assert.deepEqual(Object.keys(model).sort(), ["1_Pooling/config.json", "modules.json", "onnx/model.onnx", "tokenizer.json"]);
    const variant = await modelFromFiles(pick(whole, "my-encoder"), { variant: "quantized" });
    assert.equal(await variant.model["onnx/model.onnx"]!.text(), "q");
  });

  it("side by side", async () => {
    const { model } = await modelFromFiles(pick({ "tokenizer.json": "{}", "model.onnx": "x", "config.json": "{}" }));
    assert.deepEqual(Object.keys(model).sort(), ["config.json", "model.onnx", "tokenizer.json"]);
  });

  it("with something missing, which is named", async () => {
    const cases: [Record<string, string>, string, RegExp][] = [
      [{}, "", /no files given/],
      [{ "model.onnx": "x" }, "", /the choice of files has no tokenizer\.json/],
      [{ "tokenizer.json": "{}", "x.bin": "" }, "m", /the folder m has no ONNX export/],
      [{ ...whole, "modules.json": "[" }, "m", /modules\.json: /],
      [{ "modules.json": whole["modules.json"], "tokenizer.json": "{}", "model.onnx": "" }, "m", /the folder m has no 1_Pooling\/config\.json/],
    ];
    for (const [files, folder, message] of cases) {
      const e = await rejection(modelFromFiles(pick(files, folder)));
      assert.ok(e instanceof DOMException && message.test(e.message), String(e));
    }
  });
});
