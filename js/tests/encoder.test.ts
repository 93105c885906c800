import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { createEncoder, type EncoderFiles, type EncoderOptions, type EncoderProgress, type WorkerLike } from "cerasum";
import { cardLanguages } from "../dist/encoder-folder.js";
import { plan } from "../dist/encoder-model.js";
import { shippedFiles } from "../dist/shipped.js";
import { startWorker } from "../dist/node-worker.js";
import {
  type Dense, makeEncoders, modules, naiveDense, naivePool, naiveStatic, naiveTransformer, onRuntime, safetensors, type TestEncoders, unit,
} from "./encoders.js";
import { ModelHub, testID } from "./model-hub.js";
import { again, count, isDOM, it, rejection, root, slow, within } from "./support.js";

const texts = ["The ferry sails.", "Harbours, and more harbours: going, going.", "", "船", "x", "Ещё е", "a b c d e f g h i j k l m n o p q r s t u v w x y z"];

let encoders: TestEncoders;
before(() => {
  encoders = makeEncoders();
});
after(() => encoders.remove());

/** Embeds with a new encoder. */
async function embed(options: EncoderOptions, list: readonly string[] = texts): Promise<number[][]> {
  const encoder = createEncoder(options);
  try {
    const { embeddings, dimensions } = await encoder.embed(list);
    assert.equal(embeddings.length, list.length * dimensions);
    assert.equal(encoder.dimensions, dimensions);
    return list.map((_, i) => [...embeddings.slice(i * dimensions, (i + 1) * dimensions)]);
  } finally {
    encoder.destroy();
  }
}

function near(got: number[][], want: number[][], tolerance = 1e-4): void {
  assert.equal(got.length, want.length);
  got.forEach((row, i) => {
    assert.equal(row.length, want[i]!.length, `row ${i}`);
    row.forEach((x, d) => assert.ok(Math.abs(x - want[i]![d]!) < tolerance, `row ${i}, dimension ${d}: ${x}, want ${want[i]![d]}`));
  });
}

/** What the static encoder has in its config.json. */
const said = { "config.json": { model_type: "static" } };

/** The static model with bytes, as Latin-1, replaced where they first occur. */
function patched(patches: Record<string, string>): Uint8Array {
  let model = Buffer.from(encoders.files("static")["model.onnx"] as Uint8Array).toString("latin1");
  for (const [from, to] of Object.entries(patches)) {
    assert.ok(model.includes(from));
    model = model.replace(from, () => to);
  }
  return new Uint8Array(Buffer.from(model, "latin1"));
}

/** Deterministic numbers. */
const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898 + n) / 2);

