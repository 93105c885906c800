// Prints the code size of each Go module in a WebAssembly program:
//
//   GOOS=js GOARCH=wasm go build -o build/out/wasm/weigh.wasm ./wasm/page && node build/weigh.mjs build/out/wasm/weigh.wasm
//
// The program must have a name section, unlike that of the release.

import { readFileSync } from "node:fs";

const bytes = readFileSync(process.argv[2] ?? "build/out/wasm/weigh.wasm");
let at = 8;
function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
}
const text = () => {
  const length = number();
  return bytes.toString("utf8", at, (at += length));
};

let imported = 0;
const sizes = [];
const names = new Map();
while (at < bytes.length) {
  const kind = bytes[at++];
  const length = number();
  const end = at + length;
  if (kind === 2) {
    for (let left = number(); left > 0; left--) {
      text();
      text();
      if (bytes[at++] !== 0) throw new Error("an import that is no function");
      number();
      imported++;
    }
  } else if (kind === 10) {
    for (let left = number(); left > 0; left--) {
      const size = number();
      sizes.push(size);
      at += size;
    }
  } else if (kind === 0 && text() === "name") {
    while (at < end) {
      const part = bytes[at++];
      const after = number() + at;
      if (part === 1) for (let left = number(); left > 0; left--) names.set(number(), text());
      at = after;
    }
  }
  at = end;
}
if (names.size === 0) throw new Error("the program has no names");

const modules = new Map();
let all = 0;
sizes.forEach((size, index) => {
  const name = names.get(imported + index) ?? "";
  // A name is the path with underscores: github.com_owner_module_package.Function.
  const path = /^((?:[a-z0-9-]+\.)+(?:com|org))_([^_.]+)_([^_.]+)/.exec(name)?.slice(1).join("/") ?? "Go's own";
  modules.set(path, (modules.get(path) ?? 0) + size);
  all += size;
});
for (const [path, size] of [...modules].sort((a, b) => b[1] - a[1])) {
  console.log(`${size.toLocaleString("en").padStart(11)} ${((100 * size) / all).toFixed(1).padStart(5)} % ${path}`);
}
