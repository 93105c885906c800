import { Readability } from "@mozilla/readability";
import { visibleText } from "./visible.ts";

/** The readable content of a page. */
export interface Readable {
  title: string;
  text: string;
}

/** Takes captions of figures and footnote marks out of an article: they stand beside its sentences. */
function dropBeside(article: Node): void {
  if (!(article instanceof Element)) return;
  for (const element of article.querySelectorAll("figcaption, sup")) {
    if (element.tagName === "FIGCAPTION" || /^\s*\[.*\]\s*$/s.test(element.textContent ?? "")) element.remove();
  }
}

/**
 * The article of a page and its title: by Readability, which changes the
 * document, and all visible text where that finds no article (or only a small
 * part of a short page). The document is one without a window.
 */
export function readArticle(page: Document): Readable {
  const title = page.title.trim() || page.querySelector("h1")?.textContent?.trim() || "";
  const everything = visibleText(page.body);
  try {
    // Readability changes the document; all else has been taken from it.
    const article = new Readability<Node>(page, { maxElemsToParse: 100_000, serializer: (node) => node }).parse();
    if (article?.content) {
      dropBeside(article.content);
      const text = visibleText(article.content);
      if (text.length >= 200 || text.length >= everything.length / 2) return { title: article.title?.trim() || title, text };
    }
  } catch {
    // Too many elements, or a page that it cannot make sense of.
  }
  return { title, text: everything };
}
