// Compiles only if our types and those of the browser's class go together as far
// as js/README.md says. Nothing here runs.

/// <reference types="dom-chromium-ai" />

import { Summarizer as Quoting, type SummarizerConstructor, type SummarizerCreateOptions as Options } from "cerasum";

type Native = typeof Summarizer;
/** As most programs are checked: without exactOptionalPropertyTypes. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

export const options = (theirs: SummarizerCreateOptions, ours: Options): [Options, Loose<SummarizerCreateOptions>] => [theirs, ours];

// What theirs has, ours has but for the three that are undefined there and null in the draft.
type Same = "summarize" | "summarizeStreaming" | "measureInputUsage" | "inputQuota" | "sharedContext" | "type" | "format" | "length" | "destroy";
export const instances = (theirs: Summarizer, ours: Quoting): [Pick<Quoting, Same>, Pick<Summarizer, Same>] => [theirs, ours];
export const availability = (theirs: Native): Pick<SummarizerConstructor, "availability"> => theirs;

/** The cast of the README. */
export const native = Quoting as unknown as Native;

/** Code for both keeps the types of what it gets. */
export async function either(theirs: Native | undefined): Promise<string> {
  const summarizer = await (theirs ?? Quoting).create({
    monitor(m) {
      m.addEventListener("downloadprogress", (event) => event.loaded.toFixed());
      m.ondownloadprogress = (event) => event.total.toFixed();
    },
  });
  return summarizer.summarize("text", { context: "context" });
}

export const alone = (): Promise<Quoting> => Quoting.create({
  monitor: (m) => m.addEventListener("downloadprogress", (event) => event.loaded.toFixed()),
});
