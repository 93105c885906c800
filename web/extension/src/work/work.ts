// From ticked tabs to a summary: reads all tabs in parallel, shows the instant
// summary, then the final one, then finds what only one tab says and groups the
// tabs by topic. One job at a time; a new one cancels the old one.

import type { SummarizeProgress } from "cerasum";
import type { Reason, TabInfo } from "../tabs/list.ts";
import { TabError, type TabText, readSelection, readTab } from "../tabs/read.ts";
import { Engine } from "./engine.ts";
import { type LeftOut, type Said, type Scope, type Settings, type Summary, type Unlooked, said, summaryOf } from "./summary.ts";
import { type Vectors, cluster, meanVector, medoidOf, nameOf, normalize } from "./topics.ts";
import { type Row, isOnly, onlyRows } from "./unique.ts";

export type Stage = "read" | "start" | "split" | "encode" | "select" | "load" | "compare" | "look";

export interface Progress {
  stage: Stage;
  done: number;
  total: number;
}

export type Problem = { kind: "nothing" } | { kind: "unread"; scope: Scope; out: LeftOut[] } | { kind: "error"; error: unknown };

/** Tabs about the same thing. */
export interface Group {
  name: string;
  tabs: { tabId: number; url: string }[];
}

export interface Job {
  scope: Scope;
  tabs: readonly TabInfo[];
  settings: Settings;
  /** The selection, if it came with the request. */
  text?: string | undefined;
}

/** What reading a tab's page found. */
export interface Reading {
  url: string;
  words: number;
}

/** The sentences of several tabs, each with its place and its embedding. */
interface Compared {
  rows: Row[];
  places: Said[];
  /** Index of each sentence within its tab. */
  numbers: number[];
  vectors: Vectors;
}

/** Above this many sentences, pairs are not compared. */
const MOST_SENTENCES = 20_000;
/** Sentences that represent a tab's topic, besides its title. */
const LEAD = 4;
const ONLY = 5;

/** Sends "change" whenever something below has changed. */
export class Work extends EventTarget {
  readonly #engine = new Engine();
  #running: AbortController | undefined;
  #progress: Progress | undefined;
  #summary: Summary | undefined;
  #problem: Problem | undefined;
  #cancelled = false;
  #texts: TabText[] = [];
  #job: Omit<Job, "settings"> | undefined;
  #groups: Group[] = [];
  #grouping = false;
  #attention: (readonly number[] | null)[] = [];
  /** The sentences of all the summary's tabs and their embeddings. */
  #compared: Promise<Compared | undefined> | undefined;
  /** Why a tab could not be read, by its id. */
  readonly #refused = new Map<number, LeftOut>();
  readonly #readings = new Map<number, Reading>();
  /** Tabs whose PDF may be loaded again. */
  readonly #reload = new Set<number>();
  #settled = false;

