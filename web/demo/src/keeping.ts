// Stores the reader's documents and settings in this browser if they opt in;
// otherwise only the options of the summary, until the tab is closed.
//
// sessionStorage has these options once the reader changes one.
//
// localStorage has the opt-in, the theme and the language, which early.js needs
// before the first paint. IndexedDB has a record for each document, and one with
// their order and the settings. The latter has a stamp, which changes with every
// write: a tab that finds an unknown stamp does not overwrite the data of another
// tab.

import type { Doc, Documents, NewDoc } from "./documents.ts";
import { type KeptSettings, documentOf, SessionError, settingsOf } from "./session.ts";

/**
 * "elsewhere": another tab has stored something since. "full": storage had no
 * space for the latest change. "refused": the browser does not let the page store
 * anything.
 */
export type KeepingState = "off" | "on" | "elsewhere" | "full" | "refused";

/** Preferences in localStorage. */
export type Preference = "theme" | "language";

const SWITCH = "cerasum-keep";
const OPTIONS = "cerasum-options";
const DATABASE = "cerasum-kept";
const nameOf = (preference: Preference) => `cerasum-${preference}`;
/** Milliseconds from a change to its write. */
const DELAY = 300;

interface Entry { stamp: string; order: string[]; settings: KeptSettings }

const randomName = (): string => [...crypto.getRandomValues(new Uint32Array(3))].map((n) => n.toString(36)).join("");

/** Sends "change" when the state changes. */
export class Keeping extends EventTarget {
  #state: KeepingState = "off";
  /** Stamp of the last read or write by this tab. */
  #stamp: string | undefined;
  #keys = new Map<number, string>();
  /** The documents in the database, by key. */
  #written = new Map<string, Doc>();
  #last = "";
  #timer: number | undefined;
  #queue: Promise<void> = Promise.resolve();
  /** The options when they were last restored or stored for this tab. */
  #options: string | undefined;

