// The tables of functions, by which Go's runtime finds the function of a program
// counter, have columns of ascending numbers. They are stored as differences, and a
// start function sums them, which saves 25 of 899 kB of the compressed program
// (runtime/symtab.go: functab, findfuncbucket; runtime2.go: _func).

import { Reader, signed, unsigned, wrong } from "./wasm-format.mjs";

const [typeSection, importSection, functionSection, startSection, codeSection] = [1, 2, 3, 8, 10];

/**
 * Replaces the columns in `memory` by differences, and returns the body of the
 * function that restores them. `table` is the address of the table of functions, which
 * counts its records from there; `functions` is its length; `buckets` are the address
 * and the length of the table that finds a function's row.
 */
export function toDifferences(memory, { table, functions, buckets }) {
  const difference = (places) => {
    for (let i = places.length - 1; i > 0; i--) memory.writeUInt32LE((memory.readUInt32LE(places[i]) - memory.readUInt32LE(places[i - 1])) >>> 0, places[i]);
  };
  const rows = Array.from({ length: functions }, (_, i) => table + rowBytes * i);
  const records = rows.map((row) => table + memory.readUInt32LE(row + 4));
  for (const record of records) memory.writeUInt32LE(0, record); // as in the row
  difference(records.map((record) => record + 4)); // the name
  difference(rows); // the function's number
  difference(rows.map((row) => row + 4)); // its record
  difference(Array.from({ length: buckets.length }, (_, i) => buckets.at + bucketBytes * i));
  return restore(table, functions, buckets);
}

const rowBytes = 8;
const bucketBytes = 20;

function restore(table, functions, buckets) {
  const [place, number, offset, name, record] = [0, 1, 2, 3, 4]; // local variables
  const get = (local) => [0x20, local];
  const set = (local) => [0x21, local];
  const tee = (local) => [0x22, local];
  const load = (field) => [0x28, 2, field];
  const store = (field) => [0x36, 2, field];
  const constant = (value) => [0x41, ...signed(value)];
  const add = [0x6a];
  const less = [0x49];
  const sum = (at, field, total) => [...get(at), ...get(total), ...get(at), ...load(field), ...add, ...tee(total), ...store(field)];
  const loop = (start, bytes, count, ...body) => [
    ...constant(start), ...set(place),
    0x03, 0x40, ...body.flat(), // loop
    ...get(place), ...constant(bytes), ...add, ...tee(place), ...constant(start + bytes * count), ...less, 0x0d, 0, 0x0b, // br_if, end
  ];
  return [
    1, 5, 0x7f, // five variables, i32
    ...loop(table, rowBytes, functions,
      sum(place, 0, number), sum(place, 4, offset),
      [...constant(table), ...get(offset), ...add, ...set(record)],
      [...get(record), ...get(number), ...store(0)], sum(record, 4, name)),
    ...constant(0), ...set(number),
    ...loop(buckets.at, bucketBytes, buckets.length, sum(place, 0, number)),
    0x0b,
  ];
}

/** The sections of a module, with a function of this body, which has neither parameters nor results, run at the start. */
export function addStart(sections, body) {
  const count = (id) => new Reader(sections.find((section) => section.id === id).body).number();
  const [type, number] = [count(typeSection), functionImports(sections) + count(functionSection)];
  const appended = { [typeSection]: [0x60, 0, 0], [functionSection]: unsigned(type), [codeSection]: [...unsigned(body.length), ...body] };
  const changed = sections.map(({ id, body: old }) => ({ id, body: appended[id] ? append(old, appended[id]) : old }));
  const next = changed.findIndex(({ id }) => id > startSection);
  return changed.toSpliced(next, 0, { id: startSection, body: Buffer.from(unsigned(number)) });
}

/** A section that is a list, with one more element. */
function append(list, element) {
  const reader = new Reader(list);
  const count = reader.number();
  return Buffer.concat([Buffer.from(unsigned(count + 1)), list.subarray(reader.at), Buffer.from(element)]);
}

/** The number of imports; Go's linker imports nothing but functions. */
function functionImports(sections) {
  const reader = new Reader(sections.find(({ id }) => id === importSection).body);
  const count = reader.number();
  for (let i = 0; i < count; i++) {
    reader.bytes(reader.number()); // module
    reader.bytes(reader.number()); // name
    if (reader.byte() !== 0) throw wrong("an import that is no function");
    reader.number(); // type
  }
  if (!reader.done()) throw wrong("bytes after the last import");
  return count;
}
