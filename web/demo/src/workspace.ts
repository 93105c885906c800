// Connects the parts that show documents and summaries.

import { coreBytes, coreURL } from "virtual:core";
import { encoderFiles } from "virtual:encoder";
import { type Documents, keyOf } from "./documents.ts";
import { CloseReading } from "./closely.ts";
import { byId } from "../../common/dom.ts";
import { Engine } from "./engine.ts";
import { Keeping } from "./keeping.ts";
import type { LoadedFiles } from "./loaded.ts";
import { Offline } from "./offline.ts";
import { page, spoken, text } from "./strings.ts";
import { mountCarry } from "./view/carry.ts";
import { mountClosely } from "./view/closely.ts";
import { type Controls, mountControls, questionOf, whoseOf } from "./view/controls.ts";
import { mountDocumentList } from "./view/document-list.ts";
import { mountOrder } from "./view/order.ts";
import { mountReader } from "./view/reader.ts";
import { mountSummary } from "./view/summary.ts";
import type { Toast } from "./view/toast.ts";
import { mountTools } from "./view/tools.ts";

export class Workspace {
  readonly offline = new Offline();
  readonly closely: CloseReading;
  readonly keeping: Keeping;
  readonly controls: Controls;

  constructor(readonly documents: Documents, readonly loaded: LoadedFiles, toast: Toast) {
    const engine = new Engine();
    const closely = (this.closely = new CloseReading(engine.core, this.offline));
    const request = (delay: number) => engine.request(documents.list, this.controls.settings(), delay);

    const reader = mountReader(documents, engine, {
      back: (quote) => summary.focus(quote),
      selected: (quote) => summary.mark(quote),
    });
    const summary = mountSummary(documents, engine, {
      show: (id, span, quote) => reader.show(id, span, quote),
    });
    this.controls = mountControls(engine, closely, (delay) => {
      request(delay);
      this.keeping.touch();
    }, () => this.keeping.touch());
    this.keeping = new Keeping(documents, {
      settings: () => this.controls.kept(),
      // What a link holds comes before what is stored.
      apply: (settings) => this.controls.apply({ ...settings, query: questionOf(location.hash) || settings.query, whose: whoseOf(location.hash) || settings.whose }),
      preferences: () => {
        const { theme } = document.documentElement.dataset;
        return theme ? { language: page.locale, theme } : { language: page.locale };
      },
    });
    mountClosely(engine, closely, this.offline, () => {
      closely.agree();
      engine.readClosely(this.controls.settings());
    });
    mountDocumentList(documents, engine, { open: (id) => reader.open(id), show: (id, span) => reader.show(id, span), shown: reader });
    mountCarry(documents, engine, toast, () => this.controls.kept());
    mountTools(documents, engine, (id, span) => reader.show(id, span));
    mountOrder();

    /** What the summary depends on, and the documents that it is of. */
    let key = "";
    let ids = "";
    /** Whether the encoder is known to be loaded. */
    let told = false;
    documents.addEventListener("change", () => {
      const [keyBefore, idsBefore] = [key, ids];
      key = keyOf(documents.list);
      ids = documents.list.map(({ id }) => id).join(" ");
      // Edits come in series while the reader types; adding and removing are single actions.
      if (key !== keyBefore) request(ids === idsBefore ? 200 : 20);
      // The summary on show has the new titles at once.
      engine.rename(documents.list);
    });
    // The browser does not report what workers load.
    engine.addEventListener("change", () => {
      if (!engine.result?.encoder || told) return;
      told = true;
      for (const [address, bytes] of encoderFiles) loaded.add(new URL(address, document.baseURI).href, bytes);
    });
    let { encoder } = closely;
    closely.addEventListener("change", () => {
      if (closely.encoder === encoder) return;
      ({ encoder } = closely);
      request(0);
    });
    // Documents that came before this was loaded.
    if (documents.list.length > 0) documents.dispatchEvent(new Event("change"));

    void this.keeping.restore().then(({ documents, reset }) => {
      document.documentElement.removeAttribute("data-restoring");
      const said = [documents > 0 ? text.keep.restored(documents) : "", reset ? text.keep.reset : ""].join(" ").trim();
      if (said) toast.say(said);
    });

    // Notes about a summary are in the language of the page when it was made: make it again.
    spoken.addEventListener("change", () => request(0));
    byId("again").addEventListener("click", () => request(0));
    // Load the core after the page has been shown, before it is needed. Then the
    // browser may store the program for offline visits.
    const begin = () => void engine.warm().then(() => {
      if (coreURL !== undefined && engine.methods.length > 0) loaded.add(coreURL, coreBytes);
      void this.offline.start();
    });
    if (document.readyState === "complete") begin();
    else window.addEventListener("load", begin);
  }
}
