// Generates, from a seed, files that try to hang their readers: repeated and nested input
// that exhausts parsers, regular expressions and memory.

import { crc32, deflateRawSync, gzipSync } from "node:zlib";

import { makePDF } from "../../common/tests/pdf.mjs";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PROSE = "The harbour of Nessel is open again, the mayor said. Ships wait outside it.";

const HTML = [
  "<div>", "<p>a", "<i>", "<b><i>", "<a href=#>", "<table><tr><td>", "<ul><li>", "<span style='color:#fff'>a", "<style>", "<style>.a{color:red}</style>", "<!-- ", "<!---->", "<![CDATA[", "<script>", "<svg><g>", "<math><mi>",
  "<select><option>a", "<template>", "<form><input name=a>", "<p class='a b c d e'>a</p>", "<h1>a", "<font><p>", "<nobr>", "</p>", "</b></i>", "<a><b></a></b>", "&amp;", "&a", "<", "\0", "<p hidden>a", "<figure><figcaption>a", "<li><p>a<p>b",
  "<sup><a href=#a>[1]</a></sup>", "<time datetime=2020>a</time>", "<meta name=date content=a>", "<br><br>a", "<div class=caption>", "<ul><li><a href=a>a</a>", "<pre>a\n", "<table><tr><td>a<td>b</table>", "<p style='--a: var(--b)'>a",
];
const CSS = [".a{color:red}", "*{color:var(--a)}", ".a .a .a .a{display:none}", "a{", "@media (", ":is(", ":not(.a)", "--a:var(--b);", "{{", "/*", "'", ".a > * ~ * + ", "&", "@layer a{", "\\61 ", "*{background:linear-gradient(red,blue)}", "p{width:calc((1px + ", "[a=b]"];
const MARKDOWN = ["*a_ ", "*a", "**a ", "_a*b ", "~~a~ ", "[", "![", "[a](", "[a]: b\n", "`a``", "<a ", "<!--", "&a", "\\", "|a", "|a\n|-\n", "(", "<b>", "[^1]", "[^a]: b\n\n", ": a\n", "- a\n", "> ", "- ", "1. ", "# a\n", "http://a.b ", "www.a ", "a@b.c ", "\"", "  - a\n", "[a][", "<http://a", "*_", "***a", "a*", "[x] ", "```\n", "$$", "\t", "===\n"];
const TEXT = [" ", "\n", "\t", "- ", "a", "a ", "a\n\n", "...", ". ", "> ", "```\n", "|a|\n", "\u00a0", "東", "[1] ", "\u0301", "\r", "1. a\n", "title: ", "<!---->", "é", "\u202e", "#", "a-", "(", "''", "\u2028"];
const JSONS = ["[", '{"a":', '"\\u0061', "1", '{"title":"a","text":"b"},', " ", "\\", "null,", '[0,1,"paragraph"],'];

const SUBTITLES = ["1\n00:00:01,000 --> 00:00:02,000\nThe river rose.\n\n", "00:00:01.000 --> 00:00:02.000\na\n\n", "00:00:01.000 --> ", "<i>", "<v Anna>a", "<c.a.b>", "{\\an8}", "\n1\n", "-->", "<00:00:01.000>a ", "NOTE a\n\n", "STYLE\n", "&amp;", "- a\n", "00:", "99:", "\n", " ", "[a]"];

const repeated = (what, bytes) => what.repeat(Math.ceil(bytes / Buffer.byteLength(what)));

const KINDS = ["html", "md", "txt", "pdf", "json", "srt", "vtt"];

/** `count` files of at most `most` bytes, from number `from` on, the same for the same seed: { name, content }. Each is made when its content is asked for. */
export const bombs = (count, most, { seed = 1, from = 0 } = {}) => Array.from({ length: count }, (_, i) => {
  const kind = KINDS[(from + i) % KINDS.length];
  return {
    name: `bomb-${from + i}.${kind === "json" ? "cerasum.json" : kind}`,
    get content() {
      return Buffer.from(contentOf(kind, most, random(seed * 100_003 + from + i))).subarray(0, most);
    },
  };
});

/** A Markdown table of `most` bytes, half of them its head, whose rows lack all cells but one: parsers add the others. */
export const table = (most) => ({ name: "table.md", content: Buffer.from(`${PROSE}\n\n${"|a".repeat(most / 8)}|\n${"|-".repeat(most / 8)}|\n${"b\n".repeat(most / 4)}\n${PROSE}`) });

