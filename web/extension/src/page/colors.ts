// Colours of computed images.

import { type Color, color } from "../../../common/read/legible.ts";

const COLOR = /(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)|\btransparent\b/g;

/** The colours of an image: of gradients alone, undefined for others. */
export function painted(image: string): Color[] | undefined {
  if (/url\(|image-set\(|element\(|paint\(|cross-fade\(/.test(image)) return undefined;
  const found = (image.match(COLOR) ?? []).map(color);
  return found.includes(undefined) ? undefined : (found as Color[]);
}
