// The selected encoder, and the models stored in this browser.

import {
  createEncoder, deleteModel, type Encoder, type EncoderOptions, fetchModel, listModels, modelFromFiles, type ModelInfo, type SentenceEncoder,
} from "cerasum";
import { hub, shippedBytes } from "virtual:encoder";
import { EmbeddedTexts } from "../../common/embedded-texts.ts";

/** "shipped", "none", "folder", or the id of a model of the hub. */
export type Choice = string;

export interface ChosenEncoder {
  /** Display name. */
  readonly name: string;
  readonly encoder: SentenceEncoder;
}

/** A download of a hub model in progress. */
export interface Download {
  id: string;
  loaded: number;
  total: number;
}

const here = (path: string): URL => new URL(path, document.baseURI);

/** Sends "change" when the encoder to summarize with changes, and "models" with every other update. */
export class Encoders extends EventTarget {
  /** False if this build has no shipped encoder, or no hub. */
  readonly shipped = shippedBytes > 0;
  readonly hub = hub !== undefined;
  #choice: Choice = this.shipped ? "shipped" : "none";
  #models: readonly ModelInfo[] = [];
  #download: (Download & { controller: AbortController }) | undefined;
  /** The last error of a model or folder. */
  #problem: unknown;
  #folder: string | undefined;
  #made: Encoder | undefined;
  #current: ChosenEncoder | undefined;

  /** `names.shipped` is read whenever it is shown. */
  constructor(private readonly names: { readonly shipped: string }) {
    super();
    if (this.shipped) this.#use(() => names.shipped, {});
  }

  get choice(): Choice {
    return this.#choice;
  }

  /** Undefined: only words are compared. */
  get current(): ChosenEncoder | undefined {
    return this.#current;
  }

  /** Models of the hub: stored here, or known. */
  get models(): readonly ModelInfo[] {
    return this.#models;
  }

  get download(): Readonly<Download> | undefined {
    return this.#download;
  }

  get problem(): unknown {
    return this.#problem;
  }

  /** Name of the folder that was chosen. */
  get folder(): string | undefined {
    return this.#folder;
  }

  /** Lists the stored models. */
  async refresh(): Promise<void> {
    if (!this.hub) return;
    this.#models = await listModels();
    this.dispatchEvent(new Event("models"));
  }

  /** Whether it can be chosen and used at once. */
  offers(choice: Choice): boolean {
    return choice === "none" || (choice === "shipped" && this.shipped) || this.#models.some(({ id, state }) => id === choice && state === "downloaded");
  }

  /** For a folder see open. */
  choose(choice: Choice): void {
    this.#choice = choice;
    this.#problem = undefined;
    const kept = this.#models.find(({ id, state }) => id === choice && state === "downloaded");
    if (choice === "shipped") this.#use(() => this.names.shipped, {});
    else if (kept) this.#use(() => shortName(kept), { model: kept.id, baseURL: hubURL() });
    else this.#drop();
  }

  /** Uses a folder chosen by the reader. */
  async open(files: Iterable<File>): Promise<void> {
    this.#choice = "folder";
    this.#problem = undefined;
    try {
      const { model, name } = await modelFromFiles(files);
      this.#folder = name;
      this.#use(() => name, { model });
    } catch (error) {
      this.#problem = error;
      this.#folder = undefined;
      this.#drop();
    }
  }

  /** Downloads a model of the hub, and uses it if it is still selected. */
  async get(id: string): Promise<void> {
    const controller = new AbortController();
    const download = { id, loaded: 0, total: 0, controller };
    const files = new Map<string, { loaded: number; total: number }>();
    this.#download = download;
    this.#problem = undefined;
    this.dispatchEvent(new Event("models"));
    try {
      const choice = await fetchModel(id, {
        baseURL: hubURL(),
        signal: controller.signal,
        onprogress: ({ file, loaded, total = loaded }) => {
          files.set(file, { loaded, total });
          const all = [...files.values()];
          download.loaded = all.reduce((n, one) => n + one.loaded, 0);
          download.total = Math.max(this.#bytes(id), all.reduce((n, one) => n + one.total, 0));
          this.dispatchEvent(new Event("models"));
        },
        onwarning: (warning) => (this.#problem = warning),
      });
      this.#download = undefined;
      await this.refresh();
      const found = this.#models.find((model) => model.id === id) ?? { name: undefined, id };
      if (this.#choice === id) this.#use(() => shortName(found), choice);
    } catch (error) {
      this.#download = undefined;
      if (!controller.signal.aborted) this.#problem = error;
      this.dispatchEvent(new Event("models"));
    }
  }

  cancel(): void {
    this.#download?.controller.abort();
  }

  /** Deletes the stored files of a model. */
  async delete(id: string): Promise<void> {
    await deleteModel(id);
    await this.refresh();
    if (this.#choice === id) this.#drop();
  }

  #bytes(id: string): number {
    return this.#models.find((model) => model.id === id)?.bytes ?? 0;
  }

  #use(name: () => string, options: EncoderOptions): void {
    this.#made?.destroy();
    this.#made = createEncoder({ ...options, modelURL: here("encoder/"), ortURL: here("ort/") });
    const encoder = new EmbeddedTexts(this.#made);
    this.#current = { get name() { return name(); }, encoder };
    this.dispatchEvent(new Event("change"));
  }

  #drop(): void {
    this.#made?.destroy();
    this.#made = undefined;
    this.#current = undefined;
    this.dispatchEvent(new Event("change"));
  }
}

/** The hub may be a folder of the page's own host. */
const hubURL = (): string => here(hub!).href.replace(/\/$/, "");

export const shortName = ({ name, id }: Pick<ModelInfo, "name" | "id">): string => name ?? id.slice(id.indexOf("/") + 1);