function contentOf(kind, most, next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const size = () => Math.floor(most * (0.3 + 0.7 * next()) * 0.9);
  const kinds = {
    html() {
      const shape = Math.floor(next() * 5);
      const what = shape === 3 ? pick(HTML) + pick(HTML) : pick(HTML);
      if (shape === 4) return `<style>${repeated(pick(CSS), size())}</style>${repeated("<p class=a>a</p>", 20_000)}<p>${PROSE}`;
      if (shape === 2) return `<p>${PROSE}${repeated("<i>", 3000)}${repeated(what, size())}`;
      return `<title>Bomb</title><p>${PROSE}</p>${repeated(what, size())}`;
    },
    md() {
      const shape = Math.floor(next() * 5);
      if (shape === 0) return `---\ntitle:${repeated(" ", size())}x\n---\n${PROSE}`;
      if (shape === 1) return Array.from({ length: Math.floor(Math.sqrt(most)) }, (_, i) => `${" ".repeat(i)}- a\n`).join("").slice(0, most - 100) + PROSE;
      return `${PROSE}\n\n${repeated(shape === 2 ? pick(MARKDOWN) + pick(MARKDOWN) : pick(MARKDOWN), size())}`;
    },
    txt: () => `${PROSE}\n\n${repeated(next() < 0.3 ? pick(TEXT) + pick(TEXT) : pick(TEXT), size())}`,
    pdf() {
      const shape = Math.floor(next() * 4);
      const whole = makePDF([[{ text: PROSE, y: 60 }]]);
      if (shape === 0) return Buffer.concat([whole.subarray(0, 20), Buffer.from(repeated(pick(["<<", "[", "1 0 obj\n", "stream\n", "/A ", "(", "xref\n", "\0", "%"]), size())), whole.subarray(20)]);
      if (shape === 1) return makePDF(Array.from({ length: Math.floor(most / 500) }, (_, i) => [{ text: `Page ${i} says nothing.`, y: 60 }]));
      if (shape === 2) return makePDF([Array.from({ length: Math.floor(most / 150) }, (_, i) => ({ text: `Line ${i} a-`, y: (i * 7) % 500, x: (i * 13) % 400 }))]);
      return makePDF([[{ text: repeated(pick(TEXT.filter((text) => /^[ -~]+$/.test(text) && !/[()\\]/.test(text))), Math.floor(size() / 2)), y: 60 }]]);
    },
    json: () => (next() < 0.5 ? `{"cerasum":1,"documents":[${repeated('{"title":"a","text":"The river rose."},', size())}{"title":"a","text":"b"}]}` : `{"cerasum":1,"documents":${repeated(pick(JSONS), size())}`),
    srt: () => `1\n00:00:01,000 --> 00:00:02,000\n${PROSE}\n\n${repeated(next() < 0.3 ? pick(SUBTITLES) + pick(SUBTITLES) : pick(SUBTITLES), size())}`,
    vtt: () => `WEBVTT\n\n00:01.000 --> 00:02.000\n${PROSE}\n\n${repeated(next() < 0.3 ? pick(SUBTITLES) + pick(SUBTITLES) : pick(SUBTITLES), size())}`,
  };
  return kinds[kind]();
}

