// How much text method auto can process in WebAssembly's memory.
// Run `CORPUS=corpus.jsonl.gz node js/bench/large.mjs 25 50 75` after
// `npm run build`. It takes that many million characters of the corpus (JSON Lines
// with "documents"), joins twenty documents into one, and summarizes them by
// METHODS; auto may fail. It takes minutes and up to 5 GB.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { createCore } from "cerasum";

const { CORPUS, METHODS = "instant,salience" } = process.env;
if (!CORPUS) throw new Error("CORPUS: want the path of a corpus");
const sizes = process.argv.slice(2).map((size) => Number(size) * 1e6);

const texts = [];
let read = 0;
const file = createReadStream(CORPUS);
for await (const line of createInterface({ input: CORPUS.endsWith(".gz") ? file.pipe(createGunzip()) : file })) {
  for (const document of JSON.parse(line).documents) {
    texts.push(document.text ?? document);
    read += texts.at(-1).length;
  }
  if (read >= Math.max(...sizes)) break;
}

function take(size) {
  const documents = [];
  for (let at = 0, length = 0; at < texts.length && length < size; at += 20) {
    documents.push({ text: texts.slice(at, at + 20).join("\n\n") });
    length += documents.at(-1).text.length;
  }
  return documents;
}

console.log("| million characters | sentences | method asked for | seconds | made by |\n| ---: | ---: | --- | ---: | --- |");
for (const size of sizes) {
  for (const method of METHODS.split(",")) {
    const core = createCore();
    const begun = performance.now();
    const came = await core.summarize(take(size), { method }).then(
      ({ documents, method: by }) => ({ sentences: documents.reduce((n, { sentences }) => n + sentences, 0).toLocaleString("en"), by }),
      (error) => ({ sentences: "", by: error.message }),
    );
    console.log(`| ${size / 1e6} | ${came.sentences} | ${method} | ${((performance.now() - begun) / 1000).toFixed(0)} | ${came.by} |`);
    core.destroy();
  }
}
