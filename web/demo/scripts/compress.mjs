// Compresses the files of a built page: NAME.br and NAME.gz beside NAME, which `cerasum
// serve` and web servers with a setting for it send in its place.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { filesIn, LATER } from "./service-worker.mjs";

/** Pictures, the networks and the character maps of PDF are not worth it: they shrink by less than a fifth. */
const SHRINKS = /\.(html|m?js|css|json|wasm|svg|txt|md|webmanifest|bin)$/;

/** Bytes; what is smaller fits into one packet anyway. */
const SMALLEST = 1024;

/** What was compressed before: at the best quality, brotli takes a second for 300 kB. */
const kept = fileURLToPath(new URL("../../../build/out/compressed/", import.meta.url));

const pack = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** The content of NAME.br or NAME.gz; undefined if there is none. */
async function packed(name, content, suffix) {
  if (!SHRINKS.test(name) || content.length < SMALLEST) return undefined;
  // What few visits load is compressed with less effort: a tenth of the time, a seventh more bytes.
  const quality = LATER.test(name) ? 9 : 11;
  const options = suffix === "gz" ? { level: 9 } : { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  const key = createHash("sha256").update(JSON.stringify([process.versions.brotli, process.versions.zlib, options])).update(content).digest("hex");
  const known = join(kept, `${key}.${suffix}`);
  if (existsSync(known)) return readFileSync(known);
  const made = await pack[suffix](content, options);
  // Another build may read it meanwhile.
  mkdirSync(kept, { recursive: true });
  writeFileSync(`${known}.${process.pid}`, made);
  renameSync(`${known}.${process.pid}`, known);
  return made;
}

/** The bytes that a host sends of a file, if it sends compressed copies. */
export const packedSize = async (name, content) => ((await packed(name, content, "br")) ?? content).length;

/** Runs after all other files have been written. */
export async function compress(dir) {
  await Promise.all(filesIn(dir).flatMap((name) => {
    const content = readFileSync(join(dir, name));
    return Object.keys(pack).map(async (suffix) => {
      const made = await packed(name, content, suffix);
      if (made) writeFileSync(join(dir, `${name}.${suffix}`), made);
    });
  }));
}
