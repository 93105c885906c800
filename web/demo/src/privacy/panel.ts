// The privacy panel: what was loaded and sent, what is stored for offline use,
// and what the page keeps of the reader's data. Loaded when first opened.

import { encoderFiles } from "virtual:encoder";
import { type CloseReading, isForCloseReading } from "../closely.ts";
import { h, icon } from "../../../common/dom.ts";
import type { Documents } from "../documents.ts";
import type { Keeping } from "../keeping.ts";
import { type Loaded, type LoadedFiles, isOwn, loadedFor } from "../loaded.ts";
import type { Chosen, Offline } from "../offline.ts";
import { bytes, page, text as t } from "../strings.ts";
import { strings } from "../strings/privacy.ts";
import "../styles/privacy.css";

/** What the panel shows and changes. */
export interface PrivacyParts {
  loaded: LoadedFiles;
  offline: Offline;
  closely: CloseReading;
  keeping: Keeping;
  documents: Documents;
}

/** The page's Content-Security-Policy; empty on the development server. */
const policy = document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content ?? "";
/** Other sources that connect-src allows. */
const others = (/connect-src ([^;]*)/.exec(policy)?.[1] ?? "").split(/\s+/).filter((source) => source && source !== "'self'");

/** What is stored on first use and is not for close reading. */
const isOther: Chosen = (file) => !isForCloseReading(file);

