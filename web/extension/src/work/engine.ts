// The core and the encoder: started once, and early where a summary is likely.

import { type Core, createCore, createEncoder } from "cerasum";
import { IdleEncoder } from "../../../common/idle-encoder.ts";

const beside = (folder: string): URL => new URL(folder, document.baseURI);

export class Engine {
  readonly core: Core = createCore({ weightsURL: beside("weights/") });
  /** One for all tabs. */
  readonly encoder = new IdleEncoder(() => createEncoder({ core: this.core, modelURL: beside("encoder/"), ortURL: beside("ort/") }));

  #warmed = false;

  /** Starts loading; the encoder only once, since it rests when it is idle. Errors surface when a summary needs the part that failed. */
  warm({ encoder }: { encoder: boolean }): void {
    this.core.ready().catch(() => undefined);
    if (!encoder || this.#warmed) return;
    this.#warmed = true;
    this.encoder.ready().catch(() => undefined);
  }

  /** The names of the core's methods. */
  async methods(): Promise<string[]> {
    return (await this.core.info()).methods.map(({ name }) => name);
  }
}
