import { abortable, PendingCalls } from "./abort.js";
import { onAbort } from "./abort-steps.js";
import type { Embeddings, EncoderCallOptions, SentenceEncoder, SummarizeProgress } from "./calls.js";
import { tell } from "./channel.js";
import type { Core } from "./core.js";
import { createMonitor, progressEvent } from "./create-monitor.js";
import type { Encoder, EncoderOptions } from "./encoder.js";
import { OptionError } from "./errors.js";
import { type Budget, BUDGET_UNITS, type Order, type QuoteOthers } from "./options.generated.js";
import { hasFiles } from "./needed-files.js";
import type { CentroidWeights, DocumentInput } from "./protocol.js";
import { type DocumentsJob, type DocumentsOptions, type DocumentsSummary, withDocuments } from "./summarizer-documents.js";
import {
  checkOptions, language, languages, readCall, readOptions, type Settings, type SummarizerAvailability, type SummarizerCreateCoreOptions,
  type SummarizerCreateOptions, type SummarizerFormat, type SummarizerLength, type SummarizerParts, type SummarizerPreference,
  type SummarizerSummarizeOptions, type SummarizerType,
} from "./summarizer-options.js";
import { amountOf, drawing, render } from "./summarizer-text.js";
import { nextTask } from "./task.js";
import { describeInterface, string } from "./web-idl.js";

export interface SummarizeDocumentsOptions extends SummarizerSummarizeOptions {
  /** Default: a number of sentences, of words for a headline, from the summarizer's type and length. */
  budget?: Budget | undefined;
  /** One of the core's methods (see Core.info). Default: from the summarizer's preference. */
  method?: string | undefined;
  /** Default "story". */
  order?: Order | undefined;
  /** Use up the budget (methods with MethodInfo.fill). Default: true unless `budget` is given. */
  fill?: boolean | undefined;
  /** Tags of the languages to quote from ("und": unknown). Documents in other languages only help to choose the sentences. Default: all. */
  quoteLanguages?: readonly string[] | undefined;
  /** When to quote sentences in other languages: "never" (default), or "untranslated": if no sentence in quoteLanguages translates them. */
  quoteOthers?: QuoteOthers | undefined;
  /** Weights for the methods cera and cerai. Default: shipped ones. */
  weights?: CentroidWeights | undefined;
  /** Called with each summary: with method "auto" the instant one first, then the one that the call returns. */
  onupdate?: ((summary: DocumentsSummary) => void) | undefined;
  /** Called at most twenty times a second. */
  onprogress?: ((progress: SummarizeProgress) => void) | undefined;
}

/**
 * An extractive Summarizer with the interface of the Writing Assistance APIs.
 * Created by Summarizer.create.
 *
 * Calls reject with
 * - the signal's reason, if aborted; an AbortError after destroy();
 * - a TypeError for a value of the wrong type (an OptionError if the core
 *   reports it);
 * - a DOMException: NotSupportedError if no text is in the output language,
 *   InvalidStateError if the page's document is no longer active, NetworkError
 *   and OperationError as Core and Encoder. The quota is infinite:
 *   QuotaExceededError does not occur.
 */
export interface Summarizer {
  /** A summary in sentences of the text; "" if there is nothing to summarize. */
  summarize(input: string, options?: SummarizerSummarizeOptions): Promise<string>;
  /** The same as a stream, one sentence per chunk, once the selection is final. Throws if the signal is already aborted. */
  summarizeStreaming(input: string, options?: SummarizerSummarizeOptions): ReadableStream<string>;
  /** Always 0: there is no quota. */
  measureInputUsage(input: string, options?: SummarizerSummarizeOptions): Promise<number>;
  /** Infinity. */
  readonly inputQuota: number;
  readonly sharedContext: string;
  readonly type: SummarizerType;
  readonly format: SummarizerFormat;
  readonly length: SummarizerLength;
  readonly preference: SummarizerPreference;
  readonly expectedInputLanguages: readonly string[] | null;
  readonly expectedContextLanguages: readonly string[] | null;
  readonly outputLanguage: string | null;
  /** Rejects all calls, including pending ones, and frees what is not shared. */
  destroy(): void;

