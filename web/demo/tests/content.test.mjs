// What is read of compressed files, with a reader of packed files that finds what it is told to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { here } from "./lib.mjs";

const stubs = {
  packed: "export const readPacked = async () => ({ packed: globalThis.packedForTest });",
  pages: 'export const readPages = () => { throw new Error("a bug of the reader"); };',
};
const { outputFiles } = await build({
  stdin: { contents: 'export { contentOf } from "./content.ts";', resolveDir: here("../src/read"), loader: "ts" },
  plugins: [{
    name: "stubs",
    setup(builder) {
      builder.onResolve({ filter: /^\.\/(?:packed|pages)\.ts$/ }, ({ path }) => ({ path: path.slice(2, -3), namespace: "stub" }));
      builder.onLoad({ filter: /.*/, namespace: "stub" }, ({ path }) => ({ contents: stubs[path] }));
    },
  }],
  bundle: true, write: false, format: "esm", platform: "node", target: "es2024", external: ["./pdf.ts"],
});
const { contentOf } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
const read = (name, content) => contentOf({ content: new Uint8Array(content), name, type: "", base: "http://page.example/" }, () => undefined);

test("gzip files of several streams", async () => {
  const [a, b] = ["The bridge is open. ", "The river rose."].map((text) => gzipSync(text));
  assert.equal((await read("a.txt.gz", Buffer.concat([a, b]))).text.text, "The bridge is open. The river rose.");
  assert.deepEqual(await read("a.txt.gz", Buffer.concat([a, b.subarray(0, 20)])), { problem: "gzip" });
  assert.deepEqual(await read("a.txt.gz", Buffer.concat([a, Buffer.from("more")])), { problem: "gzip" });
  // Together they unpack to too much.
  const half = gzipSync(Buffer.alloc(40 << 20));
  assert.deepEqual(await read("a.txt.gz", Buffer.concat([half, half])), { problem: "unpacked" });
});

test("gzip streams that hold their own first bytes", async () => {
  const text = Buffer.from(`${"The bridge is open. ".repeat(50)}${"\x1f\x8b\x08 ".repeat(3)}`, "latin1");
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(text));
  end.writeUInt32LE(text.length, 4);
  // A stored block: the text is in the file as it is.
  const stored = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0]);
  stored.writeUInt16LE(text.length, 11);
  stored.writeUInt16LE(0xffff - text.length, 13);
  const { text: found } = await contentOf({ content: new Uint8Array(Buffer.concat([stored, text, end, gzipSync("The river rose.")])), name: "a.txt.gz", type: "", charset: "windows-1252", base: "" }, () => undefined);
  assert.match(found.text, /^The bridge is open.*The river rose\.$/s);
});

test("an error of the reader is not a damaged gzip file", async () => {
  globalThis.packedForTest = { documents: [{ title: "", source: "a.eml", date: "", pages: ["<p>The river rose."], text: "" }], members: [], left: 0, unread: 0 };
  await assert.rejects(read("a.eml.gz", gzipSync("Subject: a")), /a bug of the reader/);
});

test("gzip files in archives and mails stay packed", async () => {
  const members = [{ name: "a.txt.gz", data: new Uint8Array(gzipSync("The river rose.")) }, { name: "b.txt", data: new TextEncoder().encode("The bridge is open.") }];
  globalThis.packedForTest = { documents: [], members, left: 0, unread: 0 };
  const { found } = await read("a.zip", "PK\x03\x04".split("").map((c) => c.charCodeAt(0)));
  assert.deepEqual(found.map(({ source, text, problem }) => [source, text?.text ?? problem]), [["a.zip/a.txt.gz", "nested"], ["a.zip/b.txt", "The bridge is open."]]);
});
