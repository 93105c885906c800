// Rewrites the program made by Go's linker so that it compresses better. The memory
// that it starts with stays the same, byte for byte, except for the line tables.
//
// One data segment: the linker splits the data at every run of zeros into tens of
// thousands of segments, whose addresses do not compress. In a single segment the
// zeros cost almost nothing.
//
// No line tables: they are only used by stack traces of crashes. Functions keep
// their names; traces have "?:0" instead of file and line. The layout is that of Go
// 1.20 and later (runtime/symtab.go: pcHeader, functab; runtime2.go: _func); any
// deviation is an error.
//
// Differences: columns of ascending numbers in these tables hardly compress. The
// file stores the differences, and a start function sums them in the memory before
// Go's program runs (sum-columns.mjs).

import { addStart, toDifferences } from "./sum-columns.mjs";
import { Reader, signed, unsigned, wrong } from "./wasm-format.mjs";

const magic = Buffer.from([0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]); // Go120PCLnTabMagic, padding, a pc's unit, a pointer's bytes
// internal/abi/symtab.go: pcdata of unsafe points, inlined calls and live arguments;
// funcdata of inlined calls, arguments, live arguments and wrappers.
const traceTables = new Set([0, 2, 3]);
const traceDetails = new Set([3, 5, 6, 7]);
const none = 0xffffffff;
const preamble = Buffer.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const memorySection = 5;
const dataSection = 11;
const countSection = 12;

/**
 * The module with one data segment and, unless `lines` is set, without line
 * tables. `custom` are custom sections to add, with name and bytes; `pages` is the
 * maximum size of its memory in pages of 64 KiB.
 */
export function pack(wasm, { lines = false, custom = [], pages } = {}) {
  let sections = readSections(wasm);
  const data = sections.filter((section) => section.id === dataSection);
  if (data.length !== 1) throw wrong(`${data.length} data sections`);
  if (sections.some(({ id }) => id === countSection)) throw wrong("a count of the segments");
  const { start, memory } = readData(data[0].body);
  if (!lines) sections = addStart(sections, toDifferences(memory, dropLines(memory)));
  const body = Buffer.concat([Buffer.from([1, 0, 0x41, ...signed(start), 0x0b, ...unsigned(memory.length - start)]), memory.subarray(start)]);
  const parts = sections.flatMap(({ id, body: old }) => {
    const now = id === dataSection ? body : id === memorySection && pages ? bounded(old, pages) : old;
    return [Buffer.from([id, ...unsigned(now.length)]), now];
  });
  for (const [name, bytes] of custom) {
    const head = Buffer.from([...unsigned(Buffer.byteLength(name)), ...Buffer.from(name)]);
    parts.push(Buffer.from([0, ...unsigned(head.length + bytes.length)]), head, bytes);
  }
  return Buffer.concat([preamble, ...parts]);
}

function readSections(wasm) {
  if (!preamble.equals(wasm.subarray(0, preamble.length))) throw wrong("no WebAssembly 1");
  const sections = [];
  const reader = new Reader(wasm, preamble.length);
  while (!reader.done()) sections.push({ id: reader.byte(), body: reader.bytes(reader.number()) });
  return sections;
}

/** Sets the maximum of the only memory. */
function bounded(section, pages) {
  const reader = new Reader(section);
  if (reader.number() !== 1 || reader.byte() !== 0) throw wrong("a memory with a bound, or not one");
  const least = reader.number();
  if (!reader.done() || least > pages) throw wrong(`a memory of ${least} pages`);
  return Buffer.from([1, 1, ...unsigned(least), ...unsigned(pages)]);
}

/** The memory from address 0 to the last byte of data, and the start of the data. */
function readData(section) {
  const reader = new Reader(section);
  const segments = [];
  for (let left = reader.number(); left > 0; left--) {
    if (reader.byte() !== 0 || reader.byte() !== 0x41) throw wrong("a segment without a plain address");
    const address = reader.number();
    if (address >= 2 ** 31 || reader.byte() !== 0x0b) throw wrong("a segment without a plain address");
    segments.push({ address, bytes: reader.bytes(reader.number()) });
  }
  if (!reader.done()) throw wrong("bytes after the last segment");
  if (segments.length === 0) throw wrong("no data");
  const memory = Buffer.alloc(segments.reduce((end, { address, bytes }) => Math.max(end, address + bytes.length), 0));
  for (const { address, bytes } of segments) memory.set(bytes, address);
  return { start: segments.reduce((least, { address }) => Math.min(least, address), Infinity), memory };
}

/**
 * Zeroes what only stack traces use, in place: the tables of file names and lines,
 * of inlined calls and of arguments. Also the table of unsafe points: only
 * asynchronous preemption reads it, which WebAssembly does not have. Returns where
 * the tables of functions are.
 */
