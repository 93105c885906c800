import { Readability } from "@mozilla/readability";
import { visibleText } from "./visible.ts";

/** The readable content of a page. */
export interface Readable {
  title: string;
  text: string;
}

/** Removes figure captions and footnote marks, which are not part of the running text. */
function dropBeside(article: Node): void {
  if (!(article instanceof Element)) return;
  for (const element of article.querySelectorAll("figcaption, sup")) {
    if (element.tagName === "FIGCAPTION" || /^\s*\[.*\]\s*$/s.test(element.textContent ?? "")) element.remove();
  }
}

/**
 * The article of a page and its title, by Readability; all visible text if that
 * finds no article or only a small part of a short page. Changes the document,
 * which must have no window.
 */
export function readArticle(page: Document): Readable {
  const title = page.title.trim() || page.querySelector("h1")?.textContent?.trim() || "";
  const everything = visibleText(page.body);
  try {
    // Readability changes the document: everything else has been read by now.
    const article = new Readability<Node>(page, { maxElemsToParse: 100_000, serializer: (node) => node }).parse();
    if (article?.content) {
      dropBeside(article.content);
      const text = visibleText(article.content);
      if (text.length >= 200 || text.length >= everything.length / 2) return { title: article.title?.trim() || title, text };
    }
  } catch {
    // Too many elements, or a page that Readability cannot parse.
  }
  return { title, text: everything };
}
