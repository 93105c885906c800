// English, the language that the others are translated from: a key more here
// is a key more there, which the compiler asks for. The placeholders {{key}}
// of index.html stand for `page`.

import { format } from "./format.ts";

export type Strings = ReturnType<typeof strings>;

/** `locale` is the reader's own variant, "en-GB", which numbers follow. */
export default function strings(locale = "en") {
  const f = format(locale, "Several languages");
  const { number, percent, times, bytes, count, list, languageName, sentence } = f;
  const words = (n: number) => count(n, { one: "word", other: "words" });
  const documents = (n: number) => count(n, { one: "document", other: "documents" });
  const sentences = (n: number) => count(n, { one: "sentence", other: "sentences" });

  const page = {
    locale: "en",
    title: "cerasum: the best sentences of many documents",
    description:
      "Paste or drop several texts about the same thing. cerasum picks the sentences that say the most, word for word, each linked to its source. Everything happens in your browser.",
    skip: "Skip to the summary",
    brand: "cerasum",
    privacy: "Nothing leaves this page",
    privacyMore: "The work is done by your own browser; no text is sent anywhere.",
    theme: "Dark colours",
    taglineOne: "Many documents in.",
    taglineTwo: "Their best sentences out.",
    pitch:
      "Give cerasum several texts about the same thing. It picks the sentences that say the most, word for word, and links each one to the place where it stands.",
    pictureLabel: "Three documents; one sentence of each goes into the summary, marked with the number of its document.",
    documents: "Documents",
    legendLess: "less",
    legendMore: "more",
    legendQuoted: "quoted",
    drop: "Drop files or a folder here",
    dropMore: "Text, Markdown or HTML; up to 25 MB a file, 500 documents. Or paste text anywhere on the page.",
    dropNow: "Let go to add them",
    choose: "Choose files",
    paste: "Write or paste text",
    clear: "Clear all",
    samples: "Or try a sample",
    pasteTitle: "Title (may be empty)",
    pasteText: "Text of the document",
    pasteAdd: "Add document",
    pasteClose: "Close",
    summary: "Summary",
    copy: "Copy",
    download: "Markdown",
    downloadLong: "Download the summary as Markdown",
    length: "Length",
    lengthNumber: "Length in words, from 20 to 500",
    words: "words",
    order: "Order",
    orderDocument: "As in the documents",
    orderRank: "Most important first",
    method: "Method",
    methodAuto: "Automatic",
    free: "Only what was learnt under free licences",
    encoder: "Encoder",
    encoderFolder: "Choose a folder",
    encoderLoading: "Loading the encoder",
    cancel: "Cancel",
    again: "Summarize",
    reader: "Source",
    previous: "Previous document",
    next: "Next document",
    edit: "Edit",
    done: "Done",
    editTitle: "Title",
    editLanguage: "Language",
    editText: "Text",
    backHint: "Quoted in the summary. Follow to go back to it.",
    sourceHint: "Shows the sentence in its document.",
    undo: "Undo",
    dismiss: "Dismiss",
    language: "Language of this page",
    noScript: "cerasum works in your browser and needs JavaScript and WebAssembly for that.",
  };

  const text = {
    detect: (found: string | undefined) => (found ? `Detect (${languageName(found)})` : "Detect"),
    pasted: "Pasted text",
    untitled: "Untitled",
    remove: (title: string) => `Remove “${title}”`,
    open: (n: number) => `Document ${number(n)}`,
    coverage: (share: number) => `${percent(share)} covered`,
    coverageOf: (title: string) => `How much of “${title}” the summary covers`,
    strip: {
      label: (title: string) => `Sentences of “${title}” and their weight`,
      legend: "A cell is a sentence: the stronger its colour, the more it shapes the summary.",
      legendAlike: "A cell is a sentence. To this method all of them count alike.",
      legendBlank: "A cell is a sentence. This method weighs none of them.",
      weighed: (n: number, weight: number) => `${number(n)} (${times(weight)})`,
      about: (strongest: string[], quoted: number[]) => [
        strongest.length > 0 ? `The strongest sentences, an average one being 1: ${list(strongest)}.` : "",
        quoted.length > 0 ? `Quoted: ${list(quoted.map(number))}.` : "None is quoted.",
        "Arrow keys choose a sentence, Enter shows it.",
      ].filter(Boolean).join(" "),
      sentence: (n: number, all: number, weight: number | undefined, quoted: boolean, sentence: string) =>
        [`Sentence ${number(n)} of ${number(all)}`, weight !== undefined && `counts ${times(weight)} times the average`, quoted && "quoted"].filter(Boolean).join(", ")
        + `: ${sentence.length > 160 ? `${sentence.slice(0, 159).trimEnd()}…` : sentence}`,
    },
    quotedOf: (chosen: number, all: number) => `${number(chosen)} of ${sentences(all)} quoted`,
    position: (n: number, all: number) => `${number(n)} of ${number(all)}`,
    sampleInfo: (language: string, n: number) => `${languageName(language)}, ${documents(n)}`,

    added: (n: number) => `Added ${documents(n)}.`,
    removed: (title: string) => `Removed “${title}”.`,
    cleared: (n: number) => `Removed ${documents(n)}.`,
    replaced: (n: number) => `The sample took the place of ${documents(n)}.`,
    undone: "Brought back.",
    reading: (n: number) => `Reading ${count(n, { one: "file", other: "files" })}…`,

    used: (used: number, budget: number) => `${number(used)} of ${words(budget)}`,
    made: (n: number, from: number, of: number) => `${sentences(n)} from ${number(from)} of ${documents(of)}`,
    overBudget: (budget: number) => `No sentence fits into ${words(budget)}; this is the one that says the most.`,
    compare: "Compare",
    compareWith: (n: number, title: string) => `Document ${number(n)}, ${title}: show the sentence most like this one`,
    madeWith: (encoder: string) => `encoder: ${encoder}`,
    fellBack: "without an encoder",
    fallback: (encoder: string, reason: string) => `The encoder “${encoder}” could not be used, so that words alone decided. ${sentence(reason)}`,
    fallbackMethod: (method: string, reason: string) =>
      `“${method}” could not be used: this is the automatic summary, of words alone. ${sentence(reason)}`,
    noEncoder: (method: string) => `“${method}” needs an encoder: this is the automatic summary.`,
    needsEncoder: (method: string) => `${method} (needs an encoder)`,
    needsShipped: (method: string, encoder: string) => `${method} (needs the encoder “${encoder}”)`,
    needsWeights: (method: string) => `${method} (not on this page)`,
    needsFree: (method: string) => `${method} (not under a free licence)`,
    weights: (description: string, name: string, licence: string) => `${description} Weights: ${name}${licence ? ` (${licence})` : ""}.`,
    madeWithWeights: (name: string) => `weights: ${name}`,
    working: "Summarizing…",
    stages: { start: "Starting", load: "Loading the encoder", split: "Finding the sentences", encode: "Weighing the words", select: "Choosing the sentences" },
    refining: { load: "Loading the encoder", encode: "Comparing meanings" },
    cancelled: "Cancelled: there is no summary yet.",
    budgetRange: (low: number, high: number) => `Type a whole number from ${number(low)} to ${number(high)}.`,

    encoders: {
      shipped: "cerasum’s own",
      none: "None: words alone",
      folder: "From a folder…",
      nothing: "There is no encoder here: words alone decide.",
      noneMore: "Compares words: documents in different languages share few.",
      shippedMore: (size: number) => `Compares meanings, across languages. ${bytes(size)}, loaded when needed.`,
      known: (name: string, size: number) => `${name}, ${bytes(size)}`,
      languages: {} as Partial<Record<string, string>>,
      absent: (languages: string, licence: string) => `${sentence(languages)} ${licence}. Not downloaded.`,
      kept: (languages: string, licence: string) => `${sentence(languages)} ${licence}. Kept in this browser.`,
      get: (size: number) => `Download ${bytes(size)}`,
      drop: (size: number) => `Delete ${bytes(size)}`,
      downloading: (loaded: number, total: number) => (total > 0 ? `${bytes(loaded)} of ${bytes(total)}` : bytes(loaded)),
      cancelled: "The download was cancelled.",
      deleted: (name: string) => `Deleted ${name}.`,
      folderMore: "A sentence-transformers export with tokenizer.json and model.onnx, from your disk.",
      folderReady: (name: string) => `The folder ${name}. It is read again for every visit.`,
      failed: (reason: string) => sentence(reason),
    },

    copied: "Copied",
    copyFailed: "The browser did not allow copying. Select the sentences and copy them by hand.",
    sourcesHead: "Sources",
    sentenceNumber: (n: number) => `sentence ${number(n)}`,
    compareIntro: "Compare",
    markdownTitle: (n: number) => `Summary of ${documents(n)}`,
    markdownMethod: (title: string) => `Method: ${title}`,
    fileName: "summary.md",

    problems: {
      head: (n: number) => (n === 1 ? "One thing could not be added" : `${number(n)} things could not be added`),
      empty: "it is empty",
      noWords: "there is no text in it",
      binary: "it is not a text file",
      pdf: "it is a PDF; save or copy its text first",
      office: "it is an office document or an archive; save or copy its text first",
      image: "it is a picture, sound or film, not text",
      tooLarge: (size: number, limit: number) => `it has ${bytes(size)}; the most that works is ${bytes(limit)}`,
      tooMany: (limit: number) => `there are already ${documents(limit)}, the most that works`,
      unreadable: "the browser could not read it",
      noReader: "it could not be taken apart as HTML or Markdown",
      encoding: (label: string) => `read as ${label}, because it is not valid UTF-8`,
      more: (n: number) => `and ${number(n)} more`,
    },
    errors: {
      nothingPasted: "There is no text to add.",
      noText: "There is nothing to summarize: no document has a sentence with a word in it.",
      core: (message: string) => `The summary could not be made: ${message}`,
      load: "The summarizer could not be loaded. Check the connection to this site and try again.",
      start: "The summarizer does not start in this browser, which may be too old: it needs WebAssembly.",
      memory: "The summarizer ran out of memory. Remove some documents and try again.",
      sample: "The sample could not be loaded. Check the connection to this site and try again.",
    },
    /** Where the core's own titles and descriptions of its methods are in another language. */
    methods: {} as Partial<Record<string, { title: string; description: string }>>,
  };

  return { ...f, words, documents, sentences, page, text };
}
