// Close reading: comparing what sentences mean, with the encoder. Nothing of the encoder
// is loaded until the reader agrees; then its files are stored, and later visits read
// closely by themselves.

import { createEncoder, type Core, type Embeddings, type EncoderCallOptions } from "cerasum";
import { encoderFiles } from "virtual:encoder";
import { EmbeddedTexts } from "../../common/embedded-texts.ts";
import { IdleEncoder } from "../../common/idle-encoder.ts";
import type { PageEncoder } from "./engine.ts";
import type { Offline, Stored } from "./offline.ts";

/** In localStorage: "yes" or "no". */
const NAME = "cerasum-closely";

const here = (path: string): URL => new URL(path, document.baseURI);

/** Absolute addresses of what close reading loads. */
const files: ReadonlySet<string> = new Set(encoderFiles.map(([path]) => here(path).href));

/** Whether close reading alone needs the file. */
export const isForCloseReading = ({ address }: Stored): boolean => files.has(address);

/** Sends "change" with every change of what follows. */
export class CloseReading extends EventTarget {
  readonly #offline: Offline;
  readonly #encoder: PageEncoder;
  #answer: string | undefined;
  /** Whether the reader has agreed in this visit: files may be loaded. */
  #agreed = false;
  #stored = false;

  constructor(core: Core, offline: Offline) {
    super();
    this.#offline = offline;
    this.#encoder = encoder(core, offline);
    try {
      this.#answer = localStorage.getItem(NAME) ?? undefined;
    } catch {
      // No access to localStorage.
    }
    offline.addEventListener("change", () => {
      const stored = files.size > 0 && offline.parts.later.filter((file) => file.stored && files.has(file.address)).length === files.size;
      if (stored === this.#stored) return;
      this.#stored = stored;
      this.dispatchEvent(new Event("change"));
    });
    // Before the service worker is asked to store the program.
    if (this.wanted) void offline.refresh();
  }

  /** The encoder, if the page reads closely: the reader wants it, and it needs no more to be loaded than was agreed to. */
  get encoder(): PageEncoder | undefined {
    return this.wanted && (this.#agreed || this.#stored) ? this.#encoder : undefined;
  }

  /** Whether the reader wants it. */
  get wanted(): boolean {
    return this.#answer === "yes";
  }

  /** Whether the reader does not want to be asked. */
  get refused(): boolean {
    return this.#answer === "no";
  }

  /** Whether all its files are stored. */
  get stored(): boolean {
    return this.#stored;
  }

  agree(): void {
    this.#agreed = true;
    this.#remember("yes");
  }

  refuse(): void {
    this.#agreed = false;
    this.#encoder.free();
    this.#remember("no");
  }

  /** Deletes its files. Until the reader agrees again, nothing is loaded. */
  async delete(): Promise<void> {
    this.#agreed = false;
    this.#encoder.free();
    await this.#offline.delete(isForCloseReading);
    this.dispatchEvent(new Event("change"));
  }

  #remember(answer: string): void {
    this.#answer = answer;
    try {
      localStorage.setItem(NAME, answer);
    } catch {
      // No access to localStorage: the answer holds while the page is open.
    }
    this.dispatchEvent(new Event("change"));
  }
}

function encoder(core: Core, offline: Offline): PageEncoder {
  const idle = new IdleEncoder(() => createEncoder({ core, modelURL: here("encoder/"), ortURL: here("ort/") }));
  const texts = new EmbeddedTexts(idle);
  return {
    get budget() { return texts.budget; },
    get model() { return texts.model; },
    async embed(all: readonly string[], options?: EncoderCallOptions): Promise<Embeddings> {
      // Only what goes through the service worker is stored.
      await offline.settled();
      return texts.embed(all, options);
    },
    free: () => idle.free(),
  };
}

/** Whether the browser reports a connection that is paid by the amount or that the reader wants to spare. */
export function isMetered(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; type?: string } };
  return connection?.saveData === true || connection?.type === "cellular";
}
