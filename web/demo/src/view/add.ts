import samples from "virtual:samples";
import { type Documents, MAX_DOCUMENTS, type NewDoc } from "../documents.ts";
import { byId, h } from "../../../common/dom.ts";
import { type Reading, type Refused, droppedFiles, isLink, readFile, readText, titleOf } from "../read/files.ts";
import type { KeptSettings, Session } from "../session.ts";
import { page, spoken, text as t } from "../strings.ts";
import { wide } from "./order.ts";
import type { Toast, Work } from "./toast.ts";

interface Sample {
  title: string;
  language: string;
  documents: { title: string; source: string; text: string }[];
}

const load = import.meta.glob<Sample>("../../samples/*.json", { import: "default" });

/** A file, or an address, and what was read of it. */
interface Load extends Reading { name: string }

/** So many items are listed, and so many with the same reason. */
const MOST_LISTED = 10;
const MOST_ALIKE = 3;

/** Input: files, drag and drop, the clipboard, typing, samples. */
export function mountAdd(documents: Documents, toast: Toast, apply: (settings: KeptSettings) => void): void {
  const problems = byId("file-problems");
  mountFiles();
  mountPaste();
  mountAddress();
  mountSamples();

  /** Adds what was read, up to the limit, and says what was not, and why. Returns whether everything was added. */
  function add(loads: readonly Load[]): boolean {
    const room = Math.max(0, MAX_DOCUMENTS - documents.list.length);
    const limit = t.problems.tooMany(MAX_DOCUMENTS);
    const docs: NewDoc[] = [];
    const refused: Refused[] = [];
    const notes: { name: string; note: string }[] = [];
    for (const { name, outcomes, left } of loads) {
      const before = docs.length;
      for (const outcome of outcomes) {
        if ("problem" in outcome) refused.push(outcome);
        else if ("session" in outcome) docs.push(...outcome.session.documents);
        else {
          docs.push(outcome.doc);
          if (outcome.note && docs.length <= room) notes.push({ name: outcome.name, note: outcome.note });
        }
      }
      const all = docs.length - before + left;
      const count = Math.min(all, Math.max(left, docs.length + left - room));
      docs.length = Math.min(docs.length, room);
      if (count > 0) refused.push({ name, count, problem: all === 1 ? limit : t.problems.leftOut(count, all, /\.(?:csv|tsv|tab)(?:\.gz)?$/i.test(name), limit) });
    }
    if (docs.length > 0) documents.add(...docs);
    const all = refused.reduce((sum, { count = 1 }) => sum + count, docs.length);
    const head = docs.length === 0 ? `${t.problems.head(all)}:` : docs.length < all ? t.addedOf(docs.length, all) : t.added(docs.length);
    complain(head, [...alike(refused), ...notes.map(({ name, note }) => ({ name, why: note }))]);
    if (docs.length > 0) {
      if (problems.hidden) toast.say(head);
      reveal();
    }
    return docs.length === all;
  }

  /** The items that were refused, with those that have the same reason in one line if there are many. */
  function alike(refused: readonly Refused[]): { name: string; more?: string; why: string }[] {
    const counts = new Map<string, number>();
    for (const { problem } of refused) counts.set(problem, (counts.get(problem) ?? 0) + 1);
    return refused.flatMap(({ name, problem: why }) => {
      const count = counts.get(why)!;
      if (count <= MOST_ALIKE) return [{ name, why }];
      // The others are in the line of the first.
      counts.set(why, Infinity);
      return count < Infinity ? [{ name, more: t.problems.more(count - 1), why }] : [];
    });
  }

  /** Shows a message with a list, where messages are shown, until it is dismissed or something else is added; without a list, shows nothing. */
  function complain(head: string, all: readonly { name: string; more?: string; why: string }[]): void {
    problems.hidden = all.length === 0;
    const items = all.slice(0, MOST_LISTED).map(({ name, more, why }) => h("li", {}, h("strong", { dir: "auto" }, name), `${more ? ` ${more}` : ""}: ${why}`));
    if (all.length > MOST_LISTED) items.push(h("li", {}, t.problems.more(all.length - MOST_LISTED)));
    const dismiss = h("button", { type: "button", class: "quiet" }, page.dismiss);
    dismiss.addEventListener("click", () => {
      complain("", []);
      byId(wide.matches || documents.list.length === 0 ? "choose" : "summary-title").focus();
    });
    const list = h("ul", {}, ...items);
    problems.replaceChildren(...(all.length === 0 ? [] : [h("p", {}, head), list, dismiss]));
    // The keyboard can scroll it.
    if (list.scrollHeight > list.clientHeight) list.tabIndex = 0;
  }

  async function addFiles(files: { file: File; path: string }[]): Promise<void> {
    if (files.length === 0) return;
    const stopped = new AbortController();
    const work = toast.work(t.reading(files.length), () => stopped.abort());
    try {
      await readAll(files, stopped.signal, work);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      toast.say(t.fetchCancelled);
    } finally {
      work.end();
    }
  }

  /** Throws the signal's reason; nothing is added then. */
  async function readAll(files: { file: File; path: string }[], signal: AbortSignal, work: Work): Promise<void> {
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    // Between two files nothing awaits it: avoid an unhandled rejection.
    aborted.catch(() => undefined);
    const loads: Load[] = [];
    let found = documents.list.length;
    for (const [i, { file, path }] of files.entries()) {
      if (files.length > 1) work.progress(i, files.length);
      // Do not read files beyond the limit: a dropped home folder must not hang the page.
      if (files.length > 1 && found >= MAX_DOCUMENTS) {
        loads.push({ name: path, outcomes: [{ name: path, problem: t.problems.tooMany(MAX_DOCUMENTS) }], left: 0 });
        continue;
      }
      const reading = await Promise.race([readFile(file, path, { signal, progress: (done) => work.progress(i + done, files.length) }), aborted]);
      for (const outcome of reading.outcomes) {
        if ("session" in outcome) {
          if (files.length === 1) return openSession(outcome.session);
          found += outcome.session.documents.length;
        } else if ("doc" in outcome) found++;
      }
      loads.push({ name: path, ...reading });
    }
    add(loads);
  }

  /** A session file opened alone replaces the documents; together with other files it is added like them. */
  function openSession({ documents: given, settings }: Session): void {
    complain("", []);
    if (settings) apply(settings);
    const before = documents.list.length;
    documents.replace(given, t.tookPlace(before));
    if (before === 0) toast.say(t.opened(given.length));
    byId("summary-title").focus();
  }

  function mountFiles(): void {
    const input = byId<HTMLInputElement>("files");
    const overlay = byId("drop-now");
    byId("choose").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      const files = [...(input.files ?? [])].map((file) => ({ file, path: file.name }));
      // The same file can be chosen again.
      input.value = "";
      void addFiles(files);
    });

    // The whole page accepts drops. dragenter and dragleave fire for every element on the way.
    let depth = 0;
    const carries = (event: DragEvent) => ["Files", "text/plain"].some((type) => event.dataTransfer?.types.includes(type));
    const inField = (event: Event) => event.target instanceof HTMLElement && event.target.matches("input, textarea");
    const show = () => {
      overlay.hidden = depth === 0;
    };
    window.addEventListener("dragenter", (event) => {
      if (!carries(event)) return;
      depth++;
      show();
    });
    window.addEventListener("dragleave", (event) => {
      if (!carries(event)) return;
      depth = Math.max(0, depth - 1);
      show();
    });
    window.addEventListener("dragover", (event) => {
      if (carries(event) && !(inField(event) && !event.dataTransfer!.types.includes("Files"))) event.preventDefault();
    });
    window.addEventListener("drop", (event) => {
      depth = 0;
      show();
      if (!event.dataTransfer || !carries(event)) return;
      const files = event.dataTransfer.types.includes("Files");
      if (!files && inField(event)) return;
      event.preventDefault();
      if (files) void droppedFiles(event.dataTransfer).then(addFiles);
      else dropText(event.dataTransfer.getData("text/plain"));
    });

    document.addEventListener("paste", (event) => {
      if (inField(event) || !event.clipboardData) return;
      const files = [...event.clipboardData.files];
      event.preventDefault();
      if (files.length > 0) void addFiles(files.map((file) => ({ file, path: file.name })));
      else dropText(event.clipboardData.getData("text/plain"));
    });
  }

  /** Where the summary is not beside the documents, goes to it. */
  function reveal(): void {
    if (!wide.matches) byId("summary-title").focus();
  }

  /** Adds a pasted text; returns the reason if it cannot. */
  function addText(text: string, title = ""): string {
    if (!/[\p{L}\p{N}]/u.test(text)) return t.errors.nothingPasted;
    if (isLink(text)) return byId("address").hidden ? t.errors.pastedLink : t.errors.pastedLinkField;
    // JSON is read as from a file.
    if (/^\s*(?:\[\s*)?\{\s*"/.test(text)) {
      void addFiles([{ file: new File([text], t.pasted), path: t.pasted }]);
      return "";
    }
    const named = { title: title.trim() || titleOf(text), madeUp: !title.trim() };
    const name = named.title;
    const done = (read: Pick<NewDoc, "text" | "blocks" | "words">): void => void add([{ name, outcomes: [{ name, doc: { ...named, ...read } }], left: 0 }]);
    const read = readText(text);
    if (read instanceof Promise) read.then(done, () => void add([{ name, outcomes: [{ name, problem: t.problems.noReader }], left: 0 }]));
    else done(read);
    return "";
  }

  /** Adds a text that did not come through the form, or says why it cannot. */
  function dropText(text: string): void {
    const problem = addText(text);
    if (problem) toast.say(problem);
  }

  function mountPaste(): void {
    const form = byId<HTMLFormElement>("paste");
    const title = byId<HTMLInputElement>("paste-title");
    const text = byId<HTMLTextAreaElement>("paste-text");
    const problem = byId("paste-problem");
    const toggle = byId("paste-open");
    const open = (shown: boolean) => {
      form.hidden = !shown;
      toggle.setAttribute("aria-expanded", String(shown));
      (shown ? text : toggle).focus();
    };
    toggle.addEventListener("click", () => open(Boolean(form.hidden)));
    byId("paste-close").addEventListener("click", () => open(false));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") open(false);
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      problem.textContent = addText(text.value, title.value);
      // The form stays open for the next document.
      if (!problem.textContent) form.reset();
      if (problem.textContent || wide.matches) text.focus();
    });
  }

  function mountAddress(): void {
    const form = byId<HTMLFormElement>("address");
    if (form.hidden) return;
    const input = byId<HTMLInputElement>("address-url");
    const button = form.querySelector<HTMLButtonElement>("[type=submit]")!;
    const stop = byId("address-stop");
    let running: AbortController | undefined;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const typed = input.value.trim();
      if (running || !typed) return;
      running = new AbortController();
      button.hidden = true;
      stop.hidden = false;
      toast.say(t.fetching);
      try {
        const { readAddress } = await import("../read/address.ts");
        const reading = await readAddress(typed, running.signal);
        running.signal.throwIfAborted();
        const [first] = reading.outcomes;
        if (first && "session" in first) openSession(first.session);
        else if (add([{ name: typed, ...reading }])) input.value = "";
      } catch {
        toast.say(running.signal.aborted ? t.fetchCancelled : t.errors.part);
      }
      running = undefined;
      const focused = document.activeElement === stop;
      button.hidden = false;
      stop.hidden = true;
      if (focused) input.focus();
    });
    stop.addEventListener("click", () => running?.abort());
  }

  function mountSamples(): void {
    const list = byId("samples");
    const details = list.closest("details")!;
    const make = ({ name, title, language, documents: count }: (typeof samples)[number]) => {
      const label = h("span", { class: "sample-title", lang: language === "mul" ? "en" : language, dir: "auto" }, title);
      const button = h("button", { type: "button", class: "sample", "data-sample": name }, label, " ", h("span", { class: "small" }, t.sampleInfo(language, count)));
      button.addEventListener("click", async () => {
        let sample: Sample;
        try {
          sample = await load[`../../samples/${name}.json`]!();
        } catch {
          // A list would stay, over the samples.
          toast.say(t.errors.sample);
          return;
        }
        complain("", []);
        documents.replace(sample.documents, t.replaced(documents.list.length));
        details.open = false;
        byId("summary-title").focus();
      });
      return h("li", {}, button);
    };
    const fill = () => list.replaceChildren(...samples.map(make));
    spoken.addEventListener("change", fill);
    fill();
    // The samples are prominent only while the page has no documents.
    let empty = true;
    documents.addEventListener("change", () => {
      const now = documents.list.length === 0;
      if (now !== empty) details.open = now;
      empty = now;
    });
  }
}
