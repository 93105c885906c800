import { byId, h } from "../../../common/dom.ts";
import { type Language, languages, page, speak, spoken } from "../strings.ts";

type Key = keyof typeof page;

/** A place of a string in index.html, marked by the build (see `strings` in vite.config.ts). */
interface Slot {
  key: Key;
  fill(value: string): void;
}

/** Translates index.html to the page's language, and lets the reader choose another. */
export function mountLanguage(chosen: (language: string) => void): void {
  const root = document.documentElement;
  const all = slots();
  const fill = () => {
    for (const { key, fill } of all) fill(page[key]);
    document.title = page.title;
  };
  const select = byId<HTMLSelectElement>("language");
  // Each language is listed under its own name.
  select.replaceChildren(...languages.map((tag) =>
    h("option", { value: tag, lang: tag }, new Intl.DisplayNames([tag], { type: "language" }).of(tag))));
  select.value = page.locale;
  select.addEventListener("change", async () => {
    if (await speak(select.value as Language)) chosen(page.locale);
    else select.value = page.locale;
  });
  spoken.addEventListener("change", fill);
  if (page.locale !== "en") fill();
  root.removeAttribute("data-waiting");
}

/** Elements say in data-strings which attributes are strings; comments stand before texts that are. */
function slots(): Slot[] {
  const found: Slot[] = [];
  for (const element of document.querySelectorAll<HTMLElement>("[data-strings]")) {
    for (const pair of element.dataset["strings"]!.split(" ")) {
      const [attribute, key] = pair.split("=") as [string, Key];
      found.push({ key, fill: (value) => element.setAttribute(attribute, value) });
    }
  }
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const comment = comments.currentNode as Comment;
    const text = comment.nextSibling;
    if (!Object.hasOwn(page, comment.data) || !(text instanceof Text)) continue;
    const key = comment.data as Key;
    const rest = text.data.slice(text.data.trimEnd().length);
    found.push({ key, fill: (value) => (text.data = value + rest) });
  }
  return found;
}
