// Runs a model with onnxruntime-web, one thread, for the tests of the files
// that Go writes:
//
//   node build/transformer/run.mjs MODEL.onnx < batches.json > results.json
//
// batches.json is a list of batches, each {"input_ids": [[…]],
// "attention_mask": [[…]]}: rows of one length. results.json is a list of what
// the model's first output gives for each: {"name", "dims", "data"}.
// What the runs took goes to standard error, in milliseconds.
import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web";

// One thread, as in a page that is not cross-origin isolated.
ort.env.wasm.numThreads = 1;
// Errors only: its warnings are about its own fusions.
ort.env.logLevel = "error";

const begin = performance.now();

const session = await ort.InferenceSession.create(readFileSync(process.argv[2]), { logSeverityLevel: 3 });
process.stderr.write(`load ${(performance.now() - begin).toFixed(1)}\n`);

const results = [];
let rows = 0;
let total = 0;
for (const batch of JSON.parse(readFileSync(0, "utf8"))) {
  const dims = [batch.input_ids.length, batch.input_ids[0].length];
  const feeds = {};
  for (const name of session.inputNames) {
    // A batch may leave out token_type_ids: all tokens are of type 0.
    const values = batch[name]?.flat() ?? Array(dims[0] * dims[1]).fill(0);
    feeds[name] = new ort.Tensor("int64", BigInt64Array.from(values, BigInt), dims);
  }
  const started = performance.now();
  const output = (await session.run(feeds))[session.outputNames[0]];
  total += performance.now() - started;
  rows += dims[0];
  results.push({ name: session.outputNames[0], dims: output.dims, data: Array.from(output.data) });
}
process.stderr.write(`run ${total.toFixed(1)}: ${rows} texts, ${(total / rows).toFixed(3)} each\n`);
process.stdout.write(JSON.stringify(results));
