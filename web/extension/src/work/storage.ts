// What the panel stores. Its state and the job in progress are in
// storage.session, which the browser keeps in memory until it closes. Nothing
// is on disk unless the reader turns on the history.

import { METHODS, ORDERS, LONGEST, SHORTEST, DEFAULTS, type Scope, type Settings, type Summary } from "./summary.ts";
import type { Group } from "./read-tabs.ts";
import type { TabText } from "../tabs/read.ts";

/** State of the panel of a window. */
export interface State {
  scope: Scope;
  /** Tabs that the reader has deselected. */
  off: number[];
  settings: Settings;
  summary: Summary | undefined;
  /** Texts of the summary's tabs, unless they are too long to store. */
  texts: TabText[] | undefined;
  /** The job in progress. */
  running: { scope: Scope; tabIds: number[]; text: string | undefined } | undefined;
  groups: Group[];
}

/** Longer texts, in UTF-16 units, are not stored but read again when needed: storage.session is limited to 10 MB. */
const MOST_TEXT = 2_000_000;

/** UTF-16 units of a question, as the panel's field has it. */
const LONGEST_QUERY = 300;

const area = () => chrome.storage.session;
const nameOf = (windowId: number) => `panel-${windowId}`;

export const empty = (): State => ({ scope: "tabs", off: [], settings: { ...DEFAULTS }, summary: undefined, texts: undefined, running: undefined, groups: [] });

/** `settings` are the default for a window without stored settings. */
export async function load(windowId: number, settings: Settings = DEFAULTS): Promise<State> {
  const name = nameOf(windowId);
  const found = await area().get(name).then((all) => all[name] as Partial<State> | undefined, () => undefined);
  // A question belongs to its tabs.
  return { ...empty(), settings: { ...settings, query: "" }, ...found };
}

export async function save(windowId: number, state: State): Promise<void> {
  const length = state.texts?.reduce((n, { text }) => n + text.length, 0) ?? 0;
  const kept = { ...state, texts: length <= MOST_TEXT ? state.texts : undefined };
  // If storage is full, the state is not stored.
  await area().set({ [nameOf(windowId)]: kept }).catch(() => undefined);
}

/** Settings clamped to valid values. */
export function sane({ words, order, method, query }: Settings): Settings {
  return {
    words: Number.isFinite(words) ? Math.min(Math.max(Math.round(words), SHORTEST), LONGEST) : DEFAULTS.words,
    order: ORDERS.includes(order) ? order : DEFAULTS.order,
    method: (METHODS as readonly string[]).includes(method) ? method : DEFAULTS.method,
    query: typeof query === "string" ? query.trim().replace(/\s+/gu, " ").toWellFormed().slice(0, LONGEST_QUERY) : "",
  };
}

const HISTORY = "history";
/** The oldest are dropped. */
const MOST_KEPT = 200;

/** Summaries on disk, newest first; only if the reader has turned the history on. */
export class History extends EventTarget {
  /** undefined: off. */
  #list: Summary[] | undefined;

  get on(): boolean {
    return this.#list !== undefined;
  }

  get list(): readonly Summary[] {
    return this.#list ?? [];
  }

  async open(): Promise<void> {
    const read = async () => {
      this.#list = (await chrome.storage.local.get(HISTORY))[HISTORY] as Summary[] | undefined;
      this.dispatchEvent(new Event("change"));
    };
    // Another window's panel may write too.
    chrome.storage.local.onChanged.addListener((changes) => {
      if (HISTORY in changes) void read();
    });
    await read();
  }

  turnOn(): Promise<void> {
    return this.#write(this.#list ?? []);
  }

  /** Deletes all stored summaries. */
  async turnOff(): Promise<void> {
    await chrome.storage.local.remove(HISTORY);
    this.#list = undefined;
    this.dispatchEvent(new Event("change"));
  }

  /** Stores a summary. It replaces one with the same time, of which it is another version. */
  async keep(summary: Summary): Promise<void> {
    if (!this.#list) return;
    // data: URLs of icons would take most of the space.
    const slim = { ...summary, tabs: summary.tabs.map((tab) => ({ ...tab, favicon: tab.favicon?.startsWith("data:") ? undefined : tab.favicon })) };
    await this.#write([slim, ...this.#list.filter(({ at }) => at !== summary.at)].slice(0, MOST_KEPT));
  }

  delete(at: number): Promise<void> {
    return this.#list ? this.#write(this.#list.filter((one) => one.at !== at)) : Promise.resolve();
  }

  deleteAll(): Promise<void> {
    return this.#list ? this.#write([]) : Promise.resolve();
  }

  async #write(list: Summary[]): Promise<void> {
    await chrome.storage.local.set({ [HISTORY]: list });
    this.#list = list;
    this.dispatchEvent(new Event("change"));
  }
}
