// The worker's side of the encoder. Shared by the browser's worker and Node's.

import type { EncoderProgress, EncoderReply, EncoderRequest, StartEncoderMessage, Tokens } from "./encoder-messages.js";
import { Model } from "./encoder-model.js";
import { RunError } from "./encoder-runtime.js";
import { describe, type Fetch, LoadError } from "./load.js";
import { nextTask } from "./task.js";
import type { CrashedMessage } from "./worker-messages.js";

/** Where the worker's messages come from and go to. */
export interface EncoderPort {
  post(message: unknown, transfer?: ArrayBuffer[]): void;
  listen(handler: (message: unknown) => void): void;
}

/** How long, in milliseconds, incoming messages may wait. */
const BUSY_MS = 50;

/** Waits for the start message on the port and then serves it. */
export function serveEncoder(port: EncoderPort, fetch: Fetch): void {
  let model: Model | undefined;
  let cancelled = false;

  const say = (message: EncoderReply | CrashedMessage, transfer?: ArrayBuffer[]): void => port.post(message, transfer);

  let reported = 0;
  const progress = (stage: EncoderProgress["stage"], done: number, total: number): void => {
    const now = performance.now();
    if (done < total && now - reported < BUSY_MS) return;
    reported = now;
    say({ kind: "progress", stage, done, total });
  };

  async function start(message: StartEncoderMessage): Promise<void> {
    model = await Model.load(message, fetch, (loaded, total) => progress("load", loaded, total));
    const { dimensions, threads, vocabulary } = model;
    say({ kind: "started", dimensions, threads, vocabulary });
  }

  async function embed(tokens: Tokens): Promise<void> {
    const total = tokens.lengths.length;
    cancelled = false;
    let rested = performance.now();
    const embeddings = await model!.embed(tokens, async (done) => {
      progress("encode", done, total);
      if (performance.now() - rested < BUSY_MS) return;
      // Lets waiting messages arrive.
      await nextTask();
      rested = performance.now();
      if (cancelled) throw new DOMException("cancelled", "AbortError");
    });
    progress("encode", total, total);
    say({ kind: "embedded", embeddings }, [embeddings.buffer]);
  }

  port.listen((data) => {
    const message = data as EncoderRequest;
    if (message.kind === "cancel") {
      cancelled = true;
      return;
    }
    const work = message.kind === "start" ? start(message) : embed(message);
    work.catch((error: unknown) => {
      // After a failure the runtime may be in any state: the next call gets a new worker.
      if (error instanceof RunError && model) return say({ kind: "crashed", message: error.message });
      const name = error instanceof LoadError ? "NetworkError" : error instanceof DOMException && error.name === "AbortError" ? "AbortError" : "OperationError";
      say({ kind: "failed", name, message: describe(error) });
    });
  });
}
