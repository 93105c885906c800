// Reduces the size of a screenshot: keeps the 256 most frequent colours and maps the
// others, mostly from antialiased text, to the nearest one. Writes a comment into it.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function* chunks(png) {
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), body: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

/** The pixels of a PNG of 8-bit RGB without interlacing, as Chromium writes it: width × height × 3 bytes. */
function decode(png) {
  const data = [];
  let width, height;
  for (const { type, body } of chunks(png)) {
    if (type === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      if (body[8] !== 8 || body[9] !== 2 || body[12] !== 0) throw new Error("not a PNG of 8-bit RGB without interlacing");
    } else if (type === "IDAT") data.push(body);
  }
  const raw = inflateSync(Buffer.concat(data));
  const row = width * 3;
  const pixels = Buffer.alloc(height * row);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; i++) {
      const at = y * row + i;
      const left = i >= 3 ? pixels[at - 3] : 0;
      const above = y > 0 ? pixels[at - row] : 0;
      const corner = i >= 3 && y > 0 ? pixels[at - row - 3] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      pixels[at] = raw[y * (row + 1) + 1 + i] + guess;
    }
  }
  return { width, height, pixels };
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

function chunk(type, body) {
  const out = Buffer.alloc(body.length + 12);
  out.writeUInt32BE(body.length, 0);
  out.write(type, 4, "latin1");
  body.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)), body.length + 8);
  return out;
}

// An international text: keyword, "compressed", "by deflate", no language, no translation of the keyword.
const COMMENT = Buffer.from("Comment\0\x01\0\0\0", "latin1");

/** The comment that shrink has written; undefined if there is none. */
export function commentOf(png) {
  for (const { type, body } of chunks(png)) {
    if (type === "iTXt" && body.indexOf(COMMENT) === 0) return inflateSync(body.subarray(COMMENT.length)).toString();
  }
}

/** The same picture with a palette of at most 256 colours and, if given, a comment. */
export function shrink(png, comment) {
  const { width, height, pixels } = decode(png);
  const counts = new Map();
  for (let i = 0; i < pixels.length; i += 3) {
    const colour = pixels.readUIntBE(i, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 256).map(([colour]) => colour);
  const place = new Map(palette.map((colour, i) => [colour, i]));
  const distance = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
  const rows = Buffer.alloc(height * (width + 1));
  for (let p = 0; p < width * height; p++) {
    const colour = pixels.readUIntBE(p * 3, 3);
    let index = place.get(colour);
    if (index === undefined) {
      index = palette.reduce((best, other, i) => (distance(other, colour) < distance(palette[best], colour) ? i : best), 0);
      place.set(colour, index);
    }
    rows[p + Math.floor(p / width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, i) => colours.writeUIntBE(colour, i * 3, 3));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...(comment === undefined ? [] : [chunk("iTXt", Buffer.concat([COMMENT, deflateSync(comment, { level: 9 })]))]),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
