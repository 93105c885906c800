// The panel: what to summarize, the summary, and the state between two sessions.

import { onRequest, type PanelRequest } from "../requests.ts";
import { page, text as t } from "../strings.ts";
import { type Reason, type TabInfo, TabList, describe, withoutHash } from "../tabs/list.ts";
import { ask, missing, pattern } from "../tabs/permissions.ts";
import { wake } from "../tabs/show.ts";
import { newsOf } from "../work/news.ts";
import { History, empty, load, save } from "../work/storage.ts";
import { type LeftOut, SCOPES, type Scope } from "../work/summary.ts";
import { Work } from "../work/work.ts";
import { mountControls } from "./controls.ts";
import { byId, h } from "../../../common/dom.ts";
import { languagesOf } from "../../../common/whose.ts";
import { favicon, toast } from "./dom.ts";
import { mountDrawer } from "./drawer.ts";
import { mountSummary } from "./summary.ts";
import { type TabsHooks, canTick, mountTabs } from "./tabs.ts";

const root = document.documentElement;
root.lang = page.locale;
document.title = page.title;
for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) element.textContent = page[element.dataset["text"] as keyof typeof page];
for (const element of document.querySelectorAll<HTMLElement>("[data-label]")) element.setAttribute("aria-label", page[element.dataset["label"] as keyof typeof page]);

const { id: windowId = -1, incognito } = await chrome.windows.getCurrent();
const self = await chrome.tabs.getCurrent().catch(() => undefined);
const list = new TabList();
const history = new History(incognito);
const work = new Work();
await Promise.all([list.refresh().catch(() => undefined), history.open()]);
// Settings are not stored on their own: a new session takes those of the newest saved summary.
const state = await load(windowId, history.list[0]?.settings);
const off = new Set(state.off);
let scope: Scope = state.scope;
/** The tab named by a request, and the selection that came with it. */
let requested: { tabId: number; text: string | undefined; from: string | undefined } | undefined;
/** Origins to request before these tabs can be read; known in advance so that a click need not wait. */
let wanted: string[] = [];
/** The patterns that `wanted` was filtered from. */
let checked: ReadonlySet<string> = new Set();
/** The message about what the reader just refused. */
let refusal = "";

/** All tabs except the panel itself, when it is open in a tab. */
const tabs = (): TabInfo[] => list.list.filter(({ id }) => id !== self?.id);

/** The tab that was active before the panel, when the panel is open in a tab. */
let before: TabInfo | undefined = self && await chrome.tabs.query({ currentWindow: true })
  .then((all) => all.filter(({ id }) => id !== self.id).sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0])
  .then((last) => last && describe(last));
const target = (): TabInfo | undefined => tabs().find(({ id }) => id === requested?.tabId) ?? tabs().find(({ active }) => active) ?? before;

const hooks: TabsHooks = { tabs, off, changed: () => changed(), act, group };
const view = mountTabs(work, hooks);
const summary = mountSummary(work, { act: (name, out) => void actOn(name, out), news: (made) => newsOf(made, history.list), viewed: () => remember() });
let later: ReturnType<typeof setTimeout> | undefined;
const controls = mountControls((delay) => {
  remember();
  clearTimeout(later);
  // New settings apply at once to a finished summary, and restart one in progress.
  if (work.ready) later = setTimeout(() => void work.again(controls.settings()), delay);
});
byId("question").addEventListener("keydown", ({ key, isComposing }) => {
  // A question before the first summary: Enter asks for it.
  if (key === "Enter" && !isComposing && !work.ready && !work.job) byId("summarize").click();
});
mountDrawer(history, {
  open: (kept) => summary.show(kept),
  deleted: () => summary.show(undefined),
  gaveBack: () => {
    work.forget();
    forgetLate();
    void list.refresh();
    changed();
  },
  current: () => (work.progress ? undefined : work.summary),
});

for (const one of SCOPES) {
  byId(`scope-${one}`).addEventListener("click", () => {
    scope = one;
    requested = undefined;
    refusal = "";
    changed();
    // The toolbar button may have granted access to the active page meanwhile; no event reports that.
    list.refresh().catch(() => undefined);
  });
}
byId("show-tabs").addEventListener("click", async () => {
  const allowed = await ask({ titles: true });
  refusal = allowed ? "" : t.refusedTitles;
  await list.refresh();
  changed();
});
byId("summarize").addEventListener("click", () => void summarize());

async function summarize(): Promise<void> {
  summary.show(undefined);
  const some = scope === "tabs" ? view.ticked() : [target()].filter((tab) => tab !== undefined);
  if (some.length === 0) return;
  const origins = toAsk(some);
  refusal = "";
  // Must be the first await: the browser prompts only in response to a click.
  if (origins.length > 0 && !(await ask({ origins }))) {
    const still = new Set(origins);
    if (some.every(({ url }) => url !== "" && still.has(pattern(url) ?? ""))) {
      refusal = t.refusedSites;
      changed();
      return;
    }
    refusal = t.refusedSome;
  }
  await begin(some);
}

