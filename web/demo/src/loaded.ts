// The page's requests, as far as the browser reports them.

/** One request, or several of the same. */
export interface Loaded {
  url: string;
  /** 0 where the browser does not tell. */
  bytes: number;
  /** Other than GET only where the service worker has seen it. */
  method: string;
}

/** Sends "change" with every new one. */
export class LoadedFiles extends EventTarget {
  readonly #all = new Map<string, Loaded>();
  /** How many attempts the Content-Security-Policy has stopped. */
  #refused = 0;
  /** Whether the service worker saw all of it, what workers ask for too. */
  readonly complete = Boolean(navigator.serviceWorker?.controller);

  constructor() {
    super();
    // Entries of before are handed on as well, and those that the browser's own list has no room for.
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
    const url = address.replace(/#.*$/, "");
    // What the page makes itself goes nowhere.
    if (/^(blob|data):/.test(url)) return;
    const key = `${method} ${url}`;
    this.#all.set(key, { url, method, bytes: Math.max(bytes, this.#all.get(key)?.bytes ?? 0) });
    this.dispatchEvent(new Event("change"));
  }
}
