// Three documents whose summary disagrees. The core's answer is changed on its way to
// the page, so that the texts need not make the core find anything.

import { paste, summarized } from "./lib.mjs";

const texts = [
  ["Ferry runs aground", "A ferry ran aground off Nessel on Monday evening. The captain had left the bridge. He was arrested on Tuesday. In all 14 people were injured in the accident."],
  ["Ferry off Nessel", "The ferry hit a rock off Nessel on Monday. The hospital of Nessel counted 16 injured people on Tuesday."],
  ["Nessel after the accident", "All passengers of the ferry are back on land. The hospital now counts 14 injured people in all."],
];

/** Runs in the page: changes summaries before the page gets them. */
export function change() {
  const Given = window.Worker;
  window.Worker = class extends Given {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        if (data?.kind === "summary" && window.answer) Object.assign(data.summary, window.answer);
      });
    }
  };
}

const value = (text, document, near = text) => {
  const start = texts[document][1].indexOf(near) + near.indexOf(text);
  return { value: text, document, start, end: start + text.length };
};

const answer = {
  sentences: [
    { document: 0, sentence: 2, score: 1, gain: 1, similar: [], context: [0, 1] },
    { document: 1, sentence: 0, score: 1, gain: 0, similar: [], context: [] },
  ],
  disagreements: [
    { what: "injured", update: false, values: [value("14", 0), value("16", 1), value("14", 2)] },
    { what: "day", update: true, values: [value("Monday", 0), value("Tuesday", 1)] },
  ],
};

/** Adds the documents and then shows the changed summary. The page was opened with `change`. */
export async function disagree(page) {
  for (const [title, text] of texts) await summarized(page, () => paste(page, text, title));
  // It fits three documents: with fewer, the page has the core's own.
  await page.evaluate((given) => (window.answer = given), answer);
  await summarized(page, () => page.fill("#budget-number", "60"));
}
