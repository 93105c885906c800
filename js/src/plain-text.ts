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

const VALUE = String.raw`[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)`;
/** A tag: its first attribute has a value, or is known to have none. */
const TAG = new RegExp(String.raw`<(\/?)([a-z][\w:-]*)((?:\s+(?:${VALUE}|(?:data|aria)-[\w-]+|allowfullscreen|async|autofocus|checked|controls|defer|disabled|download|hidden|itemscope|multiple|muted|nowrap|open|readonly|required|selected)(?:\s+(?:${VALUE}|[\w:.-]+(?=[\s/>])))*)?)\s*(\/?)>`, "gi");
/** Its end is in another sentence. */
const OPEN_TAG = /<[a-z][\w:-]*\s+[\w:-]+=["'][^<>]*$/i;
/** What is not text, and has no end elsewhere. */
const DECLARATION = /<(?:!doctype|\?[a-z])[^<>]*>|<(script|style)(?:\s[^<>]*)?>[^<]*<\/\1>/gi;
/** The definition of a link. */
const DEFINITION = /(?:^|\s)\[[^[\]]+\]:\s+(?:<[^<>]*>|(?:[a-z]+:|[./#])\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?(?=\s\[|$)/gi;
/** Elements that may have no attributes, and whose end may be in another sentence. */
const ELEMENTS = new Set(("a address article aside b blockquote body button caption center cite code dd details div dl dt em figcaption figure font footer form "
  + "h1 h2 h3 h4 h5 h6 head header html i li main mark nav ol p pre q s section small span strong sub summary sup table tbody td tfoot th thead title tr tt u ul var").split(" "));
const SPACED = /^(?:br|hr|p|div|li|td|th|tr)$/i;
const EMPTY = /^(?:br|hr|wbr|img)$/i;

/** Without the markers of blocks, which belong to the source document. */
export const withoutBlocks = (line: string): string => line.replace(BLOCK, "");

/** Without any markup. Spans of code and emphasis are of at most 400 characters, so that
 * an opening mark without its end takes no long search. */
export function plain(line: string): string {
  const text = withoutBlocks(line)
    .replace(/^\s*(?:```|~~~)\S*\s?|\s(?:```|~~~|#+)$/g, "")
    .replace(/^\|(.*)\|$/, (_, cells: string) => cells.replaceAll("|", " "))
    .replace(/^\[\^[^[\]]+\]:\s*/, "")
    .replace(DEFINITION, "")
    // Underlines of headings, lines between paragraphs, and below the heads of tables.
    .replace(/(?:^|\s)={4,}(?!\S)|^[-=_*:\s]+$/g, "");
  // Code is literal: split() puts it at the odd places.
  return text.split(/(?<!`)(`{1,9})(?!`)(.{1,400}?)(?<!`)\1(?!`)/).map((part, i) => (i % 3 === 0 ? inline(part) : i % 3 === 1 ? "" : part.trim()))
    .join("").replace(/\s+/g, " ").trim();
}

/** Without tags. After a letter or digit, "<" may mean "less than", or begin the type of a list: there a tag has attributes or an end, as everywhere one with an unknown name. */
function withoutTags(text: string): string {
  const closed = new Set(Array.from(text.matchAll(/<\/([a-z][\w:-]*)/gi), ([, name]) => name!.toLowerCase()));
  return text
    .replace(TAG, (tag, close: string, name: string, attributes: string, empty: string, at: number) => {
      const sure = close || attributes || empty || EMPTY.test(name) || closed.has(name.toLowerCase())
        || (ELEMENTS.has(name.toLowerCase()) && !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)));
      return !sure ? tag : !close && SPACED.test(name) ? " " : "";
    })
    .replace(OPEN_TAG, "");
}

/** Without an expression, which would look for the end of each comment that has none. */
function withoutComments(text: string): string {
  let out = "";
  for (let at = 0; ;) {
    const start = text.indexOf("<!--", at);
    const end = text.indexOf("-->", start + 4);
    // The mark of one whose end is in another sentence goes, too.
    if (start < 0 || end < 0) return out + text.slice(at).replaceAll("<!--", "");
    out += text.slice(at, start);
    at = end + 3;
  }
}

function inline(text: string): string {
  // Elsewhere, "]]>" may be an index that is greater than something.
  const marks = text.includes("<![CDATA[") ? /<!\[CDATA\[|\]\]>/g : "";
  let out = withoutTags(withoutComments(text.replace(DECLARATION, "")).replace(marks, "").replace(/<((?:https?:\/\/|mailto:)[^<>\s]+)>/gi, "$1"))
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s?(?:<[^<>]*>|(?:[^()<>\s]|\([^()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?\s?\)/g, linkText)
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
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi, (all, decimal?: string, hex?: string, name?: string) => {
      if (name) return named(name) ?? all;
      const code = decimal ? Number(decimal) : parseInt(hex!, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    });
}

/** The text of a link, itself possibly an image with a link. */
const linkText = (_: string, text: string): string => text.replace(/^!\[([^\]]*)\]\(.*\)$/, "$1");

/** Accents in the order of their combining characters, from U+0300. */
const ACCENTS = "grave acute circ tilde macr - breve - uml - ring dblac caron".split(" ");

/** Entities of HTML by their code points: consecutive ones after the first. */
const NAMES: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(Object.entries({
  34: "quot", 38: "amp apos", 60: "lt", 62: "gt",
  160: "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest",
  215: "times", 223: "szlig", 230: "aelig ccedil", 240: "eth", 247: "divide oslash", 254: "thorn", 339: "oelig",
  945: "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega",
  8194: "ensp emsp", 8201: "thinsp", 8211: "ndash mdash", 8216: "lsquo rsquo sbquo", 8220: "ldquo rdquo bdquo", 8224: "dagger Dagger bull", 8230: "hellip", 8240: "permil", 8242: "prime",
  8249: "lsaquo rsaquo", 8364: "euro", 8482: "trade", 8592: "larr uarr rarr darr", 8722: "minus", 8800: "ne", 8804: "le ge",
}).flatMap(([first, names]) => names.split(" ").map((name, i) => [name, Number(first) + i] as const)));

/** The character of a named entity. */
function named(name: string): string | undefined {
  const accent = ACCENTS.indexOf(name.slice(1));
  if (accent >= 0) return (name.charAt(0) + String.fromCharCode(768 + accent)).normalize();
  const code = NAMES.get(name);
  if (code) return String.fromCodePoint(code);
  // Some may be in capitals; those of Greek are Greek capitals.
  return /^[A-Z]/.test(name) ? named(name.toLowerCase())?.toUpperCase() : undefined;
}
