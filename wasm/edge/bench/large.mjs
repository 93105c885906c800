// What clusters far beyond the default limits cost the program: processor time
// and memory, each in a program of its own, in Node. docs/edge.md has the results.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../tests/lib.mjs";
import { cluster } from "./cluster.mjs";

const out = join(root, "build/out/edge");
await import(join(out, "wasm_exec.js"));
const module = await WebAssembly.compile(readFileSync(join(out, "app.wasm")));
const many = String(1e9);
globalThis.fs.writeSync = (_, bytes) => bytes.length; // what Go says when it ends

// The graphs of lexrank and textrank have a number for each two sentences.
const counts = { salience: [1000, 4000, 8000, 12000, 16000], instant: [16000, 24000], mean: [4000], lexrank: [1000, 2000, 4000] };

for (const method in counts) {
  for (const count of counts[method]) {
    const go = new globalThis.Go();
    go.env = { GOMEMLIMIT: "56MiB" }; // as in worker.mjs
    const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready: () => {} } });
    const body = new TextEncoder().encode(JSON.stringify({ ...cluster(count), method }));
    const binding = { body, fault: "" };
    go.exit = () => {};
    void go.run(instance, { env: { MAX_BODY_BYTES: many, MAX_DOCUMENTS: many, MAX_SENTENCES: many, MAX_MILLISECONDS: "1000000", MAX_STEPS: many }, binding });
    const before = process.cpuUsage();
    const headers = new Headers({ "content-type": "application/json" });
    let answer;
    try {
      answer = await binding.handleRequest({ url: "http://edge.example/v1/summarize", method: "POST", headers, body: null });
    } catch {
      console.log(`${method}: ${count} sentences, ${body.length >> 10} kB: more than 96 MB`);
      continue;
    }
    const { user, system } = process.cpuUsage(before);
    const { documents, title } = await answer.json();
    if (!answer.ok) throw new Error(title);
    const sentences = documents.reduce((n, document) => n + document.sentences, 0);
    console.log(`${method}: ${sentences} sentences in ${documents.length} documents, ${body.length >> 10} kB: ${Math.round((user + system) / 1000)} ms, ${instance.exports.mem.buffer.byteLength >> 20} MB`);
  }
}
process.exit();
