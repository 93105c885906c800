// The summarizer, its core and its encoder, started once and ahead of the
// first summary where one is likely.

import { type Core, type Encoder, type SplitDocument, type Summarizer as Instance, Summarizer, createCore, createEncoder } from "cerasum";

const beside = (folder: string): URL => new URL(folder, document.baseURI);

export class Machine {
  readonly core: Core = createCore({ weightsURL: beside("weights/") });
  readonly #encoder: Encoder = createEncoder({ modelURL: beside("encoder/"), ortURL: beside("ort/") });
  #summarizer: Promise<Instance> | undefined;

  /** A failure shows when a summary needs what failed. */
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
