import type { Embeddings, Encoder, EncoderCallOptions, SentenceEncoder } from "cerasum";

/** An encoder that gives its memory back when nobody has called it for a while, and starts again with the next call. */
export class IdleEncoder implements SentenceEncoder {
  readonly #make: () => Encoder;
  readonly #idle: number;
  #encoder: Encoder;
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `make` creates an encoder, which starts with its first call. `idle`: milliseconds. */
  constructor(make: () => Encoder, idle = 3 * 60_000) {
    this.#make = make;
    this.#idle = idle;
    this.#encoder = make();
  }

  get budget(): number | undefined {
    return this.#encoder.budget;
  }

  get model(): string | undefined {
    return this.#encoder.model;
  }

  ready(options?: EncoderCallOptions): Promise<void> {
    return this.#run((encoder) => encoder.ready(options));
  }

  embed(texts: readonly string[], options?: EncoderCallOptions): Promise<Embeddings> {
    return this.#run((encoder) => encoder.embed(texts, options));
  }

  /** Gives the memory back now. Calls in progress reject. */
  free(): void {
    clearTimeout(this.#timer);
    this.#encoder.destroy();
    this.#encoder = this.#make();
  }

  async #run<T>(call: (encoder: Encoder) => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#running++;
    try {
      return await call(this.#encoder);
    } finally {
      if (--this.#running === 0) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.free(), this.#idle);
      }
    }
  }
}
