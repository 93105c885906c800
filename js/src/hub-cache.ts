// Keeps models in the browser's Cache storage.

import { KeepError, type Manifest, MANIFEST, type ModelKey, type ModelStore } from "./hub.js";

const CACHE = "cerasum-models";

/** URLs as cache keys; they are never requested. */
const ROOT = "https://models.cerasum.invalid/";

const folder = ({ id, revision, variant }: ModelKey): string =>
  `${ROOT}${[id, revision, variant].map((part) => encodeURIComponent(part)).join("/")}/`;

/**
 * Models in a Cache. The manifest is written last and removed first: files
 * without one are not a model.
 */
export function cacheStore(name = CACHE): ModelStore {
  const open = async (): Promise<Cache | undefined> => {
    try {
      return await globalThis.caches?.open(name);
    } catch {
      return undefined; // no storage, as in some private windows
    }
  };
  const manifestAt = async (cache: Cache, url: string): Promise<Manifest | undefined> => {
    try {
      const manifest = (await (await cache.match(url))?.json()) as Manifest | undefined;
      return manifest?.format === 1 ? manifest : undefined;
    } catch {
      return undefined;
    }
  };
  /** Removes a model, its manifest first. */
  const clear = async (cache: Cache, key: ModelKey): Promise<void> => {
    await cache.delete(folder(key) + MANIFEST);
    for (const { url } of await cache.keys()) {
      if (url.startsWith(folder(key))) await cache.delete(url);
    }
  };

  return {
    async load(key) {
      const cache = await open();
      const manifest = cache && (await manifestAt(cache, folder(key) + MANIFEST));
      if (!manifest) return undefined;
      const files = new Map<string, ArrayBuffer>();
      for (const { path, bytes } of manifest.files) {
        // An unreadable file is downloaded again.
        const buffer = await cache.match(folder(key) + path).then((response) => response?.arrayBuffer()).catch(() => undefined);
        if (buffer?.byteLength !== bytes) return undefined;
        files.set(path, buffer);
      }
      return { manifest, files };
    },

    async save(key, manifest, files) {
      let at = MANIFEST;
      const cache = await open();
      try {
        if (!cache) throw new Error("the browser does not let this page store anything");
        await clear(cache, key);
        for (const [path, bytes] of files) {
          at = path;
          await cache.put(folder(key) + path, new Response(new Blob([bytes])));
        }
        at = MANIFEST;
        await cache.put(folder(key) + MANIFEST, Response.json(manifest));
      } catch (error) {
        // Files without a manifest would only take space.
        if (cache) await clear(cache, key).catch(() => undefined);
        throw new KeepError(at, error);
      }
    },

    async list() {
      const cache = await open();
      const list: Manifest[] = [];
      for (const { url } of (await cache?.keys().catch(() => undefined)) ?? []) {
        const manifest = url.startsWith(ROOT) && url.endsWith(`/${MANIFEST}`) ? await manifestAt(cache!, url) : undefined;
        if (manifest) list.push(manifest);
      }
      return list.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.revision < b.revision ? -1 : 1));
    },

    async remove(key) {
      const cache = await open();
      if (cache) await clear(cache, key);
    },

    async alone(key, signal, work) {
      const { locks } = globalThis.navigator;
      if (!locks) return work();
      let begun = false;
      try {
        return await locks.request(`${name} ${folder(key)}`, signal ? { signal } : {}, () => {
          begun = true;
          return work();
        });
      } catch (error) {
        if (begun || signal?.aborted) throw error;
        return work(); // without locks there is no storage to guard either
      }
    },
  };
}
