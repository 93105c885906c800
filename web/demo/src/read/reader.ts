// Reads files in a Worker: parsers of files from anywhere must not hold the page. The
// Worker is ended after a deadline, when the reader of the page cancels, and when
// it has been idle for a while.

import { ownScript } from "../../../common/trusted.ts";
import type { Content, File } from "./content.ts";
import type { Reply, Request } from "./reading-worker.ts";
import workerURL from "./reading-worker.ts?worker&url";

/** Milliseconds for a file. */
export const DEADLINE = 20_000;
const IDLE = 5_000;

/** Reading a file took too long, or the Worker could not be started or ran out of memory. */
export class ReadingError extends Error {
  constructor(readonly problem: "slow" | "stopped") {
    super(problem);
  }
}

let worker: Worker | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;
let last: Promise<unknown> = Promise.resolve();
let ids = 0;

function end(): void {
  worker?.terminate();
  worker = undefined;
}

/** What is in a file; one after the other. Takes the bytes away. Throws ReadingError, or the signal's reason. */
export function read(file: Omit<File, "base">, { signal, progress }: { signal?: AbortSignal | undefined; progress?: ((done: number) => void) | undefined } = {}): Promise<Content> {
  const own = last.then(() => readNow({ ...file, base: document.baseURI }, signal, progress));
  last = own.catch(() => undefined);
  return own;
}

async function readNow(file: File, signal: AbortSignal | undefined, progress: ((done: number) => void) | undefined): Promise<Content> {
  signal?.throwIfAborted();
  clearTimeout(idle);
  const used = (worker ??= new Worker(ownScript(workerURL), { type: "module", name: "reader" }));
  const id = ++ids;
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const content = await new Promise<Content>((resolve, reject) => {
      const options = { signal: listening.signal };
      used.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
        if (data.id !== id) return;
        if ("content" in data) resolve(data.content);
        else progress?.(data.progress);
      }, options);
      used.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new ReadingError("stopped"));
      }, options);
      used.addEventListener("messageerror", () => reject(new ReadingError("stopped")), options);
      signal?.addEventListener("abort", () => reject(signal.reason), options);
      timer = setTimeout(() => reject(new ReadingError("slow")), DEADLINE);
      const request: Request = { id, file };
      used.postMessage(request, typeof file.content === "string" ? [] : [file.content.buffer]);
    });
    // A reader that could not be loaded is tried again with the next file, and the memory of PDFs is large.
    if ("problem" in content && /^(?:noReader|pdf|filesStopped)/.test(content.problem) || "text" in content && /\.pdf$/i.test(file.name)) end();
    return content;
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(timer);
    listening.abort();
    idle = setTimeout(end, IDLE);
  }
}