  /** Extension: one summary of several documents, with the source of each sentence. Documents are strings or objects with a text. */
  summarizeDocuments(documents: readonly (DocumentInput | string)[], options?: SummarizeDocumentsOptions): Promise<DocumentsSummary>;
  /** Extension: embeddings by the summarizer's encoder, or by the shipped one. */
  embed(texts: readonly string[], options?: EncoderCallOptions): Promise<Embeddings>;
}

export interface SummarizerConstructor {
  readonly prototype: Summarizer;
  new(): never;
  /**
   * Starts the core and, if needed, the encoder. Also rejects with a RangeError
   * for a malformed language tag, and NotSupportedError if availability is
   * "unavailable".
   */
  create(options?: SummarizerCreateOptions): Promise<Summarizer>;
  /** "downloadable" until the core and the encoder have been started once, except for a core on the page's own server and for files on the disk: these are "available". */
  availability(options?: SummarizerCreateCoreOptions): Promise<SummarizerAvailability>;
}

/** What differs between a browser and Node. */
export interface SummarizerPlatform {
  createCore(): Core;
  createEncoder(options: EncoderOptions): Encoder;
  /** Whether workers are supported. */
  supported(): boolean;
  /** Whether loading a file is no download that a page would announce; the core is small. */
  present(url: string, small: boolean): boolean;
  /** Of the core that createCore creates. */
  readonly wasmURL: string;
}

