/** A text and, if it was not UTF-8, its encoding; `unsure` if that is only what reads any bytes. */
export interface Decoded {
  text: string;
  fallback?: string;
  unsure?: boolean;
}

/**
 * Decodes a text file by its byte order mark; otherwise as UTF-8 if it is valid;
 * otherwise as declared in the file (HTML); otherwise as Windows-1252, which
 * accepts any bytes: `readPacked` and `guess` of packed.ts know better. Never throws.
 * The caller has ruled out binary files.
 */
export function decode(bytes: Uint8Array<ArrayBuffer>, declared?: string): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes) };
  let valid: string | undefined;
  try {
    valid = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Escape sequences of ISO-2022-JP, which is ASCII and so valid UTF-8. In other text, they are a terminal's.
    if (!/\x1b[$(]/.test(valid) || /[^\0-\x7f]/.test(valid)) return { text: valid };
  } catch {
    // Not UTF-8. A file with a UTF-8 byte order mark stays UTF-8 even if it is invalid further on.
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { text: new TextDecoder().decode(bytes) };
  }
  if (declared) {
    try {
      const decoder = new TextDecoder(declared);
      if (decoder.encoding !== "utf-8") return { text: decoder.decode(bytes), fallback: decoder.encoding };
    } catch {
      // The browser does not know the declared encoding.
    }
  }
  return valid === undefined ? { text: new TextDecoder("windows-1252").decode(bytes), fallback: "windows-1252", unsure: true } : { text: valid, unsure: true };
}

/** Decodes a text in an encoding that was guessed. */
export function decodeAs(bytes: Uint8Array<ArrayBuffer>, label: string): Decoded {
  const text = new TextDecoder(label).decode(bytes);
  return label === "utf-8" ? { text } : { text, fallback: label };
}

/** The charset that an HTML file declares in its first kilobyte, as browsers look for it. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 1024));
  for (const [tag] of start.matchAll(/<meta[^>]*/gi)) {
    const charset = /charset\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(tag)?.[1];
    if (charset) return charset;
  }
  return undefined;
}

/** Whether a file begins as an HTML page does, after white space and comments. */
export function looksLikeHTML(bytes: Uint8Array): boolean {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
  // A pattern for all comments together would take exponential time.
  let rest = start.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4);
    if (end < 0) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return /^<(?:!doctype\s+html|html|head|body)\b/i.test(rest);
}

export type Kind = "text" | "empty" | "binary" | "pdf" | "packed" | "image";

/** Formats that the name tells; the others of them have first bytes of their own, unless they are damaged. */
const PACKED = /\.(?:eml|mbox|mbx|vtt|srt|csv|tsv|tab|docx|docm|dotx|odt|ott|epub|rtf|zip)$/i;

/** What a file of a name is, by its first bytes. The same as Handles in internal/files. */
export function sniff(bytes: Uint8Array, name: string): Kind {
  if (bytes.length === 0) return "empty";
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("%PDF-")) return "pdf";
  if (/^(?:PK\x03\x04|PK\x05\x06|\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\{\\rtf)/.test(head)) return "packed";
  if (/^(\x89PNG|GIF8|\xff\xd8\xff|RIFF|ID3|OggS|BM.{4}\0\0|\0\0\0.ftyp)/s.test(head)) return "image";
  if (PACKED.test(name) || /^(?:\xef\xbb\xbf)?WEBVTT/.test(head)) return "packed";
  if (head.startsWith("\xff\xfe") || head.startsWith("\xfe\xff")) return "text";
  // Text in any encoding has almost no control characters.
  const sample = bytes.subarray(0, 65536);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return "binary";
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls++;
  }
  return controls > sample.length / 100 ? "binary" : "text";
}
