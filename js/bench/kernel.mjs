// Speed of the SIMD kernel in Chromium, compared with Go's loops and gonum as
// WebAssembly and with plain JavaScript. Run `node js/bench/kernel.mjs [ROUNDS]`
// after `npm run build`. Every round runs each task once in each way, so that
// other load on the machine affects all alike; ratios are medians over rounds.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const rounds = Number(process.argv[2] ?? 21);
const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "build/out/wasm");
execFileSync("go", ["build", "-trimpath", "-ldflags", "-s -w", "-o", join(out, "bench.wasm"), "./wasm/internal/kernel/bench"], {
  cwd: root, stdio: "inherit", env: { ...process.env, GOOS: "js", GOARCH: "wasm" },
});

const files = {
  "/": ["text/html", "<!doctype html><title>bench</title>"],
  "/wasm_exec.js": ["text/javascript", readFileSync(join(root, "js/dist/wasm_exec.js"))],
  "/kernel.js": ["text/javascript", readFileSync(join(root, "js/dist/kernel.js"))],
  ...Object.fromEntries(["bench", "kernel-relaxed", "kernel-simd"].map((name) => [`/${name}.wasm`, ["application/wasm", readFileSync(join(out, `${name}.wasm`))]])),
};
const server = createServer((request, response) => {
  const [type, body] = files[request.url] ?? [];
  // A cross-origin isolated page has a clock of 5 µs.
  response.writeHead(type ? 200 : 404, { "content-type": type ?? "text/plain", "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" });
  response.end(body);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });

/** In the page: times by task and way, in milliseconds. */
async function measure({ kernel, rounds }) {
  await import("/wasm_exec.js");
  const { kernelOf } = await import("/kernel.js");
  const module = await WebAssembly.compileStreaming(fetch("/bench.wasm"));
  const bytes = await (await fetch(`/kernel-${kernel}.wasm`)).arrayBuffer();
  const { imports, attach } = kernelOf(module, [bytes]);
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, ...imports });
  await attach(instance);
  await new Promise((ready) => {
    globalThis.workReady = ready;
    go.run(instance);
  });
  if (!globalThis.hasKernel) throw new Error(`this Chromium cannot run the kernel ${kernel}`);
  const work = { ...globalThis.work };

  const random = (n) => Float32Array.from({ length: n }, () => Math.random() - 0.5);
  const dot = (a, i, b, j, d) => {
    let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (const end = i + d; i < end; i += 4, j += 4) {
      s0 += a[i] * b[j];
      s1 += a[i + 1] * b[j + 1];
      s2 += a[i + 2] * b[j + 2];
      s3 += a[i + 3] * b[j + 3];
    }
    return s0 + s1 + s2 + s3;
  };
  const tall = random(10_000 * 256), products = new Float64Array(10_000);
  work["Gram row/JavaScript"] = () => {
    for (let k = 0; k < 10_000; k++) products[k] = dot(tall, k * 256, tall, 7 * 256, 256);
  };
  const sentences = random(1000 * 512), layer = random(512 * 512), all = new Float32Array(1000 * 512);
  work["layer/JavaScript"] = () => {
    for (let k = 0; k < 1000; k++) for (let i = 0; i < 512; i++) all[k * 512 + i] = dot(sentences, k * 512, layer, i * 512, 512);
  };

  const found = {};
  for (let round = -3; round < rounds; round++) { // the first rounds warm up
    for (const [name, once] of Object.entries(work)) {
      // Run once before timing, so that caches are warm. Short tasks are repeated,
      // as in a summary.
      once();
      const times = /^(CeRAI|layer)/.test(name) ? 1 : 10;
      const begun = performance.now();
      for (let i = 0; i < times; i++) once();
      const took = (performance.now() - begun) / times;
      if (round >= 0) (found[name] ??= []).push(took);
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return found;
}

const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const titles = {
  CeRAI: "CeRAI, 1,000 × 512", layer: "its first layer: 1,000 × 512 times 512 × 512", "Gram row": "a Gram row, 10,000 × 256",
  "times a vector": "10,000 × 256 times a vector of float64", "squared lengths": "squared lengths, 10,000 × 256",
  "weighted mean": "weighted sum, 10,000 × 256", softmax: "softmax of 10,000",
};
console.log(`Chromium ${browser.version()}, one thread; least and median of ${rounds} rounds, and how many times as long as with the kernel`);
for (const kernel of ["relaxed", "simd"]) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const times = await page.evaluate(measure, { kernel, rounds });
  await page.close();
  console.log(`\nkernel-${kernel}.wasm`);
  for (const [task, title] of Object.entries(titles)) {
    console.log(title);
    for (const [name, all] of Object.entries(times)) {
      if (!name.startsWith(`${task}/`)) continue;
      const how = name.slice(task.length + 1);
      const ratio = median(all.map((ms, i) => ms / times[`${task}/kernel`][i]));
      console.log(`  ${how.padEnd(11)} ${Math.min(...all).toFixed(3).padStart(9)} ${median(all).toFixed(3).padStart(9)} ms${how === "kernel" ? "" : `  × ${ratio.toFixed(1)}`}`);
    }
  }
}
await browser.close();
server.close();
