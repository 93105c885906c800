// From ticked tabs to a summary: reads all tabs in parallel, shows the instant
// summary, then the final one, then finds what only one tab says and groups the
// tabs by topic. One job at a time; a new one cancels the old one.

import type { EncodedSummary } from "cerasum";
import { framed, type Reason, type TabInfo } from "../tabs/list.ts";
import { blocksWithin } from "../../../common/read/parts.ts";
import { plainBlocks } from "../../../common/read/plain.ts";
import { TabError, type TabText, readSelection, readTab } from "../tabs/read.ts";
import { Engine } from "./engine.ts";
import { type Call, type Group, ReadTabs } from "./read-tabs.ts";
import { type LeftOut, type Said, type Scope, type Settings, type Summary, type Unlooked, asks, summaryOf } from "./summary.ts";

export type Stage = "read" | "start" | "split" | "encode" | "select" | "load" | "compare" | "look";

export interface Progress {
  stage: Stage;
  done: number;
  total: number;
}

export type Problem = { kind: "unread"; scope: Scope; out: LeftOut[] } | { kind: "error"; error: unknown };

export interface Job {
  scope: Scope;
  tabs: readonly TabInfo[];
  settings: Settings;
  /** The selection, if it came with the request. */
  text?: string | undefined;
  /** The address of the frame of another site that it is in. */
  from?: string | undefined;
}

/** The result of reading a tab's page. */
export interface Reading {
  url: string;
  words: number;
}

/** UTF-16 units of a tab's text that determine its topic. */
const BEGINNING = 4_000;

