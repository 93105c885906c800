// The worker's side: starts the Go program and passes messages to and from it.
// Shared by the browser's worker and Node's.

import { kernelOf } from "./kernel.js";
import { describe, LoadError, noWebAssembly } from "./load.js";
import "./wasm_exec.js";
import type { StartMessage, WorkerMessage } from "./worker-messages.js";

/** The object through which the Go program (wasm/page) and this script communicate. */
interface Host {
  post(message: unknown): void;
  /** Set by the program. */
  receive?: (message: unknown) => void;
}

/** Where the worker's messages come from and go to. */
export interface Port {
  /** The buffers are moved rather than copied. */
  post(message: unknown, buffers?: ArrayBuffer[]): void;
  listen(handler: (message: unknown) => void): void;
}

/** The error of a failed compilation: invalid bytes, or a broken connection. */
export const compileError = (url: string, error: unknown): Error =>
  noWebAssembly(error) ?? (error instanceof WebAssembly.CompileError
    ? new Error(`${url} is not a WebAssembly program: ${error.message}`, { cause: error })
    : new LoadError(url, error));

/**
 * Passes on what the program prints, line by line. Returns a function that
 * returns the last line with a reason for Go's exit.
 */
function watchOutput(): () => string | undefined {
  const decoder = new TextDecoder();
  let rest = "";
  let reason: string | undefined;
  const { fs } = globalThis as unknown as { fs: { writeSync(fd: number, bytes: Uint8Array): number } };
  fs.writeSync = (_fd, bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (/^(panic|fatal error): /.test(line)) reason = line;
      console.error(line);
    }
    return bytes.length;
  };
  return () => reason;
}

/** The buffers of the typed arrays of a message, which are its fields. */
const buffersOf = (message: unknown): ArrayBuffer[] =>
  Object.values(message as object).filter((field) => ArrayBuffer.isView(field)).map(({ buffer }) => buffer as ArrayBuffer);

/** Waits for the start message on the port and then serves it until the program ends. */
export function serve(port: Port, load: (url: string) => Promise<WebAssembly.Module>): void {
  const host: Host = { post: (message) => port.post(message, buffersOf(message)) };
  let starting = false;
  let ended = false;

  const say = (message: WorkerMessage): void => port.post(message);
  let lastWords = (): string | undefined => undefined;
  const crashed = (message: string): void => {
    if (ended) return;
    ended = true;
    say({ kind: "crashed", message: lastWords() ?? message });
  };

  async function start(wasm: string | WebAssembly.Module): Promise<void> {
    const module = typeof wasm === "string" ? await load(wasm) : wasm;
    lastWords = watchOutput();
    const go = new Go();
    let code = 0;
    go.exit = (n) => {
      code = n;
    };
    const { imports, attach } = kernelOf(module);
    const instance = await WebAssembly.instantiate(module, { ...go.importObject, ...imports });
    const kernel = await attach(instance);
    (globalThis as unknown as { cerasumHost: Host }).cerasumHost = host;
    // The program runs synchronously until it waits for messages.
    const run = go.run(instance);
    if (!host.receive) {
      await run;
      throw new Error(lastWords() ?? "the program does not accept messages: want cerasum.wasm");
    }
    run.then(
      () => crashed(`the program ended with code ${code}`),
      (error: unknown) => crashed(describe(error)),
    );
    say({ kind: "started", module, kernel });
  }

  port.listen((message) => {
    if (host.receive) {
      try {
        host.receive(message);
      } catch (error) {
        crashed(describe(error));
      }
      return;
    }
    if (starting) return;
    starting = true;
    start((message as StartMessage).wasm).catch((error: unknown) => {
      say({
        kind: "failed",
        name: error instanceof LoadError ? "NetworkError" : "OperationError",
        message: describe(error),
      });
    });
  });
}
