// Runs in a tab, in the extension's isolated world: extracts the page's text.

import { readArticle } from "../../../common/read/article.ts";
import { BLOCKS, visibleText } from "../../../common/read/visible.ts";
import { clean } from "./clean.ts";
import { attribute, localName, page, textOf, walk } from "./walk.ts";

/** The content of a document in a tab, or of a frame. */
export interface Extract {
  url: string;
  type: string;
  title: string;
  text: string;
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
const KEPT = ["class", "role", "rel", "itemprop", "itemtype", "aria-hidden", "aria-modal", "dir"];
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
      if (name === "a" && attribute(element, "href") !== null) made.setAttribute("href", "#");
      at.push(parent.appendChild(made));
      return true;
    },
    leave: () => void at.pop(),
    text(node) {
      const value = textOf(node) ?? "";
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
  const [meta] = page.all('meta[property="og:title"]');
  if (meta && attribute(meta, "content")) {
    const made = clone.head.appendChild(clone.createElement("meta"));
    made.setAttribute("property", "og:title");
    made.setAttribute("content", attribute(meta, "content")!);
  }
  return { clone, complete, elements, length, password, frames };
}

const navigation = () => performance.getEntriesByType("navigation")[0] as (PerformanceNavigationTiming & { responseStatus?: number }) | undefined;

/** `milliseconds` limits the time of the extraction; the rest of the page is left out. */
function extract(milliseconds: number): Extract {
  const { clone, complete, elements, length, password, frames } = copy(performance.now() + milliseconds);
  const small = elements <= MAX_ARTICLE_ELEMENTS && length <= MAX_ARTICLE_TEXT;
  const { title, text } = small ? readArticle(clone) : { title: clone.title, text: visibleText(clone.body) };
  const root = page.root();
  const long = text.length > MAX_TEXT;
  return {
    url: location.href,
    type: page.type(),
    title: clean(title).replace(/\s+/g, " ").trim(),
    text: clean(long ? text.slice(0, text.lastIndexOf("\n\n", MAX_TEXT) + 1 || MAX_TEXT) : text).trim(),
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
function selection(): { text: string; title: string; language: string } {
  const root = page.root();
  return { text: clean(String(getSelection() ?? "")).trim(), title: page.title(), language: (root && attribute(root, "lang")) || "" };
}

export interface PageReader {
  extract: typeof extract;
  selection: typeof selection;
}

// Called by the next script that the extension runs here.
(globalThis as { cerasumReader?: PageReader }).cerasumReader = { extract, selection };
