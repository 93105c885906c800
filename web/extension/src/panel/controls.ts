// Question, length, order and method.

import { languageName, page, text as t } from "../strings.ts";
import { sane } from "../work/saved.ts";
import { DEFAULTS, METHODS, type Settings } from "../work/summary.ts";
import { byId, h } from "../../../common/dom.ts";
import { listWhose } from "../../../common/whose.ts";

export interface Controls {
  settings(): Settings;
  set(settings: Settings): void;
  /** Lists only those of METHODS that are among these. */
  offer(methods: readonly string[]): void;
  /** Offers a choice of whose words are quoted if the tabs are in several languages. */
  speak(languages: readonly string[]): void;
}

/** `changed` gets the delay, in milliseconds, to wait for further changes. */
export function mountControls(changed: (delay: number) => void): Controls {
  const question = byId<HTMLInputElement>("question");
  const words = byId<HTMLInputElement>("words");
  const order = byId<HTMLSelectElement>("order");
  const method = byId<HTMLSelectElement>("method");
  const choice = byId<HTMLSelectElement>("whose-choice");
  const presets = [...document.querySelectorAll<HTMLButtonElement>("[data-words]")];
  const list = (names: readonly (typeof METHODS)[number][]) => method.replaceChildren(...names.map((name) => h("option", { value: name }, t.methods[name].title)));
  list(METHODS);

  const say = () => {
    const said = t.words(words.valueAsNumber);
    byId("words-said").textContent = said;
    words.setAttribute("aria-valuetext", said);
    for (const button of presets) button.setAttribute("aria-pressed", String(Number(button.dataset["words"]) === words.valueAsNumber));
    byId("method-more").textContent = t.methods[method.value as keyof typeof t.methods].more;
  };
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  question.placeholder = page.questionEmpty;
  let asked = "";
  question.addEventListener("input", () => {
    const { query = "" } = settings();
    if (query === asked) return;
    asked = query;
    changed(250);
  });
  words.addEventListener("input", () => {
    say();
    changed(120);
  });
  for (const button of presets) {
    button.addEventListener("click", () => {
      words.value = button.dataset["words"]!;
      say();
      changed(0);
    });
  }
  for (const select of [order, method]) {
    select.addEventListener("change", () => {
      say();
      changed(0);
    });
  }
  words.setAttribute("aria-label", page.length);
  /** Remembered while the tabs are in one language, or in others. */
  let whose = "";
  let spoken: readonly string[] = [];
  const speak = (languages: readonly string[]) => {
    spoken = languages;
    byId("whose").hidden = languages.length < 2;
    if (languages.length > 1) listWhose(choice, languages, whose, t.whose, languageName);
  };
  choice.addEventListener("change", () => {
    whose = choice.value;
    changed(0);
  });
  const settings = (): Settings => sane({ words: words.valueAsNumber, order: order.value as Settings["order"], method: method.value, query: question.value, whose });
  return {
    settings,
    speak,
    set(settings) {
      const known = sane(settings);
      [words.value, order.value, method.value] = [String(known.words), known.order, known.method];
      question.value = asked = known.query ?? "";
      whose = known.whose ?? "";
      speak(spoken);
      say();
    },
    offer(methods) {
      const { value } = method;
      list(METHODS.filter((name) => methods.includes(name)));
      method.value = methods.includes(value) ? value : DEFAULTS.method;
      say();
    },
  };
}
