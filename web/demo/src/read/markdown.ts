import { marked } from "marked";
import type { Readable } from "../../../common/read/article.ts";
import { blocksOf } from "../../../common/read/blocks.ts";
import { markBlocks, oneLineOf } from "../../../common/read/marks.ts";
import { join } from "../../../common/read/parts.ts";
import { plainBlocks } from "../../../common/read/plain.ts";
import { documentOf } from "./document.ts";
import { flatten } from "./flat.ts";
import { limit } from "./markdown-limit.ts";
import { withoutTags } from "./templates.ts";
import { TooDeep } from "./tree.ts";

/** Between two lines of --- (YAML) or +++ (TOML). */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??(?:\1|\.\.\.)[ \t]*(?:\r?\n|$)/;
const NAMED = /^title[ \t]*[:=](.*)$/m;

/** Without the quotation marks around it. */
function unquoted(value: string): string {
  const mark = (i: number): boolean => value[i] === '"' || value[i] === "'";
  let start = 0;
  let end = value.length;
  while (mark(start)) start++;
  while (end > start && mark(end - 1)) end--;
  return value.slice(start, end);
}

/**
 * The text of a Markdown file without markup. The title is that of the front
 * matter, else the first heading. A heading of level one that comes first is not in
 * the text, since titles are not quoted.
 */
export function readMarkdown(source: string): Readable & { plain?: boolean } {
  const front = FRONT_MATTER.exec(source);
  const body = front ? source.slice(front[0].length) : source;
  let title = unquoted(NAMED.exec(front?.[2] ?? "")?.[1]?.trim() ?? "");
  if (limit(body)) return { title, text: body, blocks: plainBlocks(body), plain: true };
  // Styles are read as in pages of today.
  const markup = `<!doctype html>${marked.parse(withoutTags(body), { async: false, gfm: true })}`;
  let page: Document;
  try {
    page = documentOf(markup);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { ...flatten(markup), ...(title && { title }) };
  }
  const heading = [...page.body.querySelectorAll("h1, h2, h3, h4, h5, h6")].find(({ textContent }) => textContent?.trim());
  title ||= oneLineOf(heading?.textContent ?? "");
  const first = page.body.firstElementChild;
  if (first?.tagName === "H1" && first.nextElementSibling) first.remove();
  markBlocks(page);
  return { title, ...join(blocksOf(page.body)) };
}
