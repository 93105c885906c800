// The public surface, the same in a browser and under Node; each entry adds
// its createCore.

export type {
  CallOptions, Embeddings, EncodedSummary, EncoderCallOptions, OpenOptions, SentenceEmbeddings, SentenceEncoder, SummarizeCallOptions, SummarizeProgress,
} from "./calls.js";
export type { Core, CoreOptions } from "./core.js";
export type { Encoder, EncoderOptions } from "./encoder.js";
export type { EncoderProgress, Tokens } from "./encoder-messages.js";
export { EmptyInputError, OptionError } from "./errors.js";
export type { Budget, BudgetUnit, Licence, Order, Preselect, QuoteOthers, ScalarOptions } from "./options.generated.js";
export type { Block, BlockKind, CentroidWeights, CoreInfo, DocumentInput, EmbeddingUse, MethodInfo, Progress, SummarizeOptions } from "./protocol.js";
export { QuotaExceededError, type QuotaExceededErrorConstructor, type QuotaExceededErrorOptions } from "./quota-exceeded.js";
export type { Session } from "./session.js";
export type { ContextSentence, Disagreement, DisagreementValue, DocumentReport, Quote, Similar, Span, SplitDocument, Summary, Timings } from "./summary.js";
export type { SummarizeDocumentsOptions, SummarizerConstructor } from "./summarizer.js";
export type { DocumentsSummary, SummarizedSentence } from "./summarizer-documents.js";
export type {
  OwnMonitor, PolyfillOptions, SummarizerAvailability, SummarizerCreateCoreOptions, SummarizerCreateOptions, SummarizerFormat, SummarizerLength, SummarizerMonitor, SummarizerParts,
  SummarizerPreference, SummarizerProgressEvent, SummarizerSummarizeOptions, SummarizerType,
} from "./summarizer-options.js";
export type { LoadedWeights, LoadWeightsOptions, WeightsFiles } from "./weights.js";
export type { WorkerLike } from "./worker-messages.js";
