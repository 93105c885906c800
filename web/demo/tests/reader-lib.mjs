// The readers of the page's Worker by themselves.

import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { loader, program } from "../../../build/files.mjs";
import { here } from "./lib.mjs";

/** What the Worker does with a file, in a page of its own: `reader.contentOf`. */
export async function reader(browser) {
  const virtual = {
    name: "virtual",
    setup(builder) {
      builder.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
      builder.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
        contents: path === "virtual:go" ? readFileSync(loader, "utf8") : `export const filesPath = "files.wasm"; export const elsewhere = [];`,
      }));
      builder.onResolve({ filter: /^\.\/pdf\.ts$/ }, ({ path }) => ({ path, external: true }));
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: `export { contentOf } from "./content.ts";`, resolveDir: here("../src/read"), loader: "ts" }, plugins: [virtual],
    bundle: true, write: false, format: "iife", globalName: "reader", target: "es2022",
  });
  const context = await browser.newContext();
  await context.route("**/*", (route) => route.fulfill(route.request().url().endsWith("files.wasm") ? { contentType: "application/wasm", body: readFileSync(program) } : { contentType: "text/html", body: "" }));
  const page = await context.newPage();
  await page.goto("http://reader.example/");
  await page.addScriptTag({ content: outputFiles[0].text });
  return page;
}
