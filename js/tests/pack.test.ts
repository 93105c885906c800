// The packed program against the one that Go's linker made.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { root, wasmPath } from "./support.js";

interface Pack {
  pack(wasm: Uint8Array, options?: { lines?: boolean; custom?: [name: string, content: Uint8Array][] }): Uint8Array<ArrayBuffer>;
}
const { pack } = (await import(pathToFileURL(join(root, "build/pack-wasm.mjs")).href)) as Pack;

const number = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >> 7)]);
/** Five bytes, of which the last has no sign. */
const address = (value: number): number[] => [...[0, 7, 14, 21].map((shift) => ((value >> shift) & 127) | 128), value >> 28];
const section = (id: number, body: number[]): number[] => [id, ...number(body.length), ...body];

/** A module that exports its memory of one page, with data at these addresses. */
function module(...segments: [at: number, bytes: number[]][]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(5, [1, 0, 1]),
    ...section(7, [1, 3, 0x6d, 0x65, 0x6d, 2, 0]),
    ...section(11, [segments.length, ...segments.flatMap(([at, bytes]) => [0, 0x41, ...address(at), 0x0b, ...number(bytes.length), ...bytes])]),
  ]);
}

/** The memory of a module that has started, with imports that do nothing. */
function memory(wasm: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const module = new WebAssembly.Module(wasm);
  const imports: Record<string, Record<string, () => void>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = () => undefined;
  const { exports } = new WebAssembly.Instance(module, imports);
  return new Uint8Array((exports["mem"] as WebAssembly.Memory).buffer as ArrayBuffer);
}

/** The tables by which Go finds the function of a program counter (runtime/symtab.go, runtime2.go). */
function tables(wasm: Uint8Array<ArrayBuffer>): { functions: number; rows: Buffer; buckets: Buffer; records: [number: number, name: number][] } {
  const bytes = Buffer.from(memory(wasm).buffer);
  const word = (at: number, i: number): number => Number(bytes.readBigUInt64LE(at + 8 * i));
  const header = bytes.indexOf(Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]));
  const functions = word(header, 1);
  const table = header + word(header, 8);
  const pointers = Buffer.alloc(16);
  pointers.writeBigUInt64LE(BigInt(header));
  pointers.writeBigUInt64LE(BigInt(header + word(header, 4)), 8);
  const [at, least, most] = [19, 20, 21].map((i) => word(bytes.indexOf(pointers), i)) as [number, number, number]; // moduledata
  return {
    functions,
    rows: bytes.subarray(table, table + 8 * functions + 4),
    buckets: bytes.subarray(at, at + 20 * Math.ceil((most - least) / 4096)),
    records: Array.from({ length: functions }, (_, i) => {
      const record = table + bytes.readUInt32LE(table + 8 * i + 4);
      return [bytes.readUInt32LE(record), bytes.readUInt32LE(record + 4)];
    }),
  };
}

describe("pack", () => {
  it("leaves the memory as it was, in one segment", () => {
    for (const segments of [
      [[8, [1, 2]]], [[60, [1]], [300, [2, 0, 3]]], [[300, [5]], [40, [7, 7]]], [[9, [1, 2, 3]], [10, [4]]], [[64, [1]], [127, [2]]], [[8192, [1]]], [[8191, [3]], [65535, [2]]],
    ] as [number, number[]][][]) {
      const plain = module(...segments);
      const packed = pack(plain, { lines: true });
      assert.deepEqual(memory(packed), memory(plain), JSON.stringify(segments));
    }
    const packed = pack(module([8, [1]], [300, [2]]), { lines: true });
    assert.deepEqual([...packed.subarray(-293)], [1, ...Array<number>(291).fill(0), 2]);
  });

  it("adds custom sections, long ones too, in their order", () => {
    const long = new Uint8Array(300).fill(7);
    const packed = pack(module([8, [1, 2]]), { lines: true, custom: [["a", Uint8Array.of(1)], ["bé", long], ["a", Uint8Array.of(2, 3)]] });
    const contents = (name: string): number[][] => WebAssembly.Module.customSections(new WebAssembly.Module(packed), name).map((bytes) => [...new Uint8Array(bytes)]);
    assert.deepEqual([contents("a"), contents("bé")], [[[1], [2, 3]], [[...long]]]);
  });

  it("refuses what it does not know", () => {
    assert.throws(() => pack(Uint8Array.of(1, 2, 3)), /no WebAssembly/);
    assert.throws(() => pack(module([8, [1, 2]])), /no single table of functions/);
    assert.throws(() => pack(module([8, [0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8, ...Array<number>(64).fill(0)]])), /another order/);
    assert.throws(() => pack(module([8, [1, 2]]).subarray(0, -1)), /too early/);
  });
});

describe("cerasum.wasm", () => {
  it("tells in a crash which functions were running", () => {
    // Without globalThis.cerasumHost the program panics as soon as it starts.
    const start = `
      const { readFileSync } = require("node:fs");
      require(${JSON.stringify(join(root, "js/dist/wasm_exec.js"))});
      const go = new Go();
      go.exit = (code) => { process.exitCode = code; };
      const module = new WebAssembly.Module(readFileSync(${JSON.stringify(wasmPath)}));
      import(${JSON.stringify(pathToFileURL(join(root, "js/dist/kernel.js")).href)})
        .then(({ kernelOf }) => go.run(new WebAssembly.Instance(module, { ...go.importObject, ...kernelOf(module).imports })));`;
    const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=commonjs", "-e", start], { encoding: "utf8" });
    const said = stderr + stdout;
    assert.match(said, /panic: the worker's script has not set globalThis\.cerasumHost/);
    assert.match(said, /^main\.main\(/m, said);
    assert.equal(status, 2, said);
  });

  it("has Go's tables of functions in memory once it has started, which its file stores as differences", () => {
    const linked = tables(readFileSync(join(root, "build/out/wasm/linked.wasm")));
    const packed = tables(readFileSync(wasmPath));
    assert.ok(linked.functions > 1000 && linked.buckets.length > 1000);
    assert.deepEqual([packed.functions, packed.rows, packed.buckets, packed.records], [linked.functions, linked.rows, linked.buckets, linked.records]);
    assert.equal(readFileSync(wasmPath).includes(linked.rows.subarray(0, 800)), false);
  });

  it("has nothing of the machine that built it", () => {
    assert.equal(readFileSync(wasmPath).includes(root), false);
  });
});
