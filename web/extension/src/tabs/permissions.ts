// Permissions: granted ones, requests, revocation.

import { forbidden, type TabInfo } from "./list.ts";

/** The match pattern of a page's host, for permission requests. It has no port, since browsers treat ports in patterns differently. */
export function pattern(url: string): string | undefined {
  if (forbidden(url) !== undefined || !URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** Whether scripts may run in a tab now because the reader invoked the extension in it (activeTab). */
async function invited(tabId: number): Promise<boolean> {
  // A refusal comes at once; a busy tab that does not answer has not refused.
  const patience = new Promise<boolean>((done) => setTimeout(done, 200, true));
  const probe = chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, func: () => true });
  return Promise.race([patience, probe.then(() => true, (error: unknown) => !refused(error))]);
}

/** Whether a script was blocked by a missing permission, not because the tab is gone or shows an error. */
export const refused = (error: unknown): boolean => /cannot access|must request permission|missing host permission|cannot be scripted/i.test(String(error));

/** The origin patterns to request before these tabs can be read, without duplicates. */
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
 * Requests tab titles, origins, or both, in one prompt. Must be the first await
 * in a click handler. False if the reader refuses.
 */
export function ask({ titles = false, origins = [] }: { titles?: boolean; origins?: readonly string[] }): Promise<boolean> {
  if (!titles && origins.length === 0) return Promise.resolve(true);
  return chrome.permissions.request({ permissions: titles ? ["tabs"] : [], origins: [...origins] }).catch(() => false);
}

/** The permissions granted since installation. */
export async function granted(): Promise<{ titles: boolean; origins: string[] }> {
  const { permissions, origins } = await chrome.permissions.getAll();
  return { titles: permissions?.includes("tabs") ?? false, origins: origins ?? [] };
}

/** Revokes the given permissions, or all that were granted. */
export async function giveBack(what?: { titles?: boolean; origins?: readonly string[] }): Promise<void> {
  const { titles, origins } = what ?? (await granted());
  // One by one: a browser rejects the entire call if it cannot remove one of them.
  const parts: chrome.permissions.Permissions[] = (origins ?? []).map((origin) => ({ origins: [origin] }));
  if (titles) parts.push({ permissions: ["tabs"] });
  for (const part of parts) await chrome.permissions.remove(part).catch(() => false);
}
