// A DOM for Readability and for the blocks of a page, where browsers have none: in a
// Worker. It holds only what a reader could see.

import { DOMParser } from "linkedom";
import { type Sight, Sights } from "./hidden/sight.ts";
import { type Tree, childrenOf, isElement, isText, textIn, treeOf } from "./tree.ts";
import { SKIPPED } from "../../../common/read/visible.ts";

const HTML = "http://www.w3.org/1999/xhtml";
const EMPTY = "<!doctype html><html><head></head><body></body></html>";
/** Kept without its style: browsers report handlers and styles, and nothing here needs them. */
const DROPPED = /^(?:style|hidden|on.*)$/;

/** The document of a page, without what is hidden. Throws TooDeep. */
export function documentOf(html: string): Document {
  const tree = treeOf(html);
  const sights = new Sights(tree);
  const page = new DOMParser().parseFromString(EMPTY, "text/html") as unknown as Document;
  let title = "";
  const { head, body, documentElement: root } = page;
  const copied = (element: Tree.Element): Element => {
    const made = element.tagName === "html" ? root : element.tagName === "head" ? head : element.tagName === "body" ? body : page.createElement(element.tagName);
    for (const { name, value } of element.attrs) if (!DROPPED.test(name)) made.setAttribute(name, value);
    return made;
  };
  // Not by recursion, since trees may be deep. Of the head and of skipped elements nothing is seen anyway.
  const steps: { node: Tree.Node; to: Node; sight: Sight | undefined; unseen: boolean }[] = [{ node: tree, to: page, sight: undefined, unseen: false }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { node, to, unseen } = step;
    let { sight } = step;
    if (isText(node)) {
      if (unseen || !sight || sight.shown || /^\s*$/.test(node.value)) to.appendChild(page.createTextNode(sight?.shown === false ? " " : node.value));
      continue;
    }
    if ("data" in node) {
      // Readability makes paragraphs of texts, which comments divide.
      to.appendChild(page.createComment(""));
      continue;
    }
    let at = to;
    let out = unseen;
    if (isElement(node)) {
      const { tagName: name, namespaceURI } = node;
      out ||= name === "head" || SKIPPED.has(name.toUpperCase());
      if (name === "title" && namespaceURI === HTML) title ||= textIn(node);
      if (!out && !(sight = sights.enter(node, sight))) continue;
      if (name === "style" || name === "template") continue;
      at = copied(node);
      if (at !== root && at !== head && at !== body) to.appendChild(at);
    } else if (node !== tree) continue;
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) steps.push({ node: children[i]!, to: at, sight, unseen: out });
  }
  // That of linkedom is within the head.
  if (!page.title && title) page.title = title;
  return page;
}
