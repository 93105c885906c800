// What the command line program and the library in Node quote: all engines have to quote
// the same.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createCore, createEncoder } from "../../../js/dist/index.node.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = process.env.CERASUM || join(root, "build/out/bin/cerasum");
const folder = join(root, "web/demo/samples");

/** The samples by their names. */
export const samples = Object.fromEntries(await Promise.all((await readdir(folder)).sort().map(async (file) => [file.replace(".json", ""), JSON.parse(await readFile(join(folder, file), "utf8")).documents])));

/** The sentences that the program quotes of documents, without its encoder. */
export async function quoted(documents, method = "auto") {
  const own = await mkdtemp(join(tmpdir(), "cerasum-reference-"));
  try {
    await writeFile(join(own, "documents.jsonl"), JSON.stringify({ documents }));
    const { stdout } = await promisify(execFile)(program, ["summarize", "--format", "json", "--method", method, "--encoder", "lexical", "--input-format", "jsonl", "documents.jsonl"], { cwd: own, maxBuffer: 1 << 26 });
    return JSON.parse(stdout).sentences.map(({ text }) => text);
  } finally {
    await rm(own, { recursive: true });
  }
}

/**
 * The sentences that the library in Node quotes of documents by each of `methods`, with its
 * encoder: onnxruntime rounds differently in the program (0.001 in the cosine at most),
 * which now and then changes a choice.
 */
export async function encoded(documents, methods) {
  const core = createCore(), encoder = createEncoder({ core }), found = {};
  try {
    const session = await core.open(documents);
    for (const method of methods) found[method] = (await session.summarize({ method }, { encoder })).sentences.map(({ text }) => text);
    return found;
  } finally {
    encoder.destroy();
    core.destroy();
  }
}
