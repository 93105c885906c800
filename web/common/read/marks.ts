// Marks elements of a page whose kind shows in their class, role or links. Same rules as
// cmd/cerasum/internal/ingest/html_marks.go.

import type { BlockKind } from "cerasum";
import { characters, endsSentence } from "./plain.ts";
import { BLOCKS } from "./visible.ts";

/** The attribute that names the kind of an element's text: classes and ids are gone when Readability has found the article. */
export const MARK = "data-block";
/** In copies of a page: the id of an element. */
export const PLACE = "data-place";

const KINDS: ReadonlySet<string> = new Set<BlockKind>(["paragraph", "heading", "listItem", "tableRow", "caption", "code", "blockQuotation", "reference", "metadata", "navigation"]);
export const isBlockKind = (name: string): name is BlockKind => KINDS.has(name);

export const HEADINGS: ReadonlySet<string> = new Set(["H1", "H2", "H3", "H4", "H5", "H6"]);

/** Types of nodes. In a Worker there is no Node. */
export const ELEMENT = 1;
export const TEXT = 3;

export const attribute = (element: Element, name: string): string => element.getAttribute(name) ?? "";
export const contentOf = (node: Node): string => node.textContent ?? "";
export const oneLineOf = (text: string): string => text.replace(/\s+/g, " ").trim();

// Classes that the programs of many sites share.
/** What an encyclopedia's pages have besides the article. */
const ENCYCLOPEDIA = /^(?:infobox.*|navbox.*|vertical-navbox|sidebar|reflist|references|mw-references.*|toc|mw-editsection|catlinks|ambox.*|hatnote|noprint)$/;
/** Text for programs that read a page aloud: it repeats what is shown. */
const UNSEEN = /^(?:sr-only|screen-reader-(?:text|only|response)|visually-?hidden|assistive-text)$/;
const REFERENCES = /^(?:bibliography|footnotes?|endnotes?|citations?|refs?-?list)$/;
const RAISED = /^(?:reference|footnote.*)$/;
const CAPTIONS = /caption|^credit$|photo-?credit|image-?credit/;
const METADATA = /^(?:by-?line|date-?line|time-?stamp|pub-?date|published|author|post-?meta|entry-?meta|article-?meta|meta|tags?)$/;
const NAVIGATION = /^(?:share|sharing|social|related|newsletter|subscribe|breadcrumbs?|pagination|pager|menu|nav)(?:[-_].*)?$/;

/** The most characters of elements that these classes name: more is content. */
const MAX_CAPTION = 400;
const MAX_METADATA = 200;
const MAX_NAVIGATION = 600;
const MAX_NOTE = 2000;
/** Characters of a footnote mark without brackets. */
const MAX_MARK = 4;

/**
 * Removes from a page what is not running text, footnote marks and what an
 * encyclopedia has besides its articles, and marks elements whose kind shows in
 * their class, their role or their links.
 */
export function markBlocks(page: Document): void {
  const targets = new Set<string>();
  for (const element of page.querySelectorAll("*")) {
    const target = footnoteMark(element);
    if (target) targets.add(target);
    if (target !== undefined || (named(element, ENCYCLOPEDIA) || named(element, UNSEEN)) && element !== page.body && element !== page.documentElement) element.remove();
  }
  for (const element of page.querySelectorAll("*")) {
    if (attribute(element, MARK)) continue;
    const id = attribute(element, "id") || attribute(element, PLACE);
    const anchor = element.nodeName === "A" ? attribute(element, "name") : "";
    if (targets.has(id) || anchor && targets.has(anchor)) {
      const note = noteOf(element);
      if (note) mark(note, "reference");
    }
    const kind = markOf(element);
    if (kind) mark(element, kind);
  }
}

function mark(element: Element, kind: BlockKind): void {
  if (!attribute(element, MARK)) element.setAttribute(MARK, kind);
  if (element.nodeName !== "DIV" && element.nodeName !== "SECTION" || [...element.querySelectorAll("*")].some(({ nodeName }) => BLOCKS.has(nodeName))) return;
  // Readability replaces such an element with a paragraph of its own.
  const span = element.ownerDocument.createElement("span");
  span.setAttribute(MARK, kind);
  span.append(...element.childNodes);
  element.append(span);
}

