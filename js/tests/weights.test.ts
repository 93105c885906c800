import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { type Core, createCore, type Embeddings, loadWeights, OptionError, type SentenceEncoder, type WeightsFiles } from "cerasum";
import { encoderName } from "../dist/shipped.js";
import { ferry } from "./cluster.js";
import { isDOM, rejection, root } from "./support.js";
import { file, flat, json, shippedFiles, type Tensors, tensors, write } from "./weights.js";

const D = 4;
const P = 3;
const config = { dimensions: D, positions: P, interpolation: true, encoder: "letters" };
const good = tensors(D, P, true);
const files = (change: { config?: unknown; tensors?: Uint8Array<ArrayBuffer> } = {}): WeightsFiles => ({
  "config.json": json(change.config ?? config),
  "model.safetensors": change.tensors ?? file(good),
});

/** Numbers of its own for every sentence. */
const letters: SentenceEncoder = {
  model: "letters",
  async embed(texts): Promise<Embeddings> {
    const embeddings = new Float32Array(texts.length * D);
    texts.forEach((text, i) => {
      for (let d = 0; d < D; d++) embeddings[i * D + d] = Math.sin(text.charCodeAt(d) * (d + 1)) + 0.1;
    });
    return { embeddings, dimensions: D };
  },
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cerasum-"));
  write(folder, shippedFiles([
    { name: "cera-a", interpolation: false, free: false },
    { name: "cerai-a", interpolation: true, free: false, encoder: "letters" },
    { name: "cerai-free", interpolation: true, free: true, encoder: "letters" },
  ], D));
});
after(() => rmSync(folder, { recursive: true }));

