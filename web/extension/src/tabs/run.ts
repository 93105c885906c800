// Runs scripts in tabs, with time limits.

/** The outcome of a script: its result, or that the tab did not answer in time. */
export class TimeOut extends Error {}

/** Waits for a promise no longer than `milliseconds`, and not after `signal`. */
export async function within<Value>(promise: Promise<Value>, milliseconds: number, signal?: AbortSignal): Promise<Value> {
  signal?.throwIfAborted();
  let stop!: () => void;
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new TimeOut("no answer in time")), Math.max(0, milliseconds));
    const aborted = () => reject(signal!.reason);
    signal?.addEventListener("abort", aborted);
    stop = () => (clearTimeout(timer), signal?.removeEventListener("abort", aborted));
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    stop();
    // Handle a late rejection.
    promise.catch(() => undefined);
  }
}

type Target = { tabId: number; allFrames?: boolean; frameIds?: number[] };

/** Loads a file of the extension into a tab and calls a function there, which can use the file's globals. Returns a result for each document. */
export async function inTab<Args extends unknown[], Value>(target: Target, file: string | undefined, func: (...args: Args) => Value, args: Args): Promise<{ frameId: number; value: Awaited<Value> | undefined }[]> {
  const where = target as chrome.scripting.InjectionTarget;
  if (file) await chrome.scripting.executeScript({ target: where, injectImmediately: true, files: [file] });
  const results = await chrome.scripting.executeScript({ target: where, injectImmediately: true, func, args });
  return results.map(({ frameId, result }) => ({ frameId, value: result as Awaited<Value> | undefined }));
}

/** Runs at most `most` tasks at the same time; the others wait in order. */
export function limited(most: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      // The slot goes to the next task, or becomes free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
