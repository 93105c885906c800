// Chromium gives a tab another number when it puts it away and when it loads it again.

const successors = new Map<number, number>();
chrome.tabs.onReplaced?.addListener((added, removed) => void successors.set(removed, added));

/** The number that a tab has by now. */
export function present(tabId: number): number {
  let id = tabId;
  for (let next = successors.get(id); next !== undefined && next !== tabId; next = successors.get(id)) id = next;
  return id;
}
