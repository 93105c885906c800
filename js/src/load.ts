// Loading a file.

export const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A file that could not be loaded, as opposed to one that cannot run. */
export class LoadError extends Error {
  constructor(url: string, cause: unknown) {
    super(`${url} cannot be loaded: ${describe(cause)}`, { cause });
  }
}

/**
 * Why WebAssembly cannot run here at all, if that is what the error says.
 * Browsers differ in their messages for a policy that forbids it.
 */
export function noWebAssembly(error: unknown): Error | undefined {
  if (typeof WebAssembly !== "object") return new Error("WebAssembly is not available: the browser does not support it, or it is disabled", { cause: error });
  const message = describe(error);
  if (!/content security policy|unsafe-eval|\bCSP\b/i.test(message)) return undefined;
  return new Error(`WebAssembly is blocked: the Content Security Policy of this page and its workers must have 'wasm-unsafe-eval' in script-src (${message})`, { cause: error });
}

/** Returns the bytes at an address; undefined if not found. Throws a LoadError, or the signal's reason. */
export type Fetch = (
  url: string, progress: (loaded: number, total: number) => void, signal?: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer> | undefined>;

export const fetchBytes: Fetch = async (url, progress, signal) => {
  try {
    const response = await fetch(url, { credentials: "same-origin", signal: signal ?? null });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`status ${response.status} ${response.statusText}`.trim());
    return await body(response, progress);
  } catch (error) {
    signal?.throwIfAborted();
    throw new LoadError(url, error);
  }
};

/** The bytes of a response, with progress. Counts uncompressed bytes; total is 0 if the server does not report it. */
export async function body(response: Response, progress: (loaded: number, total: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const said = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length") ?? 0);
  let bytes = new Uint8Array(said || 1 << 16);
  let length = 0;
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, length + value.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(value, length);
    length += value.length;
    progress(length, Math.max(said, length));
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}
