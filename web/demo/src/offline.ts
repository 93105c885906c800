// The program files that the service worker stores so that the page opens
// offline. They contain none of the reader's data.

import { ownScript } from "../../common/trusted.ts";

/** A file of the page, and whether the browser has stored it. */
export interface Stored { address: string; bytes: number; stored: boolean }

/** `program`: what every visit needs. `later`: what close reading needs, weights, and what a few PDFs need. */
export interface Parts { program: readonly Stored[]; later: readonly Stored[] }

/**
 * "waiting": not tried yet, or in progress. "never": not supported by the browser,
 * or the host's files differ from those of the build.
 */
export type OfflineState = "waiting" | "ready" | "never";

/** Chooses among Parts.later. */
export type Chosen = (file: Stored) => boolean;

const PATIENCE_MS = 10_000;

const own = (): string => `cerasum ${new URL("./", document.baseURI).href} `;

/** Sends "change" with every update. */
export class Offline extends EventTarget {
  #state: OfflineState = "waiting";
  #parts: Parts = { program: [], later: [] };
  /** Whether a newer version of the page is ready for the next visit. */
  #newer = false;
  #running: { controller: AbortController; loaded: number; total: number; of: Chosen } | undefined;
  #failed: { why: "network" | "room"; of: Chosen } | undefined;

  get state(): OfflineState {
    return this.#state;
  }

  get parts(): Parts {
    return this.#parts;
  }

  get newer(): boolean {
    return this.#newer;
  }

  /** Bytes of what is being stored, and which files these are. */
  get running(): { loaded: number; total: number; of: Chosen } | undefined {
    return this.#running;
  }

  /** Why the last attempt to store files failed. */
  get failed(): { why: "network" | "room"; of: Chosen } | undefined {
    return this.#failed;
  }

  /** Resolves when the service worker answers the page's requests, or will not; in any case after some seconds. */
  settled(): Promise<void> {
    if (this.#state !== "waiting") return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        if (this.#state === "waiting" && performance.now() < end) return;
        this.removeEventListener("change", done);
        resolve();
      };
      const end = performance.now() + PATIENCE_MS;
      this.addEventListener("change", done);
      setTimeout(done, PATIENCE_MS + 1);
    });
  }

  /** Lets the browser store the program. */
  async start(): Promise<void> {
    const workers = import.meta.env.PROD ? navigator.serviceWorker : undefined;
    if (!workers) return this.#set("never");
    workers.addEventListener("controllerchange", () => void this.refresh());
    try {
      const registration = await workers.register(ownScript("./sw.js"));
      const look = () => {
        this.#newer = registration.waiting !== null && registration.active !== null;
        this.dispatchEvent(new Event("change"));
      };
      const watch = (worker: ServiceWorker | null) =>
        worker?.addEventListener("statechange", () => {
          if (worker.state === "redundant" && !registration.active) this.#set("never");
          look();
        });
      watch(registration.installing);
      registration.addEventListener("updatefound", () => watch(registration.installing));
      look();
    } catch {
      // In private windows of some browsers; the page still works while it is open.
      return this.#set("never");
    }
    await this.refresh();
  }

  /** Updates what is stored. */
  async refresh(): Promise<void> {
    const worker = navigator.serviceWorker?.controller;
    if (!worker) return;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<Parts>((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    worker.postMessage("state", [port2]);
    this.#parts = await answer;
    port1.close();
    this.#set("ready");
  }

  /** Stores those of the chosen files that are not, by requesting each once. */
  async get(of: Chosen): Promise<void> {
    if (this.#running || this.#state !== "ready") return;
    const files = this.#parts.later.filter((file) => !file.stored && of(file));
    const controller = new AbortController();
    const running = (this.#running = { controller, loaded: 0, total: files.reduce((n, { bytes }) => n + bytes, 0), of });
    this.#failed = undefined;
    this.dispatchEvent(new Event("change"));
    try {
      for (const { address } of files) {
        const response = await fetch(address, { signal: controller.signal });
        if (!response.ok) throw new TypeError(`${address}: ${response.status}`);
        for (let reader = response.body!.getReader(), part = await reader.read(); !part.done; part = await reader.read()) {
          running.loaded += part.value.length;
          this.dispatchEvent(new Event("change"));
        }
      }
    } catch {
      if (!controller.signal.aborted) this.#failed = { why: "network", of };
    }
    this.#running = undefined;
    await this.refresh();
    // The file was loaded but not stored.
    if (!controller.signal.aborted && !this.#failed && this.#parts.later.some((file) => !file.stored && of(file))) {
      this.#failed = { why: "room", of };
      this.dispatchEvent(new Event("change"));
    }
  }

  cancel(): void {
    this.#running?.controller.abort();
  }

  /** Deletes the chosen files, stored by get or on first use. */
  async delete(of: Chosen): Promise<void> {
    this.#failed = undefined;
    const cache = await caches.open(`${own()}later`);
    for (const file of this.#parts.later) if (of(file)) await cache.delete(file.address, { ignoreVary: true });
    await this.refresh();
  }

  #set(state: OfflineState): void {
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}