/** Sends "change" whenever something below has changed. */
export class Work extends EventTarget {
  readonly #engine = new Engine();
  #running: AbortController | undefined;
  #progress: Progress | undefined;
  #summary: Summary | undefined;
  #problem: Problem | undefined;
  #cancelled = false;
  #tabs = new ReadTabs(this.#engine, []);
  #job: Omit<Job, "settings"> | undefined;
  #groups: Group[] = [];
  #grouping = false;
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
  get texts(): readonly TabText[] { return this.#tabs.texts; }
  /** Whether the summary shown is final; comparisons may still be running. */
  get settled(): boolean { return this.#settled; }
  /** Whether the tabs can be summarized again without reading them. */
  get ready(): boolean { return this.texts.length > 0 && this.texts.length === this.#summary?.tabs.length; }

  warm(options: { encoder: boolean }): void {
    this.#engine.warm(options);
  }

  /** The names of the methods. */
  methods(): Promise<string[]> {
    return this.#engine.methods();
  }

  /** Restores the state of an earlier panel. */
  restore({ summary, texts, groups }: { summary: Summary | undefined; texts: TabText[] | undefined; groups: Group[] }): void {
    this.#summary = summary;
    this.#use(texts ?? []);
    this.#groups = groups;
    for (const { tab, words } of this.texts) this.#readings.set(tab.id, { url: tab.url, words });
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
    this.#job = { scope: job.scope, tabs: job.tabs, text: job.text, from: job.from };
    await this.#run(async (signal) => {
      this.#summary = undefined;
      this.#use([]);
      this.#settled = false;
      const at = Date.now();
      const { texts, out } = await this.#read(job, signal);
      if (texts.length === 0) {
        this.#problem = { kind: "unread", scope: job.scope, out };
        return;
      }
      this.#use(texts);
      await this.#summarize(job.settings, job.scope, out, at, signal);
    });
  }

  /** Summarizes the same texts with other settings. */
  async again(settings: Settings): Promise<void> {
    const last = this.#summary;
    if (!this.ready || !last) return;
    this.#job = { scope: last.scope, tabs: this.texts.map(({ tab }) => tab) };
    await this.#run((signal) => this.#summarize(settings, last.scope, last.out, last.at, signal));
  }

  /** Reads more tabs and summarizes them with those that were read before. */
  async join(tabs: readonly TabInfo[], settings: Settings): Promise<void> {
    const last = this.#summary;
    if (!this.ready || !last) return;
    const before = this.texts;
    const job = (this.#job = { scope: last.scope, tabs: [...before.map(({ tab }) => tab), ...tabs], text: undefined, from: undefined });
    await this.#run(async (signal) => {
      try {
        const { texts, out } = await this.#read({ scope: last.scope, tabs }, signal);
        const ids = new Set(tabs.map(({ id }) => id));
        const left = [...last.out.filter(({ tabId }) => !ids.has(tabId)), ...out];
        if (texts.length > 0) {
          this.#use([...before, ...texts]);
          await this.#summarize(settings, last.scope, left, last.at, signal);
        } else this.#summary = { ...last, out: left };
      } finally {
        // Cancelled before the summary has the new texts.
        if (this.#job === job && !this.ready) this.#use(before);
      }
    });
  }

  /** The sentences of the tab's text before and after one; undefined if the text is no longer in memory. */
  around({ tab, text, at }: Said): { before: string; after: string } | undefined {
    return this.ready ? this.#tabs.around(tab, text, at) : undefined;
  }

  /** Reads the tabs and groups them by topic, without a summary. */
  async group(tabs: readonly TabInfo[]): Promise<void> {
    this.#grouping = true;
    try {
      await this.#run(async (signal) => {
        const { texts } = await this.#read({ scope: "tabs", tabs }, signal);
        if (texts.length < 2) return;
        const beginnings = new ReadTabs(this.#engine, texts.map((one) => ({ ...one, text: one.text.slice(0, BEGINNING), blocks: blocksWithin(one.blocks, Math.min(BEGINNING, one.text.length)) })));
        try {
          this.#groups = await beginnings.groups(this.#looking(signal));
        } finally {
          beginnings.close();
        }
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

  /** Stops the job. A finished summary stays. */
  cancel(): void {
    if (!this.#running) return;
    this.#cancelled = this.#summary === undefined && !this.#grouping;
    if (!this.#summary) this.#use([]);
    this.#end();
    this.#change();
  }

  /** Forgets the summary. */
  clear(): void {
    this.#end();
    [this.#summary, this.#problem, this.#cancelled] = [undefined, undefined, false];
    this.#use([]);
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
    try {
      return await this.#tabs.only(tab, { signal }) ?? "many";
    } catch (error) {
      if (signal.aborted) throw error;
      return "failed";
    }
  }

  #change(): void {
    this.dispatchEvent(new Event("change"));
  }

  #use(texts: readonly TabText[]): void {
    this.#tabs.close();
    this.#tabs = new ReadTabs(this.#engine, texts);
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
  async #read({ scope, tabs, text, from }: Omit<Job, "settings">, signal: AbortSignal): Promise<{ texts: TabText[]; out: LeftOut[] }> {
    let done = 0;
    this.#tell(signal, "read", 0, tabs.length);
    const results = await Promise.all(tabs.map(async (tab): Promise<TabText | LeftOut> => {
      try {
        if (scope === "selection") {
          const source = from ? framed(tab, from) : tab;
          if (text !== undefined) return { tab: source, title: source.title, text, blocks: plainBlocks(text), date: "", language: undefined, words: count(text), partial: false };
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
    const tabs = this.#tabs;
    const { words, method, order, query, whose = "" } = settings;
    this.#settled = false;
    this.#tell(signal, "start");
    let shown = false;
    const make = async (name: string, close: boolean): Promise<EncodedSummary> => {
      const made = await tabs.summarize({ budget: { words }, method: name, order, ...(query && asks(name) && { query }) }, whose, close, {
        signal,
        onprogress: ({ stage, done, total }) => this.#tell(signal, shown && stage === "encode" ? "compare" : stage, done, total),
      });
      signal.throwIfAborted();
      this.#summary = summaryOf(made, tabs.split, tabs.texts, out, settings, scope, at);
      this.#settled = close;
      shown = true;
      this.#change();
      return made;
    };
    // At once, and without the encoder.
    if (method === "auto" || (method === "instant" && query)) await make("instant", false);
    const made = await make(method, true);
    if (tabs.texts.length < 2) return;
    // The rest only annotates the summary; if it fails, it is left out.
    await this.#look(tabs, made, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      if (this.#summary) this.#summary = { ...this.#summary, unlooked: "failed" };
    });
  }

  /** Marks the quotes found in one tab only, and groups the tabs. */
  async #look(tabs: ReadTabs, made: EncodedSummary, signal: AbortSignal): Promise<void> {
    const call = this.#looking(signal);
    const alone = await tabs.alone(made.sentences, call);
    signal.throwIfAborted();
    const summary = this.#summary!;
    this.#summary = alone
      ? { ...summary, quotes: summary.quotes.map((quote, i) => ({ ...quote, only: quote.also.length === 0 && alone[i]! })) }
      : { ...summary, unlooked: "many" };
    if (summary.scope === "tabs") this.#groups = await tabs.groups(call);
  }

  /** Reports sentences that are compared as the stage "look". */
  #looking(signal: AbortSignal): Call {
    this.#tell(signal, "look");
    return { signal, onprogress: ({ stage, done, total }) => this.#tell(signal, stage === "load" ? stage : "look", done, total) };
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function count(text: string): number {
  let n = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) n++;
  return n;
}
