import type { Embeddings, EncoderCallOptions, SentenceEncoder } from "cerasum";

/** A text is forgotten if this many calls did not ask for it. */
const CALLS = 4;

/** An encoder to cache the texts of. */
export interface Source extends SentenceEncoder {
  ready(options?: EncoderCallOptions): Promise<void>;
}

/**
 * An encoder with a cache of recent texts: when one document changes, the
 * sentences of the others are not embedded again. Cached embeddings stay
 * available after the encoder has been destroyed.
 */
export class EmbeddedTexts implements SentenceEncoder {
  readonly #encoder: Source;
  /** By text, with the number of the call that asked for it last. */
  readonly #rows = new Map<string, { row: Float32Array; call: number }>();
  #dimensions = 0;
  #calls = 0;
  /** Calls run one after another, so that each finds what the one before it embedded. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(encoder: Source) {
    this.#encoder = encoder;
  }

  get budget(): number | undefined {
    return this.#encoder.budget;
  }

  get model(): string | undefined {
    return this.#encoder.model;
  }

  /** The caller may change the matrix. If a call is aborted, the encoder goes on loading for the next one. */
  embed(texts: readonly string[], options: EncoderCallOptions = {}): Promise<Embeddings> {
    // Questions have embeddings of their own, and come one at a time.
    const made = this.#last.then(() => (options.asks ? this.#encoder.embed(texts, options) : this.#embed(texts, options)));
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #embed(texts: readonly string[], options: EncoderCallOptions): Promise<Embeddings> {
    options.signal?.throwIfAborted();
    const call = ++this.#calls;
    const missing = [...new Set(texts)].filter((text) => !this.#rows.has(text));
    if (missing.length > 0 || this.#dimensions === 0) {
      // Before the encoder's own listener, which would stop a start that no call waits for.
      const goOn = () => void this.#encoder.ready().catch(() => undefined);
      options.signal?.addEventListener("abort", goOn);
      try {
        const { embeddings, dimensions } = await this.#encoder.embed(missing, options);
        this.#dimensions = dimensions;
        missing.forEach((text, i) => this.#rows.set(text, { row: embeddings.slice(i * dimensions, (i + 1) * dimensions), call }));
      } finally {
        options.signal?.removeEventListener("abort", goOn);
      }
    }
    const dimensions = this.#dimensions;
    const embeddings = new Float32Array(texts.length * dimensions);
    texts.forEach((text, i) => {
      const known = this.#rows.get(text)!;
      known.call = call;
      embeddings.set(known.row, i * dimensions);
    });
    for (const [text, known] of this.#rows) if (known.call <= call - CALLS) this.#rows.delete(text);
    return { embeddings, dimensions };
  }
}