describe("an encoder", () => {
  it("of the static kind gives what its table says", async () => {
    near(await embed({ model: encoders.files("static") }), texts.map((text) => naiveStatic(encoders.weights, encoders.ids(text))));
  });

  it("that says it is static runs without onnxruntime", async () => {
    const model = encoders.files("static", said);
    const got = await embed({ model, ortURL: pathToFileURL(encoders.folder) });
    near(got, texts.map((text) => naiveStatic(encoders.weights, encoders.ids(text))), 1e-7);
    near(got, await embed({ model: encoders.files("static") }), 1e-6);
    // A prefix, and its own limit of tokens.
    const limited = { ...said, "sentence_bert_config.json": { max_seq_length: 6 } };
    const ids = encoders.ids(texts.at(-1)!);
    near(await embed({ model: encoders.files("static", limited) }, [texts.at(-1)!]), [naiveStatic(encoders.weights, [...ids.slice(0, 5), ids.at(-1)!])], 1e-7);
  });

  it("of another kind that calls itself static runs on onnxruntime", async () => {
    near(await embed({ model: encoders.files("transformer", said) }), texts.map((text) => naivePool("mean", naiveTransformer(encoders.weights, encoders.ids(text)))));
  });

  it("of the static kind whose numbers are not raw bytes runs on onnxruntime", async () => {
    // The scales in float_data (field 4) instead of raw_data (field 9): packed, the bytes are the same.
    const model = patched({ "\x06scalesJ": "\x06scales\"" });
    near(await embed({ model: encoders.files("static", { ...said, "model.onnx": model }) }), texts.map((text) => naiveStatic(encoders.weights, encoders.ids(text))));
  });

  const dense: Dense = { in: 16, out: 5, weight: numbers(80), bias: numbers(5), activation: "Tanh" };
  const linear: Dense = { in: 8, out: 3, weight: numbers(24), activation: "Identity" };
  const cases: Record<string, [string[], { dense?: Dense; normalize?: true }[]]> = {
    mean: [["mean"], []],
    cls: [["cls"], []],
    max: [["max"], []],
    "all three": [["cls", "max", "mean"], []],
    "mean, normalized": [["mean"], [{ normalize: true }]],
    "cls and mean, dense with tanh, normalized": [["cls", "mean"], [{ dense }, { normalize: true }]],
    "mean, a layer without bias and activation": [["mean"], [{ dense: linear }]],
  };
  for (const [name, [modes, layers]] of Object.entries(cases)) {
    (name === "mean" || layers.length > 1 ? it : slow)(`pools: ${name}`, async () => {
      const got = await embed({ model: encoders.files("transformer", modules(modes, layers)) });
      near(got, texts.map((text) => {
        const hidden = naiveTransformer(encoders.weights, encoders.ids(text));
        let v = modes.flatMap((mode) => naivePool(mode, hidden));
        for (const layer of layers) v = layer.dense ? naiveDense(layer.dense, v) : unit(v);
        return v;
      }));
    });
  }

  it("takes the mean where there is no modules.json, and reads onnx/model.onnx first", async () => {
    const files = encoders.files("static");
    files["onnx/model.onnx"] = encoders.files("transformer")["model.onnx"]!;
    near(await embed({ model: files }), texts.map((text) => naivePool("mean", naiveTransformer(encoders.weights, encoders.ids(text)))));
  });

  slow("reads an older export, whose transformer has a folder of its own, from a folder of the disk", async () => {
    const described = modules(["cls"]);
    (described["modules.json"] as { path: string }[])[0]!.path = "0_Transformer";
    const files = encoders.files("transformer", described);
    const folder = join(encoders.folder, "older export");
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, /^(model|tokenizer)/.test(name) ? `0_Transformer/${name}` : name);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, content as Uint8Array);
    }
    const want = texts.map((text) => naivePool("cls", naiveTransformer(encoders.weights, encoders.ids(text))));
    near(await embed({ model: pathToFileURL(folder) }), want);
    const encoder = createEncoder({ model: folder });
    await encoder.ready();
    assert.deepEqual([encoder.name, encoder.dimensions, encoder.device], ["older export", 8, "wasm"]);
    encoder.destroy();
  });

  slow("puts the prefix before every text: its caller's, or the default of the export", async () => {
    const prompts = { prompts: { query: "ferry ", passage: "x" }, default_prompt_name: "query" };
    const want = await embed({ model: encoders.files("static") }, ["ferry harbours"]);
    near(await embed({ model: encoders.files("static"), prefix: "ferry " }, ["harbours"]), want);
    near(await embed({ model: encoders.files("static", { "config_sentence_transformers.json": prompts }) }, ["harbours"]), want);
    const plain = await embed({ model: encoders.files("static") }, ["harbours"]);
    near(await embed({ model: encoders.files("static", { "config_sentence_transformers.json": prompts }), prefix: "" }, ["harbours"]), plain);
  });

  again("cuts texts off at the limit and keeps the special tokens", async () => {
    const limits: Record<string, Record<string, unknown>>[] = [
      { "sentence_bert_config.json": { max_seq_length: 6 } },
      { "tokenizer_config.json": { model_max_length: 6 } },
      { "config.json": { max_position_embeddings: 6 } },
      { "config.json": { max_position_embeddings: 8, model_type: "xlm-roberta", pad_token_id: 1 }, "tokenizer_config.json": { model_max_length: 1e30 } },
    ];
    const ids = encoders.ids(texts.at(-1)!);
    const cut = [...ids.slice(0, 5), ids.at(-1)!];
    for (const limit of limits.slice(0, count(2, limits.length))) {
      near(await embed({ model: encoders.files("transformer", { ...modules(["cls"]), ...limit }) }, [texts.at(-1)!]),
        [naivePool("cls", naiveTransformer(encoders.weights, cut))]);
    }
  });

  slow("puts texts into small letters where the export wants it", async () => {
    const tokenizer = JSON.parse(new TextDecoder().decode(encoders.files("static")["tokenizer.json"] as Uint8Array)) as { normalizer: unknown };
    const cased = { "tokenizer.json": { ...tokenizer, normalizer: null } };
    const plain = await embed({ model: encoders.files("static") }, ["FERRY"]);
    near(await embed({ model: encoders.files("static", { ...cased, "sentence_bert_config.json": { max_seq_length: 8, do_lower_case: true } }) }, ["FERRY"]), plain);
  });

  it("gives every text its own row, however they are sorted and padded", async () => {
    const many = Array.from({ length: 400 }, (_, i) => "ferry harbour sailing x y z ".repeat(1 + ((i * 7919) % 23)).slice(0, 3 + ((i * 104729) % 400)));
    const got = await embed({ model: encoders.files("transformer") }, many);
    near(got, many.map((text) => naivePool("mean", naiveTransformer(encoders.weights, encoders.ids(text)))), 1e-3);
    assert.deepEqual(await embed({ model: encoders.files("static") }, []), []);
  });

  slow("replaces halves of characters, as every other way out of the page does", async () => {
    const [half, whole] = await embed({ model: encoders.files("static") }, ["a \ud83d b", "a \ufffd b"]);
    assert.deepEqual(half, whole);
  });

  it("tells the languages of its model card", async () => {
    const card = new TextEncoder().encode("---\nlicense: cc-by-4.0\nlanguage:\n  - en\n  - pt\ntags: [x]\n---\n# Model\n");
    const encoder = createEncoder({ model: encoders.files("static", { "README.md": card }), name: "tiny" });
    assert.deepEqual([encoder.name, encoder.languages, encoder.dimensions], ["tiny", undefined, undefined]);
    await encoder.ready();
    assert.deepEqual(encoder.languages, ["en", "pt"]);
    encoder.destroy();
    assert.deepEqual(cardLanguages("---\nlanguage: [en, zh-Hant]\n---"), ["en", "zh-Hant"]);
    assert.deepEqual(cardLanguages("---\r\nlanguage: multilingual\r\n---\r\n"), ["multilingual"]);
    assert.deepEqual(cardLanguages("# language: en"), []);
  });

  it("tells of its progress", async () => {
    const encoder = createEncoder({ model: encoders.files("static") });
    const told: EncoderProgress[] = [];
    await encoder.embed(texts, { onprogress: (progress) => told.push(progress) });
    assert.deepEqual(told.at(-1), { stage: "encode", done: texts.length, total: texts.length });
    encoder.destroy();
  });

  it("falls back to WebAssembly where there is no WebGPU", async () => {
    const encoder = createEncoder({ model: encoders.files("static"), device: "webgpu" });
    await encoder.ready();
    assert.equal(encoder.device, "wasm");
    encoder.destroy();
  });

  it("refuses unknown options by name", () => {
    assert.throws(() => createEncoder({ modle: "x" } as EncoderOptions), /unknown option modle/);
    assert.throws(() => createEncoder({ device: "cpu" as "wasm" }), /device is "cpu"/);
    assert.throws(() => createEncoder({ model: 7 as unknown as string }), TypeError);
  });

  it("refuses what are no texts", async () => {
    const encoder = createEncoder({ model: encoders.files("static") });
    assert.match(String(await rejection(encoder.embed(["a", 7 as unknown as string]))), /texts\[1\]: want a string/);
    assert.match(String(await rejection(encoder.embed("a" as unknown as string[]))), /texts: want an array/);
    encoder.destroy();
  });

  it("does not keep the process alive", () => {
    const script = `import { readFileSync } from "node:fs";
      import { createEncoder } from "cerasum";
      const read = (name) => readFileSync(${JSON.stringify(encoders.folder)} + "/" + name);
      const encoder = createEncoder({ model: { "model.onnx": read("static.onnx"), "tokenizer.json": read("tokenizer.json") } });
      console.log((await encoder.embed(["a", "b"])).embeddings.length);`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: join(root, "js"), encoding: "utf8", timeout: 60_000 });
    assert.equal(out.trim(), "16");
  });
});

