import { type Readable, readArticle } from "../../../common/read/article.ts";
import { parseHTML } from "../../../common/trusted.ts";

// Documents made by DOMParser have no window: scripts do not run and images are
// not loaded. Inline handlers and styles have no effect either, but the browser
// would report each as a violation of the page's policy: they are removed, after
// elements hidden by a style have been marked as hidden.
const TAG = /<[a-z][^<>]*>/gi;
const HANDLER = /\s(?:on[a-z]+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const HIDING = /^\sstyle\s*=.*(?:display\s*:\s*none|visibility\s*:\s*hidden)/is;

/** One pattern for whole elements would take quadratic time where no end tag follows. */
function withoutStyles(html: string): string {
  const begin = /<style\b/gi;
  const end = /<\/style\s*>/gi;
  let kept = "";
  let from = 0;
  for (let found = begin.exec(html); found; found = begin.exec(html)) {
    const inside = html.indexOf(">", begin.lastIndex);
    if (inside < 0) break;
    end.lastIndex = inside + 1;
    if (!end.test(html)) break;
    kept += html.slice(from, found.index);
    begin.lastIndex = from = end.lastIndex;
  }
  return kept + html.slice(from);
}

function parse(html: string): Document {
  const quiet = withoutStyles(html)
    .replace(TAG, (tag) => tag.replace(HANDLER, (attribute) => (HIDING.test(attribute) ? " hidden" : "")));
  return parseHTML(quiet);
}

/** The article of an HTML page and its title. */
export const readHTML = (html: string): Readable => readArticle(parse(html));