/** A ZIP file of one stored or deflated member each: [name, content]. */
function zip(members) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, content] of members) {
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(content), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), head, Buffer.from(name), packed);
    const place = Buffer.alloc(16);
    place.writeUInt32LE(at, 12);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), head, place.subarray(2), Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, list, Buffer.from("PK\x05\x06"), end]);
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** The same in the formats of internal/files, of about `most` bytes, packed or not. */
export function packedBombs(most) {
  const word = (body) => zip([["word/document.xml", Buffer.from(`<w:document ${W}><w:body>${body}</w:body></w:document>`)]]);
  const text = (body) => zip([["mimetype", Buffer.from("application/vnd.oasis.opendocument.text")], ["content.xml", Buffer.from(`<document-content xmlns:text="t" xmlns:table="b"><automatic-styles><style name="a" family="paragraph" parent-style-name="a"/></automatic-styles><body><text>${body}</text></body></document-content>`)]]);
  const book = (chapters, head, css, body = `<p>${PROSE}</p>`) => zip([
    ["mimetype", Buffer.from("application/epub+zip")], ["META-INF/container.xml", Buffer.from('<container><rootfile full-path="a.opf"/></container>')],
    ["a.opf", Buffer.from(`<package><manifest>${Array.from({ length: chapters }, (_, i) => `<item id="c${i}" href="c${i}.xhtml" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine>${Array.from({ length: chapters }, (_, i) => `<itemref idref="c${i}"/>`).join("")}</spine></package>`)],
    ...Array.from({ length: chapters }, (_, i) => [`c${i}.xhtml`, Buffer.from(`<html><head>${head}</head><body>${body}</body></html>`)]), ["a.css", Buffer.from(css)],
  ]);
  const paragraph = `<w:p><w:r><w:t>${PROSE}</w:t></w:r></w:p>`;
  const files = {
    "zeros.zip": zip([["zeros.txt", Buffer.alloc(60e6)]]),
    "paragraphs.docx": word(repeated(paragraph, most)),
    "empty.docx": word(repeated("<w:p/>", most) + paragraph),
    "cells.docx": word(`${paragraph}<w:tbl>${repeated("<w:tr><w:tc><w:p/></w:tc></w:tr>", most)}</w:tbl>`),
    "entities.docx": zip([["word/document.xml", Buffer.from(`<!DOCTYPE a [<!ENTITY b "${"b".repeat(1e6)}">]><w:document ${W}>${repeated("&b;", most)}</w:document>`)]]),
    "groups.rtf": Buffer.from(`{\\rtf1 ${PROSE}\\par ${repeated("{\\b a}\\par\n", most)}}`),
    "quoted.eml": Buffer.from(`From: a@b.example\n\n${PROSE}\n${repeated("On Monday, A wrote:\n> a\n", most)}`),
    "mails.mbox": Buffer.from(repeated(`From a@b.example Mon Mar  2 10:00:00 2026\nFrom: A\nSubject: B\n\n${PROSE}\n\n`, most)),
    "rows.csv": Buffer.from(`title,text\n${repeated(`a,"${PROSE}"\n`, most)}`),
    "cues.srt": Buffer.from(repeated("1\n00:00:01,000 --> 00:00:02,000\na b\nc d\n\n", most)),
    "nested.zip": Array.from({ length: 5 }).reduce((inner) => zip(Array.from({ length: 8 }, (_, i) => [`${i}.zip`, inner])), zip([["zeros.txt", Buffer.alloc(8e6)]])),
    "members.docx": zip([["word/document.xml", Buffer.from(`<w:document ${W}><w:body>${paragraph}</w:body></w:document>`)], ...Array.from({ length: 19_000 }, (_, i) => [`word/${i}`, Buffer.alloc(0)])]),
    "styles.docx": zip([["word/document.xml", Buffer.from(`<w:document ${W}><w:body>${repeated(`<w:p><w:pPr><w:pStyle w:val="s19"/></w:pPr><w:r><w:rPr><w:rStyle w:val="s19"/></w:rPr><w:t>a</w:t></w:r></w:p>`, most)}</w:body></w:document>`)], ["word/styles.xml", Buffer.from(`<w:styles ${W}>${Array.from({ length: 20_000 }, (_, i) => `<w:style w:styleId="s${i}"><w:basedOn w:val="s${(i + 1) % 20_000}"/></w:style>`).join("")}</w:styles>`)]]),
    "cells.odt": text(`<text:p>${PROSE}</text:p><table:table>${repeated('<table:table-row><table:table-cell table:style-name="a"><text:p text:style-name="a">a</text:p></table:table-cell></table:table-row>', most)}</table:table>`),
    "spans.odt": text(repeated(`<text:p><text:span text:style-name="a">a</text:span><text:s text:c="99999999"/></text:p>`, most)),
    "chapters.epub": book(500, `<link rel="stylesheet" href="a.css"/>`, repeated(".a .b{color:red;font-size:12px}\n", most / 100)),
    "imports.epub": book(2, `<link rel="stylesheet" href="a.css"/>`, `${repeated('@import "a.css";', 20_000)}.a{color:red}`),
    "tags.epub": book(3, "", "", `<p>${PROSE}</p>` + repeated("<p class='a'/><i/>", most / 4)),
    "shapes.rtf": Buffer.from(`{\\rtf1 ${PROSE}\\par ${repeated("{\\shp{\\*\\shpinst{\\sp{\\sn fillColor}{\\sv 1}}{\\shptxt a\\par}}}", most)}}`),
    "rows.rtf": Buffer.from(`{\\rtf1 ${PROSE}\\par ${repeated("\\trowd\\clcbpat1\\cellx9\\pard\\intbl a\\cell\\row", most)}}`),
    "cellx.rtf": Buffer.from(`{\\rtf1 ${PROSE}\\par ${repeated("\\cellx9", most)}}`),
    "parts.eml": Buffer.from(`From: a@b.example\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\n${PROSE}\n${repeated("--a\nContent-Type: text/html\n\n<p>a\n", most)}`),
    "zeros.txt.gz": gzipSync(Buffer.alloc(60e6)),
    "nested.txt.gz": gzipSync(gzipSync(gzipSync(Buffer.alloc(60e6)))),
    "huge.docx": word(repeated(paragraph, 60e6)),
    "huge.epub": book(1, "", "", repeated(`<p>${PROSE}</p>`, 60e6)),
    "laughs.odt": zip([["mimetype", Buffer.from("application/vnd.oasis.opendocument.text")], ["content.xml", Buffer.from(`<!DOCTYPE a [<!ENTITY e0 "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join("")}]><document-content xmlns:text="t"><body><text><text:p>&e30;</text:p></text></body></document-content>`)]]),
    "entries.zip": zip(Array.from({ length: 50_000 }, (_, i) => [`${i}.txt`, Buffer.alloc(0)])),
    "files.zip": zip(Array.from({ length: 1000 }, (_, i) => [`${i}.docx`, word(paragraph)])),
  };
  return Object.entries(files).map(([name, content]) => ({ name, content }));
}
