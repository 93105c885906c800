// Addresses that lead to a sentence: text fragments (#:~:text=…).

import { oneLine } from "../../../common/markdown.ts";

/** From how many UTF-16 units on a sentence is named by its beginning and its end. */
const WHOLE = 120;
const ENDS = 5;

/** A dash and a comma have a meaning in text fragments. */
const encode = (s: string): string => encodeURIComponent(s).replace(/-/g, "%2D").replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether the address is one of a page that a link may lead to. */
export function isPage(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** The address of a page, at the sentence; undefined where it is no page's. */
export function fragment(url: string, sentence: string): string | undefined {
  if (!isPage(url)) return undefined;
  const plain = oneLine(sentence);
  const words = plain.split(" ");
  const text = plain.length <= WHOLE || words.length < 2 * ENDS + 2
    ? encode(plain)
    : `${encode(words.slice(0, ENDS).join(" "))},${encode(words.slice(-ENDS).join(" "))}`;
  const { href } = new URL(url);
  const base = href.replace(/:~:.*$/s, "");
  return `${base}${base.includes("#") ? "" : "#"}:~:text=${text}`;
}
