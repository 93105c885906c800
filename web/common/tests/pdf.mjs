// Writes small PDFs for the tests: text at given places, in Helvetica or in a
// Japanese font that the reader's program has to know the code of.

const winansi = (text) => [...text].map((c) => {
  const special = { "‐": "-", "’": "\x92", "“": "\x93", "”": "\x94", "–": "\x96", "•": "\x95" }[c] ?? c;
  return /[()\\]/.test(special) ? `\\${special}` : special;
}).join("");
const hex = (text) => `<${[...Buffer.from(text, "utf16le").swap16()].map((byte) => byte.toString(16).padStart(2, "0")).join("")}>`;

/**
 * `pages` are lists of { text, x, y, size }, y counted from the top of a page
 * of 400 × 600 points; `japanese` for a line in the other font, `turned` for
 * one across the page; `raw` are operators in place of a line. `locked` asks for a password that nobody has.
 */
export function makePDF(pages, { title, locked = false } = {}) {
  const objects = [];
  const add = (body) => objects.push(body);
  const kids = pages.map((_, i) => `${7 + 2 * i} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} /MediaBox [0 0 400 600] /Resources << /Font << /F 3 0 R /J 4 0 R >> /XObject << /Im 6 0 R >> >> >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  add("<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UTF16-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 6 >> /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>");
  add(`<< ${title === undefined ? "" : `/Title (${winansi(title)})`} >>`);
  add("<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n\x80\nendstream");
  pages.forEach((lines, i) => {
    const drawn = lines.map(({ raw, text, x = 50, y, size = 10, japanese, turned }) => raw ??
      `BT /${japanese ? "J" : "F"} ${size} Tf ${turned ? `0 1 -1 0 ${x} ${600 - y}` : `1 0 0 1 ${x} ${600 - y}`} Tm ${japanese ? hex(text) : `(${winansi(text)})`} Tj ET`);
    const content = drawn.join("\n") || "0.9 g 20 20 360 560 re f";
    add(`<< /Type /Page /Parent 2 0 R /Contents ${8 + 2 * i} 0 R >>`);
    add(`<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`);
  });
  let file = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
  const places = objects.map((body, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const key = `<${"5a".repeat(32)}>`;
  const lock = locked ? `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${key} /U ${key} >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]` : "";
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R ${lock} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

/** Lines one below the other. */
export const column = (texts, { x = 50, y = 60, size = 10, gap = 1.2 * size } = {}) => texts.map((text, i) => ({ text, x, y: y + i * gap, size }));
