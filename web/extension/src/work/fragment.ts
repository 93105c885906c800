// Links to a sentence: text fragments (#:~:text=…).

import { oneLine } from "../../../common/one-line.ts";

/** Longer sentences, in UTF-16 units, are identified by their beginning and end. */
const WHOLE = 120;
const ENDS = 5;

/** A dash and a comma have a meaning in text fragments. */
const encode = (s: string): string => encodeURIComponent(s).replace(/-/g, "%2D").replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether links to the address are allowed. */
export function isPage(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** A link to the sentence in a page; undefined if the address is not a web page. */
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
