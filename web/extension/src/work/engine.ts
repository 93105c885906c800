// The summarizer with its core and encoder: started once, and early where a
// summary is likely.

import { type Core, type Encoder, type SplitDocument, type Summarizer as Instance, Summarizer, createCore, createEncoder } from "cerasum";

const beside = (folder: string): URL => new URL(folder, document.baseURI);

export class Engine {
  readonly core: Core = createCore({ weightsURL: beside("weights/") });
  readonly #encoder: Encoder = createEncoder({ modelURL: beside("encoder/"), ortURL: beside("ort/") });
  #summarizer: Promise<Instance> | undefined;

  /** Starts loading. Errors surface when a summary needs the part that failed. */
  warm({ encoder }: { encoder: boolean }): void {
    this.summarizer().catch(() => undefined);
    if (encoder) this.#encoder.ready().catch(() => undefined);
  }

  summarizer(): Promise<Instance> {
    this.#summarizer ??= Summarizer.create({ core: this.core, encoder: this.#encoder }).catch((error: unknown) => {
      this.#summarizer = undefined;
      throw error;
    });
    return this.#summarizer;
  }

  split(texts: readonly { text: string; language?: string | undefined }[], signal: AbortSignal): Promise<SplitDocument[]> {
    return this.core.split(texts, { signal });
  }
}
