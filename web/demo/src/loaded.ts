// The page's requests, as far as the browser reports them.

import type { Parts } from "./offline.ts";

/** One request, or several of the same. */
export interface Loaded {
  url: string;
  /** 0 if the browser does not report it. */
  bytes: number;
  /** GET, unless the service worker has reported another one. */
  method: string;
}

/**
 * All that was loaded for the page, with the sizes of the files. On a first visit that
 * includes what the service worker has stored: some of it was asked for by workers
 * whose requests the browser does not report.
 */
export function loadedFor(loaded: LoadedFiles, { program, later }: Parts): Loaded[] {
  const sizes = new Map([...program, ...later].map(({ address, bytes }) => [address, bytes]));
  const all = loaded.all.map((one) => ({ ...one, bytes: sizes.get(one.url) ?? one.bytes }));
  if (loaded.complete) return all;
  const known = new Set(all.map(({ url }) => url));
  return [...all, ...program.filter(({ address, stored }) => stored && !known.has(address)).map(({ address, bytes }) => ({ url: address, bytes, method: "GET" }))];
}

export const isOwn = ({ url }: Loaded): boolean => new URL(url).origin === location.origin;

/** Sends "change" for every new request. */
export class LoadedFiles extends EventTarget {
  readonly #all = new Map<string, Loaded>();
  /** Number of requests blocked by the Content-Security-Policy. */
  #refused = 0;
  /** Whether the service worker saw all requests, including those of workers. */
  readonly complete = Boolean(navigator.serviceWorker?.controller);

  constructor() {
    super();
    // An observer also gets earlier entries, and those that exceed the browser's buffer.
    const see = (entries: PerformanceEntryList) => {
      for (const entry of entries as PerformanceResourceTiming[]) this.#see(entry.name, entry.encodedBodySize || entry.decodedBodySize, "GET");
    };
    for (const type of ["navigation", "resource"]) new PerformanceObserver((list) => see(list.getEntries())).observe({ type, buffered: true });
    navigator.serviceWorker?.addEventListener("message", ({ data }) => {
      if (data?.kind === "request") this.#see(data.url, 0, data.method);
    });
    let policy: string | undefined;
    document.addEventListener("securitypolicyviolation", ({ originalPolicy }) => {
      // Each violation is reported once per policy; the host may send a second one.
      policy ??= originalPolicy;
      if (originalPolicy !== policy) return;
      this.#refused++;
      this.dispatchEvent(new Event("change"));
    });
  }

  get all(): readonly Loaded[] {
    return [...this.#all.values()];
  }

  get refused(): number {
    return this.#refused;
  }

  /** Adds a file that a worker has loaded. */
  add(address: string, bytes: number): void {
    this.#see(address, bytes, "GET");
  }

  #see(address: string, bytes: number, method: string): void {
    const url = address.replace(/#.*$/s, "");
    // blob: and data: URLs do not cause requests.
    if (/^(blob|data):/.test(url)) return;
    const key = `${method} ${url}`;
    this.#all.set(key, { url, method, bytes: Math.max(bytes, this.#all.get(key)?.bytes ?? 0) });
    this.dispatchEvent(new Event("change"));
  }
}
