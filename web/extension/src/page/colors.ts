// Colours of computed images, and of filters.

import { type Color, color } from "../../../common/read/legible.ts";

const COLOR = /(?:rgba?|hsla?|color|oklab|oklch|lab|lch)\([^()]*\)|\btransparent\b/g;

/** The colours of an image: of gradients alone, undefined for others. */
export function painted(image: string): Color[] | undefined {
  if (/url\(|image-set\(|element\(|paint\(|cross-fade\(/.test(image)) return undefined;
  const found = (image.match(COLOR) ?? []).map(color);
  return found.includes(undefined) ? undefined : (found as Color[]);
}

const FILTER = /(?:brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\([^()]*\)/g;

/** The functions of a computed filter that change colours, "" for none. */
export const coloring = (filter: string): string => filter.match(FILTER)?.join(" ") ?? "";

let canvas: OffscreenCanvasRenderingContext2D | null | undefined;
const MAX_FILTERED = 10_000;
const known = new Map<string, Color>();

/** A colour behind filters, the innermost first. */
export function filtered(color: Color, filters: readonly string[]): Color {
  if (filters.length === 0) return color;
  const [red, green, blue, alpha] = color;
  const key = `${red} ${green} ${blue} ${filters.join(" ")}`;
  let found = known.get(key);
  if (!found) {
    canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!canvas) return color;
    canvas.filter = filters.join(" ");
    canvas.fillStyle = `rgb(${red} ${green} ${blue})`;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
    found = [r!, g!, b!, 1];
    if (known.size > MAX_FILTERED) known.clear();
    known.set(key, found);
  }
  return [found[0], found[1], found[2], alpha];
}
