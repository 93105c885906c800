import type { Embeddings, Encoder, EncoderCallOptions, SentenceEncoder } from "cerasum";

/** An encoder that embeds each text once, however often it is asked to. */
export class EmbeddedTexts implements SentenceEncoder {
  readonly #encoder: Encoder;
  readonly #rows = new Map<string, Float32Array>();
  /** Calls are answered one after another: the next one finds what this one embeds. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(encoder: Encoder) {
    this.#encoder = encoder;
  }

  get languages(): readonly string[] | undefined {
    return this.#encoder.languages;
  }

  /** The matrix is the caller's. */
  embed(texts: readonly string[], options: EncoderCallOptions = {}): Promise<Embeddings> {
    const made = this.#last.then(async () => {
      options.signal?.throwIfAborted();
      const missing = texts.filter((text) => !this.#rows.has(text));
      if (missing.length > 0) {
        const { embeddings, dimensions } = await this.#encoder.embed(missing, options);
        missing.forEach((text, i) => this.#rows.set(text, embeddings.subarray(i * dimensions, (i + 1) * dimensions)));
      }
      const dimensions = this.#encoder.dimensions ?? 0;
      const embeddings = new Float32Array(texts.length * dimensions);
      texts.forEach((text, i) => embeddings.set(this.#rows.get(text)!, i * dimensions));
      return { embeddings, dimensions };
    });
    this.#last = made.catch(() => undefined);
    return made;
  }
}
