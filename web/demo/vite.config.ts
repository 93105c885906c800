import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { encoder, encoderFiles, runtime, shipped } from "../../build/encoder.mjs";
import { loader as goLoader, program as filesProgram } from "../../build/files.mjs";
import { importsAgain } from "../../build/import-again.mjs";
import { bundled, notices, onlyBundled } from "../../build/notices.mjs";
import { trustedRuntime, trustedTypes } from "../../build/trusted-types.mjs";
import { files as weightFiles, manifest as weightManifest, weights } from "../../build/weights.mjs";
import { compress, packedSize } from "./scripts/compress.mjs";
import { writeServiceWorker } from "./scripts/service-worker.mjs";
import german from "./src/strings/de.ts";
import english from "./src/strings/en.ts";
import spanish from "./src/strings/es.ts";
import french from "./src/strings/fr.ts";
import italian from "./src/strings/it.ts";
import portuguese from "./src/strings/pt.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// CERASUM_ELSEWHERE at build time lists the sites from which the page may fetch
// documents by address: "https:" for all, or some origins
// ("https://news.example https://*.example.org"). The sites must allow it (CORS).
// Without it the page has no field for addresses and can contact only its own origin.
const elsewhere = (process.env["CERASUM_ELSEWHERE"] ?? "").split(/\s+/).filter(Boolean);
for (const source of elsewhere) {
  if (!/^https?:(\/\/(\*\.)?[a-z\d.-]+(:\d+)?)?$/.test(source)) throw new Error(`CERASUM_ELSEWHERE: ${source} is neither "https:" nor an origin`);
}

// Strict enough that no text dropped on the page, whatever it contains, could send
// data anywhere.
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  ["connect-src 'self'", ...new Set(elsewhere)].join(" "),
  "style-src 'self'",
  "img-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // There is no default policy: HTML and workers are made by web/common/trusted.ts.
  "require-trusted-types-for 'script'",
  "trusted-types cerasum",
].join("; ");

/**
 * Fills {{key}} in index.html with English; an unknown key fails the build. Leaves
 * a mark for src/view/language.ts: a comment before a text,
 * data-strings="attribute=key …" on an element.
 */
function strings(): Plugin {
  const page: Record<string, string> = english().page;
  const escape = (s: string) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
  const fill = (s: string, mark = (_key: string) => "") =>
    s.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
      if (page[key] === undefined) throw new Error(`index.html names {{${key}}}, which src/strings/en.ts does not have`);
      return mark(key) + escape(page[key]);
    });
  return {
    name: "strings",
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        // Where pages may be fetched by their addresses, addresses leave the page.
        html.replace("{{version}}", readFileSync(here("../../core/VERSION"), "utf8").trim()).replace("{{privacy}}", elsewhere.length > 0 ? "{{privacyTexts}}" : "{{privacy}}").replace(/<title>[^<]*|<[a-z][^>]*>|[^<]+/g, (part) => {
          if (part.startsWith("<title>")) return fill(part);
          if (!part.startsWith("<")) return fill(part, (key) => `<!--${key}-->`);
          const attributes = [...part.matchAll(/([\w-]+)="\{\{(\w+)\}\}"/g)].map(([, name, key]) => `${name}=${key}`);
          return fill(attributes.length > 0 ? part.replace(/\s*>$/, ` data-strings="${attributes.join(" ")}">`) : part);
        }),
    },
  };
}

/** The policy as a meta tag, in builds only: Vite's own dev client needs inline styles. */
function policy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: (html) =>
      html.replace(/(<meta charset="utf-8">)/, `$1\n    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`),
  };
}

