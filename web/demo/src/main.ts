// The first view: adding documents, the language, the colours. Start here.
// workspace.ts, which loads meanwhile, has the rest.

import { Documents } from "./documents.ts";
import { LoadedFiles } from "./loaded.ts";
import { text } from "./strings.ts";
import { mountAdd } from "./view/add.ts";
import { mountLanguage } from "./view/language.ts";
import { mountPrivacy } from "./view/privacy.ts";
import { mountTheme } from "./view/theme.ts";
import { mountToast } from "./view/toast.ts";

const loaded = new LoadedFiles();
const documents = new Documents();
const toast = mountToast(documents);

const workspace = import("./workspace.ts").then(({ Workspace }) => new Workspace(documents, loaded, toast));
workspace.catch(() => {
  document.documentElement.removeAttribute("data-restoring");
  toast.say(text.errors.part);
});

mountLanguage((language) => void workspace.then(({ keeping }) => keeping.prefer("language", language)));
mountTheme((theme) => void workspace.then(({ keeping }) => keeping.prefer("theme", theme)));
mountAdd(documents, toast, (settings) => void workspace.then(({ controls }) => controls.apply(settings)));
mountPrivacy(workspace, toast);

documents.addEventListener("change", () => {
  const { classList } = document.body;
  const before = classList.contains("empty");
  const empty = documents.list.length === 0;
  classList.toggle("empty", empty);
  // The summary is at the top.
  if (before && !empty) scrollTo(0, 0);
});
