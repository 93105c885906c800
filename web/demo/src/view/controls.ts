import type { MethodInfo, Order } from "cerasum";
import { packedBytes } from "virtual:encoder";
import weights from "virtual:weights";
import { byId, h } from "../../../common/dom.ts";
import type { CloseReading } from "../closely.ts";
import type { Engine, Settings } from "../engine.ts";
import { type Length, type Unit, length, lengthOf } from "../length.ts";
import type { KeptSettings } from "../session.ts";
import { languageName, spoken, text as t } from "../strings.ts";
import { languagesOf, listWhose, readWhose } from "../../../common/whose.ts";

/** For each unit the shortest and longest summary, the step of the slider, and the approximate number of words per unit. */
const UNITS: Record<Unit, { low: number; high: number; step: number; words: number }> = {
  words: { low: 20, high: 500, step: 1, words: 1 },
  sentences: { low: 1, high: 25, step: 1, words: 20 },
  characters: { low: 100, high: 3000, step: 10, words: 1 / 6 },
};

export interface Controls {
  settings(): Settings;
  /** The settings by name, for a file. */
  kept(): KeptSettings;
  /** Applies stored settings; unknown values are ignored. */
  apply(settings: KeptSettings): void;
}

/** Milliseconds without a key after which a question is asked. */
const TYPED = 250;

