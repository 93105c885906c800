import { fileURLToPath } from "node:url";

export default {
  mode: "production",
  entry: { main: "./src/main.js" },
  output: {
    path: fileURLToPath(new URL("./public/assets/", import.meta.url)),
    chunkFilename: "[name].[contenthash].js",
  },
  // The default limit of 250 kB is for scripts; cerasum.wasm has 6.7 MB, 1.0 MB compressed.
  performance: { maxAssetSize: 7e6 },
};
