import { GlobalWorkerOptions, PasswordException, Util, getDocument, normalizeUnicode } from "pdfjs-dist/legacy/build/pdf.mjs";
import { oneLine } from "../one-line.ts";
import type { Readable } from "./article.ts";
import { join } from "./parts.ts";
import type { Piece } from "./pdf-direction.ts";
import { Revealed, hiddenLetters } from "./pdf-hidden.ts";
import { type Page, layOut } from "./pdf-text.ts";

/** Why there is no text. "stopped": the reader could not be loaded, or it ran out of memory. */
export type PDFProblem = "locked" | "scanned" | "garbled" | "damaged" | "stopped";

export class PDFError extends Error {
  constructor(readonly problem: PDFProblem) {
    super(problem);
  }
}

/** Fewer letters per page than this are not text: scanned pages may have a stamp or a number. */
const LETTERS = 25;

/** A PDF that takes longer is read in part: milliseconds for its pages. */
const PATIENCE = 15_000;

export interface PDFText extends Readable {
  /** The pages that were read, of all. */
  pages: readonly [read: number, all: number];
}

interface Options {
  /** The address of pdf/cmaps/, which ends with a slash. */
  maps: string;
  /** The Worker that parses the file; undefined if this thread is one and has loaded pdf.worker. */
  worker?: Worker;
  progress?: (read: number, all: number) => void;
  patience?: number;
}

/** The running text of a PDF. Throws PDFError. */
export async function textOf(bytes: Uint8Array, { maps, worker, progress, patience = PATIENCE }: Options): Promise<PDFText> {
  if (worker) GlobalWorkerOptions.workerPort = worker;
  // Fonts, pictures and scripts are not needed for the text: they are not loaded or run.
  const task = getDocument({
    data: bytes, verbosity: 0, cMapUrl: maps, cMapPacked: true, useWorkerFetch: true,
    disableFontFace: true, useSystemFonts: false, useWasm: false, enableXfa: false, maxImageSize: 0,
  });
  if (worker) GlobalWorkerOptions.workerPort = null;
  try {
    return await read(task, performance.now() + patience, progress);
  } catch (error) {
    if (error instanceof PDFError) throw error;
    throw new PDFError(error instanceof PasswordException ? "locked" : "damaged");
  } finally {
    // A busy Worker would finish its page before it reads the message.
    await Promise.race([task.destroy().catch(() => undefined), new Promise((done) => setTimeout(done, 1000))]);
  }
}

async function read(task: ReturnType<typeof getDocument>, until: number, progress: Options["progress"]): Promise<PDFText> {
  const pdf = await task.promise;
  const pages: Page[] = [];
  for (let n = 1; n <= pdf.numPages; n++) {
    if (n > 1 && performance.now() > until) break;
    progress?.(n - 1, pdf.numPages);
    const page = await pdf.getPage(n);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const letters = hiddenLetters(await page.getOperatorList(), page.view);
    const revealed = letters && new Revealed(letters);
    // Letters are compared as they are drawn.
    const { items } = await page.getTextContent({ disableNormalization: letters !== undefined });
    const pieces: Piece[] = [];
    for (const item of items) {
      if (!("str" in item)) continue;
      const text = revealed ? normalizeUnicode(revealed.of(item.str)) : item.str;
      const [a, b, c, d, x, y] = Util.transform(transform, item.transform) as [number, number, number, number, number, number];
      // Rotated text is a stamp or a watermark.
      if (Math.abs(b) > Math.abs(a)) continue;
      pieces.push({ text, x, y, width: item.width, height: Math.hypot(c, d) });
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
  return { title: title || named((info as { Title?: unknown }).Title), text, blocks, pages: [pages.length, pdf.numPages] };
}

/** The title in the file's metadata, unless a program generated it. */
function named(title: unknown): string {
  if (typeof title !== "string") return "";
  const plain = oneLine(title);
  return /^(untitled|microsoft word|powerpoint|document\d*$|about:blank)|\.(docx?|indd|tex|dvi|qxd|pdf|rtf|odt|html?|pptx?)$/i.test(plain) || !/\p{L}/u.test(plain) ? "" : plain;
}
