// Runs in a tab, in the extension's isolated world: extracts the page's text.

import { readArticle } from "../../../common/read/article.ts";
import { BLOCKS, visibleText } from "../../../common/read/visible.ts";
import { clean } from "./clean.ts";
import { attribute, localName, page, textOf, walk } from "./walk.ts";

/** What a document in a tab says; a frame is one too. */
export interface Extract {
  url: string;
  type: string;
  title: string;
  text: string;
  /** The language that the page says it is in. */
  language: string;
  /** The HTTP status that it came with; 0 where the browser does not say. */
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
/** Readability passes over a page many times: larger ones are read without it. */
const MAX_ARTICLE_TEXT = 1_000_000;
const MAX_ARTICLE_ELEMENTS = 40_000;

/** Attributes that Readability goes by. None of them loads or runs anything, and none hides a property of the copy. */
const KEPT = ["class", "role", "rel", "itemprop", "itemtype", "aria-hidden", "aria-modal", "dir"];
/** Levels of the copy: Readability looks at all that an element is in, and at all that is in it. What is deeper lies side by side. */
const MAX_DEPTH = 200;
/** Elements that a page lays out as blocks though they are none by themselves. */
const BLOCKISH = /^(?:block|flow-root|flex|grid|list-item|table)$/;
/** The size from which a frame holds more than a button or an advertisement. */
const MIN_FRAME = { width: 250, height: 120 };

/** What consent managers call what they put over pages; in whatever language, they are named in English. */
const CONSENT = /cookie|consent|gdpr|onetrust|didomi|usercentrics/i;
/** UTF-16 units: what says more than this is more than a notice. */
const MAX_CONSENT = 3000;
const MAX_DIALOG = 400;

/** A notice about cookies, or a short dialog in front of the page. */
function inFront(element: Element, name: string): boolean {
  const role = attribute(element, "role");
  const most = CONSENT.test(`${attribute(element, "class")} ${attribute(element, "id")}`) ? MAX_CONSENT : name === "dialog" || role === "dialog" || role === "alertdialog" ? MAX_DIALOG : 0;
  return most > 0 && name !== "body" && (textOf(element) ?? "").length <= most;
}

/** What is shown, as a document of its own that nothing of the page reaches. Stops at `until`, of performance.now(). */
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
      // Parsers take names that scripts may not give.
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
      // As Readability knows articles by their ids too; those of fields could hide a form's properties.
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
      // What follows a block that was laid beside comes after it.
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

/** `milliseconds` is for looking at the page; what was not looked at by then is left out. */
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

/** The text that the reader has selected in this document; that of a field is the reader's own and is left alone. */
function selection(): { text: string; title: string; language: string } {
  const root = page.root();
  return { text: clean(String(getSelection() ?? "")).trim(), title: page.title(), language: (root && attribute(root, "lang")) || "" };
}

export interface PageReader {
  extract: typeof extract;
  selection: typeof selection;
}

// The next script that the extension runs here calls these.
(globalThis as { cerasumReader?: PageReader }).cerasumReader = { extract, selection };