function dropLines(memory) {
  const header = memory.indexOf(magic);
  if (header < 0 || memory.indexOf(magic, header + 1) >= 0) throw wrong("no single table of functions of Go 1.20 or later");
  const word = (i) => Number(memory.readBigUInt64LE(header + magic.length + 8 * i));
  const functions = word(0);
  // As in pcHeader, after an unused word.
  const [names, units, files, tables, end] = [3, 4, 5, 6, 7].map((i) => header + word(i));
  const index = end + 8 * functions + 4;
  if (functions === 0 || !(header < names && names < units && units < files && files < tables && tables < end && index < memory.length)) {
    throw wrong("a table of functions in another order");
  }
  const details = functionData(memory, header, names);

  const used = new Uint8Array(end - tables); // bytes of tables that stay
  const use = (offset) => {
    if (offset !== 0 && !used[offset]) used.fill(1, offset, tableEnd(memory, tables + offset, end) - tables);
  };
  const named = new Uint8Array(units - names); // bytes of names that stay
  const kept = new Set(); // offsets of details
  const dropped = new Set();
  for (let i = 0; i < functions; i++) {
    const entry = memory.readUInt32LE(end + 8 * i);
    const at = end + memory.readUInt32LE(end + 8 * i + 4);
    if (at < index || at + 44 > memory.length || memory.readUInt32LE(at) !== entry) throw wrong(`function ${i} is not where the table says`);
    const name = memory.readUInt32LE(at + 4);
    if (name >= named.length) throw wrong(`function ${i} has no name`);
    named.fill(1, name, memory.indexOf(0, names + name) - names);
    const others = memory.readUInt32LE(at + 28); // npcdata
    const data = memory[at + 43]; // nfuncdata
    if (others > 8 || data > 8 || at + 44 + 4 * (others + data) > memory.length) throw wrong(`function ${i} has ${others} tables and ${data} details`);
    memory.fill(0, at + 20, at + 28); // pcfile, pcln: 0 is "no table"
    memory.fill(0, at + 32, at + 40); // cuOffset, startLine
    use(memory.readUInt32LE(at + 16)); // pcsp
    for (let k = 0; k < others; k++) {
      if (traceTables.has(k)) memory.fill(0, at + 44 + 4 * k, at + 48 + 4 * k);
      else use(memory.readUInt32LE(at + 44 + 4 * k));
    }
    for (let k = 0; k < data; k++) {
      const place = at + 44 + 4 * (others + k);
      const offset = memory.readUInt32LE(place);
      if (offset === none) continue;
      (traceDetails.has(k) ? dropped : kept).add(offset);
      if (traceDetails.has(k)) memory.writeUInt32LE(none, place);
    }
  }
  for (let offset = 0; offset < used.length; offset++) if (!used[offset]) memory[tables + offset] = 0;
  memory.fill(0, units, tables);
  // Functions that were inlined everywhere have names too.
  for (let offset = 0; offset < named.length; offset++) if (!named[offset]) memory[names + offset] = 0;
  const offsets = [...new Set([...kept, ...dropped])].sort((a, b) => a - b);
  offsets.forEach((offset, i) => {
    // The last one's end is unknown.
    if (!kept.has(offset) && i + 1 < offsets.length) memory.fill(0, details.start + offset, details.start + offsets[i + 1]);
  });
  return { table: end, functions, buckets: details.buckets };
}

/**
 * The address from which functions count their details (go:func.* in the module's
 * data), and the table that finds functions, with a bucket for every 4,096 counters.
 */
function functionData(memory, header, names) {
  const start = Buffer.alloc(16);
  start.writeBigUInt64LE(BigInt(header));
  start.writeBigUInt64LE(BigInt(names), 8);
  const at = memory.indexOf(start);
  if (at < 0 || memory.indexOf(start, at + 1) >= 0) throw wrong("no single description of the module");
  const word = (i) => Number(memory.readBigUInt64LE(at + 8 * i));
  const [table, least, most, types, data] = [19, 20, 21, 37, 40].map(word); // findfunctab, minpc, maxpc, types, gofunc
  const buckets = { at: table, length: Math.ceil((most - least) / 4096) };
  if (!(types < data && data < table && buckets.length > 0 && table + 20 * buckets.length <= memory.length)) throw wrong("a description of the module in another order");
  return { start: data, end: table, buckets };
}

/** The end of the table at `at`: pairs of varints, terminated by a 0 where a pair other than the first would begin. */
function tableEnd(memory, at, end) {
  const reader = new Reader(memory.subarray(0, end), at);
  for (let first = true; reader.number() !== 0 || first; first = false) reader.number();
  return reader.at;
}