describe("the shipped encoder", () => {
  it("gives what onnxruntime gives of it, without onnxruntime", async () => {
    const samples = join(root, "web/demo/samples");
    const list = readdirSync(samples)
      .flatMap((name) => (JSON.parse(readFileSync(join(samples, name), "utf8")) as { documents: { text: string }[] }).documents)
      .flatMap(({ text }) => text.split(/\n+|(?<=[.?!])\s/u));
    list.push("", " ", "\u0000", "?", "船が座礁した。", "เรือเกยตื้น", "السفينة", "Ένα πλοίο", list.join(" "));
    const own = await embed({ ortURL: pathToFileURL(join(encoders.folder, "none")) }, list);
    near(own, await embed({ model: onRuntime() }, list), 1e-6);
  });

  it("needs of onnxruntime what its kind needs, and nothing where none is shipped", () => {
    const runtime = (folder: string): number => {
      const script = `import { encoderRuntime } from ${JSON.stringify(pathToFileURL(join(root, "build/encoder.mjs")))}; console.log(encoderRuntime.length);`;
      return Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env: { ...process.env, CERASUM_ENCODER: folder } }));
    };
    const other = join(encoders.folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "config.json"), JSON.stringify({ model_type: "bert" }));
    assert.deepEqual([join(root, "models/encoder"), other, "", join(encoders.folder, "none")].map(runtime), [0, 3, 0, 0]);
  });

  it("needs the files that the build has, and onnxruntime unless it is static", () => {
    const files = readdirSync(join(root, "models/encoder"), { recursive: true, encoding: "utf8" });
    assert.deepEqual(files.sort(), [...shippedFiles]);
    // The library of a build with another encoder.
    const library = join(encoders.folder, "library");
    cpSync(join(root, "js/dist"), library, { recursive: true, filter: (from) => !/[\\/](encoder|ort|weights|[^\\/]*\.(wasm|d\.ts))$/.test(from) });
    const needed = (folder: string): string[] => {
      const script = `import { writeFileSync } from "node:fs";
        import { shippedModule } from ${JSON.stringify(pathToFileURL(join(root, "build/encoder.mjs")))};
        writeFileSync("shipped.js", shippedModule);
        const { createEncoder } = await import("${pathToFileURL(join(library, "index.node.js")).href}");
        const { hasFiles } = await import("${pathToFileURL(join(library, "needed-files.js")).href}");
        hasFiles(createEncoder(), (url) => { console.log(url); return true; });`;
      const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: library, encoding: "utf8", env: { ...process.env, CERASUM_ENCODER: folder } });
      return out.trim().split("\n").map((url) => url.slice(url.lastIndexOf("/library/") + 9));
    };
    const other = join(encoders.folder, "pooled");
    mkdirSync(join(other, "1_Pooling"), { recursive: true });
    for (const name of ["config.json", "model.onnx", "1_Pooling/config.json"]) writeFileSync(join(other, name), "{}");
    assert.deepEqual(needed(join(root, "models/encoder")), files.map((name) => `encoder/${name}`));
    assert.deepEqual(needed(other), ["encoder/1_Pooling/config.json", "encoder/config.json", "encoder/model.onnx", "ort/ort-wasm-simd-threaded.wasm"]);
  });

  it("embeds what is said in several languages near itself", async () => {
    const encoder = createEncoder();
    const said = ["The harbour is closed until Friday.", "O porto está fechado até sexta-feira.", "Гавань закрыта до пятницы.", "Tomatoes are cheaper this summer."];
    const { embeddings, dimensions } = await encoder.embed(said);
    const cosine = (a: number, b: number): number => {
      let sum = 0;
      for (let d = 0; d < dimensions; d++) sum += embeddings[a * dimensions + d]! * embeddings[b * dimensions + d]!;
      return sum;
    };
    for (const i of [0, 1, 2, 3]) assert.ok(Math.abs(cosine(i, i) - 1) < 1e-5);
    for (const i of [1, 2]) assert.ok(cosine(0, i) > cosine(0, 3) + 0.2, `${said[i]}: ${cosine(0, i)}, the other ${cosine(0, 3)}`);
    assert.ok(encoder.languages!.includes("pt") && encoder.languages!.includes("ru"));
    encoder.destroy();
  });
});

