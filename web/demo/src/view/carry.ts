import type { Documents } from "../documents.ts";
import { byId, h, hue } from "../../../common/dom.ts";
import { shownSource } from "../../../common/shown.ts";
import type { Engine } from "../engine.ts";
import { copy, download } from "../../../common/hand-over.ts";
import { asked, toJSON } from "../export.ts";
import { EXTENSION, type KeptSettings, MAX_SESSION_BYTES, save } from "../session.ts";
import { number, page, text as t } from "../strings.ts";
import { linkTo } from "./controls.ts";
import type { Toast } from "./toast.ts";

/** The menu of further exports: JSON, print, and all documents with the settings as a file. */
export function mountCarry(documents: Documents, engine: Engine, toast: Toast, kept: () => KeptSettings): void {
  const menu = byId<HTMLDetailsElement>("more");
  const opener = menu.querySelector("summary")!;
  const json = byId<HTMLButtonElement>("download-json");
  const print = byId<HTMLButtonElement>("print");
  const link = byId<HTMLButtonElement>("copy-link");

  const close = (focus: boolean) => {
    if (!menu.open) return;
    menu.open = false;
    if (focus) opener.focus();
  };
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target as Node)) close(false);
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget as Node)) close(false);
  });
  menu.addEventListener("keydown", (event) => {
    const items = [opener, ...menu.querySelectorAll<HTMLButtonElement>("button:enabled")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") close(true);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      menu.open = true;
      items[(at + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length]!.focus();
    } else return;
    event.preventDefault();
  });

  engine.addEventListener("change", () => {
    json.disabled = print.disabled = engine.result === undefined;
    link.disabled = !kept().query && !kept().whose;
  });
  json.addEventListener("click", () => {
    close(true);
    if (engine.result) download(toJSON(engine.result), t.jsonName, "application/json");
  });
  print.addEventListener("click", () => {
    close(true);
    window.print();
  });
  link.addEventListener("click", async () => {
    close(true);
    const done = await copy(linkTo(kept().query ?? "", kept().whose ?? ""));
    toast.say(done ? t.linkCopied : t.copyFailed);
  });
  byId("save-all").addEventListener("click", () => {
    close(true);
    const content = save({ documents: [...documents.list], settings: kept() });
    const { size } = new Blob([content]);
    if (size > MAX_SESSION_BYTES) return toast.say(t.problems.tooLarge(size, MAX_SESSION_BYTES));
    download(content, `${new Date().toISOString().slice(0, 10)}${EXTENSION}`, "application/json");
    toast.say(t.saved);
  });

  // Printing by the browser's menu needs the sources as well.
  window.addEventListener("beforeprint", () => {
    const result = engine.result;
    const used = [...new Set(result?.summary.sentences.map(({ document }) => document))].sort((a, b) => a - b);
    byId("print-question").textContent = result ? asked(result).join("\n") : "";
    byId("print-sources").replaceChildren(
      h("h3", {}, t.sourcesHead),
      h("ul", {}, ...used.map((i) => {
        const { title, source } = result!.docs[i]!;
        return h("li", { class: hue(i) }, h("span", { class: "chip" }, number(i + 1)), h("span", {}, h("bdi", {}, title || t.untitled), ...(source && source !== title ? [", ", h("bdi", {}, shownSource(source))] : [])));
      })),
      h("p", { class: "small" }, [page.brand, result && t.markdownMethod(engine.methods.find(({ name }) => name === result.summary.method)?.title ?? result.summary.method)].filter(Boolean).join(" · ")),
    );
  });
}
