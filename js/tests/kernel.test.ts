// The SIMD kernel that the program brings along: where it runs and where not,
// the same sentences are chosen.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { createCore, type DocumentInput, type Summary, type SummarizeOptions } from "cerasum";
import { ferry } from "./cluster.js";
import { openPage } from "./page.js";
import { Raw, wasmPath } from "./support.js";
import { flat, tensors } from "./weights.js";

/** In custom sections of this name a program brings its kernels. */
const name = "cerasum.kernel";

/** The shipped program with other kernels. */
function withKernels(...kernels: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const wasm = readFileSync(wasmPath);
  const parts: Uint8Array[] = [wasm.subarray(0, 8)];
  const number = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >> 7)]);
  for (let at = 8; at < wasm.length; ) {
    const start = at++;
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      size |= (wasm[at]! & 127) << shift;
      if (wasm[at++]! < 128) break;
    }
    const custom = wasm[start] === 0 && wasm[at] === name.length && wasm.toString("latin1", at + 1, at + 1 + name.length) === name;
    at += size;
    if (!custom) parts.push(wasm.subarray(start, at));
  }
  for (const kernel of kernels) {
    const head = [name.length, ...Buffer.from(name)];
    parts.push(Uint8Array.from([0, ...number(head.length + kernel.length), ...head]), kernel);
  }
  return new Uint8Array(Buffer.concat(parts));
}

const shipped = (): Uint8Array[] =>
  WebAssembly.Module.customSections(new WebAssembly.Module(readFileSync(wasmPath)), name).map((bytes) => new Uint8Array(bytes));

/** A module whose only function has an instruction that no host knows. */
const strange = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 6, 1, 4, 0, 0xfd, 0xff, 0x7f);

const D = 37;
const calls: SummarizeOptions[] = ["auto", "bs+gs", "lexrank", "lamsiyah", "hybrid", "cera", "cerai"].map((method) => ({
  method, budget: { words: 60 },
  ...(method.startsWith("cera") && { weights: { dimensions: D, positions: 4, interpolation: method === "cerai", data: Float32Array.from(flat(tensors(D, 4, method === "cerai"))) } }),
}));

/** Summaries with embeddings that look random; self-contained, for it runs in the page too. */
async function summarize(create: typeof createCore, options: Parameters<typeof createCore>[0], documents: readonly DocumentInput[], calls: SummarizeOptions[], D: number): Promise<Summary[]> {
  const core = create(options);
  const session = await core.open(documents);
  await session.embed({ embeddings: Float32Array.from({ length: session.texts.length * D }, (_, i) => Math.sin((i + 1) * 12.9898) * Math.cos(i * 78.233)), dimensions: D });
  const all: Summary[] = [];
  for (const call of calls) all.push(await session.summarize(call));
  core.destroy();
  return all;
}

function same(a: Summary[], b: Summary[], exactly: boolean): void {
  for (const [i, one] of a.entries()) {
    const other = b[i]!;
    const what = calls[i]!.method!;
    assert.ok(one.sentences.length > 0, what);
    assert.equal(one.text, other.text, what);
    // A kernel that fuses products with sums differs, in CeRA alone.
    if (exactly || !what.startsWith("cera")) assert.deepEqual([one.sentences, one.documents, one.score], [other.sentences, other.documents, other.score], what);
    else one.documents.forEach((d, k) => d.attention!.forEach((x, j) => assert.ok(Math.abs(x - other.documents[k]!.attention![j]!) < 1e-5, what)));
  }
}