/** `virtual:elsewhere`, and the field for addresses, which is hidden if none can be fetched. */
function addresses(): Plugin {
  const id = "virtual:elsewhere";
  return {
    name: "addresses",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export const elsewhere = ${JSON.stringify(elsewhere)};` : undefined),
    transformIndexHtml: (html) => (elsewhere.length > 0 ? html.replace(/(<form id="address"[^>]*) hidden/, "$1") : html),
  };
}

/** `virtual:samples`: the content of samples/ without the texts, which load on demand. */
function samples(): Plugin {
  const id = "virtual:samples";
  const order = ["en", "en-long", "es", "fr", "pt", "ru", "tr", "mixed"];
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return {
    name: "samples",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return;
      const names = readdirSync(here("samples"))
        .filter((name) => name.endsWith(".json"))
        .map((name) => name.slice(0, -".json".length))
        .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
      const listing = names.map((name) => {
        const { title, language, documents } = JSON.parse(readFileSync(here(`samples/${name}.json`), "utf8"));
        return { name, title, language, documents: documents.length };
      });
      return `export default ${JSON.stringify(listing)}`;
    },
  };
}

/** Copies what close reading loads to encoder/ and ort/, and provides `virtual:encoder`, which describes it. */
function encoderAssets(): Plugin {
  const id = "virtual:encoder";
  const files = new Map<string, () => string | Buffer>(encoderFiles.length === 0 ? [] : [
    ...encoderFiles.map((name) => [`encoder/${name}`, () => readFileSync(join(encoder, name))] as const),
    ...runtime.map((file) => [`ort/${basename(file)}`, () => trustedRuntime(basename(file), shipped(file))] as const),
  ]);
  return {
    name: "encoder",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return;
      const sizes = await Promise.all([...files].map(async ([name, read]) => {
        const content = Buffer.from(read());
        return { name, size: content.length, packed: await packedSize(name, content) };
      }));
      return `export const encoderFiles = ${JSON.stringify(sizes.map(({ name, size }) => [name, size]))}; export const packedBytes = ${sizes.reduce((n, { packed }) => n + packed, 0)};`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? "").replace(/^\/|\?.*$/g, "");
        const read = files.get(path);
        if (!read) return next();
        if (path.endsWith(".mjs")) response.setHeader("content-type", "text/javascript");
        response.end(read());
      });
    },
    generateBundle() {
      for (const [fileName, read] of files) this.emitFile({ type: "asset", fileName, source: read() });
    },
  };
}

/** `virtual:core`: the address and size of cerasum.wasm, which a worker loads. */
function coreFile(): Plugin {
  const id = "virtual:core";
  const file = here("../../js/dist/cerasum.wasm");
  let serving = false;
  return {
    name: "core",
    configResolved: ({ command }) => void (serving = command === "serve"),
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return;
      if (serving) return "export const coreURL = undefined; export const coreBytes = 0;";
      // The library's own reference has the same content, so that there is one file.
      const reference = this.emitFile({ type: "asset", name: "cerasum.wasm", source: readFileSync(file) });
      return `export const coreURL = import.meta.ROLLUP_FILE_URL_${reference}; export const coreBytes = ${statSync(file).size};`;
    },
  };
}

/** Copies the weights to weights/, and provides `virtual:weights`, which describes them. */
function weightsFiles(): Plugin {
  const id = "virtual:weights";
  const files = new Map(weightFiles.map(([path, file]) => [`weights/${path}`, () => readFileSync(file)] as const));
  files.set("weights/manifest.json", () => Buffer.from(weightManifest));
  return {
    name: "weights",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return;
      return `export default ${JSON.stringify(weights.map(({ name, method, licence, free }) => ({ name, method, licence, free })))}`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const read = files.get((request.url ?? "").replace(/^\/|\?.*$/g, ""));
        if (!read) return next();
        response.end(read());
      });
    },
    generateBundle() {
      for (const [fileName, read] of files) this.emitFile({ type: "asset", fileName, source: read() });
    },
  };
}

/** The character maps of East Asian fonts for pdf.js, pdf/cmaps/: loaded on demand. */
function pdfFiles(): Plugin {
  const folder = here("../../node_modules/pdfjs-dist/cmaps/");
  const files = new Map(readdirSync(folder).map((name) => [`pdf/cmaps/${name}`, join(folder, name)] as const));
  return {
    name: "pdf",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = files.get((request.url ?? "").replace(/^\/|\?.*$/g, ""));
        if (!file) return next();
        response.end(readFileSync(file));
      });
    },
    generateBundle() {
      for (const [fileName, file] of files) this.emitFile({ type: "asset", fileName, source: readFileSync(file) });
    },
  };
}

/**
 * Copies the readers of Word files, mail and so on to files/, and provides to the Worker
 * that reads files `virtual:files`, the address of their program, and `virtual:go`, the
 * loader of Go's programs. Both are loaded on demand.
 */
function filesProgramFile(): Plugin {
  const read = () => readFileSync(filesProgram);
  const name = () => `files/files-${createHash("sha256").update(read()).digest("hex").slice(0, 8)}.wasm`;
  const code: Record<string, () => string> = {
    "virtual:files": () => `export const filesPath = ${JSON.stringify(name())};`,
    "virtual:go": () => readFileSync(goLoader, "utf8"),
  };
  return {
    name: "files",
    resolveId: (source) => (source in code ? `\0${source}` : undefined),
    load: (id) => (id.startsWith("\0") ? code[id.slice(1)]?.() : undefined),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if ((request.url ?? "").replace(/^\/|\?.*$/g, "") !== name()) return next();
        response.setHeader("content-type", "application/wasm");
        response.end(read());
      });
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: name(), source: read() });
    },
  };
}

/** NOTICES.txt: the licences of everything in the page. */
function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source: notices(here("../.."), bundled.demo, ["./wasm/files"]) });
    },
  };
}

/** sw.js, the service worker for offline use. */
function serviceWorker(): Plugin {
  const tables = Object.entries({ de: german, en: english, es: spanish, fr: french, it: italian, pt: portuguese });
  const damaged = Object.fromEntries(tables.map(([language, strings]) => [language, strings().text.errors.damaged]));
  return {
    name: "service-worker",
    apply: "build",
    writeBundle: { order: "post", sequential: true, handler: ({ dir }) => writeServiceWorker(dir!, contentSecurityPolicy, damaged) },
  };
}

/** Compressed copies of the files: the last step. */
function copies(): Plugin {
  return {
    name: "copies",
    apply: "build",
    writeBundle: { order: "post", sequential: true, handler: ({ dir }) => compress(dir!) },
  };
}

export default defineConfig({
  root: here("."),
  // Relative addresses: the built site works from any folder of any host.
  base: "./",
  plugins: [importsAgain(), strings(), policy(), addresses(), samples(), coreFile(), encoderAssets(), weightsFiles(), pdfFiles(), filesProgramFile(), trustedTypes(), onlyBundled(bundled.demo), licences(), serviceWorker(), copies()],
  build: {
    outDir: here("../../build/out/site"),
    emptyOutDir: true,
    // light-dark() is kept in the style sheets.
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // An asset turned into a data: address would break the policy.
    assetsInlineLimit: 0,
    // The reader of PDF, which loads with the first PDF.
    chunkSizeWarningLimit: 1300,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es", plugins: () => [{ ...filesProgramFile(), generateBundle: undefined }, onlyBundled(bundled.demo)] },
  preview: { headers: { "Content-Security-Policy": contentSecurityPolicy } },
});
