// The list of the window's tabs, with check boxes; grouped by topic once they have
// been read, with the reason for those that cannot be read.

import type { Reason, TabInfo } from "../tabs/list.ts";
import { number, page, text as t } from "../strings.ts";
import { minutes as minutesOf } from "../work/summary.ts";
import type { Group } from "../work/read-tabs.ts";
import { shortTitle } from "../work/topics.ts";
import type { Work } from "../work/work.ts";
import { byId, h } from "../../../common/dom.ts";
import { favicon, keepingFocus } from "./dom.ts";

/** Why a tab cannot be selected at present. */
const CLOSED: ReadonlySet<Reason> = new Set(["restricted", "store", "file", "extension", "discarded", "frozen"]);

type Act = keyof typeof t.acts;
const ACTS: Partial<Record<Reason, Act>> = { discarded: "wake", permission: "allow", "pdf-uncached": "reload", slow: "retry", loading: "retry", gone: "retry", "error-page": "retry", status: "retry" };

export const actFor = (reason: Reason): Act | undefined => ACTS[reason];

export interface TabsView {
  /** The tabs to summarize. */
  ticked(): TabInfo[];
  /** Ticks these tabs and no others. */
  only(some: readonly TabInfo[]): void;
  render(): void;
}

export interface TabsHooks {
  tabs(): readonly TabInfo[];
  /** Ids of tabs that are not selected. */
  off: Set<number>;
  changed(): void;
  act(act: Act, tab: TabInfo): void;
  group(): void;
}

export const canTick = (tab: TabInfo): boolean => tab.problem === undefined || !CLOSED.has(tab.problem);

export function mountTabs(work: Work, { tabs, off, changed, act, group }: TabsHooks): TabsView {
  const list = byId("tab-list");
  const count = byId("ticked");
  const ticked = () => tabs().filter((tab) => canTick(tab) && !off.has(tab.id));

  const tick = (some: readonly TabInfo[], on: boolean) => {
    for (const { id } of some) on ? off.delete(id) : off.add(id);
    changed();
  };
  const only = (some: readonly TabInfo[]) => {
    const ids = new Set(some.map(({ id }) => id));
    for (const { id } of tabs()) ids.has(id) ? off.delete(id) : off.add(id);
    changed();
  };
  byId("all").addEventListener("click", () => tick(tabs(), true));
  byId("none").addEventListener("click", () => tick(tabs(), false));
  byId("group").addEventListener("click", group);

  /** Key of the rendered list. */
  let made = "";

  function render(): void {
    const all = tabs();
    // Rendering while a button is held down would lose the click.
    const now = JSON.stringify([all, [...off], work.groups, all.map((tab) => [work.reading(tab)?.words, work.refused(tab)?.reason]), work.progress === undefined]);
    if (now === made) return;
    made = now;
    const open = all.filter(canTick);
    renderPicks(open);
    count.textContent = t.ticked(ticked().length, open.length);
    byId<HTMLButtonElement>("group").disabled = ticked().length < 2 || work.progress !== undefined;
    const groups = work.groups
      .map(({ name, tabs: members }) => ({ name, members: all.filter((tab) => members.some(({ tabId, url }) => tabId === tab.id && url === tab.url)) }))
      .filter(({ members }) => members.length > 1);
    const grouped = new Set(groups.flatMap(({ members }) => members));
    const rest = all.filter((tab) => !grouped.has(tab));
    keepingFocus(list, () => list.replaceChildren(
      ...groups.map((one, i) => section(one, i)),
      ...(rest.length > 0 ? [h("div", { class: "group" }, groups.length > 0 ? h("h2", { class: "group-name" }, t.otherTabs) : undefined, h("ul", { class: "tab-rows" }, ...rest.map(row)))] : []),
    ));
  }

  /** Buttons for the tabs that the reader has selected in the tab bar, and for tab groups. */
  function renderPicks(open: readonly TabInfo[]): void {
    const picked = open.filter((tab) => tab.picked);
    const groups = [...new Set(open.map(({ group }) => group))].filter((id) => id !== undefined);
    const inGroups = groups.map((id) => ({ id, some: open.filter(({ group }) => group === id) }));
    const picks = [
      ...(picked.length > 1 ? [{ id: "pick-selected", label: t.pickSelected(picked.length), some: picked }] : []),
      ...inGroups.filter(({ some }) => some.length > 1).map(({ id, some }) => ({ id: `pick-${id}`, label: t.pickGroup(shortTitle(some[0]!.title || t.untitled), some.length), some })),
    ];
    const box = byId("picks");
    box.hidden = picks.length === 0;
    keepingFocus(box, () => box.replaceChildren(...picks.map(({ id, label, some }) => {
      const pick = h("button", { type: "button", id, class: "quiet", dir: "auto" }, label);
      pick.addEventListener("click", () => only(some));
      return pick;
    })));
  }

  function section({ name, members }: { name: Group["name"]; members: TabInfo[] }, i: number): HTMLElement {
    const box = h("input", { type: "checkbox", id: `group-${i}`, "aria-label": t.tickGroup(name, members.length) });
    const on = members.filter(({ id }) => !off.has(id)).length;
    box.checked = on === members.length;
    box.indeterminate = on > 0 && on < members.length;
    box.addEventListener("change", () => tick(members, box.checked));
    return h("div", { class: "group" },
      h("div", { class: "group-head" }, box, h("h2", { class: "group-name", dir: "auto" }, name), h("span", { class: "small" }, number(members.length))),
      h("ul", { class: "tab-rows" }, ...members.map(row)));
  }

  function row(tab: TabInfo): HTMLElement {
    const refused = work.refused(tab);
    const reason = tab.problem ?? refused?.reason;
    const title = tab.title || t.untitled;
    const reading = work.reading(tab);
    const box = h("input", { type: "checkbox", id: `tab-${tab.id}`, "aria-label": t.tick(title) });
    box.checked = canTick(tab) && !off.has(tab.id);
    box.disabled = !canTick(tab);
    box.addEventListener("change", () => tick([tab], box.checked));
    const line = [tab.host, reading ? t.reading(minutesOf(reading.words)) : ""].filter(Boolean).join(" · ");
    return h("li", { class: `tab${tab.active ? " here" : ""}${canTick(tab) ? "" : " closed"}`, "data-tab": String(tab.id) },
      h("label", { class: "tab-label" }, box, favicon(tab.favicon), h("span", { class: "tab-text" },
        h("span", { class: "tab-title", dir: "auto", title: tab.title || undefined }, title),
        h("span", { class: "small tab-line" }, line))),
      reason ? problemLine(reason, tab) : undefined);
  }

  function problemLine(reason: Reason, tab: TabInfo): HTMLElement {
    const act_ = actFor(reason);
    return h("p", { class: "tab-problem small" }, h("span", {}, t.reasons[reason]), act_ ? " " : undefined, act_ ? button(act_, tab) : undefined);
  }

  function button(name: Act, tab: TabInfo): HTMLButtonElement {
    const made = h("button", { type: "button", class: "inline", id: `act-${tab.id}`, "aria-label": `${t.acts[name]}: ${tab.title || t.untitled}` }, t.acts[name]);
    made.addEventListener("click", () => act(name, tab));
    return made;
  }

  byId("tabs").querySelector("summary")!.setAttribute("title", page.scopeTabs);
  return { ticked, only, render };
}
