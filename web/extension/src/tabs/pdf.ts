// Reads a PDF in a Worker of its own, so that its memory is freed.

import workerURL from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker&url";
import { PDFError, type PDFText, textOf } from "../../../common/read/pdf.ts";
import { ownScript } from "../../../common/trusted.ts";

/** The running text of a PDF. Throws PDFError, or the signal's reason. */
export async function readPDF(bytes: Uint8Array, signal: AbortSignal): Promise<PDFText> {
  signal.throwIfAborted();
  const worker = new Worker(ownScript(workerURL), { type: "module" });
  let abort = (): void => {};
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener("error", () => reject(new PDFError("damaged")));
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([textOf(bytes, { worker, maps: new URL("pdf/cmaps/", document.baseURI).href, patience: Infinity }), failed]);
  } finally {
    signal.removeEventListener("abort", abort);
    worker.terminate();
  }
}