/** Whether the request only names a file of the page and can carry no data. */
const plain = ({ url, method }: Loaded): boolean => {
  const { origin, search } = new URL(url);
  // The page's own address may have any query.
  return method === "GET" && origin === location.origin && (search === "" || url === location.href.replace(/#.*$/s, ""));
};

/** Opens the panel as a modal dialog. Resolves when it is closed. */
export function openPrivacy({ loaded, offline, closely, keeping, documents }: PrivacyParts): Promise<void> {
  const s = strings(page.locale);
  const closing = new AbortController();
  const { signal } = closing;
  const close = h("button", { type: "button", class: "icon", "aria-label": s.close, title: s.close }, icon("close", 16));

  const summary = h("p", { class: "fact" });
  const elsewhere = h("p", { class: "fact" });
  const sent = h("p", { class: "fact" });
  const known = h("ul", {});
  const rows = h("tbody", {});
  const files = h(
    "details",
    { class: "files" },
    h("summary", {}, s.files),
    h("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": s.files },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, s.file), h("th", { scope: "col" }, s.size))), rows)),
  );

  const ready = h("p", {});
  const newer = h("p", {}, s.newer);
  const rest = h("p", {});
  const further = storage("offline", isOther, (of) => offline.delete(of));
  const model = storage("closely", isForCloseReading, () => closely.delete());

  const read = h("input", { type: "checkbox", id: "closely-switch", "aria-describedby": "closely-switch-more" });
  const list = h("ul", { id: "closely-files" });
  const reading = h("section", {}, h("h3", {}, s.closelyTitle), h("label", { class: "switch" }, read, h("span", {}, s.closely)), h("p", { class: "small", id: "closely-switch-more" }, s.closelyMore), list, model.element);

  const keep = h("input", { type: "checkbox", id: "keep", "aria-describedby": "keep-more" });
  const keepMore = h("p", { class: "small", id: "keep-more", role: "status" });
  const here = h("button", { type: "button", id: "keep-here" }, s.keepHere);

  const title = h("h2", { id: "privacy-title" }, s.title);
  const dialog = h(
    "dialog",
    { id: "privacy-panel", class: "panel", "aria-labelledby": "privacy-title" },
    h("div", { class: "panel-head" }, title, close),
    h("section", {}, h("h3", {}, s.loadedTitle), summary, elsewhere, sent, h("p", { class: "known" }, s.known), known, files),
    h("section", {}, h("h3", {}, s.offlineTitle), ready, newer, rest, further.element),
    reading,
    h("section", {}, h("h3", {}, s.keepTitle), h("label", { class: "switch" }, keep, h("span", {}, s.keep)), keepMore, here),
  );

  /** Whether the host, or the service worker, sends the policy with every file, so that it applies to workers too. */
  let bound = false;

  function renderLoaded(): void {
    const all = loadedFor(loaded, offline.parts);
    const own = all.filter(isOwn);
    const foreign = all.filter((one) => !own.includes(one));
    summary.textContent = s.loaded(own.length, own.reduce((n, one) => n + one.bytes, 0), location.host);
    elsewhere.hidden = foreign.length === 0;
    elsewhere.textContent = s.elsewhere(foreign.length, [...new Set(foreign.map(({ url }) => new URL(url).host))]);
    sent.textContent = s.sent;
    const odd = all.filter((one) => !plain(one));
    const rule = h("li", {}, others.length > 0 ? s.ruleWide(others.map((source) => (source === "https:" ? s.anySite : source))) : s.rule, h("code", { dir: "ltr" }, policy));
    known.replaceChildren(
      h("li", {}, odd.length === 0 ? s.plain : s.odd(odd.length)),
      ...(policy ? [rule, h("li", {}, bound ? s.bound : s.unbound)] : []),
      ...(loaded.refused > 0 ? [h("li", {}, s.refused(loaded.refused))] : []),
      h("li", {}, s.attempt),
      h("li", {}, loaded.complete ? s.complete : s.blind),
    );
    rows.replaceChildren(...all.map((one) => {
      const { pathname, origin, search } = new URL(one.url);
      const path = origin === location.origin ? pathname.slice(new URL(document.baseURI).pathname.lastIndexOf("/") + 1) || "./" : one.url;
      const name = `${one.method === "GET" ? "" : `${one.method} `}${origin === location.origin ? path + search : path}`;
      return h("tr", { class: plain(one) ? undefined : "odd" }, h("td", { dir: "ltr" }, name), h("td", {}, one.bytes > 0 ? bytes(one.bytes) : "–"));
    }));
  }

  /** Buttons that store files for later use and delete them. */
  function storage(name: string, of: Chosen, remove: (of: Chosen) => Promise<void>): { element: HTMLElement; render(): void; missing(): number } {
    const progress = h("p", { class: "small", role: "status" });
    const bar = h("progress", { max: "1", "aria-label": s.storing });
    const get = h("button", { type: "button", id: `${name}-get` });
    const stop = h("button", { type: "button", id: `${name}-stop` }, page.cancel);
    const drop = h("button", { type: "button", id: `${name}-delete` });
    const sum = (stored: boolean) => offline.parts.later.filter((one) => one.stored === stored && of(one)).reduce((n, one) => n + one.bytes, 0);
    get.addEventListener("click", () => void offline.get(of));
    stop.addEventListener("click", () => offline.cancel());
    drop.addEventListener("click", () => void remove(of));
    return {
      element: h("div", { class: "row" }, get, bar, progress, stop, drop),
      missing: () => sum(false),
      render() {
        const { state, running, failed } = offline;
        const [missing, there] = [sum(false), sum(true)];
        const mine = running?.of === of ? running : undefined;
        const buttons = [get, stop, drop];
        const focused = buttons.find((button) => button === document.activeElement);
        get.hidden = state !== "ready" || missing === 0 || running !== undefined;
        drop.hidden = state !== "ready" || there === 0 || running !== undefined;
        stop.hidden = bar.hidden = mine === undefined;
        get.textContent = s.get(missing);
        drop.textContent = s.drop(there);
        if (mine) bar.value = mine.total > 0 ? mine.loaded / mine.total : 0;
        progress.textContent = mine ? s.progress(mine.loaded, mine.total) : failed?.of === of ? s.failed[failed.why] : "";
        if (focused?.hidden) (buttons.find((button) => !button.hidden) ?? close).focus();
      },
    };
  }

  function renderOffline(): void {
    const { state, parts } = offline;
    ready.textContent = state === "ready" ? s.ready(parts.program.reduce((n, one) => n + one.bytes, 0)) : s[state];
    newer.hidden = !offline.newer;
    rest.hidden = state !== "ready" || parts.later.length === 0;
    rest.textContent = further.missing() > 0 ? s.rest : s.whole;
    further.render();
    renderClosely();
  }

  function renderClosely(): void {
    reading.hidden = encoderFiles.length === 0;
    read.checked = closely.wanted;
    list.replaceChildren(...encoderFiles.map(([path, size]) => {
      const { href } = new URL(path, document.baseURI);
      const stored = offline.parts.later.some((one) => one.address === href && one.stored);
      return h("li", {}, h("span", { dir: "ltr" }, path), `, ${bytes(size)}${stored ? `, ${s.stored}` : ""}`);
    }));
    model.render();
  }

  function renderKeeping(): void {
    const { state } = keeping;
    keep.checked = state === "on" || state === "full" || state === "elsewhere";
    keepMore.textContent = state === "off" ? s.keepMore : state === "on" ? s.kept(documents.list.length) : t.keep[state];
    const focused = here === document.activeElement;
    here.hidden = state !== "elsewhere";
    if (focused && here.hidden) keep.focus();
  }

  loaded.addEventListener("change", renderLoaded, { signal });
  offline.addEventListener("change", () => {
    renderOffline();
    // Too frequent while a download is running.
    if (!offline.running) renderLoaded();
  }, { signal });
  keeping.addEventListener("change", renderKeeping, { signal });
  documents.addEventListener("change", renderKeeping, { signal });
  closely.addEventListener("change", renderClosely, { signal });
  read.addEventListener("change", () => (read.checked ? closely.agree() : closely.refuse()));
  keep.addEventListener("change", () => void keeping.turn(keep.checked).then(renderKeeping));
  here.addEventListener("click", () => void keeping.here());
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  renderLoaded();
  renderOffline();
  renderKeeping();
  document.body.append(dialog);
  dialog.showModal();
  void offline.refresh();
  // Workers started before the page was stored have only the policy that the host sends; sw.js always comes from the host.
  void fetch(loaded.complete ? "./early.js" : "./sw.js").then(({ headers }) => {
    bound = (headers.get("content-security-policy") ?? "").includes("connect-src");
    renderLoaded();
  }).catch(() => undefined);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      closing.abort();
      dialog.remove();
      resolve();
    });
  });
}