  constructor(
    private readonly documents: Documents,
    private readonly hooks: { settings(): KeptSettings; apply(settings: KeptSettings): void; preferences(): Partial<Record<Preference, string>> },
  ) {
    super();
    documents.addEventListener("change", () => this.touch());
    window.addEventListener("pagehide", () => void this.flush());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") void this.flush();
    });
    // Another tab has turned it on or off.
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key !== SWITCH && key !== null) return;
      if (newValue === "on") {
        if (this.#state !== "on") this.#set("elsewhere");
      } else if (this.#state !== "off") this.#forget();
    });
  }

  get state(): KeepingState {
    return this.#state;
  }

  /** Restores what was stored. `reset`: the stored settings are invalid and are ignored. */
  async restore(): Promise<{ documents: number; reset: boolean }> {
    const found = await this.#restoreKept();
    if (this.#state !== "on") this.#restoreOptions();
    this.#options = optionsOf(this.hooks.settings());
    return found;
  }

  async #restoreKept(): Promise<{ documents: number; reset: boolean }> {
    const nothing = { documents: 0, reset: false };
    try {
      if (localStorage.getItem(SWITCH) !== "on") {
        clearStorage();
        return nothing;
      }
    } catch {
      return nothing;
    }
    this.#state = "on";
    let found: Awaited<ReturnType<typeof read>>;
    try {
      found = await read();
    } catch {
      this.#set("refused");
      return nothing;
    }
    this.#set("on");
    if (!found) return nothing;
    const { entry, settings, docs } = found;
    this.#stamp = entry.stamp;
    if (settings) this.hooks.apply(settings);
    const keys = [...docs.keys()];
    const added = keys.length > 0 ? this.documents.add(...docs.values()) : [];
    added.forEach((doc, i) => {
      this.#keys.set(doc.id, keys[i]!);
      this.#written.set(keys[i]!, doc);
    });
    this.#last = JSON.stringify([entry.order, settings]);
    if (!settings) this.touch();
    return { documents: docs.size, reset: !settings };
  }

  #restoreOptions(): void {
    try {
      const stored = sessionStorage.getItem(OPTIONS);
      if (stored === null) return;
      const { method, order, licence } = JSON.parse(stored);
      this.hooks.apply(settingsOf({ ...this.hooks.settings(), method, order, licence }));
    } catch {
      // No access to sessionStorage, or the options are invalid.
    }
  }

  #storeOptions(): void {
    const now = optionsOf(this.hooks.settings());
    if (this.#options === undefined || this.#options === now) return;
    this.#options = now;
    try {
      sessionStorage.setItem(OPTIONS, now);
    } catch {
      // No access to sessionStorage.
    }
  }

  /** Turns storing on or off. Off deletes everything at once. */
  async turn(on: boolean): Promise<void> {
    if (!on) {
      this.#forget();
      await this.#queue;
      try {
        clearStorage();
        sessionStorage.removeItem(OPTIONS);
        await drop();
      } catch {
        // Without storage there is nothing to delete.
      }
      return;
    }
    try {
      localStorage.setItem(SWITCH, "on");
      for (const [name, value] of Object.entries(this.hooks.preferences())) localStorage.setItem(nameOf(name as Preference), value);
    } catch {
      try {
        clearStorage();
      } catch {
        // No access to localStorage.
      }
      return this.#set("refused");
    }
    this.#set("on");
    // Ask the browser not to evict the data when it needs space. It may refuse.
    void navigator.storage?.persist?.().catch(() => false);
    await this.here();
  }

  /** Stores the documents of this tab, replacing those of another tab. */
  async here(): Promise<void> {
    this.#set("on");
    await this.#write(true);
  }

  prefer(name: Preference, value: string): void {
    if (this.#state === "off" || this.#state === "refused") return;
    try {
      localStorage.setItem(nameOf(name), value);
    } catch {
      this.#set("full");
    }
  }

  /** Documents or settings may have changed. */
  touch(): void {
    this.#storeOptions();
    if (this.#state !== "on" && this.#state !== "full") return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#write(), DELAY);
  }

  /** Writes pending changes now. */
  flush(): Promise<void> {
    return this.#state === "on" || this.#state === "full" ? this.#write() : this.#queue;
  }

  #write(force = false): Promise<void> {
    clearTimeout(this.#timer);
    return (this.#queue = this.#queue.then(() => this.#writeNow(force)).catch(() => undefined));
  }

  async #writeNow(force: boolean): Promise<void> {
    if (this.#state !== "on" && this.#state !== "full") return;
    if (!isOn()) return this.#forget();
    if (force) this.#written.clear();
    const docs = this.documents.list;
    const order = docs.map(({ id }) => {
      if (!this.#keys.has(id)) this.#keys.set(id, randomName());
      return this.#keys.get(id)!;
    });
    const settings = this.hooks.settings();
    const news = docs.map((doc, i) => [order[i]!, doc] as const).filter(([key, doc]) => this.#written.get(key) !== doc);
    const gone = [...this.#written.keys()].filter((key) => !order.includes(key));
    const now = JSON.stringify([order, settings]);
    if (!force && news.length + gone.length === 0 && now === this.#last) return;
    const stamp = randomName();
    try {
      const others = await write({ stamp, order, settings }, news, gone, force ? "any" : this.#stamp);
      if (others) return this.#set("elsewhere");
    } catch (error) {
      return this.#set(error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "refused");
    }
    for (const [key, doc] of news) this.#written.set(key, doc);
    for (const key of gone) this.#written.delete(key);
    this.#stamp = stamp;
    this.#last = now;
    this.#set("on");
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#stamp = undefined;
    this.#written.clear();
    this.#last = "";
    this.#set("off");
  }

  #set(state: KeepingState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.dispatchEvent(new Event("change"));
  }
}

/** The options that a tab remembers. */
const optionsOf = ({ method, order, licence }: KeptSettings): string => JSON.stringify({ method, order, licence });

function isOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) === "on";
  } catch {
    return false;
  }
}

function clearStorage(): void {
  for (const name of [SWITCH, nameOf("theme"), nameOf("language")]) localStorage.removeItem(name);
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Opens the database for each action: an open connection would block another tab from deleting it. */
async function withDatabase<T>(act: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("documents");
    request.result.createObjectStore("session");
  };
  const database = await done(request);
  try {
    return await act(database);
  } finally {
    database.close();
  }
}

/** What is invalid, such as what another version has stored, is left out. */
function read(): Promise<{ entry: Entry; settings: KeptSettings | undefined; docs: Map<string, NewDoc> } | undefined> {
  return withDatabase(async (database) => {
    const transaction = database.transaction(["documents", "session"]);
    const entry: Entry | undefined = await done(transaction.objectStore("session").get("now"));
    if (!entry) return undefined;
    const order = Array.isArray(entry.order) ? entry.order.filter((key) => typeof key === "string") : [];
    const found = await Promise.all(order.map((key) => done<unknown>(transaction.objectStore("documents").get(key))));
    return { entry: { ...entry, order }, settings: valid(() => settingsOf(entry.settings)), docs: new Map(order.flatMap((key, i) => {
      const doc = valid(() => documentOf(found[i], key));
      return doc ? [[key, doc] as const] : [];
    })) };
  });
}

/** The result of a validation; undefined if it fails. */
function valid<Value>(check: () => Value): Value | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

/** Writes in one transaction. Returns true and writes nothing if the stamp is not the expected one. */
function write(entry: Entry, news: (readonly [string, Doc])[], gone: string[], expected: string | undefined): Promise<boolean> {
  return withDatabase(async (database) => {
    const transaction = database.transaction(["documents", "session"], "readwrite");
    const written = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
    });
    written.catch(() => undefined);
    const session = transaction.objectStore("session");
    const documents = transaction.objectStore("documents");
    const before: Entry | undefined = await done(session.get("now"));
    if (expected !== "any" && before?.stamp !== expected) {
      transaction.abort();
      return true;
    }
    if (expected === "any") documents.clear();
    for (const key of gone) documents.delete(key);
    for (const [key, { title, madeUp, text, source, language, blocks, date }] of news) documents.put({ title, madeUp, text, source, language, blocks, date }, key);
    session.put(entry, "now");
    await written;
    return false;
  });
}

const drop = (): Promise<unknown> => done(indexedDB.deleteDatabase(DATABASE));
