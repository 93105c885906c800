import type { MethodInfo } from "cerasum";
import weights from "virtual:weights";
import { byId, h } from "../dom.ts";
import type { Encoders } from "../encoders.ts";
import type { Engine, Settings } from "../engine.ts";
import { spoken, text as t } from "../strings.ts";

const LOW = 20;
const HIGH = 500;

/** Length, order, method, licence and encoder of the summary. */
export function mountControls(engine: Engine, encoders: Encoders, changed: () => void): { settings(): Settings } {
  const form = byId<HTMLFormElement>("controls");
  const range = byId<HTMLInputElement>("budget");
  const number = byId<HTMLInputElement>("budget-number");
  const problem = byId("budget-problem");
  const method = byId<HTMLSelectElement>("method");
  const more = byId("method-more");
  const free = byId<HTMLInputElement>("free");

  const set = (value: number) => {
    range.value = number.value = String(value);
    complain("");
  };
  const complain = (message: string) => {
    problem.textContent = message;
    number.toggleAttribute("aria-invalid", false);
    if (message) number.setAttribute("aria-invalid", "true");
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  // A browser that kept the form from an earlier visit may hold other values.
  set(Number(range.value));
  range.addEventListener("input", () => {
    set(range.valueAsNumber);
    changed();
  });
  number.addEventListener("input", () => {
    const value = number.valueAsNumber;
    // Half-typed numbers are not scolded before the field is left.
    if (!Number.isInteger(value) || value < LOW || value > HIGH) return;
    range.value = String(value);
    complain("");
    changed();
  });
  const check = () => {
    const value = number.valueAsNumber;
    if (!Number.isInteger(value) || value < LOW || value > HIGH) complain(t.budgetRange(LOW, HIGH));
  };
  number.addEventListener("change", check);
  form.addEventListener("change", (event) => {
    if ((event.target as HTMLInputElement).name === "order") changed();
  });
  /** The weights that a method takes by itself. */
  const suited = (name: string) => weights.find((one) => one.method === name && (one.free || !free.checked));
  const describe = () => {
    const chosen = engine.methods.find(({ name }) => name === method.value);
    const own = chosen?.weights ? suited(chosen.name) : undefined;
    more.textContent = chosen && own ? t.weights(chosen.description, own.name, own.licence) : (chosen?.description ?? "");
  };
  /** The title with why the method cannot be chosen; undefined where it can. */
  const missing = ({ name, title, embeddings, weights: needed }: MethodInfo): string | undefined => {
    if (needed && !weights.some((one) => one.method === name)) return t.needsWeights(title);
    if (needed && !suited(name)) return t.needsFree(title);
    if (embeddings === "required" && !encoders.current) return t.needsEncoder(title);
    // Weights know the embeddings of one encoder alone.
    return needed && encoders.choice !== "shipped" ? t.needsShipped(title, t.encoders.shipped) : undefined;
  };
  const fill = () => {
    const chosen = method.value;
    // What needs more than there is is shown, and cannot be chosen.
    method.replaceChildren(...engine.methods.map((info) => {
      const why = missing(info);
      return h("option", { value: info.name, disabled: why === undefined ? undefined : "" }, why ?? info.title);
    }));
    method.value = chosen;
    if (method.selectedOptions[0]?.disabled !== false) method.value = "auto";
    describe();
  };
  engine.addEventListener("methods", fill);
  spoken.addEventListener("change", () => {
    if (engine.methods.length > 0) fill();
    if (problem.textContent) check();
  });
  encoders.addEventListener("change", () => {
    if (engine.methods.length > 0) fill();
    changed();
  });
  method.addEventListener("change", () => {
    describe();
    changed();
  });
  free.addEventListener("change", () => {
    if (engine.methods.length > 0) fill();
    changed();
  });
  byId("cancel").addEventListener("click", () => {
    engine.cancel();
    byId("again").focus();
  });

  return {
    settings: () => ({
      budget: range.valueAsNumber,
      order: new FormData(form).get("order") === "rank" ? "rank" : "document",
      method: method.value,
      licence: free.checked ? "free" : undefined,
      encoder: encoders.current,
    }),
  };
}
