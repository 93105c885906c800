// The core and the encoder: started once, and early where a summary is likely.

import { type Core, type Encoder, createCore, createEncoder } from "cerasum";

const beside = (folder: string): URL => new URL(folder, document.baseURI);

export class Engine {
  readonly core: Core = createCore({ weightsURL: beside("weights/") });
  readonly encoder: Encoder = createEncoder({ modelURL: beside("encoder/"), ortURL: beside("ort/") });

  /** Starts loading. Errors surface when a summary needs the part that failed. */
  warm({ encoder }: { encoder: boolean }): void {
    this.core.ready().catch(() => undefined);
    if (encoder) this.encoder.ready().catch(() => undefined);
  }

  /** The names of the core's methods. */
  async methods(): Promise<string[]> {
    return (await this.core.info()).methods.map(({ name }) => name);
  }
}
