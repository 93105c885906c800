import { type Readable, readArticle } from "../../../common/read/article.ts";

// Documents made by DOMParser have no window: scripts do not run and images are
// not loaded. Inline handlers and styles have no effect either, but the browser
// would report each as a violation of the page's policy: they are removed, after
// elements hidden by a style have been marked as hidden.
const TAG = /<[a-z][^<>]*>/gi;
const HANDLER = /\s(?:on[a-z]+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const HIDING = /^\sstyle\s*=.*(?:display\s*:\s*none|visibility\s*:\s*hidden)/is;

function parse(html: string): Document {
  const quiet = html
    .replace(/<style\b[^>]*>[\s\S]*?<\/style\s*>/gi, "")
    .replace(TAG, (tag) => tag.replace(HANDLER, (attribute) => (HIDING.test(attribute) ? " hidden" : "")));
  return new DOMParser().parseFromString(quiet, "text/html");
}

/** The article of an HTML page and its title. */
export const readHTML = (html: string): Readable => readArticle(parse(html));
