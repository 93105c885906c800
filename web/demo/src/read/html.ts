import { type Readable, readArticle } from "../../../common/read/article.ts";

// Documents made by DOMParser have no window: their scripts never run and
// their images are never loaded. Handlers and styles written into attributes
// could do nothing either, but the browser would report each of them as
// against the page's policy: they are taken out, after what a style hides was
// marked as hidden.
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