/** Origins to request. It is not known yet whether those of newly ticked tabs are granted; requesting granted ones again does no harm. */
function toAsk(some: readonly TabInfo[]): string[] {
  const patterns = some.map(({ url }) => pattern(url)).filter((one) => one !== undefined);
  return [...new Set(patterns.filter((one) => wanted.includes(one) || !checked.has(one)))];
}

async function begin(some: readonly TabInfo[]): Promise<void> {
  byId<HTMLDetailsElement>("tabs").open = false;
  forgetLate();
  const mine = begun;
  const job = work.start({ scope, tabs: some, settings: controls.settings(), text: requested?.text, from: requested?.from });
  remember();
  byId("summary").scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  await job;
  if (mine === begun && work.summary?.scope === "tabs") {
    const out = new Set(work.summary.out.filter(({ reason }) => LATE.has(reason)).map(({ tabId }) => tabId));
    for (const { id, url, problem } of some) if ((out.has(id) || problem === "loading") && !work.texts.some(({ tab }) => tab.id === id)) awaited.set(id, withoutHash(url));
  }
  if (work.summary && !work.problem) await history.keep(work.summary);
  changed();
  void join();
}

/** Ticked tabs that had not loaded when the summary was made, by their ids, with the addresses they had: a tab that shows another page by then was not ticked for it. */
const awaited = new Map<number, string>();
/** Why a ticked tab may be read later. */
const LATE: ReadonlySet<Reason> = new Set(["loading", "discarded", "frozen", "slow"]);
/** Counts the summaries begun and forgotten: only the latest one awaits tabs. */
let begun = 0;

function forgetLate(): void {
  begun++;
  awaited.clear();
}

/** Tabs that have loaded since join the summary, once each. */
async function join(): Promise<void> {
  if (work.progress || !work.ready) return;
  const loaded = tabs().filter(({ id, problem }) => awaited.has(id) && problem === undefined);
  const some = loaded.filter(({ id, url }) => url !== "" && awaited.get(id) === withoutHash(url) && !off.has(id));
  for (const { id } of loaded) awaited.delete(id);
  if (some.length === 0) return;
  for (const { id } of some) work.clearRefusal(id);
  const settings = controls.settings();
  await work.join(some, settings);
  const read = some.filter(({ id }) => work.summary?.tabs.some(({ tabId }) => tabId === id));
  if (read.length > 0) toast(t.joined(read.length, read[0]!.title || t.untitled));
  if (work.summary && !work.problem) await history.keep(work.summary);
  changed();
  // Until the texts are in the summary, other settings do not apply at once.
  if (!work.progress && JSON.stringify(controls.settings()) !== JSON.stringify(settings)) void work.again(controls.settings());
}

async function group(): Promise<void> {
  const some = view.ticked();
  const origins = toAsk(some);
  refusal = "";
  if (origins.length > 0 && !(await ask({ origins }))) refusal = t.refusedSites;
  else await work.group(some);
  changed();
}

function act(name: Parameters<TabsHooks["act"]>[0], tab: TabInfo): void {
  void doAct(name, tab.id, tab.url);
}

/** The same for a tab that was left out; then the summary is made again with it. */
async function actOn(name: Parameters<TabsHooks["act"]>[0], out: LeftOut): Promise<void> {
  if (!(await doAct(name, out.tabId, out.url))) return;
  const ids = new Set([...work.texts.map(({ tab }) => tab.id), ...(work.summary?.out ?? []).map(({ tabId }) => tabId), out.tabId]);
  const some = scope === "tabs" ? tabs().filter(({ id }) => ids.has(id)) : [target()].filter((tab) => tab !== undefined);
  await begin(some);
}

async function doAct(name: Parameters<TabsHooks["act"]>[0], id: number, url: string): Promise<boolean> {
  const origin = pattern(url);
  if (name === "allow") {
    if (!origin) {
      toast(t.problems.callUp);
      return false;
    }
    if (!(await ask({ origins: [origin] }))) return false;
  } else if (name === "wake") {
    await wake(id).catch(() => undefined);
  } else if (name === "reload") {
    work.reload(id);
  }
  work.clearRefusal(id);
  await list.refresh();
  off.delete(id);
  changed();
  return true;
}

/** Updates the origins to request; only the latest answer counts. */
let look = 0;
async function lookForMissing(): Promise<void> {
  const mine = ++look;
  const some = scope === "tabs" ? (list.titles ? view.ticked() : []) : [target()].filter((tab) => tab !== undefined);
  const found = await missing(some).catch(() => []);
  if (mine !== look) return;
  wanted = found;
  checked = new Set(some.map(({ url }) => pattern(url)).filter((one) => one !== undefined));
  renderAct();
}

