// Runs in a tab, in the extension's isolated world: extracts the page's text.

import type { Block } from "cerasum";
import { articleOf } from "../../../common/read/article.ts";
import { blocksOf } from "../../../common/read/blocks.ts";
import { dateOf } from "../../../common/read/date.ts";
import { PLACE } from "../../../common/read/marks.ts";
import { type Part, join } from "../../../common/read/parts.ts";
import { BLOCKS } from "../../../common/read/visible.ts";
import { clean } from "./clean.ts";
import { attribute, localName, page, textOf, walk } from "./walk.ts";

/** The content of a document in a tab, or of a frame. */
export interface Extract {
  url: string;
  /** The origin, of a frame without an address that of the page that wrote it; "null" if it has none. */
  origin: string;
  type: string;
  title: string;
  text: string;
  blocks: Block[];
  /** When it was published, in ISO 8601; empty if unknown. */
  date: string;
  /** The language that the page declares. */
  language: string;
  /** The HTTP status; 0 if the browser does not report it. */
  status: number;
  /** Whether it asks for a password. */
  password: boolean;
  /** Frames large enough to read in. */
  frames: number;
  /** CSS pixels. */
  width: number;
  height: number;
  partial: boolean;
}

/** Beyond this much text, UTF-16 units, the rest is left out. */
const MAX_TEXT = 2_000_000;
/** Readability makes many passes over a page: larger pages are read without it. */
const MAX_ARTICLE_TEXT = 1_000_000;
const MAX_ARTICLE_ELEMENTS = 40_000;

/** Attributes that Readability uses. None of them loads or runs anything or hides a property of the copy. */
const KEPT = ["class", "role", "rel", "itemprop", "itemtype", "aria-hidden", "aria-modal", "dir", "datetime"];
/** Maximum depth of the copy, since Readability visits all ancestors and descendants of an element. Deeper elements become siblings. */
const MAX_DEPTH = 200;
/** Inline elements that a page displays as blocks. */
const BLOCKISH = /^(?:block|flow-root|flex|grid|list-item|table)$/;
/** Minimum size of a frame with content; smaller ones are buttons or advertisements. */
const MIN_FRAME = { width: 250, height: 120 };

/** Names that consent managers give their overlays, in English whatever the page's language. */
const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics/i;
/** UTF-16 units: longer text is not just a notice. */
const MAX_CONSENT = 3000;
const MAX_DIALOG = 400;

/** A notice about cookies, or a short dialog in front of the page. */
function inFront(element: Element, name: string): boolean {
  const role = attribute(element, "role");
  const most = CONSENT.test(`${attribute(element, "class")} ${attribute(element, "id")}`) ? MAX_CONSENT : name === "dialog" || role === "dialog" || role === "alertdialog" ? MAX_DIALOG : 0;
  return most > 0 && name !== "body" && (textOf(element) ?? "").length <= most;
}

