// Loading a file under Node, from the disk or a server.

import { readFile } from "node:fs/promises";
import { fetchBytes, LoadError, type Fetch } from "./load.js";

export const readBytes: Fetch = async (url, progress, signal) => {
  if (!url.startsWith("file:")) return fetchBytes(url, progress, signal);
  try {
    return new Uint8Array(await readFile(new URL(url), { signal }));
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw new LoadError(url, error);
  }
};
