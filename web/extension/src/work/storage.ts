// What the panel stores. Its state and the job in progress are in
// storage.session, which the browser keeps in memory until it closes. Nothing
// is on disk unless the reader turns on the history.

import type { Group } from "./read-tabs.ts";
import { requestKey } from "../requests.ts";
import { areGroups, areIds, areTexts, isRunning, isSummary, sane } from "./saved.ts";
import { DEFAULTS, SCOPES, type Scope, type Settings, type Summary } from "./summary.ts";
import type { TabText } from "../tabs/read.ts";

/** State of the panel of a window. */
export interface State {
  scope: Scope;
  /** Tabs that the reader has deselected. */
  off: number[];
  settings: Settings;
  /** Whether the summary is read as a text. */
  text: boolean;
  summary: Summary | undefined;
  /** Texts of the summary's tabs, unless they are too long to store. */
  texts: TabText[] | undefined;
  /** The job in progress. */
  running: { scope: Scope; tabIds: number[]; text: string | undefined; from?: string | undefined } | undefined;
  groups: Group[];
}

/** Longer texts, in UTF-16 units, are not stored but read again when needed: storage.session is limited to 10 MB. */
const MOST_TEXT = 2_000_000;

const area = () => chrome.storage.session;
const nameOf = (windowId: number) => `panel-${windowId}`;

/** Forgets the state of a window that has closed. */
export const forget = (windowId: number): Promise<void> => area().remove([nameOf(windowId), requestKey(windowId)]);

export const empty = (): State => ({ scope: "tabs", off: [], settings: { ...DEFAULTS }, text: false, summary: undefined, texts: undefined, running: undefined, groups: [] });

/** `settings` are the default for a window without stored settings. */
export async function load(windowId: number, settings: Settings = DEFAULTS): Promise<State> {
  const name = nameOf(windowId);
  const found = (await area().get(name).then((all) => all[name] as Partial<State> | undefined, () => undefined)) ?? {};
  const state = empty();
  return {
    scope: SCOPES.find((one) => one === found.scope) ?? state.scope,
    off: areIds(found.off) ? found.off : state.off,
    // A question belongs to its tabs.
    settings: sane(found.settings ?? { ...settings, query: "" }),
    text: found.text === true,
    summary: isSummary(found.summary) ? found.summary : undefined,
    texts: areTexts(found.texts) ? found.texts : undefined,
    running: isRunning(found.running) ? found.running : undefined,
    groups: areGroups(found.groups) ? found.groups : state.groups,
  };
}

export async function save(windowId: number, state: State): Promise<void> {
  const length = state.texts?.reduce((n, { text }) => n + text.length, 0) ?? 0;
  const kept = { ...state, texts: length <= MOST_TEXT ? state.texts : undefined };
  // If storage is full, the state is not stored.
  await area().set({ [nameOf(windowId)]: kept }).catch(() => undefined);
}

const HISTORY = "history";
/** The oldest are dropped. */
const MOST_KEPT = 200;

/** Summaries on disk, newest first; only if the reader has turned the history on. */
export class History extends EventTarget {
  /** undefined: off. */
  #list: Summary[] | undefined;

  /** `secret`: the panel is in a private window, of which nothing is stored. */
  constructor(readonly secret: boolean) {
    super();
  }

  get on(): boolean {
    return this.#list !== undefined;
  }

  get list(): readonly Summary[] {
    return this.#list ?? [];
  }

  async open(): Promise<void> {
    const read = async () => {
      const found = (await chrome.storage.local.get(HISTORY))[HISTORY] as unknown;
      this.#list = found === undefined ? undefined : Array.isArray(found) ? found.filter(isSummary) : [];
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
    if (!this.#list || this.secret) return;
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
