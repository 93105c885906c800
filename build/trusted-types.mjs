// Lets the packages in a page make HTML and workers as a policy with
// require-trusted-types-for wants it: a plugin for Vite through web/common/trusted.ts, and
// onnxruntime-web, which is not bundled, by itself. They cannot do so without: bundlers
// know workers by the form `new Worker(new URL(…))`.

import { fileURLToPath } from "node:url";

const trusted = JSON.stringify(fileURLToPath(new URL("../web/common/trusted.ts", import.meta.url)));

/** By the end of a module's path: what is replaced in it, how often, and how it imports what that takes. */
const changes = [
  { module: "/js/dist/index.modules.js", times: 2, pattern: /(\n\s*: new Worker)\((new URL\([^()]*\))/g, by: "$1(ownScript($2)", head: `import { ownScript } from ${trusted};` },
  // A CommonJS module.
  { module: "/@mozilla/readability/Readability.js", times: 2, pattern: /\.innerHTML = ([\w.]+);/g, by: ".innerHTML = inertHTML($1);", head: `const { inertHTML } = require(${trusted});` },
];

export function trustedTypes() {
  return {
    name: "trusted-types",
    apply: "build",
    enforce: "post",
    transform(code, id) {
      const path = id.replaceAll("\\", "/").replace(/\?.*$/, "");
      const change = changes.find(({ module }) => path.endsWith(module));
      if (!change) return undefined;
      const { module, times, pattern, by, head } = change;
      const found = code.match(pattern)?.length ?? 0;
      if (found !== times) throw new Error(`${module}: ${found} places for trusted types, want ${times}`);
      return { code: `${head}\n${code.replace(pattern, by)}`, map: null };
    },
  };
}

/** A file of onnxruntime-web, which in one of them starts itself as a worker for each thread. Only the encoder's worker runs it, and makes no policy itself. */
export function trustedRuntime(name, content) {
  if (name !== "ort-wasm-simd-threaded.mjs") return content;
  const code = String(content);
  const start = "new Worker(new URL(import.meta.url),";
  if (code.split(start).length !== 2) throw new Error(`${name}: ${code.split(start).length - 1} places for trusted types, want 1`);
  const policy = 'const ownScript = globalThis.trustedTypes?.createPolicy("cerasum", { createScriptURL: () => import.meta.url }).createScriptURL("") ?? new URL(import.meta.url);';
  return `${policy}\n${code.replace(start, "new Worker(ownScript,")}`;
}
