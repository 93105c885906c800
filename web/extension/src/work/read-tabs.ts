// The texts of tabs that were read, in one session of the core. Each sentence is
// embedded once.

import type { EncodedSummary, Session, SplitDocument, SummarizeOptions, SummarizeProgress } from "cerasum";
import { EmbeddedTexts } from "../../../common/embedded-texts.ts";
import type { TabText } from "../tabs/read.ts";
import type { Engine } from "./engine.ts";
import { applied, languagesOf, quoting } from "../../../common/whose.ts";
import { type Said, said } from "./summary.ts";
import { type Vectors, cluster, medoidOf, nameOf, normalize, rows } from "./topics.ts";
import { isOnly, onlyRows } from "./unique.ts";

/** Tabs about the same thing. */
export interface Group {
  name: string;
  tabs: { tabId: number; url: string }[];
}

export interface Call {
  signal: AbortSignal;
  onprogress?: ((progress: SummarizeProgress) => void) | undefined;
}

/** The sentences of all tabs, tab by tab, each with its place and its embedding. */
interface Compared {
  rows: Said[];
  /** Index of each tab's first row. */
  starts: number[];
  vectors: Vectors;
}

/** Above this many sentences, which the encoder reads in some ten seconds, they are not compared. */
const MOST_SENTENCES = 3_000;
/** Sentences that represent a tab's topic, besides its title. */
const LEAD = 4;
const ONLY = 5;
/** Sentences shown before and after a quote. */
const AROUND = 2;
/** UTF-16 units in which these are looked for. */
const NEAR = 1000;

export class ReadTabs {
  readonly texts: readonly TabText[];
  readonly #engine: Engine;
  readonly #embedded: EmbeddedTexts;
  #session: Promise<Session> | undefined;
  /** Progress of the opening, for the latest call. */
  #onprogress: Call["onprogress"];
  readonly #closing = new AbortController();
  /** The sentences of the texts, known once there is a summary. */
  split: readonly SplitDocument[] = [];
  #attention: EncodedSummary["documents"][number]["attention"][] = [];

  constructor(engine: Engine, texts: readonly TabText[]) {
    this.texts = texts;
    this.#engine = engine;
    this.#embedded = new EmbeddedTexts(engine.encoder);
  }

  /** `whose` is Settings.whose. Unless it is `close`, only words are compared. */
  async summarize(options: SummarizeOptions, whose: string, close: boolean, call: Call): Promise<EncodedSummary> {
    const session = await this.#open(call);
    const summary = await session.summarize({ ...options, ...quoting(applied(whose, languagesOf(session.documents))) }, { ...call, ...(close && { encoder: this.#embedded }) });
    this.split = session.documents;
    this.#attention = summary.documents.map(({ attention }) => attention);
    return summary;
  }

  /** What stands before and after the sentence with this text that is nearest to `at`, as Said has it. */
  around(tab: number, said: string, at: number): { before: string; after: string } | undefined {
    const { text, language } = this.texts[tab]!;
    let found = -1;
    for (let i = text.indexOf(said); i >= 0; i = text.indexOf(said, i + 1)) {
      if (found < 0 || Math.abs(i / text.length - at) < Math.abs(found / text.length - at)) found = i;
    }
    if (found < 0) return undefined;
    const sentences = (from: number, to: number) => [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text.slice(Math.max(0, from), to))].map(({ segment }) => segment.trim()).filter(Boolean);
    const end = found + said.length;
    return { before: sentences(found - NEAR, found).slice(-AROUND).join(" "), after: sentences(end, end + NEAR).slice(0, AROUND).join(" ") };
  }

  /** For each quote, whether no other tab says it; undefined if there are too many sentences to compare. */
  async alone(quotes: EncodedSummary["sentences"], call: Call): Promise<boolean[] | undefined> {
    const compared = await this.#compare(call);
    if (!compared) return undefined;
    const { rows, starts, vectors } = compared;
    return quotes.map(({ document, sentence }) => isOnly(starts[document]! + sentence, rows, vectors));
  }

  /** The highest-weighted sentences found only in this tab; undefined if there are too many sentences to compare. */
  async only(tab: number, call: Call): Promise<Said[] | undefined> {
    const compared = await this.#compare(call);
    if (!compared) return undefined;
    const { rows, starts, vectors } = compared;
    // Without sentence weights, earlier sentences come first.
    const attention = rows.map((row, i) => this.#attention[row.tab]?.[i - starts[row.tab]!] ?? -i);
    return onlyRows(tab, rows, attention, vectors, ONLY).map((i) => rows[i]!);
  }

  /** The tabs that share a topic with another one. */
  async groups(call: Call): Promise<Group[]> {
    const { documents } = await this.#open(call);
    const { texts } = this;
    const leads = texts.map(({ text }, i) => documents[i]!.sentences.slice(0, LEAD).map(({ start, end }) => text.slice(start, end)));
    // The title and the first sentences as one text: the encoder sees them together.
    const vectors = rows(await this.#vectors(texts.map(({ title }, i) => [title, ...leads[i]!].join(" ")), call));
    const named = texts.map(({ title }, i) => ({ title, lead: leads[i]!.join(" ") }));
    return cluster(vectors).filter(({ length }) => length > 1).map((members) => ({
      name: nameOf(members, named, medoidOf(members, vectors)),
      tabs: members.map((i) => ({ tabId: texts[i]!.tab.id, url: texts[i]!.tab.url })),
    }));
  }

  /** Frees the core's memory. Calls in progress and later ones reject. */
  close(): void {
    this.#closing.abort();
    this.#session?.then((session) => session.close(), () => undefined);
  }

  /** The session, opened by the first call that needs it. */
  #open({ onprogress }: Call): Promise<Session> {
    this.#onprogress = onprogress;
    if (this.#session) return this.#session;
    const documents = this.texts.map(({ text, blocks, date, title, language, tab }) => ({ text, blocks, title, source: tab.url, ...(date && { date }), ...(language ? { language } : {}) }));
    const opening = this.#engine.core.open(documents, { signal: this.#closing.signal, onprogress: (progress) => this.#onprogress?.(progress) });
    this.#session = opening;
    // The next call tries again.
    opening.catch(() => (this.#session = undefined));
    return opening;
  }

  async #compare(call: Call): Promise<Compared | undefined> {
    const { documents } = await this.#open(call);
    if (documents.reduce((n, { sentences }) => n + sentences.length, 0) > MOST_SENTENCES) return undefined;
    const rows: Said[] = [];
    const starts = documents.map(({ sentences }, tab) => {
      const first = rows.length;
      for (const { start, end } of sentences) rows.push(said(tab, this.texts[tab]!.text, start, end));
      return first;
    });
    return { rows, starts, vectors: await this.#vectors(rows.map(({ text }) => text), call) };
  }

  async #vectors(texts: readonly string[], call: Call): Promise<Vectors> {
    const vectors = await this.#embedded.embed(texts, call);
    normalize(vectors);
    return vectors;
  }
}