let lookLater: ReturnType<typeof setTimeout> | undefined;
function changed(): void {
  render();
  remember();
  clearTimeout(lookLater);
  lookLater = setTimeout(() => void lookForMissing(), 150);
}

function render(): void {
  const active = tabs().find((tab) => tab.active);
  if (active) before = active;
  for (const one of SCOPES) byId(`scope-${one}`).setAttribute("aria-pressed", String(one === scope));
  const listed = scope === "tabs" && list.titles;
  byId("why").hidden = scope !== "tabs" || list.titles;
  byId("tabs").hidden = !listed;
  byId("page").hidden = scope === "tabs";
  byId("controls").hidden = scope === "tabs" && !list.titles;
  if (listed) view.render();
  if (scope !== "tabs") renderPage();
  renderAct();
  summary.render();
}

function renderPage(): void {
  const tab = target();
  byId("page").replaceChildren(
    ...(tab ? [h("p", { class: "one-tab" }, favicon(tab.favicon), h("span", { class: "tab-text" },
      h("span", { class: "tab-title", dir: "auto" }, tab.title || page.scopePage), tab.host ? h("span", { class: "small" }, tab.host) : undefined))] : []),
    h("p", { class: "small" }, tab ? (scope === "page" ? page.pageMore : page.selectionMore) : t.problems.noPage),
  );
}

function renderAct(): void {
  const button = byId<HTMLButtonElement>("summarize");
  const n = scope === "tabs" ? view.ticked().length : target() ? 1 : 0;
  byId("act").hidden = scope === "tabs" && !list.titles && refusal === "";
  button.hidden = scope === "tabs" && !list.titles;
  button.disabled = n === 0;
  button.textContent = scope === "tabs" ? t.summarizeTabs(n) : scope === "page" ? t.summarizePage : t.summarizeSelection;
  const asks = byId("asks");
  asks.hidden = wanted.length === 0 || n === 0;
  asks.textContent = t.asks(wanted.length);
  const refused = byId("refused");
  refused.hidden = refusal === "";
  refused.textContent = refusal;
}

let writing: ReturnType<typeof setTimeout> | undefined;
function remember(): void {
  clearTimeout(writing);
  writing = setTimeout(write, 150);
}
function write(): void {
  clearTimeout(writing);
  const { job } = work;
  const open = new Set(list.list.map(({ id }) => id));
  void save(windowId, {
    ...empty(),
    scope,
    off: [...off].filter((id) => open.has(id)),
    settings: controls.settings(),
    text: summary.text(),
    summary: work.summary,
    texts: work.ready ? [...work.texts] : undefined,
    // If only the comparison of tabs is still running, the summary is done.
    running: job && !work.settled ? { scope: job.scope, tabIds: job.tabs.map(({ id }) => id), text: job.text, from: job.from } : undefined,
    groups: [...work.groups],
  });
}
addEventListener("pagehide", write);

async function take({ kind, tabId, text, from }: PanelRequest): Promise<void> {
  scope = kind;
  requested = kind === "tabs" ? undefined : { tabId, text, from };
  refusal = "";
  forgetLate();
  summary.show(undefined);
  await list.refresh().catch(() => undefined);
  // Tabs that the reader has selected in the tab bar are the ones meant.
  const picked = tabs().filter((tab) => tab.picked && canTick(tab));
  if (kind === "tabs" && picked.length > 1) view.only(picked);
  else changed();
  if (kind === "tabs") return;
  // A request for a page needs no further input.
  const tab = tabs().find(({ id }) => id === tabId) ?? (await chrome.tabs.get(tabId).then(describe, () => undefined));
  if (tab) await begin([tab]);
}

controls.set(state.settings);
summary.setText(state.text);
work.restore(state);
controls.speak(languagesOf(work.summary?.tabs ?? []));
work.addEventListener("change", () => {
  controls.speak(languagesOf(work.summary?.tabs ?? []));
  summary.render();
  if (scope === "tabs" && list.titles) view.render();
  remember();
});
list.addEventListener("change", () => {
  changed();
  void join();
});
if (work.summary) byId<HTMLDetailsElement>("tabs").open = false;
render();
changed();
root.classList.remove("waiting");

// Start the summarizer while the reader selects tabs.
const several = () => list.titles && view.ticked().length > 1;
setTimeout(() => {
  work.warm({ encoder: several() });
  work.methods().then(controls.offer, () => undefined);
}, 0);
list.addEventListener("change", () => work.warm({ encoder: several() }));

if (state.running) {
  // The panel was closed meanwhile.
  const { running } = state;
  scope = running.scope;
  requested = scope === "selection" ? { tabId: running.tabIds[0]!, text: running.text, from: running.from } : undefined;
  const some = tabs().filter(({ id }) => running.tabIds.includes(id));
  if (some.length > 0) void begin(some);
}
onRequest((request) => void take(request), () => void list.refresh().catch(() => undefined));
