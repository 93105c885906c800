// What the reader has let the extension see, asking for more, giving it back.

import { forbidden, type TabInfo } from "./list.ts";

/** The match pattern of a page's host, which is what can be asked for. Browsers do not agree on ports in patterns: there are none. */
export function pattern(url: string): string | undefined {
  if (forbidden(url) !== undefined || !URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** Whether scripts may run in a tab now, because the reader called the extension up in it (activeTab). */
async function invited(tabId: number): Promise<boolean> {
  // A refusal comes at once; a tab that is busy and does not answer was no refusal.
  const patience = new Promise<boolean>((done) => setTimeout(done, 200, true));
  const probe = chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, func: () => true });
  return Promise.race([patience, probe.then(() => true, (error: unknown) => !refused(error))]);
}

/** Whether a script was kept out for want of a permission, and not because the tab has gone or shows an error. */
export const refused = (error: unknown): boolean => /cannot access|must request permission|missing host permission|cannot be scripted/i.test(String(error));

/** The patterns of the origins that have to be asked for before these tabs can be read, each once. */
export async function missing(tabs: readonly TabInfo[]): Promise<string[]> {
  const wanted = await Promise.all(
    tabs.map(async ({ id, url }) => {
      const origin = pattern(url);
      if (!origin || (await chrome.permissions.contains({ origins: [origin] })) || (await invited(id))) return undefined;
      return origin;
    }),
  );
  return [...new Set(wanted.filter((origin) => origin !== undefined))];
}

/**
 * Asks for titles of tabs, origins, or both, in one prompt. Has to be the first
 * thing that a click's handler waits for. False where the reader refuses.
 */
export function ask({ titles = false, origins = [] }: { titles?: boolean; origins?: readonly string[] }): Promise<boolean> {
  if (!titles && origins.length === 0) return Promise.resolve(true);
  return chrome.permissions.request({ permissions: titles ? ["tabs"] : [], origins: [...origins] }).catch(() => false);
}

/** What was granted beyond what the extension was installed with. */
export async function granted(): Promise<{ titles: boolean; origins: string[] }> {
  const { permissions, origins } = await chrome.permissions.getAll();
  return { titles: permissions?.includes("tabs") ?? false, origins: origins ?? [] };
}

/** Gives back what is named, or everything that was granted. */
export async function giveBack(what?: { titles?: boolean; origins?: readonly string[] }): Promise<void> {
  const { titles, origins } = what ?? (await granted());
  // One by one: a browser refuses the whole lot for one that it cannot take back.
  const parts: chrome.permissions.Permissions[] = (origins ?? []).map((origin) => ({ origins: [origin] }));
  if (titles) parts.push({ permissions: ["tabs"] });
  for (const part of parts) await chrome.permissions.remove(part).catch(() => false);
}