/** The kind of an element's text as far as its attributes and its links tell. */
function markOf(element: Element): BlockKind | undefined {
  const name = element.nodeName;
  const role = attribute(element, "role");
  if (/^(?:navigation|menu|menubar|tablist|toolbar|search)$/.test(role)) return "navigation";
  if (/^doc-(?:endnotes|footnote|bibliography)$/.test(role)) return "reference";
  if (role === "heading" && shorter(element, MAX_METADATA)) return "heading";
  if (name === "BODY" || name === "HTML" || name === "ARTICLE" || name === "MAIN" || name === "PRE" || HEADINGS.has(name)) return undefined;
  if ((name === "UL" || name === "OL" || name === "DL") && isMenu(element)) return "navigation";
  if (named(element, REFERENCES)) return "reference";
  if (name === "FIGURE" && isPicture(element) || named(element, CAPTIONS) && shorter(element, MAX_CAPTION)) return "caption";
  if (name === "A" || !BLOCKS.has(name)) return undefined;
  const property = attribute(element, "itemprop");
  const about = name === "ADDRESS" || attribute(element, "rel").includes("author") || named(element, METADATA) || property === "author" || property === "datePublished" || property === "dateModified";
  if (about && shorter(element, MAX_METADATA)) return "metadata";
  return named(element, NAVIGATION) && shorter(element, MAX_NAVIGATION) ? "navigation" : undefined;
}

/** Whether a class or the id of an element matches. */
const named = (element: Element, pattern: RegExp): boolean =>
  `${attribute(element, "class")} ${attribute(element, "id")}`.toLowerCase().split(/\s+/).some((name) => name !== "" && pattern.test(name));

/** Whether an element has at most so many characters. */
function shorter(element: Element, most: number): boolean {
  let length = 0;
  let next: Node | null = element.firstChild;
  while (next) {
    if (next.nodeType === TEXT && (length += characters(oneLineOf(next.nodeValue ?? ""))) > most) return false;
    let node: Node = next;
    next = node.firstChild;
    while (!next && node !== element) {
      next = node.nextSibling;
      node = node.parentNode!;
    }
  }
  return true;
}

/** Whether a figure's text is about a picture: it holds no table, code or quotation. */
const isPicture = (figure: Element): boolean => !figure.querySelector("table, pre, blockquote, code") && shorter(figure, MAX_NAVIGATION);

/** Longer lists, and lists with longer items, are no menus: elements, characters. */
const MAX_MENU = 1000;
const MAX_ITEM = 300;

/** Whether a list is a menu: two items or more, of which four fifths of the text are links, and no item ends as a sentence. */
function isMenu(list: Element): boolean {
  if (list.getElementsByTagName("*").length >= MAX_MENU) return false;
  const items = [...list.children].filter(({ nodeName }) => nodeName === "LI" || nodeName === "DD");
  if (items.length < 2 || items.some((item) => !shorter(item, MAX_ITEM) || endsSentence(contentOf(item).trim()))) return false;
  const solid = (node: Node): number => characters(contentOf(node).replace(/\s+/g, ""));
  const linked = [...list.querySelectorAll("a[href]:not([href=''])")].reduce((sum, link) => sum + solid(link), 0);
  const all = solid(list);
  return all > 0 && 5 * linked >= 4 * all;
}

/**
 * The id of the note if an element is a footnote mark, "" if it names none: a
 * superscript in brackets, or a link to a place in the page that is in brackets or
 * raised. Undefined if it is no mark.
 */
function footnoteMark(element: Element): string | undefined {
  const name = element.nodeName;
  const place = (link: Element | null): string | undefined => {
    const href = link ? attribute(link, "href") : "";
    return href.length > 1 && href.startsWith("#") ? href.slice(1) : undefined;
  };
  if (name === "SUP") {
    const text = oneLineOf(contentOf(element));
    const link = [...element.querySelectorAll("a")].find((one) => place(one) !== undefined);
    if (link && (characters(text) <= MAX_MARK || bracketed(text))) return place(link);
    return bracketed(text) || named(element, RAISED) ? "" : undefined;
  }
  if (name !== "A") return undefined;
  if (attribute(element, "role") === "doc-backlink") return "";
  const target = place(element);
  return target !== undefined && bracketed(oneLineOf(contentOf(element))) ? target : undefined;
}

/** Text like [12], [a] and [citation needed]. */
const bracketed = (text: string): boolean => characters(text) <= 40 && /^\[[^[\]]+\]$/.test(text);

/** The element of a note: the list item, paragraph or row of the element to which its mark links. */
function noteOf(element: Element): Element | undefined {
  let at: Element | null = element;
  for (let depth = 0; at && depth < 4; at = at.parentElement, depth++) {
    const name = at.nodeName;
    if (name === "LI" || name === "DD" || name === "P" || name === "TR" || name === "ASIDE") return at;
    if (name === "DIV" && at === element && shorter(at, MAX_NOTE)) return at;
    if (name === "BODY" || name === "ARTICLE" || name === "SECTION" || name === "MAIN") return undefined;
  }
  return undefined;
}