/** A copy of the visible content as a separate document. Stops at `until`, a time of performance.now(). */
function copy(until: number) {
  const clone = page.empty();
  const at: Node[] = [];
  let elements = 0;
  let length = 0;
  let password = false;
  let frames = 0;
  const make = (name: string): Element => {
    try {
      return clone.createElement(name);
    } catch {
      // Parsers accept names that scripts cannot set.
      return clone.createElement("span");
    }
  };
  const root = page.body() ?? page.root();
  const frame = (element: Element) => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(element);
    if (width >= MIN_FRAME.width && height >= MIN_FRAME.height) frames++;
  };
  const complete = !root || walk(root, {
    enter(element, name, display) {
      if (element === root) {
        at.push(clone.body);
        return true;
      }
      if (name === "frame") {
        frame(element);
        return false;
      }
      if (inFront(element, name)) return false;
      elements++;
      let parent = at[at.length - 1]!;
      const block = BLOCKISH.test(display) && !BLOCKS.has(name.toUpperCase());
      if (at.length > MAX_DEPTH) {
        if (!block && !BLOCKS.has(name.toUpperCase())) {
          at.push(parent);
          return true;
        }
        parent = at[MAX_DEPTH]!;
      }
      // A link keeps its name, which distinguishes menus from text.
      if (block && name === "a") parent = parent.appendChild(clone.createElement("div"));
      const made = make(block && name !== "a" ? "div" : name);
      for (const key of KEPT) {
        const value = attribute(element, key);
        if (value !== null) made.setAttribute(key, value);
      }
      // Readability recognizes articles by id, too; the ids of fields could hide a form's properties.
      const id = attribute(element, "id");
      if (id && name !== "fieldset" && name !== "output") made.setAttribute("class", `${made.getAttribute("class") ?? ""} ${id}`.trim());
      const href = name === "a" ? attribute(element, "href") : null;
      // The marks of footnotes are links to places in the page.
      if (href !== null) made.setAttribute("href", href.startsWith("#") ? href : "#");
      const place = id || (name === "a" && attribute(element, "name"));
      if (place) made.setAttribute(PLACE, place);
      at.push(parent.appendChild(made));
      return true;
    },
    leave: () => void at.pop(),
    text(_, seen, start) {
      const value = start > 0 ? ` ${seen}` : seen;
      length += value.length;
      let to = at[at.length - 1]!;
      const flat = at[MAX_DEPTH];
      // Content after a flattened block follows it.
      if (flat && to !== flat && flat.lastChild !== to) to = at[at.length - 1] = flat.appendChild(clone.createElement("div"));
      to.appendChild(clone.createTextNode(value));
    },
    skipped(element, name) {
      if (name === "input" && attribute(element, "type")?.toLowerCase() === "password") password = true;
      if (name === "iframe") frame(element);
    },
    enough: () => length > 2 * MAX_TEXT || performance.now() > until,
  });
  clone.title = page.title();
  // The title, and what may be the date.
  for (const meta of page.all("meta[content]")) {
    const name = ["property", "name", "itemprop"].map((key) => attribute(meta, key)).find(Boolean);
    if (!name || name !== "og:title" && !/date|publish|issued|created/i.test(name)) continue;
    const made = clone.head.appendChild(clone.createElement("meta"));
    made.setAttribute(name === "og:title" ? "property" : "name", name);
    made.setAttribute("content", attribute(meta, "content")!);
  }
  for (const script of page.all('script[type="application/ld+json"]')) {
    const date = /"datePublished"\s*:\s*"[^"]{1,40}"/.exec(textOf(script) ?? "")?.[0];
    if (!date) continue;
    const made = clone.head.appendChild(clone.createElement("script"));
    made.setAttribute("type", "application/ld+json");
    made.textContent = `{${date}}`;
    break;
  }
  return { clone, complete, elements, length, password, frames };
}

const navigation = () => performance.getEntriesByType("navigation")[0] as (PerformanceNavigationTiming & { responseStatus?: number }) | undefined;

/** `milliseconds` limits the time of the extraction; the rest of the page is left out. */
function extract(milliseconds: number): Extract {
  const { clone, complete, elements, length, password, frames } = copy(performance.now() + milliseconds);
  const small = elements <= MAX_ARTICLE_ELEMENTS && length <= MAX_ARTICLE_TEXT;
  const { title, parts, date } = small ? articleOf(clone) : { title: clone.title, parts: blocksOf(clone.body), date: dateOf(clone) };
  const root = page.root();
  const kept: Part[] = [];
  let room = MAX_TEXT;
  let long = false;
  for (const { kind, text } of parts) {
    const cleaned = clean(text).trim();
    long = cleaned.length > room;
    if (cleaned && (!long || kept.length === 0)) kept.push({ kind, text: cleaned.slice(0, room) });
    if (long) break;
    // With the gap before the next one.
    room -= cleaned.length + 2;
  }
  const { text, blocks } = join(kept);
  return {
    url: location.href,
    origin: self.origin,
    type: page.type(),
    title: clean(title).replace(/\s+/g, " ").trim(),
    text,
    blocks,
    date,
    language: (root && localName(root) === "html" && attribute(root, "lang")) || "",
    status: navigation()?.responseStatus ?? 0,
    password,
    frames,
    width: innerWidth,
    height: innerHeight,
    partial: long || !complete,
  };
}

/** The selected text of this document. Selections in form fields are ignored: they are the reader's own input. */
function selection(): { text: string; title: string; language: string; url: string; origin: string } {
  const root = page.root();
  return { url: location.href, origin: self.origin, text: clean(String(getSelection() ?? "")).trim(), title: page.title(), language: (root && attribute(root, "lang")) || "" };
}

export interface PageReader {
  extract: typeof extract;
  selection: typeof selection;
}

// Called by the next script that the extension runs here.
(globalThis as { cerasumReader?: PageReader }).cerasumReader = { extract, selection };
