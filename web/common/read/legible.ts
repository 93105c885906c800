// What can be read, for pages in a tab (web/extension/src/page/seen.ts) and for
// files (web/demo/src/read/hidden). Same rules as cmd/cerasum/internal/legible.

export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** CSS pixels: smaller letters cannot be read. */
export const MIN_FONT = 3;
/** CSS pixels: a box that shows less than this shows no letter. */
export const MIN_SIZE = 2;
export const MIN_OPACITY = 0.1;
/** Ratio and difference of channels: colours that are closer in both cannot be told apart. */
const MIN_CONTRAST = 1.15;
const MIN_DIFFERENCE = 40;

/** System colours in the light scheme, which not every browser's canvas knows. */
const SYSTEM = new Map<string, Color>([["canvas", [255, 255, 255, 1]], ["field", [255, 255, 255, 1]], ["canvastext", [0, 0, 0, 1]], ["fieldtext", [0, 0, 0, 1]]]);

const MAX_COLORS = 10_000;
const colors = new Map<string, Color | undefined>();
let canvas: OffscreenCanvasRenderingContext2D | null | undefined;

/** A colour of CSS; undefined if it cannot be told. */
export function color(value: string): Color | undefined {
  if (colors.has(value)) return colors.get(value);
  // The colour scheme is light: files with another are told apart before, and browsers compute it for pages.
  if (value.startsWith("light-dark(")) return color(value.slice(11).split(",")[0]!.trim());
  let found = SYSTEM.get(value.toLowerCase());
  const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.e-]+))?\)$/.exec(value);
  if (plain) found = [Number(plain[1]), Number(plain[2]), Number(plain[3]), Number(plain[4] ?? 1)];
  else if (value === "transparent") found = [0, 0, 0, 0];
  else if (!found) {
    try {
      canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      // A style that is no colour is ignored.
      const [one, other] = ["#000000", "#ffffff"].map((before) => {
        canvas!.fillStyle = before;
        canvas!.fillStyle = value;
        return canvas!.fillStyle;
      });
      if (one === other) {
        canvas!.clearRect(0, 0, 1, 1);
        canvas!.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = canvas!.getImageData(0, 0, 1, 1).data;
        found = [red!, green!, blue!, alpha! / 255];
      }
    } catch {
      // Without a canvas, assume that it can be seen.
    }
  }
  if (colors.size > MAX_COLORS) colors.clear();
  colors.set(value, found);
  return found;
}

/** A colour in front of another. */
export const over = ([r, g, b, a]: Color, [R, G, B]: Color): Color => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];

const light = ([r, g, b]: Color): number => {
  const [R, G, B] = [r, g, b].map((c) => (c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * R + 0.7152 * G + 0.0722 * B;
};

/** Whether letters of one colour can be told from the other. */
export function distinct(ink: Color, ground: Color): boolean {
  const drawn = over(ink, ground);
  if (Math.max(...[0, 1, 2].map((i) => Math.abs(drawn[i]! - ground[i]!))) >= MIN_DIFFERENCE) return true;
  const [a, b] = [light(drawn), light(ground)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= MIN_CONTRAST;
}
