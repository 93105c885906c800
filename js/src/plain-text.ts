// Sentences of Markdown and HTML as plain text. A sentence is not a document: its
// markup may begin or end in another sentence.

/** Headings, quotes, lists and tasks at the start of a line; not what may be "greater than", "minus" or "plus" a number. */
const BLOCK = /^(?:>\s(?!\p{N})|(?:[+-]\s(?!\p{N})|(?:#{1,6}|[*•])\s)(?:\[[ x]\]\s)?)+/iu;

/** Letters and digits between which an asterisk is part of a word or a formula; scripts without blanks between words are not among them. */
const W = String.raw`\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Inherited}\p{N}`;
const STRONG = new RegExp(String.raw`(?<![\\${W}])\*\*(?=\S)(.{1,400}?)(?<=[^\s\\])\*\*(?![${W}])`, "gu");
/** Not the asterisk of src/*.ts or *.ts. */
const EMPHASIS = new RegExp(String.raw`(?<![\\*/${W}])\*(?=[^\s*])(?!\.\w)([^*]*[^\s\\*])\*(?![*${W}])`, "gu");
/** [text][label], not two notes or indices, [1][2]. */
const REFERENCE = new RegExp(String.raw`(?<![${W}\].,;:!?)])!?\[(?!\d+\])([^[\]]+)\]\[[^[\]]*\]`, "gu");

/** A tag: attributes have a value, or are known to have none. */
const TAG = /<(\/?)([a-z][a-z\d]*)((?:\s+(?:[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)|allowfullscreen|async|autoplay|checked|controls|defer|disabled|download|hidden|itemscope|loop|multiple|muted|nowrap|open|readonly|required|reversed|selected))*)\s*\/?>/gi;
/** Its end is in another sentence. */
const OPEN_TAG = /<([a-z][a-z\d]*)\s+[\w:-]+=[^<>]*$/i;
const ELEMENTS = new Set(("a abbr address article aside audio b bdi bdo big blockquote body br button caption center cite code col colgroup dd del details dfn div dl dt em "
  + "figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label li link main mark meta nav nobr noscript ol optgroup option p picture pre q "
  + "rp rt ruby s samp script section select small source span strike strong style sub summary sup svg table tbody td textarea tfoot th thead time title tr tt u ul var video wbr").split(" "));
const isElement = (name: string): boolean => ELEMENTS.has(name.toLowerCase());
const SPACED = /^(?:br|hr|p|div|li|td|th|tr)$/i;
const EMPTY = /^(?:br|hr|wbr|img)$/i;

/** Without the markers of blocks, which belong to the source document. */
export const withoutBlocks = (line: string): string => line.replace(BLOCK, "");

/** Without any markup. Spans of code and emphasis are of at most 400 characters, so that
 * an opening mark without its end takes no long search. */
export function plain(line: string): string {
  const text = withoutBlocks(line)
    .replace(/^\s*(?:```|~~~)\S*\s?|\s(?:```|~~~|#+)$/g, "")
    .replace(/^\|(.*)\|$/, (_, cells: string) => cells.replaceAll("|", " "));
  // Code is literal: split() puts it at the odd places.
  return text.split(/(?<!`)(`{1,9})(?!`)(.{1,400}?)(?<!`)\1(?!`)/).map((part, i) => (i % 3 === 0 ? inline(part) : i % 3 === 1 ? "" : part.trim()))
    .join("").replace(/\s+/g, " ").trim();
}

/** Without tags. After a letter or digit, "<" may mean "less than", or begin the type of a list: there a tag has attributes or an end. */
function withoutTags(text: string): string {
  const closed = new Set(Array.from(text.matchAll(/<\/([a-z][a-z\d]*)/gi), ([, name]) => name!.toLowerCase()));
  return text
    .replace(TAG, (tag, close: string, name: string, attributes: string, at: number) => {
      const sure = close || attributes || EMPTY.test(name) || closed.has(name.toLowerCase()) || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
      return !sure || !isElement(name) ? tag : !close && SPACED.test(name) ? " " : "";
    })
    .replace(OPEN_TAG, (tag, name: string) => (isElement(name) ? "" : tag));
}

/** Without an expression, which would look for the end of each comment that has none. */
function withoutComments(text: string): string {
  let out = "";
  for (let at = 0; ;) {
    const start = text.indexOf("<!--", at);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return out + text.slice(at);
    out += text.slice(at, start);
    at = end + 3;
  }
}

function inline(text: string): string {
  let out = withoutTags(withoutComments(text.replace(/<((?:https?:\/\/|mailto:)[^<>\s]+)>/gi, "$1")))
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+(?:"[^"]*"|'[^']*'))?\)/g, linkText)
    .replace(REFERENCE, linkText)
    .replace(/\[\^[^[\]]+\]/g, "");
  // Emphasis may be nested.
  for (let before = ""; before !== out;) {
    before = out;
    out = out
      .replace(STRONG, "$1")
      .replace(/(?<!\\)~~(?=\S)(.{1,400}?)(?<=[^\s\\])~~/g, "$1")
      .replace(/(?<![\\\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.{1,400}?)(?<=[^\s\\])\1(?![\p{L}\p{N}_])/gu, "$2")
      .replace(EMPHASIS, "$1");
  }
  return out
    // Its other half is in another sentence.
    .replace(/(?<![^\s\p{P}])(?:\*\*|~~)(?=\S)|(?<=\S)(?<!\\)(?:\*\*|~~)(?![^\s\p{P}])/gu, "")
    .replace(/\\([\\*_`#[\]<>~|])/g, "$1")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, (all, decimal?: string, hex?: string, name?: string) => {
      if (name) return NAMES[name.toLowerCase()]!;
      const code = decimal ? Number(decimal) : parseInt(hex!, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    });
}

/** The text of a link, itself possibly an image with a link. */
const linkText = (_: string, text: string): string => text.replace(/^!\[([^\]]*)\]\(.*\)$/, "$1");

const NAMES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
