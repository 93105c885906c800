import { shippedBytes } from "virtual:encoder";
import { byId, h } from "../../../common/dom.ts";
import { type Encoders, shortName } from "../encoders.ts";
import { spoken, text as t } from "../strings.ts";
import type { Toast } from "./toast.ts";

/** The picker of the encoder, with downloads and stored models. */
export function mountEncoder(encoders: Encoders, toast: Toast): void {
  const select = byId<HTMLSelectElement>("encoder");
  const more = byId("encoder-more");
  const bar = byId<HTMLProgressElement>("encoder-bar");
  const get = byId<HTMLButtonElement>("encoder-get");
  const stop = byId<HTMLButtonElement>("encoder-stop");
  const drop = byId<HTMLButtonElement>("encoder-delete");
  const folder = byId<HTMLButtonElement>("encoder-folder");
  const files = byId<HTMLInputElement>("encoder-files");

  function fill(): void {
    const options = [
      ...(encoders.shipped ? [["shipped", t.encoders.shipped] as const] : []),
      ["none", t.encoders.none] as const,
      ...encoders.models.map((model) => [model.id, t.encoders.known(shortName(model), model.bytes)] as const),
      ["folder", t.encoders.folder] as const,
    ];
    // Render the list only if it changes: the reader may be using it.
    if (select.dataset["list"] === JSON.stringify(options)) return;
    select.dataset["list"] = JSON.stringify(options);
    select.replaceChildren(...options.map(([value, title]) => h("option", { value }, title)));
    select.value = encoders.choice;
  }

  function render(): void {
    fill();
    const { choice, download, problem } = encoders;
    const model = encoders.models.find(({ id }) => id === choice);
    const under = download?.id === choice ? download : undefined;
    const buttons = [get, stop, drop, folder];
    const focused = buttons.find((button) => button === document.activeElement);
    get.hidden = !model || model.state === "downloaded" || under !== undefined;
    get.disabled = download !== undefined;
    drop.hidden = model?.state !== "downloaded";
    stop.hidden = bar.hidden = under === undefined;
    folder.hidden = choice !== "folder";
    if (focused?.hidden) (buttons.find((button) => !button.hidden && !button.disabled) ?? select).focus();
    if (model) {
      get.textContent = t.encoders.get(model.bytes);
      drop.textContent = t.encoders.drop(model.bytes);
    }
    if (under?.total) bar.value = under.loaded / under.total;
    else bar.removeAttribute("value");
    more.textContent =
      under ? t.encoders.downloading(under.loaded, under.total)
      : problem !== undefined ? t.encoders.failed(problem instanceof Error ? problem.message : String(problem))
      : model ? (model.state === "downloaded" ? t.encoders.kept : t.encoders.absent)(Object.hasOwn(t.encoders.languages, model.languages) ? t.encoders.languages[model.languages]! : model.languages, model.licence)
      : choice === "shipped" ? t.encoders.shippedMore(shippedBytes)
      : choice === "folder" ? (encoders.folder === undefined ? t.encoders.folderMore : t.encoders.folderReady(encoders.folder))
      : encoders.shipped || encoders.hub ? t.encoders.noneMore : t.encoders.nothing;
  }

  encoders.addEventListener("models", render);
  encoders.addEventListener("change", () => {
    render();
    select.value = encoders.choice;
  });
  spoken.addEventListener("change", render);
  select.addEventListener("change", () => {
    // Keep the current encoder until a folder has been chosen.
    if (select.value === "folder") files.click();
    else encoders.choose(select.value);
  });
  files.addEventListener("cancel", () => (select.value = encoders.choice));
  get.addEventListener("click", () => void encoders.get(encoders.choice));
  stop.addEventListener("click", () => {
    encoders.cancel();
    toast.say(t.encoders.cancelled);
  });
  drop.addEventListener("click", () => {
    const model = encoders.models.find(({ id }) => id === encoders.choice);
    if (model) void encoders.delete(model.id).then(() => toast.say(t.encoders.deleted(shortName(model))));
  });
  folder.addEventListener("click", () => files.click());
  files.addEventListener("change", () => {
    const chosen = [...(files.files ?? [])];
    // The same folder can be chosen again.
    files.value = "";
    if (chosen.length > 0) void encoders.open(chosen);
  });
  render();
  void encoders.refresh();
}
