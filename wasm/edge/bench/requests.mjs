// What requests cost the built Worker: time, and processor time of workerd's
// threads, which is what the platform counts (Linux alone tells it, in steps of
// 10 ms, so that figures are of many requests). docs/edge.md has the results.
//
// node bench/requests.mjs [requests of each kind]

import { readFileSync, readdirSync } from "node:fs";
import { samples } from "../tests/clusters.mjs";
import { replace, start } from "../tests/lib.mjs";
import { cluster } from "./cluster.mjs";

const rounds = Number(process.argv[2] ?? 100);
const tick = 10; // ms, the kernel's USER_HZ

/** Processor time, in ms, of the busiest thread and of all threads of our workerd processes. */
function used() {
  const parents = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8");
      parents.set(Number(pid), { parent: Number(fields.slice(fields.lastIndexOf(")") + 2).split(" ")[1]), name: fields.slice(fields.indexOf("(") + 1, fields.lastIndexOf(")")) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const ours = (pid) => pid === process.pid || (parents.has(pid) && parents.get(pid).parent > 1 && ours(parents.get(pid).parent));
  let [most, all] = [0, 0];
  for (const [pid, { name }] of parents) {
    if (name !== "workerd" || !ours(pid)) continue;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ms = (Number(fields[11]) + Number(fields[12])) * tick;
      all += ms;
      most = Math.max(most, ms);
    }
  }
  return { most, all };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function measure(label, worker, path, body, { warm = 20, count = rounds } = {}) {
  const send = async () => {
    const from = performance.now();
    const response = await (body === undefined ? worker.fetch(path) : worker.post(path, body));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${label}: ${text}`);
    return performance.now() - from;
  };
  for (let i = 0; i < warm; i++) await send();
  const before = used();
  const times = [];
  for (let i = 0; i < count; i++) times.push(await send());
  const after = used();
  const ms = (value) => value.toFixed(1).padStart(8);
  console.log(`${label.padEnd(44)}${ms(median(times))}${ms((after.most - before.most) / count)}${ms((after.all - before.all) / count)}`);
}

console.log("                                              median   thread  process");
console.log("                                             time ms   CPU ms   CPU ms");
// First requests, each to a Worker that was just loaded.
async function cold(label, path, body) {
  const [times, thread, all] = [[], [], []];
  for (let i = 0; i < 7; i++) {
    const worker = await start();
    // The files are served by other Workers of the same process: these have run, then.
    await (await worker.fetch("/early.js")).text();
    const before = used();
    const from = performance.now();
    await (await (body === undefined ? worker.fetch(path) : worker.post(path, body))).text();
    times.push(performance.now() - from);
    const after = used();
    thread.push(after.most - before.most);
    all.push(after.all - before.all);
    await worker.stop();
  }
  console.log(`${label.padEnd(44)}${[times, thread, all].map((values) => median(values).toFixed(1).padStart(8)).join("")}`);
}

await cold("first request: GET /healthz", "/healthz");
await cold("first request: en, salience", "/v1/summarize", JSON.stringify({ documents: samples.en, method: "salience" }));
let worker = await start();
await measure("GET /healthz", worker, "/healthz");
for (const name of ["en", "ru", "en-long"]) {
  for (const method of ["salience", "instant", "mean", "lead"]) {
    await measure(`${name}, ${method}`, worker, "/v1/summarize", JSON.stringify({ documents: samples[name], method }));
  }
}
await measure("en, salience, its language named", worker, "/v1/summarize", JSON.stringify({ documents: samples.en, method: "salience", language: "en" }));
await measure("en, instant, its language named", worker, "/v1/summarize", JSON.stringify({ documents: samples.en, method: "instant", language: "en" }));
for (const count of [10, 20, 30, 50, 100, 200, 400, 800]) {
  for (const method of ["salience", "instant"]) {
    await measure(`${count} sentences, ${method}`, worker, "/v1/summarize", JSON.stringify({ ...cluster(count), method }), { warm: 5, count: Math.max(10, Math.min(rounds, Math.round((20 * rounds) / count))) });
  }
}
await worker.stop();
// As the library's own worker.mjs has it: a new program for each request.
worker = await start({ edit: replace("program ??= start(env)", "program = start(env)") });
await measure("a new program: GET /healthz", worker, "/healthz", undefined, { count: Math.max(10, rounds / 4) });
await measure("a new program: en, salience", worker, "/v1/summarize", JSON.stringify({ documents: samples.en, method: "salience" }), { count: Math.max(10, rounds / 4) });
await worker.stop();
