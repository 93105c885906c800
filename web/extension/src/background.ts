// The toolbar button, the shortcuts and the context menu: each opens the panel
// and leaves a request for it. The browser may stop this script at any time and
// start it for the next event: it has no state.

import { type PanelRequest, leaveRequest } from "./requests.ts";
import { sameHost } from "./tabs/list.ts";
import { forget } from "./work/storage.ts";

/** Set by the build: browsers have different APIs for panels. */
declare const FIREFOX: boolean;

const menus = { page: "page", selection: "selection", tabs: "tabs" } as const;

declare global {
  namespace chrome {
    /** Firefox's side panel. */
    const sidebarAction: { open(): Promise<void> };
  }
}

/** Must be called before any await: browsers open a panel only in response to a user gesture. */
function request(kind: PanelRequest["kind"], tab: chrome.tabs.Tab | undefined, { text, from }: Pick<PanelRequest, "text" | "from"> = {}): void {
  if (tab?.id === undefined) return;
  const opened = FIREFOX ? chrome.sidebarAction.open() : chrome.sidePanel.open({ windowId: tab.windowId });
  const left = leaveRequest({ kind, tabId: tab.id, windowId: tab.windowId, at: Date.now(), ...(text ? { text } : {}), ...(text && from ? { from } : {}) });
  // Pop-up windows have no side panel, and there is nowhere to show a message.
  Promise.all([opened, left]).catch((error: unknown) => console.warn(error));
}

chrome.action.onClicked.addListener((tab) => request("tabs", tab));

chrome.commands.onCommand.addListener((command, tab) => {
  if (command === "summarize-page") request("page", tab);
  else if (command === "summarize-selection") request("selection", tab);
});

chrome.contextMenus.onClicked.addListener((info, tab) => {
  const kind = menus[info.menuItemId as keyof typeof menus];
  if (!kind) return;
  const { selectionText, frameId = 0, frameUrl, pageUrl = "" } = info;
  const framed = frameId !== 0 || frameUrl !== undefined;
  const foreign = framed && frameUrl !== undefined && /^https?:/.test(frameUrl) && !sameHost(frameUrl, pageUrl);
  // A frame without an address of its own, or with one of the page's host, may be sandboxed: the panel asks it for its origin.
  const known = selectionText && (!framed || foreign);
  request(kind, tab, kind === "selection" && known ? { text: selectionText, ...(foreign ? { from: frameUrl } : {}) } : {});
});

// The panel writes its state as it closes with its window: wait for it.
chrome.windows.onRemoved.addListener((windowId) => void setTimeout(() => void forget(windowId), 1000));

// The browser stores menus; they are created again for each version.
chrome.runtime.onInstalled.addListener(() => {
  const title = (key: string) => chrome.i18n.getMessage(key);
  const web = ["http://*/*", "https://*/*"];
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: menus.page, title: title("page"), contexts: ["page", "action"] });
    chrome.contextMenus.create({ id: menus.selection, title: title("selection"), contexts: ["selection"], documentUrlPatterns: web });
    chrome.contextMenus.create({ id: menus.tabs, title: title("tabs"), contexts: ["page", "selection", "action"] });
  });
});
