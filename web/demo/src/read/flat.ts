// The text of a page that is nested too deeply for a tree of the parser. Same rules as
// cmd/cerasum/internal/ingest/flat.go.

import { type Token, Tokenizer, TokenizerMode, defaultTreeAdapter as plain, html } from "parse5";
import { SKIPPED, BLOCKS } from "../../../common/read/visible.ts";
import { oneLineOf } from "../../../common/read/marks.ts";
import type { Readable } from "../../../common/read/article.ts";
import { type Sight, Sights } from "./hidden/sight.ts";
import { type Tree, elementsIn, isText, textIn } from "./tree.ts";

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const RAW: Record<string, number> = { title: TokenizerMode.RCDATA, textarea: TokenizerMode.RCDATA, style: TokenizerMode.RAWTEXT, xmp: TokenizerMode.RAWTEXT, iframe: TokenizerMode.RAWTEXT, noembed: TokenizerMode.RAWTEXT, noframes: TokenizerMode.RAWTEXT, noscript: TokenizerMode.RAWTEXT, script: TokenizerMode.SCRIPT_DATA, plaintext: TokenizerMode.PLAINTEXT };

/** The elements of a page as their tags are nested: an end tag closes the nearest element of its name. */
function nested(source: string): Tree.Document {
  const root = plain.createDocument();
  const page = plain.createElement("html", html.NS.HTML, []);
  const body = plain.createElement("body", html.NS.HTML, []);
  plain.appendChild(root, page);
  plain.appendChild(page, body);
  const open: Tree.Element[] = [body];
  /** How many of each name are open: a search for one that is not would take quadratic time. */
  const names = new Map<string, number>();
  const top = (): Tree.Element => open.at(-1)!;
  const tokenizer: Tokenizer = new Tokenizer({}, {
    onStartTag({ tagName, attrs, selfClosing }: Token.TagToken) {
      if (tagName === "html" || tagName === "body") {
        plain.adoptAttributes(tagName === "html" ? page : body, attrs);
        return;
      }
      const element = plain.createElement(tagName, html.NS.HTML, attrs);
      plain.appendChild(top(), element);
      if (VOID.test(tagName) || selfClosing) return;
      open.push(element);
      names.set(tagName, (names.get(tagName) ?? 0) + 1);
      if (Object.hasOwn(RAW, tagName)) tokenizer.state = RAW[tagName] as typeof tokenizer.state;
    },
    onEndTag({ tagName }: Token.TagToken) {
      if (!names.get(tagName)) return;
      for (;;) {
        const { tagName: closed } = open.pop()!;
        names.set(closed, names.get(closed)! - 1);
        if (closed === tagName) return;
      }
    },
    onCharacter: ({ chars }: Token.CharacterToken) => plain.insertText(top(), chars),
    onWhitespaceCharacter: ({ chars }: Token.CharacterToken) => plain.insertText(top(), chars),
    onNullCharacter: () => undefined,
    onComment: () => undefined,
    onDoctype: () => plain.setDocumentType(root, "html", "", ""),
    onEof: () => undefined,
    onParseError: null,
  });
  tokenizer.write(source, true);
  return root;
}

/** All that can be seen of a page, without its structure. */
export function flatten(page: string): Readable {
  const tree = nested(page);
  const sights = new Sights(tree);
  let title = "";
  for (const element of elementsIn(tree)) if (element.tagName === "title") title ||= oneLineOf(textIn(element));
  const lines: string[] = [];
  let line: string[] = [];
  const flush = (): void => {
    const text = oneLineOf(line.join(""));
    if (text) lines.push(text);
    line = [];
  };
  type Step = { node: Tree.Node; sight: Sight | undefined } | undefined;
  const steps: Step[] = [{ node: tree, sight: undefined }];
  while (steps.length > 0) {
    const step = steps.pop();
    if (!step) {
      flush();
      continue;
    }
    const { node, sight } = step;
    if (isText(node)) {
      if (sight?.shown !== false) line.push(node.value);
      continue;
    }
    let inner = sight;
    if ("tagName" in node) {
      const name = node.tagName.toUpperCase();
      if (SKIPPED.has(name) || name === "TITLE" || !(inner = sights.enter(node, sight))) continue;
      if (name === "BR" || BLOCKS.has(name)) {
        flush();
        steps.push(undefined);
      } else if (name === "TD" || name === "TH") line.push(" ");
    }
    if ("childNodes" in node) for (let i = node.childNodes.length - 1; i >= 0; i--) steps.push({ node: node.childNodes[i]!, sight: inner });
  }
  flush();
  return { title, text: lines.join("\n\n") };
}
