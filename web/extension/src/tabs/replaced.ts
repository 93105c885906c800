// Chromium changes a tab's id when it discards the tab and when it loads it again.

const successors = new Map<number, number>();
chrome.tabs.onReplaced?.addListener((added, removed) => void successors.set(removed, added));

/** The current id of a tab. */
export function present(tabId: number): number {
  let id = tabId;
  for (let next = successors.get(id); next !== undefined && next !== tabId; next = successors.get(id)) id = next;
  return id;
}
