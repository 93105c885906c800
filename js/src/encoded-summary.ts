import type { Core, SummarizeCallOptions } from "./core.js";
import type { EncoderCallOptions, Embeddings } from "./encoder.js";
import { OptionError } from "./errors.js";
import type { CentroidWeights, DocumentInput, SplitDocument, SummarizeOptions, Summary } from "./protocol.js";
import type { LoadedWeights, WeightsShelf } from "./weights.js";

/** What turns sentences into embeddings: an Encoder, or a host's own. */
export interface SentenceEncoder {
  embed(texts: readonly string[], options?: EncoderCallOptions): Promise<Embeddings>;
  /** Tags of the languages that it knows; all where it does not say. */
  readonly languages?: readonly string[] | undefined;
  /** Its name in weights that learned of its embeddings. Those for another one are refused, where it is known once it has embedded. */
  readonly model?: string | undefined;
}

/** A summary, and what it was made with. */
export interface EncodedSummary extends Summary {
  /** Why the encoder failed, where the summary was made without it; or why "auto" has not the memory for so much text, where "instant" made it. */
  fallback?: string;
  /** Name of the weights that the method used. */
  weights?: string;
}

/**
 * Splits in the core, embeds, and summarizes with the embeddings. The encoder
 * is left alone where the method would make nothing of it. Where it fails,
 * "auto" does without; the other methods reject. A method that wants weights
 * gets shipped ones where there are none.
 */
export async function summarizeEncoded(
  core: Core,
  encoder: SentenceEncoder,
  shelf: WeightsShelf,
  documents: readonly DocumentInput[],
  options: SummarizeOptions,
  { signal, onprogress }: SummarizeCallOptions,
): Promise<EncodedSummary> {
  if (options.embeddings !== undefined) throw new OptionError("options.embeddings: there is an encoder as well", "options.embeddings");
  // The documents as they are now, whatever becomes of the caller's objects.
  const own = documents.map((document) => ({ ...document }));
  const plain = { ...options };
  const { method = "auto" } = plain;
  const methods = await core.methods({ signal });
  // An unknown method is for the core to refuse.
  const { embeddings: use = "none", weights: wanted = false } = methods.find(({ name }) => name === method) ?? {};
  const split = use === "none" ? [] : await core.split(own, { signal });
  if (use === "none" || (method === "auto" && !severalLanguages(split))) return core.summarize(own, plain, { signal, onprogress });

  const texts = split.flatMap(({ sentences }, i) => sentences.map(({ start, end }) => own[i]!.text.slice(start, end)));
  // The query is one text more; what is no text is for the core to refuse.
  const { query } = plain;
  const asked = typeof query === "string" && query !== "";
  if (asked) texts.push(query);
  const begun = performance.now();
  let embedded: Embeddings;
  let weights: (CentroidWeights & Partial<LoadedWeights>) | undefined;
  try {
    [embedded, weights] = await Promise.all([
      encoder.embed(texts, { signal, onprogress }),
      wanted ? plain.weights ?? shelf.suited(method, plain.licence, signal) : undefined,
    ]);
  } catch (error) {
    if (signal?.aborted || method !== "auto") throw error;
    const summary = await core.summarize(own, plain, { signal, onprogress });
    return { ...summary, fallback: error instanceof Error ? error.message : String(error) };
  }
  const encoding = performance.now() - begun;
  if (weights) checkEncoder(weights, encoder);
  const { dimensions } = embedded;
  const vectors = asked
    ? { embeddings: embedded.embeddings.subarray(0, -dimensions), queryEmbedding: embedded.embeddings.subarray(-dimensions), dimensions }
    : embedded;
  const summary = await core.summarize(own, { ...plain, ...(weights && { weights }), ...vectors, ...knownLanguages(encoder) }, { signal, onprogress });
  return {
    ...summary,
    ...(weights?.name !== undefined && { weights: weights.name }),
    timings: { ...summary.timings, encode: summary.timings.encode + encoding },
  };
}

/** Of the same dimensions or not, another encoder's embeddings would mean nothing to the weights. */
function checkEncoder({ name, encoder: learned }: Partial<LoadedWeights>, { model }: SentenceEncoder): void {
  if (!learned || model === undefined || model === learned) return;
  throw new OptionError(`options.weights: ${name === undefined ? "they" : `${name}:`} learned of the encoder ${JSON.stringify(learned)}, not of ${JSON.stringify(model)}`, "options.weights");
}

/** Whether the core's auto would look at embeddings: they tell what several languages say alike. */
export function severalLanguages(split: readonly SplitDocument[]): boolean {
  return new Set(split.filter(({ language, sentences }) => language !== "" && sentences.length > 0).map(({ language }) => language)).size > 1;
}

/** Model cards also say "multilingual", which is no tag and means all. */
function knownLanguages({ languages = [] }: SentenceEncoder): { encoderLanguages?: string[] } {
  const tags = [...new Set(languages.map((tag) => tag.toLowerCase().split("-")[0]!))];
  return tags.length > 0 && tags.every((tag) => /^[a-z]{2,3}$/.test(tag)) ? { encoderLanguages: tags } : {};
}
