// English, the source of the translations: the compiler requires its keys in all
// languages. panel.html uses the keys of `page`.

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
    giveBack: "Revoke permissions",
    history: "History",
    historyKeep: "Keep my summaries on this device",
    historyMore: "While this is off, nothing is written to disk. Saved summaries stay in this browser until you delete them.",
    historyPrivate: "This is a private window: its summaries are never saved, and are forgotten when it closes.",
    historySure: "Turning this off deletes the saved summaries.",
    historyStop: "Delete and turn off",
    historyStay: "Keep them",
    historyAll: "Delete all",
    historyNone: "No saved summaries yet.",
    close: "Close",
    whyTitles: "To list your tabs, cerasum needs permission to see their titles and addresses. When you press Summarize, the browser asks again, for the sites of the tabs you ticked, so that cerasum can read them.",
    whyPrivate: "Nothing leaves your browser, and you can revoke these permissions at any time.",
    showTabs: "Show my tabs",
    all: "All",
    none: "None",
    group: "Group by topic",
    pageMore: "Reads the page you are viewing.",
    selectionMore: "Reads the text you have selected on the page.",
    question: "What do you want to know?",
    questionEmpty: "Empty: a general summary",
    length: "Length",
    short: "Short",
    medium: "Medium",
    long: "Long",
    more: "Order and method",
    order: "Order",
    orderStory: "As a story",
    orderDocument: "Tab order",
    orderRank: "Most important first",
    method: "Method",
    summary: "Summary",
    copy: "Copy",
    markdown: "Markdown",
    print: "Print",
    cancel: "Cancel",
    disagreements: "Sources disagree",
    coverage: "Coverage of each tab",
    sourceHint: "Shows the sentence in its tab.",
    dismiss: "Dismiss",
    back: "Back to your tabs",
  };

  const methods = {
    auto: { title: "Best for these tabs", more: "Trained on summaries written by people; compares meanings where the tabs are in several languages." },
    instant: { title: "Fastest", more: "Prefers what several tabs say, judging by the words they share." },
    multilingual: { title: "By meaning", more: "Compares the meanings of sentences, across languages." },
    lead: { title: "Opening sentences", more: "The first sentences of each tab in turn." },
  };

  const stages: Record<Stage, string> = {
    read: "Reading the tabs",
    start: "Starting",
    split: "Splitting into sentences",
    encode: "Weighting words",
    select: "Selecting sentences",
    load: "Loading the language model",
    compare: "Comparing meanings",
    look: "Looking for what only one tab says",
  };

  const reasons: Record<Reason, string> = {
    restricted: "The browser does not let extensions read its own pages.",
    store: "The browser does not let extensions read this store.",
    file: "This is a local file. To let extensions read it, allow access to files in the browser’s settings.",
    extension: "This page belongs to an extension.",
    discarded: "The browser has suspended this tab to save memory.",
    frozen: "The tab is not responding. Switch to it once, then try again.",
    loading: "The page is still loading.",
    permission: "cerasum does not have permission to read this site.",
    empty: "There is no text on this page.",
    framed: "Its text is in a frame of another site: open that as a page of its own.",
    login: "The page requires you to sign in.",
    "error-page": "The page failed to load and shows an error.",
    status: "The site responded with an error.",
    slow: "The page did not respond within five seconds.",
    gone: "The tab was closed or went to another page.",
    "pdf-uncached": "This PDF is no longer in the browser’s cache. It must be loaded from its site again.",
    "pdf-locked": "The PDF is password-protected.",
    "pdf-scanned": "The PDF is scanned and contains no text.",
    "pdf-garbled": "The PDF’s text cannot be extracted: its fonts do not map to characters.",
    "pdf-damaged": "The PDF is damaged.",
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
    asks: (n: number) => `The browser will ask you for access to ${sites(n)}.`,
    refusedTitles: "Your tabs cannot be listed without permission to see their titles. “This page” and “Selection” still work.",
    refusedSites: "You did not give permission to read these sites, so nothing was read. Press Summarize to be asked again; “This page” still works.",
    refusedSome: "Sites without permission are left out.",
    grantedNow: (titles: boolean, n: number) =>
      titles ? `Titles of your tabs, and the text of ${sites(n)}.` : n > 0 ? `The text of ${sites(n)}.` : "None, except the page on which you open cerasum.",
    gaveBack: "All permissions have been revoked.",
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    cancelled: "Cancelled; there is no summary.",
    used: (used: number, budget: number) => `${number(used)} of ${words(budget)}`,
    made: (n: number, from: number, of: number) => (of === 1 ? sentences(n) : `${sentences(n)} from ${number(from)} of ${tabs(of)}`),
    instead: (n: number) => `instead of ${minutes(n)} of reading`,
    overBudget: (budget: number) => `No sentence fits in ${words(budget)}; this is the most informative one.`,
    fallback: "The language model could not be used; this summary compares words only.",
    tooLarge: "There is too much text for the best method; this summary was made with the fastest.",
    left: (n: number) => (n === 1 ? "One tab was left out" : `${tabs(n)} were left out`),
    partial: "Only the beginning of this page was read: it is very long.",
    also: "Also in",
    alsoSaid: (n: number, title: string) => `Tab ${number(n)}, ${title}: show the similar sentence`,
    askedHead: "Marked words",
    askedMore: "are those of your question.",
    askedNone: "No quote has words of your question.",
    askedNot: "The chosen method does not use the question; this is its general summary.",
    questionWas: (question: string) => `Question: ${question}`,
    contextHead: "Just before on the page:",
    updated: "updated",
    differs: (what: string, update: boolean) => `${what}${update ? " (updated)" : ""}:`,
    inTab: (n: number, title: string) => `tab ${number(n)}, ${title}`,
    only: "Only here",
    onlyMore: "No other tab says this.",
    onlyThis: "Only in this tab",
    onlyLooking: "Looking…",
    onlyNone: "Nothing important that the other tabs do not say.",
    onlyNot: {
      unread: "Summarize again to see this: the tabs’ texts are no longer in memory.",
      many: "There is too much text to compare all sentences.",
      failed: "The language model could not be used, so the sentences could not be compared.",
    },
    unlooked: {
      many: "Sentences found in only one tab are not marked: there is too much text to compare all sentences.",
      failed: "Sentences found in only one tab are not marked: the language model could not be used.",
    },
    covered: (share: number) => `${percent(share)} covered`,
    quoted: (chosen: number, all: number) => `${number(chosen)} of ${sentences(all)} quoted`,
    coverageOf: (title: string) => `How much of “${title}” the summary covers`,
    shown: "Highlighted in the tab.",
    shownRoughly: "The browser is searching for the sentence in the tab.",
    changed: "The page no longer contains this sentence; it has changed since it was read.",
    unseen: "This sentence is no longer visible on the page, although the page still contains it.",
    gone: "The tab is closed or shows another page.",
    reopen: "Open the page again",
    copied: "Copied",
    copyFailed: "The browser blocked copying. Select the sentences and copy them manually.",
    markdownTitle: (n: number) => `Summary of ${tabs(n)}`,
    sources: "Sources",
    fileName: "summary.md",
    keptOf: (n: number) => tabs(n),
    deleteKept: (when: string) => `Delete the summary from ${when}`,
    deleted: "Deleted.",
    problems: {
      nothing: "Nothing to summarize: no sentences with words were found.",
      unread: (n: number) => (n === 1 ? "The tab could not be read." : `None of the ${tabs(n)} could be read.`),
      noPage: "There is no readable page in this window.",
      callUp: "cerasum does not have access to this page yet. Go to the page, then click cerasum’s toolbar icon or press its shortcut.",
      noSelection: "No text is selected. Select some text on the page first.",
      memory: "The summarizer ran out of memory. Untick some tabs and try again.",
      core: (message: string) => `Summarizing failed: ${message}`,
    },
  };

  return { ...f, page, text };
}