describe("loadWeights", () => {
  it("puts the tensors of files in the core's order, whatever theirs", async () => {
    const weights = await loadWeights(files(), { name: "mine" });
    assert.deepEqual({ ...weights, data: [...weights.data] }, { name: "mine", ...config, licence: "", free: false, data: flat(good) });
    const cera = await loadWeights({
      "config.json": new Blob([json({ ...config, interpolation: false, corpora: ["told of, and not looked at"] })]),
      "model.safetensors": file(tensors(D, P, false)).buffer,
    });
    assert.deepEqual([cera.name, cera.interpolation, [...cera.data]], ["files", false, flat(tensors(D, P, false))]);
  });

  it("reads a folder by its address, and shipped ones by their names", async () => {
    const url = pathToFileURL(`${folder}/cerai-free`);
    const weights = await loadWeights(url);
    assert.deepEqual([weights.name, weights.encoder, weights.positions, weights.licence, weights.free], ["cerai-free", "letters", 3, "CC BY 4.0", true]);
    assert.deepEqual(await loadWeights("cerai-free", { weightsURL: `${folder}/` }), weights);
    assert.deepEqual(await loadWeights(url.href, { name: "cerai-free" }), weights);
    assert.deepEqual(await loadWeights(`${folder}/cerai-free/`), weights);
  });

  const changed = (change: (all: Tensors) => void): Uint8Array<ArrayBuffer> => {
    const all = structuredClone(good);
    change(all);
    return file(all);
  };
  const bad: Record<string, [Parameters<typeof files>[0], RegExp]> = {
    "a config that is no object": [{ config: [1] }, /config\.json: want an object/],
    "no dimensions": [{ config: { ...config, dimensions: undefined } }, /config\.json: dimensions is undefined: want a whole number from 1 to 16384/],
    "half a position": [{ config: { ...config, positions: 1.5 } }, /config\.json: positions is 1\.5/],
    "too many positions": [{ config: { ...config, positions: 1e9 } }, /positions is 1000000000: want a whole number from 1 to 65536/],
    "interpolation of the wrong type": [{ config: { ...config, interpolation: 1 } }, /config\.json: interpolation is 1: want true or false/],
    "no encoder": [{ config: { ...config, encoder: undefined } }, /config\.json: encoder is undefined: want a string/],
    "a licence that is no text": [{ config: { ...config, licence: 4 } }, /config\.json: licence is 4: want a string/],
    "a freedom that is no yes or no": [{ config: { ...config, free: "yes" } }, /config\.json: free is "yes": want true or false/],
    "what is not safetensors": [{ tensors: new TextEncoder().encode("no tensors at all") }, /model\.safetensors: header of \d+ bytes in a file of/],
    "a file that is cut off": [{ tensors: file(good).slice(0, -1) }, /model\.safetensors: tensor "[a-z_.]+": data_offsets/],
    "a missing tensor": [{ tensors: changed((all) => delete all["output.bias"]) }, /model\.safetensors: missing tensor "output\.bias"/],
    "CeRA as CeRAI": [{ tensors: file(tensors(D, P, false)) }, /missing tensor "interpolation\.hidden\.weight"/],
    "CeRAI as CeRA": [{ config: { ...config, interpolation: false } }, /unexpected tensor "interpolation\.[a-z.]+" \(interpolation is false\)/],
    "another shape": [{ tensors: changed((all) => (all["attention.hidden.weight"]!.shape = [2 * D, D])) }, /tensor "attention\.hidden\.weight" has shape 8×4, but config\.json says 4×8/],
    "other positions": [{ config: { ...config, positions: 7 } }, /tensor "position_embeddings" has shape 4×4, but config\.json says 8×4/],
    "what is no number": [{ tensors: changed((all) => (all["output.bias"]!.data[2] = NaN)) }, /tensor "output\.bias": number 2 is NaN/],
    "what is not finite": [{ tensors: changed((all) => (all["output.weight"]!.data[0] = Infinity)) }, /tensor "output\.weight": number 0 is Infinity/],
  };
  for (const [name, [change, message]] of Object.entries(bad)) {
    it(`refuses ${name}`, async () => {
      const error = await rejection(loadWeights(files(change), { name: "mine" }));
      assert.ok(isDOM(error, "OperationError"), String(error));
      assert.match((error as DOMException).message, /^weights mine: /);
      assert.match((error as DOMException).message, message);
    });
  }

  it("refuses missing files, unknown names, bad arguments", async () => {
    assert.match(String(await rejection(loadWeights({ "config.json": json(config) }))), /OperationError.*|model\.safetensors: file not found/);
    assert.match(String(await rejection(loadWeights(pathToFileURL(`${folder}/none/`)))), /weights none: config\.json: file not found/);
    const unknown = await rejection(loadWeights("cerai-b", { weightsURL: folder }));
    assert.ok(isDOM(unknown, "NotFoundError"));
    assert.match(String(unknown), /no weights "cerai-b": this build of cerasum has cera-a, cerai-a, cerai-free/);
    write(join(folder, "empty"), shippedFiles([], D));
    assert.match(String(await rejection(loadWeights("cerai-b", { weightsURL: `${folder}/empty` }))), /no weights "cerai-b": this build of cerasum has none/);
    const missing = await rejection(loadWeights("cera-a", { weightsURL: `${folder}/cera-a` }));
    assert.ok(isDOM(missing, "NotFoundError"));
    assert.match(String(missing), /the shipped weights are in the package cerasum-encoder: file:.*\/cera-a\/manifest\.json not found/);
    assert.ok(await rejection(loadWeights(undefined as unknown as string)) instanceof TypeError);
    assert.match(String(await rejection(loadWeights("a", { url: "b" } as object))), /unknown option url/);
    const server = await rejection(loadWeights("http://127.0.0.1:1/weights/"));
    assert.ok(isDOM(server, "NetworkError"), String(server));
  });

  it("refuses a list of weights that is none", async () => {
    for (const [content, message] of [["{", /manifest\.json: /], ["{}", /manifest\.json: no list of weights/], ['{"weights": [{"name": "a", "method": "cera"}]}', /weights\[0\]: want name, method and free/]] as const) {
      write(join(folder, "bad"), { "manifest.json": new TextEncoder().encode(content) });
      const error = await rejection(loadWeights("a", { weightsURL: join(folder, "bad") }));
      assert.ok(isDOM(error, "OperationError"), String(error));
      assert.match(String(error), message);
    }
  });

  it("can be aborted", async () => {
    assert.equal(await rejection(loadWeights(files(), { signal: AbortSignal.abort("enough") })), "enough");
    assert.equal(await rejection(loadWeights("cera-a", { weightsURL: folder, signal: AbortSignal.abort("enough") })), "enough");
  });
});

