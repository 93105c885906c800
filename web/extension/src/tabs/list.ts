// The tabs of this window, as far as the extension may see them.

import { clean } from "../page/clean.ts";

/** Why a tab cannot be read. */
export const REASONS = [
  "restricted", "store", "file", "extension", "discarded", "frozen", "loading", "permission", "empty", "login", "error-page",
  "framed", "status", "slow", "gone", "pdf-viewer", "pdf-uncached", "pdf-locked", "pdf-scanned", "pdf-garbled", "pdf-damaged",
] as const;
export type Reason = (typeof REASONS)[number];

export interface TabInfo {
  id: number;
  windowId: number;
  index: number;
  /** Empty if the extension has no permission to see it. */
  title: string;
  /** Empty if the extension has no permission to see it. */
  url: string;
  host: string;
  /** An address that the panel may load: of the browser's icon store, or a data: URL. */
  favicon: string | undefined;
  active: boolean;
  /** Whether the reader has selected it in the tab bar; the active tab always is. */
  picked: boolean;
  /** The tab group that it is in; undefined if none, or if the browser has no groups. */
  group: number | undefined;
  /** A problem known before reading. */
  problem: Reason | undefined;
}

const STORES = /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore|addons\.mozilla\.org|microsoftedge\.microsoft\.com\/addons|addons\.opera\.com)(\/|$)/;

/** Why scripts can never run at an address, whatever the permissions. */
export function forbidden(url: string): Reason | undefined {
  if (url === "") return undefined;
  if (STORES.test(url)) return "store";
  const [scheme] = url.split(":", 1);
  if (scheme === "http" || scheme === "https") return undefined;
  if (scheme === "file") return "file";
  return scheme === "chrome-extension" || scheme === "moz-extension" ? "extension" : "restricted";
}

function problem(tab: chrome.tabs.Tab): Reason | undefined {
  const reason = forbidden(tab.url ?? "");
  if (reason) return reason;
  if (tab.discarded) return "discarded";
  // Chromium freezes tabs to save energy; Firefox lacks the property.
  if (tab.frozen) return "frozen";
  return tab.status === "loading" ? "loading" : undefined;
}

function favicon(tab: chrome.tabs.Tab): string | undefined {
  if (tab.favIconUrl?.startsWith("data:image/")) return tab.favIconUrl;
  // Chromium serves stored icons from the extension's origin. Elsewhere, loading an icon would send a request to the site.
  if (!tab.url || !chrome.runtime.getURL("").startsWith("chrome-extension:")) return undefined;
  const url = new URL(chrome.runtime.getURL("/_favicon/"));
  url.searchParams.set("pageUrl", tab.url);
  url.searchParams.set("size", "32");
  return url.href;
}

export const withoutHash = (url: string): string => url.replace(/#.*$/s, "");

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

/** A tab as the source of what stands in a frame of another site: under that site's name. */
export const framed = (tab: TabInfo, url: string, title = ""): TabInfo => ({ ...tab, url, host: hostOf(url), title: clean(title) || hostOf(url), favicon: undefined });

/** Whether what two origins or addresses say is the same host's: sites without an address are nobody's. */
export const sameHost = (a: string, b: string): boolean => URL.canParse(a) && URL.canParse(b) && new URL(a).host !== "" && new URL(a).host === new URL(b).host;

export function describe(tab: chrome.tabs.Tab): TabInfo {
  const url = tab.url ?? "";
  return {
    id: tab.id ?? -1,
    windowId: tab.windowId,
    index: tab.index,
    title: clean(tab.title ?? ""),
    url,
    host: hostOf(url),
    favicon: favicon(tab),
    active: tab.active,
    picked: tab.highlighted,
    group: tab.groupId !== undefined && tab.groupId >= 0 ? tab.groupId : undefined,
    problem: problem(tab),
  };
}

/**
 * The tabs of the panel's window, in order. Dispatches "change", once for changes
 * that come together.
 */
export class TabList extends EventTarget {
  #list: readonly TabInfo[] = [];
  #titles = false;
  #windowId: number | undefined;
  #due: ReturnType<typeof setTimeout> | undefined;
  /** Counts refreshes: outdated answers are dropped. */
  #turn = 0;

  constructor() {
    super();
    const mine = (windowId: number | undefined) => {
      if (this.#windowId === undefined || windowId === undefined || windowId === this.#windowId) this.#soon();
    };
    chrome.tabs.onCreated.addListener((tab) => mine(tab.windowId));
    chrome.tabs.onUpdated.addListener((_id, _change, tab) => mine(tab.windowId));
    chrome.tabs.onRemoved.addListener((_id, { windowId }) => mine(windowId));
    chrome.tabs.onMoved.addListener((_id, { windowId }) => mine(windowId));
    chrome.tabs.onActivated.addListener(({ windowId }) => mine(windowId));
    chrome.tabs.onHighlighted.addListener(({ windowId }) => mine(windowId));
    chrome.tabs.onAttached.addListener((_id, { newWindowId }) => mine(newWindowId));
    chrome.tabs.onDetached.addListener((_id, { oldWindowId }) => mine(oldWindowId));
    chrome.tabs.onReplaced.addListener(() => this.#soon());
    chrome.permissions.onAdded.addListener(() => this.#soon());
    chrome.permissions.onRemoved.addListener(() => this.#soon());
  }

  get list(): readonly TabInfo[] {
    return this.#list;
  }

  /** Whether the titles and addresses of all tabs may be seen. */
  get titles(): boolean {
    return this.#titles;
  }

  async refresh(): Promise<void> {
    const turn = ++this.#turn;
    const [tabs, titles] = await Promise.all([chrome.tabs.query({ currentWindow: true }), chrome.permissions.contains({ permissions: ["tabs"] })]);
    if (turn !== this.#turn) return;
    this.#windowId = tabs[0]?.windowId;
    const list = tabs.filter(({ id }) => id !== undefined && id >= 0).map(describe).sort((a, b) => a.index - b.index);
    const changed = titles !== this.#titles || JSON.stringify(list) !== JSON.stringify(this.#list);
    this.#list = list;
    this.#titles = titles;
    if (changed) this.dispatchEvent(new Event("change"));
  }

  #soon(): void {
    this.#due ??= setTimeout(() => {
      this.#due = undefined;
      // A closing window has no tabs.
      this.refresh().catch(() => undefined);
    }, 50);
  }
}