/** Creates the class. Summarizers without a core of their own share one. */
export function createSummarizer(platform: SummarizerPlatform, defaults: SummarizerParts = {}): SummarizerConstructor {
  // A frame that was removed from its page has lost this constructor.
  const { DOMException } = globalThis;
  const active = (): void => {
    if (globalThis.document?.defaultView === null) throw new DOMException("the document is not active", "InvalidStateError");
  };
  /** Guards the constructor. */
  const key = Symbol();
  /** The shared core, while a summarizer uses it. */
  let shared: { core: Core; users: number } | undefined;
  /** The parts that have been started or are starting; `platform` stands for the shared core. */
  const states = new WeakMap<object, SummarizerAvailability>();

  const borrow = (): Core => {
    shared ??= { core: platform.createCore(), users: 0 };
    shared.users++;
    return shared.core;
  };
  const giveBack = (): void => {
    if (--shared!.users > 0) return;
    shared!.core.destroy();
    shared = undefined;
  };

  /** The parts that create loads: the core, and an encoder for several languages. */
  const needed = ({ parts: { core, encoder }, expectedInputLanguages }: Settings): object[] =>
    [core ?? platform, ...(encoder !== undefined && languages(expectedInputLanguages).length > 1 ? [encoder] : [])];

  const atHand = (part: object): boolean => {
    if (part === platform) return platform.present(platform.wasmURL, true);
    if (hasFiles(part, (url) => platform.present(url, "open" in part))) return true;
    if (!("embed" in part || "open" in part)) {
      try {
        return hasFiles(platform.createEncoder({ ...part, core: platform.createCore() }), (url) => platform.present(url, false));
      } catch {
        // create says what is wrong with the options.
      }
    }
    return false;
  };

  const available = (settings: Settings): SummarizerAvailability => {
    const { parts: { core }, expectedInputLanguages, outputLanguage } = settings;
    const elsewhere = outputLanguage !== null && expectedInputLanguages && !languages(expectedInputLanguages).includes(language(outputLanguage));
    if (elsewhere || (!core && !platform.supported())) return "unavailable";
    const found = needed(settings).map((part) => {
      const { version, dimensions } = part as Partial<Core & Encoder>;
      return version !== undefined || dimensions !== undefined || atHand(part) ? "available" : states.get(part) ?? "downloadable";
    });
    return (["downloading", "downloadable"] as const).find((state) => found.includes(state)) ?? "available";
  };

  class Instance implements Omit<Summarizer, ReadOnly> {
    static {
      for (const name of READ_ONLY) {
        // Not a plain function, so that it is called "get type".
        const { get } = Object.getOwnPropertyDescriptor({
          get [name]() {
            return Instance.#read(this, name);
          },
        }, name)!;
        Object.defineProperty(this.prototype, name, { get: get!, enumerable: true, configurable: true });
      }
    }

    static #read<K extends ReadOnly>(summarizer: unknown, name: K): Settings[K] {
      return (summarizer as Instance).#settings[name];
    }

    readonly #settings: Settings;
    readonly #core: Core;
    // Node warns of a leak when one signal has a listener for each call.
    readonly #calls: PendingCalls;
    #encoder: SentenceEncoder | undefined;
    /** An encoder created here, not by the caller. */
    #own: Encoder | undefined;
    /** Frees what it holds. */
    #free: (() => void) | undefined;

    // A rest parameter: the class and create have the length 0, as Web IDL wants it.
    constructor(...[token, settings]: [symbol?, Settings?]) {
      if (token !== key || !settings) throw new TypeError("Illegal constructor");
      const { signal, parts: { core, encoder } } = settings;
      this.#settings = settings;
      this.#calls = new PendingCalls(signal);
      this.#core = core ?? borrow();
      try {
        if (encoder !== undefined) this.#encoder = "embed" in encoder ? encoder : (this.#own = platform.createEncoder({ ...encoder, core: this.#core }));
      } catch (error) {
        if (!core) giveBack();
        throw error;
      }
      const release = onAbort(signal, () => this.#end(signal!.reason));
      this.#free = () => {
        release();
        this.#own?.destroy();
        if (!core) giveBack();
      };
    }

    #end(reason: unknown): void {
      this.#calls.end(reason);
      this.#free?.();
      this.#free = undefined;
    }

    static async create(...[options]: [SummarizerCreateOptions?]): Promise<Summarizer> {
      const given = readOptions(options, defaults, true);
      active();
      const settings = checkOptions(given);
      const { signal, monitor } = settings;
      signal?.throwIfAborted();
      let loaded = -1;
      /** When it was, in milliseconds. */
      let told = -Infinity;
      /** The last event; each is fired in a task of its own. */
      let fired = Promise.resolve();
      let fire = (_loaded: number): void => {};
      if (monitor) {
        const target = createMonitor();
        monitor(target);
        fire = (fraction) => {
          // As the draft requires: in steps of 1/65,536, without repetition, more than 50 ms apart except for the last.
          const now = Math.floor(Math.min(1, fraction) * 65_536) / 65_536;
          const time = performance.now();
          if (now <= loaded || (now < 1 && time - told <= 50)) return;
          loaded = now;
          told = time;
          fired = fired.then(nextTask).then(() => void (signal?.aborted || target.dispatchEvent(progressEvent(now))));
        };
      }
      // The monitor may have aborted the signal.
      signal?.throwIfAborted();
      return abortable(Instance.#create(settings, fire, () => fired), signal);
    }

    static async #create(settings: Settings, fire: (loaded: number) => void, fired: () => Promise<void>): Promise<Summarizer> {
      if (available(settings) === "unavailable") {
        await nextTask();
        throw new DOMException("unavailable: the output language is not an input language, or workers are not supported", "NotSupportedError");
      }
      const summarizer = new Instance(key, settings);
      try {
        fire(0);
        await summarizer.#start(needed(settings), fire);
        fire(1);
        await fired();
        await nextTask();
        settings.signal?.throwIfAborted();
      } catch (error) {
        summarizer.#end(error);
        await fired();
        throw error;
      }
      return summarizer as unknown as Summarizer;
    }

    static async availability(...[options]: [SummarizerCreateCoreOptions?]): Promise<SummarizerAvailability> {
      const given = readOptions(options, defaults, false);
      active();
      const found = available(checkOptions(given));
      await nextTask();
      return found;
    }

    async summarize(input: string, ...[options]: [SummarizerSummarizeOptions?]): Promise<string> {
      // A private member first: it refuses other receivers before the arguments are read.
      const calls = this.#calls;
      const { text, context, signal } = readInput(arguments.length, input, options);
      active();
      return calls.run(signal, async (both) => {
        const chunks = await this.#chunks(text, context, both);
        await nextTask();
        return chunks.join("");
      });
    }

    summarizeStreaming(input: string, ...[options]: [SummarizerSummarizeOptions?]): ReadableStream<string> {
      const calls = this.#calls;
      const { text, context, signal } = readInput(arguments.length, input, options);
      active();
      const cancel = new AbortController();
      const both = calls.follow(signal, cancel.signal);
      // Nothing can be streamed before the selection is final: chunks cannot be
      // withdrawn, the summary is in the order of the text, and the search
      // exchanges sentences until its end. Chunks are then enqueued on demand.
      let chunks: string[];
      return new ReadableStream<string>({
        start: (controller) => both.signal.addEventListener("abort", () => controller.error(both.signal.reason)),
        pull: async (controller) => {
          try {
            chunks ??= await abortable(this.#chunks(text, context, both.signal), both.signal);
            await nextTask();
            both.signal.throwIfAborted();
          } catch (error) {
            both.release();
            throw error;
          }
          const chunk = chunks.shift();
          if (chunk !== undefined) return controller.enqueue(chunk);
          // Only now: until its last chunk is read, a stream can be aborted.
          both.release();
          controller.close();
        },
        cancel: (reason) => cancel.abort(reason),
      });
    }

    async measureInputUsage(input: string, ...[options]: [SummarizerSummarizeOptions?]): Promise<number> {
      const calls = this.#calls;
      const { signal } = readInput(arguments.length, input, options);
      active();
      return calls.run(signal, () => nextTask().then(() => 0));
    }

    async summarizeDocuments(documents: readonly (DocumentInput | string)[], options: SummarizeDocumentsOptions = {}): Promise<DocumentsSummary> {
      const calls = this.#calls;
      const { signal, context } = readCall(options);
      active();
      const { budget, method = this.#method, order, fill, quoteLanguages, quoteOthers, weights, onupdate, onprogress } = options;
      for (const name in options) {
        if (!DOCUMENT_OPTIONS.includes(name)) throw new TypeError(`unknown option ${name}: want ${DOCUMENT_OPTIONS.join(", ")}`);
      }
      if (!Array.isArray(documents)) throw new TypeError("documents: want an array");
      const texts = documents.map((document: unknown, i) => {
        if (typeof document === "string") return { ...this.#language, text: document };
        if (typeof document === "object" && document) return { ...this.#language, ...document as DocumentInput };
        throw new OptionError(`documents[${i}]: want a text, or an object with a text`, `documents[${i}]`);
      });
      const wanted = budget === undefined ? this.#budget : readBudget(budget);
      const { type, format } = this.#settings;
      const words = "words" in wanted ? wanted.words : Infinity;
      return calls.run(signal, (both) => withDocuments(this.#core, { ...this.#job(texts, method, both), onprogress }, async (summarize) => {
        const make = async (method: string, fill?: boolean): Promise<DocumentsSummary> => {
          const summary = await summarize(this.#options(context, { method, budget: wanted, ...(order && { order }), ...(quoteLanguages && { quoteLanguages }), ...(quoteOthers && { quoteOthers }), ...(weights && { weights }), ...(fill !== undefined && { fill }) }));
          return { ...summary, text: render(summary.sentences.map(({ text }) => text), type, format, words).join("") };
        };
        if (onupdate && method === "auto") {
          const first = await make("instant");
          if (!both.aborted) tell(onupdate, first);
        }
        const last = await make(method, fill ?? (budget === undefined && await this.#fills(method, both) || undefined));
        if (!both.aborted) tell(onupdate, last);
        return last;
      }));
    }

    async embed(texts: readonly string[], { signal, onprogress }: EncoderCallOptions = {}): Promise<Embeddings> {
      return this.#calls.run(signal, (both) => {
        this.#encoder ??= this.#own = platform.createEncoder({ core: this.#core });
        return this.#encoder.embed(texts, { signal: both, onprogress });
      });
    }

    destroy(): void {
      this.#end(new DOMException("this summarizer has been destroyed", "AbortError"));
    }

    get #method(): string {
      const { type, preference } = this.#settings;
      return type === "headline" ? "headline" : preference === "speed" ? "instant" : "auto";
    }

    get #budget(): Budget {
      const { type, length } = this.#settings;
      return budgetOf(type, amountOf(type, length));
    }

    /** The language of all documents, if one is expected. */
    get #language(): { language?: string } {
      const tags = this.#settings.expectedInputLanguages;
      const [one, more] = languages(tags);
      // Longer tags are well-formed, but no language has one.
      return one && !more && one.length < 4 ? { language: tags![0]! } : {};
    }

    #job(documents: readonly DocumentInput[], method: string, signal: AbortSignal): DocumentsJob {
      const { outputLanguage, expectedInputLanguages } = this.#settings;
      return { documents, outputLanguage, expected: languages(expectedInputLanguages), titles: method === "headline", encoder: this.#encoder, signal };
    }

    #options(context: string, options: DocumentsOptions): DocumentsOptions {
      const { sharedContext, parts: { licence } } = this.#settings;
      const query = [sharedContext, context].filter((part) => part.trim()).join("\n");
      return { ...options, ...(query && { query }), ...(licence && { licence }) };
    }

    /** Whether the method supports the option fill. */
    async #fills(method: string, signal: AbortSignal): Promise<boolean> {
      return (await this.#core.info({ signal })).methods.some(({ name, fill }) => fill && name === method);
    }

    /** The parts of a summary of one text. */
    async #chunks(text: string, context: string, signal: AbortSignal): Promise<string[]> {
      if (!text.trim()) return [];
      const { type, format, length } = this.#settings;
      const amount = amountOf(type, length);
      // A teaser picks from more than twice as many of the best sentences.
      const teaser = type === "teaser";
      const method = this.#method;
      const budget = budgetOf(type, teaser ? 2 * amount + 3 : amount);
      const options = this.#options(context, { method, budget, ...(teaser && { order: "rank" }) });
      let { sentences } = await withDocuments(this.#core, this.#job([{ ...this.#language, text }], method, signal), async (summarize) =>
        summarize({ ...options, ...(await this.#fills(method, signal) && { fill: true }) }));
      if (teaser) {
        const kept = drawing(sentences.map((sentence) => sentence.text), amount);
        sentences = sentences.filter((_, i) => kept.has(i)).sort((a, b) => a.start - b.start);
      }
      return render(sentences.map((sentence) => sentence.text), type, format, amount);
    }

    async #start(parts: object[], fire: (loaded: number) => void): Promise<void> {
      const { signal } = this.#settings;
      const before = parts.map((part) => states.get(part));
      parts.forEach((part, i) => states.set(part, before[i] ?? "downloading"));
      try {
        const encoder = parts.length > 1 ? this.#encoder as SentenceEncoder & Partial<Encoder> : undefined;
        await abortable(Promise.all([
          this.#core.ready(),
          // Leave some progress for the work after the last byte.
          encoder?.ready?.({ signal, onprogress: ({ stage, done, total }) => stage === "load" && fire(0.99 * done / Math.max(1, total)) }),
        ]), signal);
        parts.forEach((part) => states.set(part, "available"));
      } catch (error) {
        parts.forEach((part) => states.get(part) === "downloading" && states.delete(part));
        throw error;
      }
    }
  }
  // Without the extensions: code that lists the members finds the standard's.
  describeInterface(Instance, "Summarizer", ["summarize", "summarizeStreaming", "measureInputUsage", "destroy"], ["create", "availability"]);
  return Instance as unknown as SummarizerConstructor;
}

const READ_ONLY = [
  "sharedContext", "type", "format", "length", "preference", "expectedInputLanguages", "expectedContextLanguages", "outputLanguage", "inputQuota",
] as const;
type ReadOnly = (typeof READ_ONLY)[number];

const DOCUMENT_OPTIONS = ["budget", "method", "order", "fill", "quoteLanguages", "quoteOthers", "weights", "context", "signal", "onupdate", "onprogress"];

function readInput(given: number, input: string, options: SummarizerSummarizeOptions | undefined): { text: string; context: string; signal: AbortSignal | undefined } {
  if (given === 0) throw new TypeError("input: want a text");
  return { text: string(input), ...readCall(options) };
}

const budgetOf = (type: SummarizerType, amount: number): Budget => (type === "headline" ? { words: amount } : { sentences: amount });

function readBudget(budget: Budget): Budget {
  const units = Object.keys(budget ?? {});
  if (units.length !== 1 || !BUDGET_UNITS.some((unit) => unit === units[0])) throw new TypeError(`budget: want exactly one of ${BUDGET_UNITS.join(", ")}`);
  return { ...budget };
}