describe("summarize with weights", () => {
  let core: Core;
  before(() => {
    core = createCore({ weightsURL: folder });
  });
  after(() => core.destroy());
  const budget = { budget: { words: 60 } } as const;

  it("tells which methods want them", async () => {
    const methods = (await core.info()).methods;
    assert.deepEqual(methods.filter(({ weights }) => weights).map(({ name, embeddings }) => [name, embeddings]), [["cera", "required"], ["cerai", "required"]]);
  });

  it("tells how much each sentence weighs", async () => {
    for (const method of ["cera", "cerai"]) {
      const summary = await core.summarize(ferry, { ...budget, method, licence: "any" }, { encoder: letters });
      assert.equal(summary.method, method);
      const all = summary.documents.flatMap(({ attention, sentences }) => {
        assert.equal(attention?.length, sentences);
        return attention!;
      });
      assert.ok(all.every((x) => x >= 0) && Math.abs(all.reduce((a, b) => a + b) - 1) < 1e-5, all.join());
      assert.ok(new Set(all).size > 2);
    }
    assert.equal((await core.summarize(ferry, { ...budget, method: "lead" })).documents[0]!.attention, null);
  });

  it("takes shipped ones where there are none, by licence", async () => {
    const named = async (options: object): Promise<string | undefined> => (await core.summarize(ferry, { ...budget, ...options }, { encoder: letters })).weights;
    assert.equal(await named({ method: "cerai", licence: "any" }), "cerai-a");
    assert.equal(await named({ method: "cerai" }), "cerai-free");
    assert.equal(await named({ method: "cerai", licence: "free" }), "cerai-free");
    assert.equal(await named({ method: "cera", licence: "any" }), "cera-a");
    assert.equal(await named({ method: "mean" }), undefined);
    const error = await rejection(named({ method: "cera" }));
    assert.ok(isDOM(error, "NotFoundError"));
    assert.match(String(error), /no weights for method cera trained on freely licensed corpora only/);
  });

  it("gives the same with weights that are handed in, as part of a larger buffer too", async () => {
    const shipped = await core.summarize(ferry, { ...budget, method: "cerai", licence: "any" }, { encoder: letters });
    const weights = await loadWeights("cerai-a", { weightsURL: folder });
    const larger = new Float32Array([NaN, ...weights.data, NaN]);
    for (const own of [weights, { ...weights, data: larger.subarray(1, -1) }]) {
      const summary = await core.summarize(ferry, { ...budget, method: "cerai", weights: own }, { encoder: letters });
      assert.deepEqual(summary.documents, shipped.documents);
      assert.deepEqual(summary.sentences, shipped.sentences);
      assert.equal(summary.weights, "cerai-a");
    }
    const session = await core.open(ferry);
    await session.embed(await letters.embed(session.texts));
    const direct = await session.summarize({ ...budget, method: "cerai", weights });
    assert.deepEqual(direct.documents, shipped.documents);
  });

  it("refuses weights of another kind, size or encoder", async () => {
    const call = (method: string, weights: object | undefined, encoder: SentenceEncoder = letters): Promise<unknown> =>
      rejection(core.summarize(ferry, { ...budget, method, weights: weights as never }, { encoder }));
    const cera = await loadWeights("cera-a", { weightsURL: folder });
    const cerai = await loadWeights("cerai-a", { weightsURL: folder });
    for (const [error, message] of [
      [await call("cerai", cera), /interpolation/],
      [await call("cera", cerai), /interpolation/],
      [await call("cerai", { ...cerai, encoder: "digits" }), /options\.weights: cerai-a: trained for encoder "digits", got "letters"/],
      [await call("cerai", cerai, { ...letters, model: "digits" }), /trained for encoder "letters", got "digits"/],
      [await call("cerai", { ...cerai, data: cerai.data.slice(1) }), /options\.weights/],
      [await call("cerai", { ...cerai, data: [...cerai.data] }), /options\.weights\.data: want a Float32Array, got an array/],
      [await call("cerai", { ...cerai, data: new Float64Array(cerai.data) }), /options\.weights\.data: want a Float32Array, got a Float64Array/],
      [await call("cerai", { ...cerai, data: cerai.data.with(3, NaN) }), /options\.weights: .*NaN/],
      [await call("cerai", { ...cerai, layers: 2 }), /options\.weights\.layers/],
      [await call("cerai", { ...(await loadWeights({ "config.json": json({ ...config, dimensions: 2 }), "model.safetensors": file(tensors(2, P, true)) })) }), /dimensions/],
      [await rejection(core.summarize(ferry, { method: "cerai", weights: cerai })), /embeddings/],
      [await rejection(core.summarize(ferry, { licence: "GPL" as "free" })), /options\.licence/],
      [await rejection(core.summarize(ferry, { method: "cerai", licence: "free", weights: cerai }, { encoder: letters })), /options\.weights: cerai-a are not marked as trained on freely licensed corpora only/],
    ] as const) {
      assert.ok(error instanceof OptionError, String(error));
      assert.match(error.message, message);
    }
    // An encoder that does not say which it is cannot be told from another.
    const { embed } = letters;
    assert.ok((await core.summarize(ferry, { ...budget, method: "cerai", weights: cerai }, { encoder: { embed } })).sentences.length > 0);
  });

  it("loads shipped ones once, and again where they could not be had", async () => {
    const own = join(folder, "own");
    const files = shippedFiles([{ name: "cerai-a", interpolation: true, free: false }], D);
    write(own, { ...files, "cerai-a/model.safetensors": new Uint8Array(9) });
    const other = createCore({ weightsURL: own });
    const call = (): Promise<{ weights?: string }> => other.summarize(ferry, { ...budget, method: "cerai", licence: "any" }, { encoder: letters });
    assert.match(String(await rejection(call())), /weights cerai-a: model\.safetensors/);
    write(own, files);
    assert.equal((await call()).weights, "cerai-a");
    rmSync(own, { recursive: true });
    assert.equal((await call()).weights, "cerai-a");
    other.destroy();
  });

  it("says so where the build has none, and where the package is missing", async () => {
    write(join(folder, "empty"), shippedFiles([], D));
    for (const [name, message] of [
      ["empty", /^this build of cerasum has no weights for method cerai$/],
      ["none", /^the shipped weights are in the package cerasum-encoder: file:.*\/none\/manifest\.json not found$/],
    ] as const) {
      const other = createCore({ weightsURL: join(folder, name) });
      const error = await rejection(other.summarize(ferry, { ...budget, method: "cerai" }, { encoder: letters }));
      assert.ok(isDOM(error, "NotFoundError"));
      assert.match((error as DOMException).message, message);
      other.destroy();
    }
  });

  it("can be aborted while they load", async () => {
    const controller = new AbortController();
    const slow: SentenceEncoder = { embed: (texts) => (controller.abort("enough"), letters.embed(texts)) };
    assert.equal(await rejection(core.summarize(ferry, { method: "cerai" }, { encoder: slow, signal: controller.signal })), "enough");
  });
});

it("the shipped encoder's name, by which weights go, is that of the manifest", { skip: !existsSync(join(root, "js/dist/encoder/encoder.onnx")) && "this build has no encoder" }, () => {
  const manifest = JSON.parse(readFileSync(join(root, "models/manifest.json"), "utf8")) as { encoder: { name: string } };
  assert.equal(encoderName, manifest.encoder.name);
});