describe("the SIMD kernel", () => {
  it("comes for relaxed SIMD and for SIMD, small, and brings no data", () => {
    const kernels = shipped();
    assert.equal(kernels.length, 2);
    assert.ok(WebAssembly.validate(kernels[1] as BufferSource));
    assert.notDeepEqual(kernels[0], kernels[1]);
    for (const bytes of kernels) assert.ok(bytes.length < 10_000, `${bytes.length} bytes`);
    const module = new WebAssembly.Module(kernels[1] as BufferSource);
    assert.deepEqual(WebAssembly.Module.imports(module), [{ module: "env", name: "memory", kind: "memory" }]);
    const wanted = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(wasmPath))).filter((one) => one.module === name).map((one) => one.name);
    assert.deepEqual(WebAssembly.Module.exports(module).map((one) => one.name).sort(), wanted.filter((one) => one !== "ready").sort());
  });

  for (const [what, kernels, want] of [
    ["the shipped program", shipped(), [0, 1]],
    ["a program without kernels", [], [-1]],
    ["a host that takes none of them", [strange], [-1]],
    ["a host that takes the second", [strange, shipped()[1]!], [1]],
  ] as const) {
    it(`starts what the host takes: ${what}`, async () => {
      const raw = new Raw();
      const started = await raw.start(new WebAssembly.Module(withKernels(...kernels)));
      await raw.stop();
      assert.equal(started["kind"], "started", String(started["message"]));
      assert.ok((want as readonly unknown[]).includes(started["kernel"]), String(started["kernel"]));
    });
  }

  it("changes no summary in Node", async () => {
    const plain = new WebAssembly.Module(withKernels());
    const simd = new WebAssembly.Module(withKernels(shipped()[1]!));
    const [a, b, c] = [await summarize(createCore, {}, ferry, calls, D), await summarize(createCore, { wasmModule: plain }, ferry, calls, D), await summarize(createCore, { wasmModule: simd }, ferry, calls, D)];
    same(b, c, true);
    same(a, b, false);
  });

  describe("in Chromium", () => {
    let page: Page;
    let close: (() => Promise<void>) | undefined;
    before(async () => {
      ({ page, close } = await openPage());
      for (const [file, wasm] of [["plain", withKernels()], ["strange", withKernels(strange)], ["simd", withKernels(shipped()[1]!)]] as const) {
        await page.route(`**/${file}.wasm`, (route) => route.fulfill({ body: Buffer.from(wasm), contentType: "application/wasm" }));
      }
    });
    after(() => close?.());

    const kernelOf = (url: string): Promise<unknown> => page.evaluate((url) => new Promise<unknown>((resolve) => {
      const worker = new Worker("/dist/worker.js", { type: "module" });
      worker.onmessage = ({ data }) => {
        if (data.kind === "alive") return;
        resolve(data.kind === "started" ? data.kernel : data);
        worker.terminate();
      };
      worker.postMessage({ kind: "start", wasm: new URL(url, location.href).href });
    }), url);

    it("is the one for relaxed SIMD, unless the host takes another or none", async () => {
      assert.equal(await kernelOf("/dist/cerasum.wasm"), 0);
      assert.equal(await kernelOf("/simd.wasm"), 0);
      assert.equal(await kernelOf("/plain.wasm"), -1);
      assert.equal(await kernelOf("/strange.wasm"), -1);
    });

    it("changes no summary", async () => {
      const inPage = (wasmURL: string): Promise<Summary[]> => page.evaluate(`(async ([wasmURL, documents, calls, D]) => {
        const { createCore } = await import("/dist/index.js");
        for (const { weights } of calls) if (weights) weights.data = Float32Array.from(weights.data);
        return (${summarize.toString()})(createCore, { wasmURL }, documents, calls, D);
      })(${JSON.stringify([wasmURL, ferry, calls.map((call) => ({ ...call, ...(call.weights && { weights: { ...call.weights, data: [...(call.weights as { data: Float32Array }).data] } }) })), D])})`);
      const [relaxed, simd, plain] = [await inPage("/dist/cerasum.wasm"), await inPage("/simd.wasm"), await inPage("/plain.wasm")];
      same(plain, simd, true);
      same(relaxed, plain, false);
      // And what Node finds.
      const here = await summarize(createCore, { wasmModule: new WebAssembly.Module(withKernels()) }, ferry, calls, D);
      assert.deepEqual(here.map(({ text }) => text), plain.map(({ text }) => text));
    });
  });
});
