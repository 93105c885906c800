// Compresses the files of a built page: NAME.br and NAME.gz beside NAME, which `cerasum
// serve` and web servers with a setting for it send in its place.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { filesIn, LATER } from "./service-worker.mjs";

/** Pictures, models and the character maps of PDF are not worth it: they shrink by less than a fifth. */
const SHRINKS = /\.(html|m?js|css|json|wasm|svg|txt|md|webmanifest)$/;

/** Bytes; what is smaller fits into one packet anyway. */
const SMALLEST = 1024;

/** What was compressed before: at the best quality, brotli takes a second for 300 kB. */
const kept = fileURLToPath(new URL("../../../build/out/compressed/", import.meta.url));

const pack = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Runs after all other files have been written. */
export async function compress(dir) {
  mkdirSync(kept, { recursive: true });
  await Promise.all(filesIn(dir).filter((name) => SHRINKS.test(name)).flatMap((name) => {
    const content = readFileSync(join(dir, name));
    if (content.length < SMALLEST) return [];
    // What few visits load is compressed with less effort: a tenth of the time, a seventh more bytes.
    const quality = LATER.test(name) ? 9 : 11;
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
    return [["br", brotli], ["gz", { level: 9 }]].map(async ([suffix, options]) => {
      const key = createHash("sha256").update(JSON.stringify([process.versions.brotli, process.versions.zlib, options])).update(content).digest("hex");
      const known = join(kept, `${key}.${suffix}`);
      const packed = existsSync(known) ? readFileSync(known) : await pack[suffix](content, options);
      if (!existsSync(known)) {
        // Another build may read it meanwhile.
        writeFileSync(`${known}.${process.pid}`, packed);
        renameSync(`${known}.${process.pid}`, known);
      }
      writeFileSync(join(dir, `${name}.${suffix}`), packed);
    });
  }));
}
