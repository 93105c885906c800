// Shows a sentence in its tab.

import type { PageMarker, Wanted } from "../page/highlight.ts";
import { forbidden, sameHost } from "./list.ts";
import { refused } from "./permissions.ts";
import { present } from "./replaced.ts";
import { fragment } from "../work/fragment.ts";
import { inTab, TimeOut, within } from "./run.ts";

/** Milliseconds to wait for each answer of a page, and for one that is loaded again. */
const TIMEOUT = 5000;
const LOAD_TIMEOUT = 15_000;

/** As an author style sheet: Chromium does not apply highlight styles of user style sheets. */
const STYLE = "::highlight(cerasum) { background-color: #ffd84d !important; color: #1a1300 !important; text-shadow: none !important; }";

type World = { cerasumMarker?: PageMarker };

export interface Place extends Wanted {
  tabId: number;
  url: string;
}

/**
 * Activates a tab and marks a sentence in it. "fragment": scripts may not run
 * there, so the page was opened in another tab with a text fragment, for the
 * browser to find the sentence; "unseen": the page contains it where no reader sees
 * it; "changed": it no longer contains it; "gone": the tab has been closed.
 */
export async function showSentence(place: Place, { timeout = TIMEOUT }: { timeout?: number } = {}): Promise<"highlighted" | "fragment" | "unseen" | "changed" | "gone"> {
  const { url, sentence, before, after, at } = place;
  const wanted: Wanted = { sentence, before, after, at };
  const tab = await activate(place);
  if (tab?.id === undefined) return "gone";
  const { id: tabId } = tab;
  await chrome.windows.update(tab.windowId, { focused: true }).catch(() => undefined);
  if (tab.discarded || tab.status === "loading") await loaded(tabId);
  await clearLast(present(tabId));
  try {
    return await mark(present(tabId), url, wanted, timeout);
  } catch (error) {
    const now = await chrome.tabs.get(present(tabId)).catch(() => undefined);
    if (!now) return "gone";
    if (!refused(error)) return "changed";
    // The tab shows another page by now: do not navigate away from it.
    const address = now.url || url;
    if (forbidden(address) !== undefined || (now.url && url && withoutHash(now.url) !== withoutHash(url))) return "changed";
    await chrome.tabs.create({ url: fragment(withoutHash(address), sentence)!, windowId: now.windowId, index: now.index + 1 });
    return "fragment";
  }
}

const withoutHash = (url: string) => url.replace(/#.*$/s, "");

/** The tab itself or, after a restart of the browser, one with the same page. */
async function activate({ tabId, url }: Place): Promise<chrome.tabs.Tab | undefined> {
  const own = await chrome.tabs.update(present(tabId), { active: true }).catch(() => undefined);
  if (own || url === "") return own;
  const same = (await chrome.tabs.query({})).find((tab) => tab.url && withoutHash(tab.url) === withoutHash(url));
  return same?.id === undefined ? undefined : chrome.tabs.update(same.id, { active: true }).catch(() => undefined);
}

async function mark(tabId: number, url: string, wanted: Wanted, timeout: number): Promise<"highlighted" | "unseen" | "changed"> {
  const show = (place: Wanted) => (globalThis as World).cerasumMarker?.show(place);
  const pdf = await within(inTab({ tabId }, undefined, () => document.contentType === "application/pdf", []), timeout);
  // The browser's PDF viewer has no text nodes to mark, but it supports text fragments.
  if (pdf[0]?.value) throw new Error("cannot be scripted");
  await within(chrome.scripting.insertCSS({ target: { tabId }, css: STYLE, origin: "AUTHOR" }), timeout);
  await chrome.storage.session.set({ marked: tabId });
  const [page] = await within(inTab({ tabId }, "page/highlight.js", show, [wanted]), timeout);
  if (page?.value === "marked") return "highlighted";
  const absent = page?.value === "unseen" ? "unseen" : "changed";
  // Not in the page itself: mark it in the best-matching frame of the site that said it.
  const fit = (place: Wanted) => (globalThis as World).cerasumMarker?.fit(place);
  try {
    const fits = await within(inTab({ tabId, allFrames: true }, "page/highlight.js", fit, [wanted]), timeout);
    const site = url || fits.find(({ frameId }) => frameId === 0)?.value?.origin || "";
    const frames = fits.filter(({ frameId, value }) => frameId !== 0 && value && value.fit > 0 && sameHost(value.origin, site));
    const best = frames.sort((a, b) => b.value!.fit - a.value!.fit)[0];
    if (!best) return absent;
    const target = { tabId, frameIds: [best.frameId] };
    await within(chrome.scripting.insertCSS({ target, css: STYLE, origin: "AUTHOR" }), timeout);
    const [frame] = await within(inTab(target, undefined, show, [wanted]), timeout);
    return frame?.value === "marked" ? "highlighted" : absent;
  } catch (error) {
    // The frame hangs.
    if (error instanceof TimeOut) return absent;
    throw error;
  }
}

/** Removes the mark from the tab that has it, and from the frames of this one. */
async function clearLast(tabId: number): Promise<void> {
  const { marked } = (await chrome.storage.session.get("marked")) as { marked?: number };
  const clear = () => (globalThis as World).cerasumMarker?.clear();
  const done = [...new Set([marked ?? tabId, tabId])].map((id) => within(inTab({ tabId: id, allFrames: true }, undefined, clear, []), 300).catch(() => undefined));
  if (marked !== undefined) await Promise.all(done);
}

/** Waits until a tab has loaded or been closed, for a limited time. */
function loaded(tabId: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      chrome.tabs.onUpdated.removeListener(updated);
      chrome.tabs.onRemoved.removeListener(removed);
      done();
    };
    const updated = (id: number, change: { status?: string }) => id === present(tabId) && change.status === "complete" && end();
    const removed = (id: number) => id === tabId && end();
    const timer = setTimeout(end, LOAD_TIMEOUT);
    chrome.tabs.onUpdated.addListener(updated);
    chrome.tabs.onRemoved.addListener(removed);
    chrome.tabs.get(present(tabId)).then((tab) => !tab.discarded && tab.status === "complete" && end(), end);
  });
}

/** Loads a discarded tab in the background. */
export async function wake(tabId: number): Promise<void> {
  await chrome.tabs.reload(present(tabId));
  await loaded(tabId);
}