/** Question, length, order, method and licence of the summary. */
export function mountControls(engine: Engine, closely: CloseReading, request: (delay: number) => void, kept: () => void): Controls {
  const form = byId<HTMLFormElement>("controls");
  const range = byId<HTMLInputElement>("budget");
  const number = byId<HTMLInputElement>("budget-number");
  const unit = byId<HTMLSelectElement>("budget-unit");
  const problem = byId("budget-problem");
  const method = byId<HTMLSelectElement>("method");
  const more = byId("method-more");
  const anyLicence = byId<HTMLInputElement>("any-licence");
  const question = byId<HTMLInputElement>("question");
  const whoseChoice = byId<HTMLSelectElement>("whose-choice");
  const views = byId("views");

  const changed = () => request(0);

  /** The unit that the slider counts in now. */
  let counted: Unit = "words";
  /** The length; the slider shows the nearest step. */
  let amount = 100;
  const set = (value: number) => {
    amount = value;
    range.value = number.value = String(value);
    complain("");
  };
  const setUnit = (next: Unit) => {
    const { low, high, step } = UNITS[next];
    counted = unit.value = next;
    for (const input of [range, number]) Object.assign(input, { min: String(low), max: String(high) });
    range.step = String(step);
    range.value = String(amount);
    number.setAttribute("aria-label", t.lengthNumber(next, low, high));
  };
  const fits = (value: number) => Number.isInteger(value) && value >= UNITS[counted].low && value <= UNITS[counted].high;
  const complain = (message: string) => {
    problem.textContent = message;
    number.toggleAttribute("aria-invalid", false);
    if (message) number.setAttribute("aria-invalid", "true");
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  /** The question of the last request. */
  let asked = "";
  const asks = () => question.value.trim().replace(/\s+/gu, " ").toWellFormed();
  const ask = (delay: number) => {
    if (asks() === asked) return;
    asked = asks();
    request(delay);
  };
  question.value = questionOf(location.hash);
  asked = asks();
  question.addEventListener("input", () => ask(TYPED));

  /** Remembered while the documents are in other languages, or in one. */
  let whose = whoseOf(location.hash);
  const offer = () => {
    const languages = languagesOf(engine.result?.split ?? []);
    byId("whose").hidden = languages.length < 2;
    if (languages.length > 1) listWhose(whoseChoice, languages, whose, t.whose, languageName);
  };
  engine.addEventListener("change", offer);
  whoseChoice.addEventListener("change", () => {
    whose = whoseChoice.value;
    changed();
  });
  views.addEventListener("change", () => kept());
  // The browser may have restored the form of an earlier visit.
  const found = Number(range.value);
  setUnit(unit.value as Unit);
  set(Math.min(Math.max(found, UNITS[counted].low), UNITS[counted].high));
  range.addEventListener("input", () => {
    set(range.valueAsNumber);
    // Without a delay: during a summary only the newest request waits.
    request(0);
  });
  number.addEventListener("input", () => {
    const value = number.valueAsNumber;
    // Do not report incomplete numbers until the field loses focus.
    if (!fits(value)) return;
    amount = value;
    range.value = String(value);
    complain("");
    // Wait for the next digit.
    request(150);
  });
  const check = () => {
    const value = number.valueAsNumber;
    if (!fits(value)) complain(t.budgetRange(UNITS[counted].low, UNITS[counted].high));
  };
  number.addEventListener("change", check);
  unit.addEventListener("change", () => {
    // About as long as before.
    const words = amount * UNITS[counted].words;
    setUnit(unit.value as Unit);
    const { low, high, step, words: each } = UNITS[counted];
    set(Math.min(Math.max(Math.round(words / each / step) * step, low), high));
    changed();
  });
  form.addEventListener("change", (event) => {
    if ((event.target as HTMLInputElement).name === "order") changed();
  });
  /** The default weights of a method. */
  const suited = (name: string) => weights.find((one) => one.method === name && (one.free || anyLicence.checked));
  const describe = () => {
    // Described before the core is there, so that nothing moves when it comes.
    const chosen = engine.methods.find(({ name }) => name === method.value) ?? { name: "auto", weights: false, ...t.methods["auto"]! };
    const own = chosen.weights ? suited(chosen.name) : undefined;
    more.textContent = own ? t.weights(chosen.description, own.name, own.licence) : chosen.description;
  };
  /** The title with the reason why the method cannot be chosen; undefined if it can. */
  const missing = ({ name, title, embeddings, weights: needed }: MethodInfo): string | undefined => {
    if (needed && !weights.some((one) => one.method === name)) return t.needsWeights(title);
    if (needed && !suited(name)) return t.needsFree(title);
    return embeddings === "required" && packedBytes === 0 ? t.needsWeights(title) : undefined;
  };
  /** A method requested before the methods were known. */
  let wanted: string | undefined;
  const fill = () => {
    const chosen = wanted ?? method.value;
    wanted = undefined;
    // Unavailable methods are shown disabled.
    method.replaceChildren(...engine.methods.map((info) => {
      const why = missing(info);
      return h("option", { value: info.name, disabled: why === undefined ? undefined : "" }, why ?? info.title);
    }));
    method.value = chosen;
    if (method.selectedOptions[0]?.disabled !== false) method.value = "auto";
    describe();
  };
  describe();
  engine.addEventListener("info", fill);
  spoken.addEventListener("change", () => {
    if (engine.methods.length > 0) fill();
    else describe();
    setUnit(counted);
    offer();
    if (problem.textContent) check();
  });
  method.addEventListener("change", () => {
    describe();
    changed();
  });
  anyLicence.addEventListener("change", () => {
    if (engine.methods.length > 0) fill();
    changed();
  });
  byId("cancel").addEventListener("click", () => {
    engine.cancel();
    byId("again").focus();
  });

  const settings = (): Settings => ({
    budget: length(counted, amount),
    order: (new FormData(form).get("order") ?? "story") as Order,
    method: wanted ?? method.value,
    licence: anyLicence.checked ? "any" : undefined,
    encoder: closely.encoder,
    query: asks(),
    whose,
  });
  return {
    settings,
    kept: () => {
      const { budget, order, method, licence, query, whose } = settings();
      const view = views.querySelector<HTMLInputElement>(":checked")!.value === "text" ? "text" : undefined;
      return { budget, order, method, licence, query: query || undefined, whose: whose || undefined, view };
    },
    apply({ budget, order, method: name, licence, query, whose: quoted, view }) {
      const [kind, kept] = lengthOf(budget as Length);
      if (Object.hasOwn(UNITS, kind)) {
        setUnit(kind);
        set(Math.min(Math.max(kept, UNITS[counted].low), UNITS[counted].high));
      }
      for (const radio of form.querySelectorAll<HTMLInputElement>('input[name="order"]')) if (radio.value === order) radio.checked = true;
      anyLicence.checked = licence === "any";
      question.value = query ?? "";
      asked = asks();
      whose = quoted ?? "";
      offer();
      for (const radio of views.querySelectorAll("input")) {
        if (radio.checked || (radio.value === "text") !== (view === "text")) continue;
        radio.checked = true;
        radio.dispatchEvent(new Event("change", { bubbles: true }));
      }
      wanted = name;
      if (engine.methods.length > 0) fill();
      changed();
    },
  };
}

/** The question in an address: …#q=Who+closed+the+harbour. Servers are not sent this part. */
export const questionOf = (hash: string): string => new URLSearchParams(hash.replace(/^#/, "")).get("q") ?? "";

/** Whose words an address asks for: …#quotes=de */
export const whoseOf = (hash: string): string => readWhose(new URLSearchParams(hash.replace(/^#/, "")).get("quotes"));

/** The page's address with the question and whose words are quoted. */
export const linkTo = (question: string, whose: string): string =>
  `${location.href.replace(/#.*$/s, "")}#${new URLSearchParams({ ...(question && { q: question }), ...(whose && { quotes: whose }) })}`;
