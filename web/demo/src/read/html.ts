import { type Readable, readArticle } from "../../../common/read/article.ts";
import { documentOf } from "./document.ts";
import { flatten } from "./flat.ts";
import { TooDeep } from "./tree.ts";

/** The article of an HTML page and its title. */
export function readHTML(html: string): Readable {
  try {
    return readArticle(documentOf(html));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return flatten(html);
  }
}
