// Reads the text of a tab.

import type { Block } from "cerasum";
import { join, partsOf } from "../../../common/read/parts.ts";
import { plainBlocks } from "../../../common/read/plain.ts";
import { clean } from "../page/clean.ts";
import type { Extract, PageReader } from "../page/extract.ts";
import { plausible } from "./language.ts";
import { type Reason, type TabInfo, describe, forbidden, framed, sameHost, withoutHash } from "./list.ts";
import { pattern, refused } from "./permissions.ts";
import { present } from "./replaced.ts";
import { inTab, limited, TimeOut, within } from "./run.ts";
import { countWords } from "./words.ts";

export interface TabText {
  tab: TabInfo;
  title: string;
  /** With blank lines between paragraphs. */
  text: string;
  /** What the parts of the text are. */
  blocks: readonly Block[];
  /** When it was published, in ISO 8601; empty if unknown. */
  date: string;
  /** A two- or three-letter tag, if the page declares it plausibly. */
  language: string | undefined;
  words: number;
  /** Whether the page has more text than was read. */
  partial: boolean;
}

/** Why a tab was not read. `detail` is a number or a message with more information. */
export class TabError extends Error {
  constructor(readonly reason: Reason, readonly detail?: string) {
    super(detail === undefined ? reason : `${reason}: ${detail}`);
    this.name = "TabError";
  }
}

/** Milliseconds for a tab. */
export const TIMEOUT = 5000;
/** Additional time for frames: one that hangs must not cost the page. */
const FRAMES_TIMEOUT = 1500;
/** A page with a password field and fewer words than this is a login page. */
const LOGIN_WORDS = 250;
/** A frame with fewer words is a button or an advertisement. */
const FRAME_WORDS = 40;
/** Pages with fewer words than these may keep their text in frames. */
const THIN_WORDS = 100;
const MAX_PDF_BYTES = 64 << 20;
/** Base64 characters per message; a multiple of four. */
const SLICE = 8 << 20;

// Tabs are read in parallel, but each needs memory and CPU time.
const inLine = limited(8);

type World = { cerasumReader?: PageReader; cerasumPDF?: string };

/**
 * The text of a tab with all its frames. Rejects with TabError, or with the
 * signal's reason. `timeout`, in milliseconds, counts from when its turn comes.
 * `reload` allows loading a PDF from its site again if the browser has not cached
 * it: the only request that is ever made, with the reader's consent.
 */
export function readTab(tab: TabInfo, { signal, timeout = TIMEOUT, reload = false }: { signal?: AbortSignal; timeout?: number; reload?: boolean } = {}): Promise<TabText> {
  return inLine(async () => {
    signal?.throwIfAborted();
    const until = performance.now() + timeout;
    const id = present(tab.id);
    const now = await chrome.tabs.get(id).catch(() => undefined);
    if (!now) throw new TabError("gone");
    const reason = forbidden(now.url ?? "");
    if (reason) throw new TabError(reason);
    if (now.discarded) throw new TabError("discarded");
    if (now.frozen) throw new TabError("frozen");
    if (tab.url !== "" && now.url && withoutHash(now.url) !== withoutHash(tab.url)) throw new TabError("gone", now.url);
    let read: Read;
    try {
      read = await readDocument(id, until, reload, signal);
    } catch (error) {
      throw await explained(error, now, signal);
    }
    // The tab has navigated to another page meanwhile.
    const after = await chrome.tabs.get(id).catch(() => undefined);
    if (!after || (now.url && after.url && withoutHash(after.url) !== withoutHash(now.url))) throw new TabError("gone");
    const words = countWords(read.text);
    if (read.status >= 400) throw new TabError("status", String(read.status));
    if (read.password && words < LOGIN_WORDS) throw new TabError("login");
    if (words === 0) throw new TabError(read.elsewhere ? "framed" : "empty");
    const { text, blocks, date, partial } = read;
    return { tab: describe(after), title: read.title || describe(after).title || tab.title, text, blocks, date, language: await plausible(read.language, text), words, partial };
  });
}

