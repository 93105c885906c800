// English, the language that the others are translated from: a key more here
// is a key more there, which the compiler asks for. panel.html names the keys
// of `page`.

import type { Reason } from "../tabs/list.ts";
import type { Stage } from "../work/work.ts";
import { format } from "./format.ts";

export type Strings = ReturnType<typeof strings>;

/** `locale` is the reader's own variant, "en-GB", which numbers and dates follow. */
export default function strings(locale = "en") {
  const f = format(locale);
  const { number, percent, count, minutes } = f;
  const words = (n: number) => count(n, { one: "word", other: "words" });
  const sentences = (n: number) => count(n, { one: "sentence", other: "sentences" });
  const tabs = (n: number) => count(n, { one: "tab", other: "tabs" });
  const sites = (n: number) => count(n, { one: "site", other: "sites" });

  const page = {
    locale: "en",
    title: "cerasum: summarize my open tabs",
    scope: "What to summarize",
    scopeTabs: "Open tabs",
    scopePage: "This page",
    scopeSelection: "Selection",
    menu: "History and permissions",
    permissions: "Permissions",
    giveBack: "Give permissions back",
    history: "History",
    historyKeep: "Keep my summaries on this device",
    historyMore: "While this is off, nothing is written to disk. What you keep stays in this browser until you delete it.",
    historySure: "Turning this off deletes the summaries that are kept here.",
    historyStop: "Delete them and stop",
    historyStay: "Keep them",
    historyAll: "Delete all",
    historyNone: "No summary has been kept yet.",
    close: "Close",
    whyTitles: "To show your tabs here, cerasum asks the browser for their titles and addresses. When you press Summarize, it asks once more, for the sites of the tabs that you ticked, so that it can read them.",
    whyPrivate: "Nothing leaves your browser, and you can give all of it back at any time.",
    showTabs: "Show my tabs",
    all: "All",
    none: "None",
    group: "Group by topic",
    pageMore: "Reads the page that you are looking at.",
    selectionMore: "Reads what you have selected in the page that you are looking at.",
    length: "Length",
    short: "Short",
    medium: "Medium",
    long: "Long",
    more: "Order and method",
    order: "Order",
    orderDocument: "As in the tabs",
    orderRank: "Most important first",
    method: "Method",
    summary: "Summary",
    copy: "Copy",
    markdown: "Markdown",
    print: "Print",
    cancel: "Cancel",
    coverage: "How much of each tab is in it",
    sourceHint: "Shows the sentence in its tab.",
    dismiss: "Dismiss",
    back: "Back to your tabs",
  };

  const methods = {
    auto: { title: "The best for these tabs", more: "Learnt from summaries that people wrote; by meaning where the tabs are in several languages." },
    instant: { title: "The quickest", more: "Prefers what several tabs say, by the words that they share." },
    multilingual: { title: "By meaning", more: "Compares what sentences mean, across languages." },
    lead: { title: "The beginnings", more: "The first sentences of each tab in turn." },
  };

  const stages: Record<Stage, string> = {
    read: "Reading the tabs",
    start: "Starting",
    split: "Finding the sentences",
    encode: "Weighing the words",
    select: "Choosing the sentences",
    load: "Loading the language model",
    compare: "Comparing meanings",
    look: "Looking for what only one tab says",
  };

  const reasons: Record<Reason, string> = {
    restricted: "The browser lets no extension read its own pages.",
    store: "The browser lets no extension read this store.",
    file: "It is a file on your disk, which extensions may not read unless you allow it in the browser’s settings.",
    extension: "It is a page of an extension.",
    discarded: "The browser has put this tab to sleep to save memory.",
    frozen: "The tab does not answer: it is frozen or busy. Go to it once, then try again.",
    loading: "The page is still loading.",
    permission: "You have not allowed cerasum to read this site.",
    empty: "There is no text on it to read.",
    login: "It asks you to sign in first.",
    "error-page": "The page could not be loaded: it shows an error.",
    status: "The site answered with an error instead of a page.",
    slow: "The page did not answer within five seconds.",
    gone: "The tab was closed, or went to another page.",
    "pdf-uncached": "The browser no longer has this PDF at hand. To read it, it has to be loaded again from its site.",
    "pdf-locked": "It is a PDF that asks for a password.",
    "pdf-scanned": "The PDF holds pictures of pages and no text.",
    "pdf-garbled": "The PDF does not say which letters its signs stand for.",
    "pdf-damaged": "It is a PDF that is damaged.",
  };

  const text = {
    methods,
    stages,
    reasons,
    acts: {
      wake: "Load this tab",
      allow: "Allow this site",
      reload: "Load the PDF again",
      retry: "Try again",
    },
    untitled: "Untitled",
    ticked: (n: number, all: number) => `${number(n)} of ${number(all)} ticked`,
    tick: (title: string) => `Summarize “${title}”`,
    tickGroup: (name: string, n: number) => `All of “${name}”, ${tabs(n)}`,
    otherTabs: "Other tabs",
    reading: (n: number) => `${minutes(n)} to read`,
    words,
    summarizeTabs: (n: number) => (n === 0 ? "Tick a tab to summarize" : `Summarize ${tabs(n)}`),
    summarizePage: "Summarize this page",
    summarizeSelection: "Summarize the selection",
    asks: (n: number) => `The browser will ask you about ${sites(n)}.`,
    refusedTitles: "Without the titles your tabs cannot be listed. “This page” and “Selection” work all the same.",
    refusedSites: "You have not allowed cerasum to read these sites, so that nothing was read. Press Summarize to be asked again; “This page” works all the same.",
    refusedSome: "The sites that you have not allowed are left out.",
    grantedNow: (titles: boolean, n: number) =>
      titles ? `Titles of your tabs, and the text of ${sites(n)}.` : n > 0 ? `The text of ${sites(n)}.` : "None, besides the page in which you call cerasum up.",
    gaveBack: "cerasum has given all permissions back.",
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    cancelled: "Cancelled: there is no summary.",
    used: (used: number, budget: number) => `${number(used)} of ${words(budget)}`,
    made: (n: number, from: number, of: number) => (of === 1 ? sentences(n) : `${sentences(n)} from ${number(from)} of ${tabs(of)}`),
    instead: (n: number) => `instead of ${minutes(n)} of reading`,
    overBudget: (budget: number) => `No sentence fits into ${words(budget)}; this is the one that says the most.`,
    fallback: "The language model could not be used, so that words alone decided.",
    tooLarge: "There is too much text for the best method: the quickest made this summary.",
    left: (n: number) => (n === 1 ? "One tab was left out" : `${tabs(n)} were left out`),
    partial: "Only the beginning of this page was read: it is very long.",
    also: "Also said by",
    alsoSaid: (n: number, title: string) => `Tab ${number(n)}, ${title}: show where it says much the same`,
    only: "Only here",
    onlyMore: "No other tab says this.",
    onlyThis: "Only this tab says",
    onlyLooking: "Looking…",
    onlyNone: "Nothing of weight that no other tab says.",
    onlyNot: {
      unread: "Summarize again to see this: the texts of the tabs are no longer at hand.",
      many: "There is too much text to compare every sentence with all others.",
      failed: "The language model could not be used, so that sentences could not be compared.",
    },
    unlooked: {
      many: "What only one tab says is not marked: there is too much text to compare every sentence with all others.",
      failed: "What only one tab says is not marked: the language model could not be used.",
    },
    covered: (share: number) => `${percent(share)} covered`,
    quoted: (chosen: number, all: number) => `${number(chosen)} of ${sentences(all)} quoted`,
    coverageOf: (title: string) => `How much of “${title}” the summary covers`,
    shown: "Marked in the tab.",
    shownRoughly: "The browser looks for the sentence in the tab.",
    changed: "The page no longer says this: it has changed since it was read.",
    gone: "The tab is closed, or shows another page now.",
    reopen: "Open the page again",
    copied: "Copied",
    copyFailed: "The browser did not allow copying. Select the sentences and copy them by hand.",
    markdownTitle: (n: number) => `Summary of ${tabs(n)}`,
    sources: "Sources",
    fileName: "summary.md",
    keptOf: (n: number) => tabs(n),
    deleteKept: (when: string) => `Delete the summary of ${when}`,
    deleted: "Deleted.",
    problems: {
      nothing: "There is nothing to summarize: no sentence with a word was found.",
      unread: (n: number) => (n === 1 ? "The tab could not be read." : `None of the ${tabs(n)} could be read.`),
      noPage: "There is no page to read in this window.",
      callUp: "cerasum may not read this page yet. Click its icon in the toolbar, or press its shortcut, while you look at the page.",
      noSelection: "Nothing is selected in the page. Select some text there first.",
      memory: "The summarizer ran out of memory. Take the tick from some tabs and try again.",
      core: (message: string) => `The summary could not be made: ${message}`,
    },
  };

  return { ...f, page, text };
}
