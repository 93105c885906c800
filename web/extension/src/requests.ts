// Requests by the toolbar, shortcuts and context menu to the panel. They go
// through storage.session, which outlives the background script and is cleared
// when the browser exits: the panel may open before or after the request.

import { isRequest } from "./work/saved.ts";

/** A request to the panel. */
export interface PanelRequest {
  kind: "tabs" | "page" | "selection";
  tabId: number;
  windowId: number;
  /** The selected text, if the browser passes it. */
  text?: string;
  /** The address of the frame of another site that the selected text is in. */
  from?: string;
  /** Time of the request, milliseconds since 1970. */
  at: number;
}

/** Milliseconds after which a request is ignored: its panel never opened. */
const STALE = 30_000;

export const requestKey = (windowId: number) => `request:${windowId}`;

/** Leaves a request for the panel of its window; a later one replaces it. */
export const leaveRequest = (request: PanelRequest): Promise<void> => chrome.storage.session.set({ [requestKey(request.windowId)]: request });

/**
 * Passes the requests for this window to a handler, each once, including a
 * pending one. `other` is called for a request that another panel of the window
 * may have taken: it grants access to the active page.
 */
export function onRequest(handler: (request: PanelRequest) => void, other?: () => void): void {
  let last = 0;
  const take = async (windowId: number) => {
    const name = requestKey(windowId);
    const { [name]: found } = await chrome.storage.session.get(name);
    if (found === undefined) return;
    await chrome.storage.session.remove(name);
    if (!isRequest(found)) return;
    const request = found as PanelRequest;
    if (request.at <= last || Date.now() - request.at > STALE) return;
    last = request.at;
    handler(request);
  };
  const own = chrome.windows.getCurrent().then(({ id }) => id ?? chrome.windows.WINDOW_ID_NONE);
  // One call at a time: two could both find the same request.
  let turn = own.then(take).catch(() => undefined);
  chrome.storage.session.onChanged.addListener((changes) => {
    if (other) void own.then((windowId) => requestKey(windowId) in changes && other());
    turn = turn
      .then(() => own)
      .then((windowId) => (changes[requestKey(windowId)]?.newValue === undefined ? undefined : take(windowId)))
      .catch(() => undefined);
  });
}
