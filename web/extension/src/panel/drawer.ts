// The drawer that the button at the top opens: the history on this device, and
// the granted permissions.

import { date, page, text as t } from "../strings.ts";
import { giveBack, granted } from "../tabs/permissions.ts";
import type { History } from "../work/storage.ts";
import type { Summary } from "../work/summary.ts";
import { byId, h, icon } from "../../../common/dom.ts";
import { keepingFocus, toast } from "./dom.ts";

export interface DrawerHooks {
  /** Shows a stored summary. */
  open(kept: Summary): void;
  /** A stored summary was deleted, or all were. */
  deleted(at: number | undefined): void;
  gaveBack(): void;
  /** The summary on show, which is the first to be stored. */
  current(): Summary | undefined;
}

export function mountDrawer(history: History, { open, deleted, gaveBack, current }: DrawerHooks): void {
  const button = byId("menu");
  const drawer = byId("drawer");
  const keep = byId<HTMLInputElement>("history-keep");
  const sure = byId("history-sure");

  /** The drawer replaces the rest of the panel. */
  const put = (on: boolean) => {
    drawer.hidden = !on;
    byId("work").hidden = on;
    button.setAttribute("aria-expanded", String(on));
  };
  const toggle = (on: boolean) => {
    put(on);
    if (on) {
      void tellGranted();
      drawer.focus();
    } else {
      sure.hidden = true;
      render();
      button.focus();
    }
  };
  button.addEventListener("click", () => toggle(drawer.hidden === true));
  byId("drawer-close").addEventListener("click", () => toggle(false));
  drawer.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") toggle(false);
  });

  keep.addEventListener("change", async () => {
    if (keep.checked) {
      await history.turnOn();
      const now = current();
      if (now) await history.keep(now);
    } else if (history.list.length === 0) {
      await history.turnOff();
    } else {
      // Deleting cannot be undone: ask for confirmation.
      keep.checked = true;
      sure.hidden = false;
      byId("history-stop").focus();
    }
  });
  byId("history-stop").addEventListener("click", async () => {
    sure.hidden = true;
    await history.turnOff();
    deleted(undefined);
    keep.focus();
  });
  byId("history-stay").addEventListener("click", () => {
    sure.hidden = true;
    keep.focus();
  });
  byId("history-all").addEventListener("click", async () => {
    await history.deleteAll();
    deleted(undefined);
    toast(t.deleted);
    keep.focus();
  });
  byId("give-back").addEventListener("click", async () => {
    await giveBack();
    await tellGranted();
    gaveBack();
    toast(t.gaveBack);
  });
  history.addEventListener("change", render);

  async function tellGranted(): Promise<void> {
    const { titles, origins } = await granted();
    byId("granted").textContent = t.grantedNow(titles, origins.length);
    byId<HTMLButtonElement>("give-back").disabled = !titles && origins.length === 0;
  }

  function render(): void {
    byId("history-private").hidden = !history.secret;
    keep.checked = history.on;
    byId("history-none").hidden = !history.on || history.list.length > 0;
    byId("history-all").hidden = history.list.length === 0;
    keepingFocus(drawer, () => byId("history-list").replaceChildren(...history.list.map(row)));
  }

  function row(kept: Summary): HTMLLIElement {
    const when = date(kept.at);
    const title = kept.tabs[0]?.title || t.untitled;
    const show = h("button", { type: "button", class: "kept", id: `kept-${kept.at}` },
      h("span", { class: "kept-title", dir: "auto" }, title), h("span", { class: "small" }, [when, t.keptOf(kept.tabs.length)].join(" · ")));
    show.addEventListener("click", () => {
      put(false);
      open(kept);
    });
    const remove = h("button", { type: "button", class: "icon quiet", id: `drop-${kept.at}`, "aria-label": t.deleteKept(when), title: t.deleteKept(when) }, icon("close", 14));
    remove.addEventListener("click", async () => {
      await history.delete(kept.at);
      deleted(kept.at);
      keep.focus();
    });
    return h("li", {}, show, remove);
  }

  render();
  button.title = page.menu;
}