  get progress(): Progress | undefined { return this.#progress; }
  get summary(): Summary | undefined { return this.#summary; }
  get problem(): Problem | undefined { return this.#problem; }
  get cancelled(): boolean { return this.#cancelled; }
  get groups(): readonly Group[] { return this.#groups; }
  /** The job in progress. */
  get job(): Omit<Job, "settings"> | undefined { return this.#running && !this.#grouping ? this.#job : undefined; }
  get texts(): readonly TabText[] { return this.#texts; }
  /** Whether the summary shown is final; comparisons may still be running. */
  get settled(): boolean { return this.#settled; }
  /** Whether the tabs can be summarized again without reading them. */
  get ready(): boolean { return this.#texts.length > 0 && this.#texts.length === this.#summary?.tabs.length; }

  warm(options: { encoder: boolean }): void {
    this.#engine.warm(options);
  }

  /** Restores the state of an earlier panel. */
  restore({ summary, texts, groups }: { summary: Summary | undefined; texts: TabText[] | undefined; groups: Group[] }): void {
    this.#summary = summary;
    this.#texts = texts ?? [];
    this.#groups = groups;
    for (const { tab, words } of this.#texts) this.#readings.set(tab.id, { url: tab.url, words });
    for (const one of summary?.out ?? []) this.#refused.set(one.tabId, one);
    this.#change();
  }

  /** Why this tab could not be read at its current address. */
  refused({ id, url }: TabInfo): LeftOut | undefined {
    const found = this.#refused.get(id);
    return found && (found.url === url || url === "") ? found : undefined;
  }

  reading({ id, url }: TabInfo): Reading | undefined {
    const found = this.#readings.get(id);
    return found?.url === url ? found : undefined;
  }

  /** Reads the tabs and summarizes them. */
  async start(job: Job): Promise<void> {
    this.#job = { scope: job.scope, tabs: job.tabs, text: job.text };
    await this.#run(async (signal) => {
      this.#summary = undefined;
      this.#compared = undefined;
      this.#texts = [];
      this.#settled = false;
      const at = Date.now();
      const { texts, out } = await this.#read(job, signal);
      if (texts.length === 0) {
        this.#problem = { kind: "unread", scope: job.scope, out };
        return;
      }
      this.#texts = texts;
      await this.#summarize(job.settings, job.scope, out, at, signal);
    });
  }

  /** Summarizes the same texts with other settings. */
  async again(settings: Settings): Promise<void> {
    const last = this.#summary;
    if (!this.ready || !last) return;
    this.#job = { scope: last.scope, tabs: this.#texts.map(({ tab }) => tab) };
    await this.#run((signal) => this.#summarize(settings, last.scope, last.out, last.at, signal));
  }

  /** Reads the tabs and groups them by topic, without a summary. */
  async group(tabs: readonly TabInfo[]): Promise<void> {
    this.#grouping = true;
    try {
      await this.#run(async (signal) => {
        const { texts } = await this.#read({ scope: "tabs", tabs }, signal);
        if (texts.length > 1) await this.#topics(texts, signal);
      });
    } finally {
      this.#grouping = false;
      this.#change();
    }
  }

  /** The next reading of this tab may load its PDF from its site. */
  reload(id: number): void {
    this.#reload.add(id);
  }

  /** Forgets why a tab could not be read. */
  clearRefusal(id: number): void {
    this.#refused.delete(id);
  }

  /** Stops the work. A summary that is there stays. */
  cancel(): void {
    if (!this.#running) return;
    this.#cancelled = this.#summary === undefined && !this.#grouping;
    this.#end();
    this.#change();
  }

  /** Forgets the summary. */
  clear(): void {
    this.#end();
    [this.#summary, this.#problem, this.#compared, this.#cancelled] = [undefined, undefined, undefined, false];
    this.#texts = [];
    this.#change();
  }

  /** Forgets everything read with permissions that were revoked. */
  forget(): void {
    this.#refused.clear();
    this.#readings.clear();
    this.#groups = [];
    this.clear();
  }

  /** The highest-weighted sentences found only in this tab, or why they are unknown: "unread" if the texts are gone. Rejects only with the signal's reason. */
  async only(tab: number, signal: AbortSignal): Promise<Said[] | Unlooked | "unread"> {
    if (!this.ready) return "unread";
    let compared: Compared | undefined;
    try {
      compared = await this.#compare(signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // The shared comparison belonged to a job that was cancelled.
      if (error instanceof DOMException && error.name === "AbortError") return this.only(tab, signal);
      return "failed";
    }
    if (!compared) return "many";
    const { rows, places, numbers, vectors } = compared;
    // Without sentence weights, earlier sentences come first.
    const attention = rows.map((row, i) => this.#attention[row.tab]?.[numbers[i]!] ?? -numbers[i]!);
    return onlyRows(tab, rows, attention, vectors, ONLY).map((i) => places[i]!);
  }

  #change(): void {
    this.dispatchEvent(new Event("change"));
  }

  #end(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#progress = undefined;
  }

  #tell(signal: AbortSignal, stage: Stage, done = 0, total = 0): void {
    if (signal.aborted) return;
    this.#progress = { stage, done, total };
    this.#change();
  }

  async #run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#end();
    const running = new AbortController();
    this.#running = running;
    [this.#problem, this.#cancelled] = [undefined, false];
    try {
      await work(running.signal);
    } catch (error) {
      if (running.signal.aborted) return;
      this.#problem = { kind: "error", error };
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.#progress = undefined;
        this.#change();
      }
    }
  }

  /** Reads all tabs in parallel. Tabs that fail are reported in `out`. */
  async #read({ scope, tabs, text }: Omit<Job, "settings">, signal: AbortSignal): Promise<{ texts: TabText[]; out: LeftOut[] }> {
    let done = 0;
    this.#tell(signal, "read", 0, tabs.length);
    const results = await Promise.all(tabs.map(async (tab): Promise<TabText | LeftOut> => {
      try {
        if (scope === "selection") {
          if (text !== undefined) return { tab, title: tab.title, text, language: undefined, words: count(text), partial: false };
          return await readSelection(tab.id, { signal });
        }
        return await readTab(tab, { signal, reload: this.#reload.delete(tab.id) });
      } catch (error) {
        signal.throwIfAborted();
        const [reason, detail]: [Reason, string | undefined] = error instanceof TabError ? [error.reason, error.detail] : ["empty", String(error)];
        return { tabId: tab.id, title: tab.title, url: tab.url, reason, detail };
      } finally {
        this.#tell(signal, "read", ++done, tabs.length);
      }
    }));
    signal.throwIfAborted();
    const texts = results.filter((one): one is TabText => "text" in one);
    const out = results.filter((one): one is LeftOut => "reason" in one);
    if (scope !== "selection") {
      for (const one of texts) {
        this.#refused.delete(one.tab.id);
        this.#readings.set(one.tab.id, { url: one.tab.url, words: one.words });
      }
    }
    for (const one of out) this.#refused.set(one.tabId, one);
    return { texts, out };
  }

  async #summarize(settings: Settings, scope: Scope, out: readonly LeftOut[], at: number, signal: AbortSignal): Promise<void> {
    const texts = this.#texts;
    this.#settled = false;
    this.#tell(signal, "start");
    const summarizer = await this.#engine.summarizer();
    signal.throwIfAborted();
    let shown = false;
    const documents = texts.map(({ text, title, language, tab }) => ({ text, title, source: tab.url, ...(language ? { language } : {}) }));
    const made = await summarizer.summarizeDocuments(documents, {
      budget: { words: settings.words },
      method: settings.method,
      order: settings.order,
      signal,
      onupdate: (update) => {
        if (signal.aborted || update.sentences.length === 0) return;
        shown = true;
        this.#summary = summaryOf(update, texts, out, settings, scope, at);
        this.#change();
      },
      onprogress: ({ stage, done, total }: SummarizeProgress) => this.#tell(signal, shown && stage === "encode" ? "compare" : stage, done, total),
    });
    signal.throwIfAborted();
    if (made.sentences.length === 0) {
      this.#summary = undefined;
      this.#problem = { kind: "nothing" };
      return;
    }
    this.#attention = made.documents.map(({ attention }) => attention);
    this.#summary = summaryOf(made, texts, out, settings, scope, at);
    this.#settled = true;
    this.#change();
    if (texts.length < 2) return;
    // The rest only annotates the summary; if it fails, it is left out.
    await this.#look(signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      if (this.#summary) this.#summary = { ...this.#summary, unlooked: "failed" };
    });
  }

  /** Marks the quotes found in one tab only, and groups the tabs. */
  async #look(signal: AbortSignal): Promise<void> {
    this.#tell(signal, "look");
    const compared = await this.#compare(signal);
    signal.throwIfAborted();
    const summary = this.#summary;
    if (compared && summary) {
      const { rows, places, vectors } = compared;
      const at = new Map(places.map((place, i) => [`${place.tab} ${place.at} ${place.text}`, i]));
      const quotes = summary.quotes.map((quote) => {
        const i = at.get(`${quote.tab} ${quote.at} ${quote.text}`);
        return { ...quote, only: i === undefined ? undefined : quote.also.length === 0 && isOnly(i, rows, vectors) };
      });
      this.#summary = { ...summary, quotes };
    } else if (summary) {
      this.#summary = { ...summary, unlooked: "many" };
    }
    if (summary?.scope === "tabs") await this.#topics(this.#texts, signal);
  }

  /** The embeddings of all sentences, computed once per set of texts. */
  #compare(signal: AbortSignal): Promise<Compared | undefined> {
    const made = this.#compared ??= this.#embedAll(signal);
    made.catch(() => {
      if (this.#compared === made) this.#compared = undefined;
    });
    return made;
  }

  async #embedAll(signal: AbortSignal): Promise<Compared | undefined> {
    const texts = this.#texts;
    const split = await this.#engine.split(texts.map(({ text, language }) => ({ text, ...(language ? { language } : {}) })), signal);
    if (split.reduce((n, { sentences }) => n + sentences.length, 0) > MOST_SENTENCES) return undefined;
    const places = split.flatMap(({ sentences }, tab) => sentences.map(({ start, end }) => said(tab, texts[tab]!.text, start, end)));
    const rows = places.map(({ tab, text }) => ({ tab, text }));
    const vectors = await this.#embed(rows.map(({ text }) => text), signal);
    return { rows, places, numbers: split.flatMap(({ sentences }) => [...sentences.keys()]), vectors };
  }

  async #embed(texts: readonly string[], signal: AbortSignal): Promise<Vectors> {
    const summarizer = await this.#engine.summarizer();
    const vectors = await summarizer.embed(texts, { signal, onprogress: ({ done, total }) => this.#tell(signal, "look", done, total) });
    normalize(vectors);
    return vectors;
  }

  async #topics(texts: readonly TabText[], signal: AbortSignal): Promise<void> {
    this.#tell(signal, "look");
    const leads = texts.map(({ text, language }) => ({ text: text.slice(0, 4_000), ...(language ? { language } : {}) }));
    const split = await this.#engine.split(leads, signal);
    const parts = texts.map(({ title }, i) => [title, ...split[i]!.sentences.slice(0, LEAD).map(({ start, end }) => leads[i]!.text.slice(start, end))].filter((part) => part.trim() !== ""));
    const all = await this.#embed(parts.flat(), signal);
    signal.throwIfAborted();
    let row = 0;
    const vectors = parts.map(({ length }) => meanVector(all, row, (row += length)));
    const named = texts.map(({ title }, i) => ({ title, lead: parts[i]!.slice(1).join(" ") }));
    const found = cluster(vectors).filter(({ length }) => length > 1);
    this.#groups = found.map((members) => ({
      name: nameOf(members, named, medoidOf(members, vectors)),
      tabs: members.map((i) => ({ tabId: texts[i]!.tab.id, url: texts[i]!.tab.url })),
    }));
    this.#change();
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function count(text: string): number {
  let n = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) n++;
  return n;
}
