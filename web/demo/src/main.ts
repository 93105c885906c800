// Connects the parts of the page. Start here.

import { Documents, keyOf } from "./documents.ts";
import { byId } from "../../common/dom.ts";
import { Encoders } from "./encoders.ts";
import { Engine } from "./engine.ts";
import { Keeping } from "./keeping.ts";
import { LoadedFiles } from "./loaded.ts";
import { Offline } from "./offline.ts";
import { page, spoken, text } from "./strings.ts";
import { mountAdd } from "./view/add.ts";
import { mountCarry } from "./view/carry.ts";
import { mountControls } from "./view/controls.ts";
import { mountDocumentList } from "./view/document-list.ts";
import { mountEncoder } from "./view/encoder.ts";
import { mountLanguage } from "./view/language.ts";
import { mountPrivacy } from "./view/privacy.ts";
import { mountReader } from "./view/reader.ts";
import { mountSummary } from "./view/summary.ts";
import { mountTheme } from "./view/theme.ts";
import { mountToast } from "./view/toast.ts";
import { mountTools } from "./view/tools.ts";

const loaded = new LoadedFiles();
const documents = new Documents();
const engine = new Engine();
const offline = new Offline();
const encoders = new Encoders({ get shipped() { return text.encoders.shipped; } });

mountLanguage((language) => keeping.prefer("language", language));
mountTheme((theme) => keeping.prefer("theme", theme));
const toast = mountToast(documents);
const reader = mountReader(documents, engine, {
  back: (quote) => summary.focus(quote),
  selected: (quote) => summary.mark(quote),
});
const summary = mountSummary(documents, engine, {
  show: (id, span, quote) => reader.show(id, span, quote),
});
const controls = mountControls(engine, encoders, (delay) => {
  request(delay);
  keeping.touch();
});
const keeping = new Keeping(documents, {
  settings: () => controls.kept(),
  apply: (settings) => controls.apply(settings),
  preferences: () => {
    const { theme } = document.documentElement.dataset;
    return theme ? { language: page.locale, theme } : { language: page.locale };
  },
});
mountEncoder(encoders, toast);
mountDocumentList(documents, engine, { open: (id) => reader.open(id), show: (id, span) => reader.show(id, span), shown: reader });
mountAdd(documents, toast, (settings) => controls.apply(settings));
mountCarry(documents, engine, toast, () => controls.kept());
mountPrivacy({ loaded, offline, keeping, documents }, toast);
mountTools(documents, engine, (id, span) => reader.show(id, span));

/** What the summary depends on, and the documents that it is of. */
let key = "";
let ids = "";

function request(delay: number): void {
  engine.request(documents.list, controls.settings(), delay);
}

documents.addEventListener("change", () => {
  document.body.classList.toggle("empty", documents.list.length === 0);
  const [keyBefore, idsBefore] = [key, ids];
  key = keyOf(documents.list);
  ids = documents.list.map(({ id }) => id).join(" ");
  // Edits come in series while the reader types; adding and removing are single actions.
  if (key !== keyBefore) request(ids === idsBefore ? 200 : 20);
  // The summary on show has the new titles at once.
  engine.rename(documents.list);
});

// A stored choice of a hub model is valid only after the stored models have been listed.
void encoders.refresh().then(() => keeping.restore()).then(({ documents, reset }) => {
  document.documentElement.removeAttribute("data-restoring");
  const said = [documents > 0 ? text.keep.restored(documents) : "", reset ? text.keep.reset : ""].join(" ").trim();
  if (said) toast.say(said);
});

// Notes about a summary are in the language of the page when it was made: make it again.
spoken.addEventListener("change", () => request(0));

// Load the core after the page has been shown, before it is needed. Then the
// browser may store the program for offline visits.
const begin = () => void engine.warm().then(() => offline.start());
// If the strings of another language were loaded first, the load event is over.
if (document.readyState === "complete") begin();
else window.addEventListener("load", begin);
byId("again").addEventListener("click", () => request(0));
