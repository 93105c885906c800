// The interface of the Writing Assistance APIs' draft (webmachinelearning,
// commit e411ad7 of August 2026), as TypeScript would have it of its IDL.

type Availability = "unavailable" | "downloadable" | "downloading" | "available";
type SummarizerType = "tldr" | "teaser" | "key-points" | "headline";
type SummarizerFormat = "plain-text" | "markdown";
type SummarizerLength = "short" | "medium" | "long";
type PerformancePreference = "auto" | "speed" | "capability";

interface CreateMonitor extends EventTarget {
  ondownloadprogress: ((this: CreateMonitor, event: ProgressEvent) => unknown) | null;
}

interface SummarizerCreateCoreOptions {
  type?: SummarizerType;
  format?: SummarizerFormat;
  length?: SummarizerLength;
  preference?: PerformancePreference;
  expectedInputLanguages?: string[];
  expectedContextLanguages?: string[];
  outputLanguage?: string;
}

interface SummarizerCreateOptions extends SummarizerCreateCoreOptions {
  signal?: AbortSignal;
  monitor?: (monitor: CreateMonitor) => void;
  sharedContext?: string;
}

interface SummarizerSummarizeOptions {
  signal?: AbortSignal;
  context?: string;
}

export interface StandardSummarizer {
  summarize(input: string, options?: SummarizerSummarizeOptions): Promise<string>;
  summarizeStreaming(input: string, options?: SummarizerSummarizeOptions): ReadableStream;
  readonly sharedContext: string;
  readonly type: SummarizerType;
  readonly format: SummarizerFormat;
  readonly length: SummarizerLength;
  readonly preference: PerformancePreference;
  readonly expectedInputLanguages: readonly string[] | null;
  readonly expectedContextLanguages: readonly string[] | null;
  readonly outputLanguage: string | null;
  measureInputUsage(input: string, options?: SummarizerSummarizeOptions): Promise<number>;
  readonly inputQuota: number;
  destroy(): void;
}

export interface StandardSummarizerConstructor {
  create(options?: SummarizerCreateOptions): Promise<StandardSummarizer>;
  availability(options?: SummarizerCreateCoreOptions): Promise<Availability>;
}
