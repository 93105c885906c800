import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import english from "./src/strings/en.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Fills {{key}} in panel.html with English; an unknown key fails the build. A
 * mark stays, by which the panel finds the place again for another language: a
 * comment before a text, data-strings="attribute=key …" on an element.
 */
function strings(): Plugin {
  const page: Record<string, string> = english().page;
  const escape = (s: string) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
  const fill = (s: string, mark = (_key: string) => "") =>
    s.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
      if (page[key] === undefined) throw new Error(`panel.html names {{${key}}}, which src/strings/en.ts does not have`);
      return mark(key) + escape(page[key]);
    });
  return {
    name: "strings",
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        html.replace(/<title>[^<]*|<[a-z][^>]*>|[^<]+/g, (part) => {
          if (part.startsWith("<title>")) return fill(part);
          if (!part.startsWith("<")) return fill(part, (key) => `<!--${key}-->`);
          const attributes = [...part.matchAll(/([\w-]+)="\{\{(\w+)\}\}"/g)].map(([, name, key]) => `${name}=${key}`);
          return fill(attributes.length > 0 ? part.replace(/\s*>$/, ` data-strings="${attributes.join(" ")}">`) : part);
        }),
    },
  };
}

// build.mjs adds what is built and where it goes.
export default defineConfig({
  root: here("."),
  // An extension is the root of an origin of its own.
  base: "/",
  publicDir: false,
  plugins: [strings()],
  build: {
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox140"],
    // An asset turned into a data: address would break the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1300,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
