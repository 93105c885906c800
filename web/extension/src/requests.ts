// What toolbar, shortcuts and context menu ask the panel for. It goes through
// storage.session, which outlives the background script and is gone when the
// browser ends: the panel may open before, after or long after the request.

/** What the panel is to do. */
export interface PanelRequest {
  kind: "tabs" | "page" | "selection";
  tabId: number;
  windowId: number;
  /** The selected text as the browser has it, where it says. */
  text?: string;
  /** Time of the request, milliseconds since 1970. */
  at: number;
}

/** A panel takes some time to open; what is older was for one that never did. */
const STALE = 30_000;

const key = (windowId: number) => `request:${windowId}`;

/** Leaves a request for the panel of its window; a later one takes its place. */
export const leaveRequest = (request: PanelRequest): Promise<void> => chrome.storage.session.set({ [key(request.windowId)]: request });

/**
 * Hands the requests for this window to a handler, each once, and the one that
 * waits already. `other` is called where there was one that another panel of the
 * window may have taken: with it comes the right to see the page in front.
 */
export function onRequest(handler: (request: PanelRequest) => void, other?: () => void): void {
  let last = 0;
  const take = async (windowId: number) => {
    const name = key(windowId);
    const { [name]: request } = (await chrome.storage.session.get(name)) as Record<string, PanelRequest | undefined>;
    if (!request) return;
    await chrome.storage.session.remove(name);
    if (request.at <= last || Date.now() - request.at > STALE) return;
    last = request.at;
    handler(request);
  };
  const own = chrome.windows.getCurrent().then(({ id }) => id ?? chrome.windows.WINDOW_ID_NONE);
  // Calls go one after another: two could both find the same request.
  let turn = own.then(take).catch(() => undefined);
  chrome.storage.session.onChanged.addListener((changes) => {
    if (other) void own.then((windowId) => key(windowId) in changes && other());
    turn = turn
      .then(() => own)
      .then((windowId) => (changes[key(windowId)]?.newValue === undefined ? undefined : take(windowId)))
      .catch(() => undefined);
  });
}
