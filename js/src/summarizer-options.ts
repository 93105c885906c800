// The Summarizer's options, read as Web IDL reads dictionaries: unknown
// members are ignored, a bad value is a TypeError, a malformed language tag a
// RangeError.

import type { SentenceEncoder } from "./calls.js";
import type { Core } from "./core.js";
import type { EncoderOptions } from "./encoder.js";

export type SummarizerType = "tldr" | "teaser" | "key-points" | "headline";
export type SummarizerFormat = "plain-text" | "markdown";
export type SummarizerLength = "short" | "medium" | "long";
export type SummarizerPreference = "auto" | "speed" | "capability";
export type SummarizerAvailability = "unavailable" | "downloadable" | "downloading" | "available";

/** Extensions to the draft. Other implementations ignore them. */
export interface SummarizerParts {
  /** The core to run on; the caller destroys it. Default: one shared by all summarizers. */
  core?: Core | undefined;
  /**
   * For documents in several languages, and for methods that require one: an
   * encoder, its options, or a model (see EncoderOptions). Loaded on demand, or
   * by create if expectedInputLanguages names several languages. Default: none.
   */
  encoder?: SentenceEncoder | EncoderOptions | string | undefined;
  /** "any": also shipped weights that may not be used commercially. Default: "free". */
  licence?: "free" | "any" | undefined;
}

export interface SummarizerCreateCoreOptions extends SummarizerParts {
  /** Default "key-points". */
  type?: SummarizerType | undefined;
  /** Default "markdown". */
  format?: SummarizerFormat | undefined;
  /** Default "short": 3, 5 or 7 key points, 1, 3 or 5 sentences, a headline of at most 12, 17 or 22 words. */
  length?: SummarizerLength | undefined;
  /** "speed" selects the method instant, the others auto. Default "auto". */
  preference?: SummarizerPreference | undefined;
  /** Language tags. A single one is the language of all input; otherwise languages are detected. */
  expectedInputLanguages?: Iterable<string> | undefined;
  expectedContextLanguages?: Iterable<string> | undefined;
  /** The language to quote in. Nothing is translated: text in other languages is left out. */
  outputLanguage?: string | undefined;
}

export interface SummarizerCreateOptions extends SummarizerCreateCoreOptions {
  /** Aborting it later destroys the summarizer. */
  signal?: AbortSignal | undefined;
  /** Called synchronously; its argument fires "downloadprogress". */
  monitor?: ((monitor: SummarizerMonitor) => void) | undefined;
  /** What the reader wants to know, for all calls. */
  sharedContext?: string | undefined;
}

export interface SummarizerSummarizeOptions {
  signal?: AbortSignal | undefined;
  /** What the reader wants to know: a query that the summary favours, not an instruction. */
  context?: string | undefined;
}