/** The reason for the browser's error when a tab cannot be read. */
async function explained(error: unknown, tab: chrome.tabs.Tab, signal: AbortSignal | undefined): Promise<unknown> {
  if (error instanceof TabError || signal?.aborted) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof TimeOut) {
    const now = await chrome.tabs.get(tab.id!).catch(() => undefined);
    return new TabError(!now ? "gone" : now.status === "loading" ? "loading" : "frozen");
  }
  if (/error page/i.test(message)) return new TabError("error-page");
  if (/no tab with id|no frame with id|was removed|invalid tab id|tab was closed/i.test(message) || /context/i.test(message) && /invalidated|destroyed/i.test(message)) return new TabError("gone", message);
  if (/extensions gallery|webstore/i.test(message)) return new TabError("store");
  if (/chrome:\/\/|cannot be scripted due to an ExtensionsSettings|devtools/i.test(message)) return new TabError("restricted", message);
  if (/chrome-extension:|different extension/i.test(message)) return new TabError("extension");
  if (refused(error)) {
    const origin = pattern(tab.url ?? "");
    // Firefox reports the same for its error pages and its PDF viewer.
    // The viewer shows a document by its title, or by the name of its file.
    const pdf = /\.pdf([?#]|$)/i.test(tab.url ?? "") || /\.pdf$/i.test(tab.title ?? "");
    if (origin && (await chrome.permissions.contains({ origins: [origin] }))) return new TabError(pdf ? "pdf-viewer" : "error-page", message);
    return new TabError("permission", message);
  }
  return new TabError("slow", message);
}

type Read = Pick<Extract, "title" | "text" | "blocks" | "date" | "language" | "partial" | "status" | "password"> & {
  /** Whether a frame of another site has text. */
  elsewhere?: boolean;
};

async function readDocument(tabId: number, until: number, reload: boolean, signal: AbortSignal | undefined): Promise<Read> {
  const left = () => until - performance.now();
  const main = { tabId };
  // A script that waits for the page to load might never return, so it only reports the load state.
  for (;;) {
    const [state] = await within(inTab(main, undefined, () => ({ ready: document.readyState !== "loading", type: document.contentType }), []), left(), signal);
    if (!state?.value) throw new TabError("gone");
    if (state.value.type === "application/pdf") return readPDFTab(tabId, until, reload, signal);
    if (state.value.ready) break;
    if (left() < 100) throw new TimeOut("still loading");
    await within(new Promise((done) => setTimeout(done, 50)), left(), signal);
  }
  const patience = Math.max(100, left() - 1500);
  const read = (milliseconds: number) => (globalThis as World).cerasumReader?.extract(milliseconds);
  const [answer] = await slow(() => within(inTab(main, "page/extract.js", read, [patience]), left(), signal));
  const page = answer?.value;
  if (!page) throw new TabError("gone");
  if (page.frames === 0) return page;
  return merge(page, await framesOf(tabId, Math.min(FRAMES_TIMEOUT, left() - 50), signal));
}

/** Distinguishes a page that answered before and is now too slow from one that never answers. */
async function slow<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TimeOut ? new TabError("slow") : error;
  }
}

async function framesOf(tabId: number, milliseconds: number, signal: AbortSignal | undefined): Promise<Extract[]> {
  // The browser leaves out frames of sites without permission.
  const read = (limit: number) => (window === window.top || document.contentType !== "text/html" ? undefined : (globalThis as World).cerasumReader?.extract(limit));
  try {
    const answers = await within(inTab({ tabId, allFrames: true }, "page/extract.js", read, [milliseconds / 2]), milliseconds, signal);
    return answers.map(({ value }) => value).filter((value) => value !== undefined && value !== null);
  } catch (error) {
    signal?.throwIfAborted();
    // A frame hangs or is gone; the page itself has been read.
    void error;
    return [];
  }
}

/** A page and its frames, except frames of other sites, whose words are not the page's, and frames that are too short or repeat others. */
function merge(page: Extract, all: readonly Extract[]): Read {
  const frames = all.filter(({ origin }) => sameHost(origin, page.origin));
  const own = countWords(page.text);
  const parts = partsOf(page.text, page.blocks);
  const said = new Set(parts.map(({ text }) => text));
  let { title, date, language, partial, password } = page;
  for (const frame of frames) {
    const words = countWords(frame.text);
    password ||= frame.password;
    if (words < FRAME_WORDS || (own >= THIN_WORDS && words < own / 2)) continue;
    for (const part of partsOf(frame.text, frame.blocks)) {
      if (said.has(part.text)) continue;
      said.add(part.text);
      parts.push(part);
    }
    if (own < FRAME_WORDS) language = frame.language || language;
    title ||= frame.title;
    date ||= frame.date;
    partial ||= frame.partial;
  }
  return { ...page, ...join(parts), title, date, language, partial, password, elsewhere: frames.length < all.length };
}

