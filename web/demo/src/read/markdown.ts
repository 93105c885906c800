import { marked } from "marked";
import type { Readable } from "../../../common/read/article.ts";
import { visibleText } from "../../../common/read/visible.ts";

const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * The text of a Markdown file without markup. A first heading of level one, or the
 * title in the front matter, becomes the title and is removed from the text, since
 * titles are not quoted.
 */
export function readMarkdown(source: string): Readable {
  const front = FRONT_MATTER.exec(source);
  const body = front ? source.slice(front[0].length) : source;
  const named = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(front?.[1] ?? "")?.[2];
  const page = new DOMParser().parseFromString(marked.parse(body, { async: false, gfm: true }), "text/html");
  let title = named ?? "";
  const first = page.body.firstElementChild;
  if (first?.tagName === "H1") {
    title ||= first.textContent?.trim() ?? "";
    first.remove();
  }
  return { title, text: visibleText(page.body) };
}
