// The tree of an HTML page, parsed as browsers do, where there is no DOM: in a Worker.

import type { Options } from "css-select";
import { type DefaultTreeAdapterTypes as Tree, defaultTreeAdapter as plain, parse } from "parse5";

export type { Tree };

/** Elements within each other, at most, as in browsers: the parser takes time quadratic in their number. */
const MAX_DEPTH = 512;

/** A page is nested too deeply for a tree. */
export class TooDeep extends Error {}

/** Parses a page. Scripts are on: <noscript> is text that no reader sees. Throws TooDeep. */
export function treeOf(html: string): Tree.Document {
  let depth = 0;
  return parse(html, {
    scriptingEnabled: true,
    treeAdapter: {
      ...plain,
      onItemPush() {
        if (++depth > MAX_DEPTH) throw new TooDeep();
      },
      onItemPop: () => void depth--,
    },
  });
}

export const attribute = ({ attrs }: Tree.Element, name: string): string | undefined => attrs.find((one) => one.name === name)?.value;
export const isElement = (node: Tree.Node): node is Tree.Element => "tagName" in node;
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === "#text";
export const childrenOf = (node: Tree.Node): Tree.ChildNode[] => ("childNodes" in node ? node.childNodes : []);

/** The text of an element that holds nothing else. */
export const textIn = (element: Tree.Element): string => element.childNodes.map((child) => (isText(child) ? child.value : "")).join("");

/** Of all elements, in their order. Without recursion: trees may be deep. */
export function* elementsIn(root: Tree.Node): Generator<Tree.Element> {
  const stack: Tree.Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isElement(node)) yield node;
    // What is in a template is not in the page.
    const children = isElement(node) && node.tagName === "template" ? [] : childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
}

const parentOf = (node: Tree.Node): Tree.Node | null => ("parentNode" in node ? node.parentNode : null);

/** For css-select. */
export const adapter: NonNullable<Options<Tree.Node, Tree.Element>["adapter"]> = {
  isTag: isElement,
  getAttributeValue: attribute,
  getChildren: childrenOf,
  getName: ({ tagName }) => tagName,
  getParent: parentOf,
  getSiblings: (node) => {
    const parent = parentOf(node);
    return parent ? childrenOf(parent) : [node];
  },
  getText: (node) => (isText(node) ? node.value : isElement(node) ? textIn(node) : ""),
  hasAttrib: (element, name) => attribute(element, name) !== undefined,
  removeSubsets: (nodes) => nodes,
};
