// Reads PDFs in the thread that it is loaded into: a Worker.

import "pdfjs-dist/legacy/build/pdf.worker.min.mjs";
import { type PDFText, textOf } from "../../../common/read/pdf.ts";

export { PDFError } from "../../../common/read/pdf.ts";

export const readHere = (bytes: Uint8Array, base: string, progress: (done: number) => void): Promise<PDFText> =>
  textOf(bytes, { maps: new URL("pdf/cmaps/", base).href, progress: (read, all) => progress(read / all) });
