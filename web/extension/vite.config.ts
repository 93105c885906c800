import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { importsAgain } from "../../build/import-again.mjs";
import { bundled, onlyBundled } from "../../build/notices.mjs";
import { trustedTypes } from "../../build/trusted-types.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// build.mjs adds inputs and outputs.
export default defineConfig({
  root: here("."),
  // An extension is the root of an origin of its own.
  base: "/",
  publicDir: false,
  plugins: [importsAgain(), trustedTypes(), onlyBundled(bundled.extension)],
  build: {
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox140"],
    // An asset turned into a data: address would break the policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1300,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es", plugins: () => [onlyBundled(bundled.extension)] },
});
