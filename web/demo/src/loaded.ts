// The page's requests, as far as the browser reports them.

/** One request, or several of the same. */
export interface Loaded {
  url: string;
  /** 0 if the browser does not report it. */
  bytes: number;
  /** GET, unless the service worker has reported another one. */
  method: string;
}

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

  #see(address: string, bytes: number, method: string): void {
    const url = address.replace(/#.*$/s, "");
    // blob: and data: URLs do not cause requests.
    if (/^(blob|data):/.test(url)) return;
    const key = `${method} ${url}`;
    this.#all.set(key, { url, method, bytes: Math.max(bytes, this.#all.get(key)?.bytes ?? 0) });
    this.dispatchEvent(new Event("change"));
  }
}