it("batches hold texts of like length, bounded by tokens, each text once", () => {
  const lengths = [3, 500, 0, 700, 3, 2000, 12, 300, 300, 300];
  const batches = plan(lengths.map((n) => new Int32Array(n)));
  assert.deepEqual(batches.map((batch) => batch.map((k) => lengths[k])), [[2000], [700], [500, 300], [300, 300, 12], [3, 3]].map((x) => x));
});

describe("a file that is not what it must be is named", () => {
  const tokenizer = (change: (config: Record<string, unknown>) => void): Record<string, unknown> => {
    const config = JSON.parse(new TextDecoder().decode(encoders.files("static")["tokenizer.json"] as Uint8Array)) as Record<string, unknown>;
    change(config);
    return { "tokenizer.json": config };
  };
  /** The static model with NaN for its first scale. */
  const infinite = (): Uint8Array => {
    const model = Buffer.from(encoders.files("static")["model.onnx"] as Uint8Array);
    // The data follow the name, a tag and a length of one or two bytes.
    const at = model.indexOf("\x06scalesJ", 0, "latin1") + 8;
    model.writeFloatLE(NaN, at + (model[at]! < 128 ? 1 : 2));
    return new Uint8Array(model);
  };
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const wide: Dense = { in: 9, out: 2, weight: numbers(18), bias: numbers(2), activation: "Tanh" };
  const cases: Record<string, [() => EncoderFiles, RegExp]> = {
    "no model": [() => encoders.files("static", { "model.onnx": undefined }), /onnx\/model\.onnx: file not found/],
    "no tokenizer": [() => encoders.files("static", { "tokenizer.json": undefined }), /tokenizer\.json: file not found/],
    "a model that is none": [() => encoders.files("static", { "model.onnx": bytes("no model at all") }), /model\.onnx: /],
    "half a model": [() => encoders.files("static", { "model.onnx": (encoders.files("static")["model.onnx"] as Uint8Array).slice(0, 900) }), /model\.onnx: /],
    "an empty model": [() => encoders.files("static", { "model.onnx": bytes("") }), /model\.onnx: /],
    "a static model that is none": [() => encoders.files("static", { ...said, "model.onnx": bytes("no model at all") }), /model\.onnx: invalid ONNX file: /],
    "an empty static model": [() => encoders.files("static", { ...said, "model.onnx": bytes("") }), /model\.onnx: invalid ONNX file: no graph/],
    "half a static model": [() => encoders.files("static", { ...said, "model.onnx": (encoders.files("static")["model.onnx"] as Uint8Array).slice(0, 900) }), /model\.onnx: invalid ONNX file: cut off/],
    "a static model with a scale that is no number": [() => encoders.files("static", { ...said, "model.onnx": infinite() }), /model\.onnx: invalid ONNX file: scales: number 0 is NaN/],
    // A shape is a field 1 for each dimension, here 64 and 8; the type and the name follow.
    "a static model without dimensions": [() => encoders.files("static", { ...said, "model.onnx": patched({ "\x08\x08\x10\x03B\x05table": "\x08\x00\x10\x03B\x05table" }) }), /model\.onnx: invalid ONNX file: table: 64×0, want at least one row and one column/],
    "a static model without tokens": [() => encoders.files("static", { ...said, "model.onnx": patched({ "\x08@\x08\x08\x10\x03B\x05table": "\x08\x00\x08\x08\x10\x03B\x05table", "\x08@\x10\x01B\x06scales": "\x08\x00\x10\x01B\x06scales" }) }), /model\.onnx: invalid ONNX file: table: 0×8, want at least one row and one column/],
    "half a tokenizer": [() => encoders.files("static", { "tokenizer.json": bytes('{"model":') }), /tokenizer\.json: .*JSON/],
    "a tokenizer of another kind": [() => encoders.files("static", tokenizer((c) => (c["model"] = { type: "Rule" }))), /tokenizer\.json: Unknown TokenizerModel type: Rule/],
    "an unknown normalizer": [() => encoders.files("static", tokenizer((c) => (c["normalizer"] = { type: "Sequence", normalizers: [{ type: "Stem" }] }))), /tokenizer\.json: Unknown Normalizer type: Stem/],
    "an unknown pre-tokenizer": [() => encoders.files("static", tokenizer((c) => (c["pre_tokenizer"] = { type: "Syllables" }))), /tokenizer\.json: Unknown PreTokenizer type: Syllables/],
    "an unknown post-processor": [() => encoders.files("static", tokenizer((c) => (c["post_processor"] = { type: "Rhyme" }))), /tokenizer\.json: Unknown PostProcessor type: Rhyme/],
    "an unknown pattern": [() => encoders.files("static", tokenizer((c) => (c["normalizer"] = { type: "Replace", pattern: { Glob: "*" }, content: "" }))), /tokenizer\.json: normalizer\.pattern: want a String or a Regex/],
    "modules that are no list": [() => encoders.files("static", { "modules.json": {} }), /modules\.json: no modules listed/],
    "an unknown module": [() => encoders.files("static", { "modules.json": [{ path: "", type: "a.Transformer" }, { path: "1_LSTM", type: "a.LSTM" }] }), /modules\.json: \[1\]\.type: unknown "a\.LSTM"/],
    "modules in a wrong order": [() => encoders.files("static", { "modules.json": [{ path: "", type: "a.Normalize" }, { path: "x", type: "a.Transformer" }] }), /modules\.json: \[1\]: Transformer out of order/],
    "a path outside the folder": [() => encoders.files("static", { "modules.json": [{ path: "../up", type: "a.Transformer" }] }), /modules\.json: \[0\]\.path: want a path inside the model's folder, got "\.\.\/up"/],
    "a path that is an address": [() => encoders.files("static", { "modules.json": [{ path: "https://x.example", type: "a.Transformer" }] }), /want a path inside/],
    "an unknown pooling mode": [() => encoders.files("transformer", { ...modules(["mean"]), "1_Pooling/config.json": { pooling_mode_lasttoken: true } }), /1_Pooling\/config\.json: unknown pooling mode "lasttoken"/],
    "no pooling mode": [() => encoders.files("transformer", modules([])), /1_Pooling\/config\.json: no pooling mode set/],
    "no settings of the pooling": [() => encoders.files("transformer", { ...modules(["mean"]), "1_Pooling/config.json": undefined }), /1_Pooling\/config\.json: file not found/],
    "another width": [() => encoders.files("transformer", modules(["mean"], [], 12)), /1_Pooling\/config\.json: word_embedding_dimension is 12, but model\.onnx has vectors of 8/],
    "another width of a whole model": [() => encoders.files("static", modules(["mean"], [], 12)), /model\.onnx: sentence_embedding has 8 dimensions, but modules\.json says 12/],
    "a layer for other vectors": [() => encoders.files("transformer", modules(["mean"], [{ dense: wide }])), /2_Dense\/config\.json: in_features is 9, but its input has 8 dimensions/],
    "an unknown activation": [() => encoders.files("transformer", { ...modules(["mean"], [{ dense: wide }]), "2_Dense/config.json": { in_features: 9, out_features: 2, activation_function: "x.Swish" } }), /2_Dense\/config\.json: unknown activation_function "x\.Swish"/],
    "weights of another shape": [() => encoders.files("transformer", { ...modules(["mean"], [{ dense: wide }]), "2_Dense/model.safetensors": safetensors({ "linear.weight": { shape: [9, 2], data: numbers(18) } }) }), /2_Dense\/model\.safetensors: tensor "linear\.weight" is 9×2, but config\.json says 2×9/],
    "weights that are cut off": [() => encoders.files("transformer", { ...modules(["mean"], [{ dense: wide }]), "2_Dense/model.safetensors": safetensors({ "linear.weight": { shape: [2, 9], data: numbers(18) } }).slice(0, 100) }), /2_Dense\/model\.safetensors: /],
    "a limit that is none": [() => encoders.files("static", { "sentence_bert_config.json": { max_seq_length: "long" } }), /sentence_bert_config\.json: max_seq_length is "long"/],
    "a prompt that is not there": [() => encoders.files("static", { "config_sentence_transformers.json": { default_prompt_name: "q" } }), /config_sentence_transformers\.json: default_prompt_name "q" is not among its prompts/],
  };
  for (const [i, [name, [files, message]]] of Object.entries(cases).entries()) {
    (i % 6 === 0 ? it : slow)(name, async () => {
      const encoder = createEncoder({ model: files() });
      for (let i = 0; i < 2; i++) {
        const error = await rejection(encoder.ready());
        assert.ok(isDOM(error, "OperationError"), String(error));
        assert.match((error as Error).message, message);
      }
      encoder.destroy();
    });
  }

  it("an address where nothing is", async () => {
    const folder = pathToFileURL(join(encoders.folder, "none"));
    const error = await rejection(createEncoder({ model: folder }).ready());
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.match(String(error), /(tokenizer\.json|model\.onnx): file not found/);
  });

  it("a runtime that is not there", async () => {
    const error = await rejection(createEncoder({ model: encoders.files("static"), ortURL: pathToFileURL(encoders.folder) }).ready());
    assert.ok(isDOM(error, "NetworkError"), String(error));
    assert.match(String(error), /ort\.wasm\.min\.mjs cannot be loaded/);
  });

  it("a worker that is not there", async () => {
    const error = await rejection(createEncoder({ model: encoders.files("static"), workerURL: pathToFileURL(join(encoders.folder, "none.js")) }).ready());
    assert.ok(isDOM(error, "NetworkError"), String(error));
  });
});

describe("the encoder's worker", () => {
  const long = Array.from({ length: 40_000 }, (_, i) => `ferry harbour ${"sailing ".repeat(i % 30)}`);

  it("is started with the first call, and kept", async () => {
    const { encoder, workers } = counted(encoders.files("static"));
    assert.equal(workers.length, 0);
    await Promise.all([encoder.embed(["a"]), encoder.ready(), encoder.embed(["b"])]);
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  again("stops at an abort in mid-work, and answers the next call", async () => {
    const { encoder, workers } = counted(encoders.files("transformer"));
    await encoder.ready();
    const controller = new AbortController();
    let begun!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const call = rejection(encoder.embed(long, { signal: controller.signal, onprogress: ({ done }) => done > 0 && begun() }));
    const next = encoder.embed(["ferry"]);
    await begins;
    const aborted = performance.now();
    controller.abort("enough");
    assert.equal(await call, "enough");
    within(performance.now() - aborted, 100, "the rejection");
    near([[...(await next).embeddings]], [naivePool("mean", naiveTransformer(encoders.weights, encoders.ids("ferry")))]);
    within(performance.now() - aborted, 5000, "the next call");
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  it("stops at an abort while it cuts texts into tokens", async () => {
    const { encoder, workers } = counted(encoders.files("static"));
    await encoder.ready();
    const controller = new AbortController();
    const call = rejection(encoder.embed(long, { signal: controller.signal }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    assert.ok(isDOM(await call, "AbortError"));
    await encoder.embed(["ferry"]);
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  it("ends a start that nobody waits for any more", async () => {
    const { encoder, workers } = counted(encoders.files("static"));
    const controller = new AbortController();
    const call = rejection(encoder.ready({ signal: controller.signal }));
    const other = rejection(encoder.embed(["a"], { signal: controller.signal }));
    while (workers.length === 0) await new Promise((resolve) => setTimeout(resolve));
    controller.abort("not now");
    assert.deepEqual([await call, await other], ["not now", "not now"]);
    // So early that there is no worker yet.
    const early = new AbortController();
    const third = rejection(encoder.ready({ signal: early.signal }));
    early.abort("nor now");
    assert.equal(await third, "nor now");
    assert.equal(workers.length, 1);
    await encoder.embed(["a"]);
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  it("goes on with a start that somebody else waits for", async () => {
    const { encoder, workers } = counted(encoders.files("static"));
    const controller = new AbortController();
    const call = rejection(encoder.ready({ signal: controller.signal }));
    const other = encoder.embed(["a"]);
    controller.abort();
    assert.ok(isDOM(await call, "AbortError"));
    assert.equal((await other).dimensions, 8);
    assert.equal(workers.length, 1);
    encoder.destroy();
  });

  it("crashes: the call rejects, the next gets a new worker", async () => {
    const { encoder, workers } = counted(encoders.files("static"));
    await encoder.ready();
    const call = rejection(encoder.embed(long));
    const next = encoder.embed(["ferry"]);
    workers[0]!.terminate();
    const error = await call;
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.match(String(error), /the encoder stopped/);
    near([[...(await next).embeddings]], [naiveStatic(encoders.weights, encoders.ids("ferry"))]);
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  for (const [runtime, more] of Object.entries({ onnxruntime: {}, "our own code": said })) it(`is replaced where ${runtime} fails in mid-work, and the file at fault is named`, async () => {
    // A token that the model's table does not have.
    const files = encoders.files("static", more);
    const config = JSON.parse(new TextDecoder().decode(files["tokenizer.json"] as Uint8Array)) as { model: { vocab: Record<string, number> } };
    config.model.vocab["wreck"] = 5000;
    files["tokenizer.json"] = new TextEncoder().encode(JSON.stringify(config));
    const { encoder, workers } = counted(files);
    await encoder.embed(["ferry"]);
    const error = await rejection(encoder.embed(["wreck"]));
    assert.ok(isDOM(error, "OperationError"), String(error));
    assert.match(String(error), /model\.onnx: .*(out of|bounds|range)/);
    near([[...(await encoder.embed(["ferry"])).embeddings]], [naiveStatic(encoders.weights, encoders.ids("ferry"))]);
    assert.equal(workers.length, 2);
    encoder.destroy();
  });

  it("is ended by destroy, at any time of its start", async () => {
    const stages: Record<string, (workers: WorkerLike[]) => boolean> = {
      "before it is started": () => true,
      "while it is started": (workers) => workers.length > 0,
    };
    for (const [when, reached] of Object.entries(stages)) {
      const { encoder, workers, ended } = counted(encoders.files("static"));
      const call = rejection(encoder.embed(["a"]));
      while (!reached(workers)) await new Promise((resolve) => setTimeout(resolve));
      encoder.destroy();
      assert.ok(isDOM(await call, "AbortError"), when);
      assert.ok(isDOM(await rejection(encoder.ready()), "AbortError"), when);
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (let i = 0; i < 600 && ended() < workers.length; i++) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(ended(), workers.length, `a worker runs on, destroyed ${when}`);
    }
  });

  it("is not started after destroy, and what is fetched for it is fetched no more", async () => {
    const hub = await new ModelHub().start();
    let begun!: () => void;
    let closed!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const ends = new Promise<void>((resolve) => (closed = resolve));
    // The model never comes to its end.
    hub.trouble = (_request, response, file) => {
      if (file !== "onnx/model.onnx") return false;
      response.writeHead(200, { "content-length": 1 << 30 });
      const timer = setInterval(() => response.write(Buffer.alloc(10_000)), 5);
      response.on("close", () => {
        clearInterval(timer);
        closed();
      });
      begun();
      return true;
    };
    const { encoder, workers } = counted(testID, { baseURL: hub.baseURL });
    const call = rejection(encoder.ready());
    const closedWithin = (ms: number): Promise<boolean> => Promise.race([ends.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, ms, false))]);
    await begins;
    assert.equal(await closedWithin(50), false, "it is fetched");
    encoder.destroy();
    assert.ok(isDOM(await call, "AbortError"));
    const ended = await closedWithin(20_000);
    hub.stop();
    assert.ok(ended, "the download runs on");
    assert.equal(workers.length, 0);
  });

  function counted(model: EncoderFiles | string, options: EncoderOptions = {}): { encoder: ReturnType<typeof createEncoder>; workers: WorkerLike[]; ended: () => number } {
    const workers: WorkerLike[] = [];
    let ended = 0;
    const encoder = createEncoder({
      ...options,
      model,
      worker: () => {
        const worker = startWorker(new URL("../dist/encoder-worker.node.js", import.meta.url));
        worker.addEventListener("error", () => ended++);
        workers.push(worker);
        return worker;
      },
    });
    return { encoder, workers, ended: () => ended };
  }
});
