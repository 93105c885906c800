import { fileURLToPath } from "node:url";

export default {
  mode: "production",
  entry: { main: "./src/main.js" },
  output: {
    path: fileURLToPath(new URL("./public/assets/", import.meta.url)),
    chunkFilename: "[name].[contenthash].js",
  },
  // The defaults of 250 kB are for scripts; cerasum.wasm has 5 MB, 0.8 MB as a good host sends it.
  performance: { maxAssetSize: 6e6 },
};