/** Fires events named "downloadprogress", a ProgressEvent with `loaded` from 0 to 1 and `total` 1. */
export interface SummarizerMonitor extends EventTarget {
  ondownloadprogress: ((this: SummarizerMonitor, event: SummarizerProgressEvent) => unknown) | null;
  addEventListener(
    type: "downloadprogress", listener: ((event: SummarizerProgressEvent) => unknown) | EventListenerObject | null, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
}

/** As ProgressEvent, which Node does not have. */
export interface SummarizerProgressEvent extends Event {
  readonly loaded: number;
  readonly total: number;
  readonly lengthComputable: boolean;
}

/** SummarizerCreateOptions, read. Language tags are canonical, and each is there once. */
export interface Settings {
  readonly type: SummarizerType;
  readonly format: SummarizerFormat;
  readonly length: SummarizerLength;
  readonly preference: SummarizerPreference;
  readonly expectedInputLanguages: readonly string[] | null;
  readonly expectedContextLanguages: readonly string[] | null;
  readonly outputLanguage: string | null;
  readonly sharedContext: string;
  readonly inputQuota: number;
  readonly signal: AbortSignal | undefined;
  readonly monitor: ((monitor: SummarizerMonitor) => void) | undefined;
  readonly parts: SummarizerParts;
}

/** Undefined members count as absent, so that defaults apply. */
export function readSettings(options: SummarizerCreateOptions | undefined, defaults: SummarizerParts): Settings {
  const o = dictionary(options);
  const { core = defaults.core, encoder = defaults.encoder, licence = defaults.licence } = o;
  if (core !== undefined && typeof (core as Partial<Core>)?.open !== "function") throw new TypeError("core: want a core from createCore");
  if (encoder !== undefined && typeof encoder !== "string" && (typeof encoder !== "object" || encoder === null)) {
    throw new TypeError("encoder: want an encoder, its options, or the name of a model");
  }
  return {
    type: oneOf(o, "type", "key-points", "tldr", "teaser", "headline"),
    format: oneOf(o, "format", "markdown", "plain-text"),
    length: oneOf(o, "length", "short", "medium", "long"),
    preference: oneOf(o, "preference", "auto", "speed", "capability"),
    expectedInputLanguages: tags(o, "expectedInputLanguages"),
    expectedContextLanguages: tags(o, "expectedContextLanguages"),
    outputLanguage: o.outputLanguage === undefined ? null : canonical("outputLanguage", o.outputLanguage),
    sharedContext: string(o.sharedContext),
    inputQuota: Infinity,
    signal: readSignal(o),
    monitor: callback(o.monitor),
    parts: { core, encoder, ...(licence !== undefined && { licence: oneOf({ licence }, "licence", "free", "any") as "free" | "any" }) },
  };
}

export function readCall(options: SummarizerSummarizeOptions | undefined): { signal: AbortSignal | undefined; context: string } {
  const o = dictionary(options);
  return { signal: readSignal(o), context: string(o.context) };
}

/** Converts to a string as Web IDL does: a symbol is a TypeError. */
const string = (value: unknown): string => (value === undefined ? "" : `${value as string}`);

/** The language of a canonical tag. Bokmål and Nynorsk count as Norwegian. */
export const language = (tag: string): string => new Intl.Locale(tag).language.replace(/^n[no]$/, "nb");

/** The distinct languages of tags. */
export const languages = (tags: readonly string[] | null): string[] => [...new Set(tags?.map(language))];

function dictionary<T extends object>(value: T | undefined): T {
  if (value === undefined || value === null) return {} as T;
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError("options: want an object");
  return value;
}

/** The first value is the default. */
function oneOf<T extends object, K extends keyof T & string, V extends string>(options: T, name: K, ...values: V[]): V {
  if (options[name] === undefined) return values[0]!;
  const value = `${options[name] as string}` as V;
  if (!values.includes(value)) throw new TypeError(`${name} is ${JSON.stringify(value)}: want ${values.join(", ")}`);
  return value;
}

function tags(options: SummarizerCreateCoreOptions, name: "expectedInputLanguages" | "expectedContextLanguages"): readonly string[] | null {
  const list: unknown = options[name];
  if (list === undefined) return null;
  if (typeof list !== "object" || list === null || !(Symbol.iterator in list)) throw new TypeError(`${name}: want a list of language tags`);
  const set = new Set(Array.from(list as Iterable<unknown>, (tag) => canonical(name, tag)));
  return set.size > 0 ? Object.freeze([...set]) : null;
}

function canonical(name: string, value: unknown): string {
  const tag = `${value as string}`;
  try {
    return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    throw new RangeError(`${name}: want a language tag, got ${JSON.stringify(tag)}`);
  }
}

function readSignal({ signal }: { signal?: AbortSignal | undefined }): AbortSignal | undefined {
  // A signal from another frame is not an instance of this AbortSignal.
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted !== "function") throw new TypeError("signal: want an AbortSignal");
  return signal;
}

function callback<T>(value: T): T {
  if (value !== undefined && typeof value !== "function") throw new TypeError("monitor: want a function");
  return value;
}
