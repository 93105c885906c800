// Stores models in a folder, which the command line program shares.

import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { KeepError, type Manifest, MANIFEST, type ModelKey, type ModelStore } from "./hub.js";
import { inside } from "./hub-layout.js";

/** The user's cache directory. */
function cacheFolder(): string {
  const { env, platform } = process;
  if (platform === "win32") return env["LocalAppData"] || join(homedir(), "AppData", "Local");
  if (platform === "darwin") return join(homedir(), "Library", "Caches");
  return env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
}

/** Escapes any text as the name of a folder, as the command line program does. */
const escape = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte, i, all) => {
    const c = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(c) || (c === "." && i > 0 && i < all.length - 1) ? c : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");

const missing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Models in subfolders. A model appears by one rename, when it is complete. */
export function folderStore(root = join(cacheFolder(), "cerasum", "models")): ModelStore {
  const folder = ({ id, revision, variant }: ModelKey): string => {
    const name = escape(revision || "main") + (variant ? `+${escape(variant.replace(/\.onnx$/, ""))}` : "");
    // The id of a model from an address is the address.
    return join(root, ...(id.includes("://") ? ["~address", escape(id).slice(-200)] : id.split("/")), name);
  };
  const manifestIn = async (dir: string): Promise<Manifest | undefined> => {
    try {
      const manifest = JSON.parse(await readFile(join(dir, MANIFEST), "utf8")) as Manifest;
      return manifest.format === 1 && manifest.files.length > 0 && manifest.files.every(({ path }) => inside(path)) ? manifest : undefined;
    } catch (error) {
      if (missing(error) || error instanceof SyntaxError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
  const remove = async (key: ModelKey): Promise<void> => {
    const dir = folder(key);
    await rm(join(dir, MANIFEST), { force: true });
    await rm(dir, { recursive: true, force: true });
    for (let up = dirname(dir); up.length > root.length; up = dirname(up)) {
      try {
        await rmdir(up);
      } catch {
        break; // not empty
      }
    }
  };

  return {
    async load(key) {
      const dir = folder(key);
      const manifest = await manifestIn(dir);
      if (!manifest) return undefined;
      const files = new Map<string, ArrayBuffer>();
      for (const { path, bytes } of manifest.files) {
        try {
          if ((await stat(join(dir, path))).size !== bytes) return undefined;
          const data = await readFile(join(dir, path));
          files.set(path, data.buffer.byteLength === data.length ? (data.buffer as ArrayBuffer) : new Uint8Array(data).buffer);
        } catch (error) {
          if (missing(error)) return undefined;
          throw error;
        }
      }
      return { manifest, files };
    },

    async save(key, manifest, files) {
      const dir = folder(key);
      // Not a model. The command line program removes abandoned ones.
      const mark = randomUUID().slice(0, 8);
      const stage = `${dir}~old${mark}-new`;
      let at = MANIFEST;
      try {
        for (const [path, bytes] of files) {
          at = path;
          await write(join(stage, path), bytes);
        }
        at = MANIFEST;
        await write(join(stage, MANIFEST), new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 2)}\n`));
        const old = `${dir}~old${mark}`;
        await rename(dir, old).catch((error: unknown) => {
          if (!missing(error)) throw error;
        });
        try {
          await rename(stage, dir);
        } catch (error) {
          // Another process has just stored the same model.
          if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "") || !(await manifestIn(dir))) throw error;
        }
        await rm(old, { recursive: true, force: true });
      } catch (error) {
        throw new KeepError(at, error);
      } finally {
        await rm(stage, { recursive: true, force: true }).catch(() => undefined); // the first error is the one to report
      }
    },

    async list() {
      const list: Manifest[] = [];
      const names = async (dir: string): Promise<string[]> => {
        try {
          return (await readdir(dir, { withFileTypes: true })).filter((e) => e.isDirectory()).map((e) => e.name).sort();
        } catch (error) {
          if (missing(error)) return [];
          throw error;
        }
      };
      for (const owner of await names(root)) {
        for (const name of await names(join(root, owner))) {
          for (const revision of await names(join(root, owner, name))) {
            if (revision.includes("~")) continue;
            const manifest = await manifestIn(join(root, owner, name, revision));
            if (manifest) list.push(manifest);
          }
        }
      }
      return list;
    },

    remove,
    alone: (_key, _signal, work) => work(),
  };
}

/** Writes a new file and syncs it to the disk. */
async function write(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(name), { recursive: true });
  const file = await open(name, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