/** The text of a PDF in a tab, read from the browser's cache. */
async function readPDFTab(tabId: number, until: number, reload: boolean, signal: AbortSignal | undefined): Promise<Read> {
  const left = () => until - performance.now();
  const fetched = async (again: boolean, most: number) => {
    // Without `again` no server is contacted: a PDF that is not cached is an error.
    const response = await fetch(location.href, again ? { credentials: "same-origin" } : { cache: "only-if-cached", mode: "same-origin" }).catch(() => undefined);
    if (!response?.ok) return -1;
    const blob = await response.blob();
    if (blob.size > most) return -2;
    const encoded = await new Promise<string>((done, failed) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result as string);
      reader.onerror = () => failed(new Error("unreadable"));
      reader.readAsDataURL(blob);
    });
    (globalThis as World).cerasumPDF = encoded.slice(encoded.indexOf(",") + 1);
    return (globalThis as World).cerasumPDF!.length;
  };
  const [answer] = await within(inTab({ tabId }, undefined, fetched, [reload, MAX_PDF_BYTES]), reload ? Math.max(left(), 30_000) : left(), signal);
  const length = answer?.value ?? -1;
  if (length === -1) throw new TabError("pdf-uncached");
  if (length === -2) throw new TabError("slow", "more than 64 MB");
  const slices: string[] = [];
  for (let at = 0; at < length; at += SLICE) {
    const [slice] = await within(inTab({ tabId }, undefined, (from: number, to: number) => (globalThis as World).cerasumPDF?.slice(from, to), [at, at + SLICE]), 30_000, signal);
    if (typeof slice?.value !== "string") throw new TabError("gone");
    slices.push(slice.value);
  }
  void inTab({ tabId }, undefined, () => void delete (globalThis as World).cerasumPDF, []).catch(() => undefined);
  const bytes = Uint8Array.from(atob(slices.join("")), (c) => c.charCodeAt(0));
  const [{ readPDF }, { PDFError }] = await Promise.all([import("./pdf.ts"), import("../../../common/read/pdf.ts")]);
  // Parsing does not depend on the tab: for a long file, the reader may wait or cancel.
  const patience = AbortSignal.timeout(60_000);
  try {
    const { title, text, blocks = [] } = await readPDF(bytes, signal ? AbortSignal.any([signal, patience]) : patience);
    return { title, text, blocks: [...blocks], date: "", language: "", partial: false, status: 0, password: false };
  } catch (error) {
    if (patience.aborted && !signal?.aborted) throw new TabError("slow");
    if (!(error instanceof PDFError)) throw error;
    throw new TabError(error.problem === "stopped" ? "pdf-damaged" : `pdf-${error.problem}`);
  }
}

/** The selection in a tab, the longest if several frames have one. Rejects as readTab does. */
export async function readSelection(tabId: number, { signal }: { signal?: AbortSignal } = {}): Promise<TabText> {
  const tab = await chrome.tabs.get(present(tabId)).catch(() => undefined);
  if (!tab) throw new TabError("gone");
  const reason = forbidden(tab.url ?? "");
  if (reason) throw new TabError(reason);
  if (tab.discarded) throw new TabError("discarded");
  const selected = (target: { tabId: number; allFrames?: boolean }) =>
    within(inTab(target, "page/extract.js", () => (globalThis as World).cerasumReader?.selection(), []), TIMEOUT / 2, signal);
  try {
    const inPage = await selected({ tabId });
    const all = inPage[0]?.value?.text ? inPage : await selected({ tabId, allFrames: true }).catch(() => inPage);
    const best = all.map(({ value }) => value).reduce((most, one) => ((one?.text.length ?? 0) > (most?.text.length ?? 0) ? one : most), undefined);
    const words = countWords(best?.text ?? "");
    if (!best || words === 0) throw new TabError("empty");
    const own = sameHost(best.origin, inPage[0]?.value?.origin ?? "");
    // What a frame without an origin says has no name to go by.
    if (!own && best.origin === "null") throw new TabError("framed");
    const source = own ? describe(tab) : framed(describe(tab), /^https?:/.test(best.url) ? best.url : best.origin, best.title);
    return { tab: source, title: clean(best.title) || source.title, text: best.text, blocks: plainBlocks(best.text), date: "", language: await plausible(best.language, best.text), words, partial: false };
  } catch (error) {
    throw await explained(error, tab, signal);
  }
}
