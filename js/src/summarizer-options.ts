// The Summarizer's options, read as Web IDL reads dictionaries: unknown
// members are ignored, a bad value is a TypeError, a malformed language tag a
// RangeError.

import { ownSignal } from "./abort-steps.js";
import type { SentenceEncoder } from "./calls.js";
import type { Core } from "./core.js";
import type { EncoderOptions } from "./encoder.js";
import { dictionary, string, strings } from "./web-idl.js";

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
   * For documents in several languages, questions, and methods that require one:
   * an encoder, or options of the shipped one ({} will do), which then runs with
   * the summarizer's core. Loaded on demand, or by create if
   * expectedInputLanguages names several languages. Default: none.
   */
  encoder?: SentenceEncoder | Omit<EncoderOptions, "core"> | undefined;
  /** "any": also shipped weights that may not be used commercially. Default: "free". */
  licence?: "free" | "any" | undefined;
}

export interface PolyfillOptions extends SummarizerParts {
  /** Replaces the browser's own Summarizer. Default: false. */
  force?: boolean | undefined;
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
  expectedInputLanguages?: readonly string[] | undefined;
  expectedContextLanguages?: readonly string[] | undefined;
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

declare global {
  /** The browser's own, where the program has its types. */
  interface CreateMonitor {}
}

/** Fires events named "downloadprogress", a ProgressEvent with `loaded` from 0 to 1 and `total` 1. The browser's type where there is one, so that code for both classes compiles. */
export type SummarizerMonitor = CreateMonitor extends { ondownloadprogress: unknown } ? CreateMonitor : OwnMonitor;

export interface OwnMonitor extends EventTarget {
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

/** SummarizerCreateOptions, converted; language tags are as given. */
interface Given extends Omit<Settings, "expectedInputLanguages" | "expectedContextLanguages" | "outputLanguage"> {
  readonly expectedInputLanguages: readonly string[];
  readonly expectedContextLanguages: readonly string[];
  readonly outputLanguage: string | undefined;
}

/** Language tags are canonical, and each is there once. */
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

/**
 * Converts options: each member is read once, first those of the inherited
 * dictionary, each dictionary's in the order of their names, and ours last.
 */
export function readOptions(options: SummarizerCreateOptions | null | undefined, defaults: SummarizerParts, creating: boolean): Given {
  const o = dictionary(options, "options");
  return {
    expectedContextLanguages: tags(o.expectedContextLanguages, "expectedContextLanguages"),
    expectedInputLanguages: tags(o.expectedInputLanguages, "expectedInputLanguages"),
    format: oneOf(o.format, "format", "markdown", "plain-text"),
    length: oneOf(o.length, "length", "short", "medium", "long"),
    outputLanguage: optional(o.outputLanguage, string),
    preference: oneOf(o.preference, "preference", "auto", "speed", "capability"),
    type: oneOf(o.type, "type", "key-points", "tldr", "teaser", "headline"),
    monitor: creating ? callback(o.monitor) : undefined,
    sharedContext: creating ? optional(o.sharedContext, string) ?? "" : "",
    signal: creating ? optional(o.signal, ownSignal) : undefined,
    inputQuota: Infinity,
    parts: readParts(o, defaults),
  };
}

function readParts(options: SummarizerParts, defaults: SummarizerParts): SummarizerParts {
  const { core = defaults.core, encoder = defaults.encoder, licence = defaults.licence } = options;
  if (core !== undefined && typeof (core as Partial<Core>)?.open !== "function") throw new TypeError("core: want a core from createCore");
  if (encoder !== undefined && (typeof encoder !== "object" || encoder === null)) {
    throw new TypeError("encoder: want an encoder, or its options");
  }
  return { core, encoder, ...(licence !== undefined && { licence: oneOf(licence, "licence", "free", "any") }) };
}

/** Throws a RangeError for a malformed language tag. */
export function checkOptions({ expectedInputLanguages, expectedContextLanguages, outputLanguage, ...rest }: Given): Settings {
  return {
    ...rest,
    expectedInputLanguages: canonicalSet("expectedInputLanguages", expectedInputLanguages),
    expectedContextLanguages: canonicalSet("expectedContextLanguages", expectedContextLanguages),
    outputLanguage: outputLanguage === undefined ? null : canonical("outputLanguage", outputLanguage),
  };
}

export function readCall(options: SummarizerSummarizeOptions | null | undefined): { signal: AbortSignal | undefined; context: string } {
  const o = dictionary(options, "options");
  return { context: optional(o.context, string) ?? "", signal: optional(o.signal, ownSignal) };
}

/** The language of a canonical tag. Bokmål and Nynorsk count as Norwegian. */
export const language = (tag: string): string => new Intl.Locale(tag).language.replace(/^n[no]$/, "nb");

/** The distinct languages of tags. */
export const languages = (tags: readonly string[] | null): string[] => [...new Set(tags?.map(language))];

/** A member that is undefined counts as absent. */
const optional = <T, R>(value: T | undefined, convert: (value: T) => R): R | undefined => (value === undefined ? undefined : convert(value));

/** The first value is the default. */
function oneOf<V extends string>(given: unknown, name: string, ...values: V[]): V {
  if (given === undefined) return values[0]!;
  const value = string(given) as V;
  if (!values.includes(value)) throw new TypeError(`${name} is ${JSON.stringify(value)}: want ${values.join(", ")}`);
  return value;
}

const tags = (list: unknown, name: string): string[] => (list === undefined ? [] : strings(list, name, "a list of language tags"));

function canonicalSet(name: string, tags: readonly string[]): readonly string[] | null {
  const set = new Set(tags.map((tag) => canonical(name, tag)));
  return set.size > 0 ? Object.freeze([...set]) : null;
}

function canonical(name: string, tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    throw new RangeError(`${name}: want a language tag, got ${JSON.stringify(tag)}`);
  }
}

function callback<T>(value: T): T {
  if (value !== undefined && typeof value !== "function") throw new TypeError("monitor: want a function");
  return value;
}
