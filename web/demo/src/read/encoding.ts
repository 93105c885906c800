/** A text and, if it was not UTF-8, its encoding. */
export interface Decoded {
  text: string;
  fallback?: string;
}

/**
 * Decodes a text file by its byte order mark; otherwise as UTF-8 if it is valid;
 * otherwise as declared in the file (HTML); otherwise as Windows-1252, which
 * accepts any bytes. Never throws. The caller has ruled out binary files.
 */
export function decode(bytes: Uint8Array<ArrayBuffer>, declared?: string): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes) };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
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
  return { text: new TextDecoder("windows-1252").decode(bytes), fallback: "Windows-1252" };
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

export type Kind = "text" | "empty" | "binary" | "pdf" | "office" | "image";

/** The encoding given by a byte order mark. */
export function sniff(bytes: Uint8Array): Kind {
  if (bytes.length === 0) return "empty";
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith("%PDF-")) return "pdf";
  if (head.startsWith("PK\x03\x04") || head.startsWith("\xd0\xcf\x11\xe0") || head.startsWith("{\\rtf")) return "office";
  if (/^(\x89PNG|GIF8|\xff\xd8\xff|RIFF|ID3|OggS|BM.{4}\0\0|\0\0\0.ftyp)/s.test(head)) return "image";
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
