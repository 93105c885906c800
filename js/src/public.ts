// The public surface, the same in a browser and under Node; each entry adds
// its createCore.

export type { CallOptions, Core, CoreOptions, SummarizeCallOptions, SummarizeProgress } from "./core.js";
export type { EncodedSummary, SentenceEncoder } from "./encoded-summary.js";
export type { Embeddings, Encoder, EncoderCallOptions, EncoderFiles, EncoderOptions } from "./encoder.js";
export type { Device, EncoderProgress } from "./encoder-messages.js";
export { EmptyInputError, OptionError } from "./errors.js";
export type { EncoderChoice, FetchModelOptions, FileProgress, ModelInfo } from "./hub.js";
export { type KnownModel, knownModels } from "./known-models.js";
export type {
  Budget, BudgetUnit, CentroidWeights, DocumentInput, DocumentReport, EmbeddingUse, MethodInfo, Order, Progress, Quote, Similar, Span,
  SplitDocument, Stage, SummarizeOptions, Summary, Timings,
} from "./protocol.js";
export { QuotaExceededError, type QuotaExceededErrorConstructor, type QuotaExceededErrorOptions } from "./quota-exceeded.js";
export type { SummarizeDocumentsOptions, SummarizerConstructor } from "./summarizer.js";
export type { DocumentsSummary, SummarizedSentence } from "./summarizer-documents.js";
export type {
  SummarizerAvailability, SummarizerCreateCoreOptions, SummarizerCreateOptions, SummarizerFormat, SummarizerLength, SummarizerMonitor, SummarizerParts,
  SummarizerPreference, SummarizerProgressEvent, SummarizerSummarizeOptions, SummarizerType,
} from "./summarizer-options.js";
export type { LoadedWeights, LoadWeightsOptions, WeightsFiles } from "./weights.js";
export type { WorkerLike } from "./worker-messages.js";
