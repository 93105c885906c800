import { GlobalWorkerOptions, PasswordException, Util, getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import workerURL from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker&url";
import { oneLine } from "../one-line.ts";
import { ownScript } from "../trusted.ts";
import type { Readable } from "./article.ts";
import { join } from "./parts.ts";
import { type Page, type Piece, layOut } from "./pdf-text.ts";

/** Why there is no text. "stopped": the reader could not be loaded, or it ran out of memory. */
export type PDFProblem = "locked" | "scanned" | "garbled" | "damaged" | "stopped";

export class PDFError extends Error {
  constructor(readonly problem: PDFProblem) {
    super(problem);
  }
}

/** Fewer letters per page than this are not text: scanned pages may have a stamp or a number. */
const LETTERS = 25;

/** The running text of a PDF. Throws PDFError, or the signal's reason. */
export async function readPDF(bytes: Uint8Array, signal?: AbortSignal): Promise<Readable> {
  signal?.throwIfAborted();
  // One worker per file, so that its memory is freed.
  const worker = new Worker(ownScript(workerURL), { type: "module" });
  GlobalWorkerOptions.workerPort = worker;
  let abort = (): void => {};
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener("error", () => reject(new PDFError("damaged")));
    abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort);
  });
  // Fonts, pictures and scripts are not needed for the text: they are not loaded or run.
  const task = getDocument({
    data: bytes, verbosity: 0, cMapUrl: new URL("pdf/cmaps/", document.baseURI).href, cMapPacked: true, useWorkerFetch: true,
    disableFontFace: true, useSystemFonts: false, useWasm: false, enableXfa: false,
  });
  try {
    return await Promise.race([read(task), failed]);
  } catch (error) {
    if (error instanceof PDFError || signal?.aborted) throw error;
    throw new PDFError(error instanceof PasswordException ? "locked" : "damaged");
  } finally {
    signal?.removeEventListener("abort", abort);
    const destroyed = task.destroy().catch(() => undefined);
    // A busy worker would finish its page before it reads the message.
    if (!signal?.aborted) await Promise.race([destroyed, new Promise((done) => setTimeout(done, 1000))]);
    worker.terminate();
    GlobalWorkerOptions.workerPort = null;
  }
}

async function read(task: ReturnType<typeof getDocument>): Promise<Readable> {
  const pdf = await task.promise;
  const pages: Page[] = [];
  for (let n = 1; n <= pdf.numPages; n++) {
    const page = await pdf.getPage(n);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const pieces: Piece[] = [];
    for (const item of items) {
      if (!("str" in item)) continue;
      const [a, b, c, d, x, y] = Util.transform(transform, item.transform) as [number, number, number, number, number, number];
      // Rotated text is a stamp or a watermark.
      if (Math.abs(b) > Math.abs(a)) continue;
      pieces.push({ text: item.str, x, y, width: item.width, height: Math.hypot(c, d) });
    }
    pages.push({ width, height, pieces });
    page.cleanup();
  }
  const { title, parts } = layOut(pages);
  const { text, blocks } = join(parts);
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const strange = text.match(/[\p{Co}\p{Cc}\ufffd]/gu)?.filter((c) => c !== "\n").length ?? 0;
  if (strange > letters / 3) throw new PDFError("garbled");
  if (letters === 0 || letters < LETTERS * (pages.length - 1)) throw new PDFError("scanned");
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  return { title: title || named((info as { Title?: unknown }).Title), text, blocks };
}

/** The title in the file's metadata, unless a program generated it. */
function named(title: unknown): string {
  if (typeof title !== "string") return "";
  const plain = oneLine(title);
  return /^(untitled|microsoft word|powerpoint|document\d*$|about:blank)|\.(docx?|indd|tex|dvi|qxd|pdf|rtf|odt|html?|pptx?)$/i.test(plain) || !/\p{L}/u.test(plain) ? "" : plain;
}
