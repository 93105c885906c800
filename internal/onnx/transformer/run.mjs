// Runs models with onnxruntime-web, one thread, for the tests of the files that
// Go writes:
//
//   node internal/onnx/transformer/run.mjs < jobs.json > results.json
//
// jobs.json is a list of {"model": FILE, "batches": […]}; a batch is
// {"input_ids": [[…]], "attention_mask": [[…]]}, rows of one length. For each
// job results.json has a list of what the model's first output gives for each
// batch: {"name", "dims", "data"}. Times go to standard error.
import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web";

// As in a page that is not cross-origin isolated.
ort.env.wasm.numThreads = 1;

const jobs = JSON.parse(readFileSync(0, "utf8"));
const results = [];
for (const { model, batches } of jobs) {
  const start = performance.now();
  const session = await ort.InferenceSession.create(readFileSync(model), { logSeverityLevel: 3 });
  const load = performance.now() - start;
  let texts = 0;
  let time = 0;
  const outputs = [];
  for (const batch of batches) {
    const dims = [batch.input_ids.length, batch.input_ids[0].length];
    const feeds = {};
    for (const name of session.inputNames) {
      // A batch may leave out token_type_ids: all tokens are of type 0.
      const values = batch[name]?.flat() ?? Array(dims[0] * dims[1]).fill(0);
      feeds[name] = new ort.Tensor("int64", BigInt64Array.from(values, BigInt), dims);
    }
    const begin = performance.now();
    const output = (await session.run(feeds))[session.outputNames[0]];
    time += performance.now() - begin;
    texts += dims[0];
    outputs.push({ name: session.outputNames[0], dims: output.dims, data: Array.from(output.data) });
  }
  await session.release();
  results.push(outputs);
  process.stderr.write(
    `${model}: loaded in ${load.toFixed(0)} ms; ${texts} texts in ${time.toFixed(0)} ms, ${(time / texts).toFixed(2)} each\n`,
  );
}
process.stdout.write(JSON.stringify(results));
