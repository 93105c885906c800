import { elsewhere } from "virtual:elsewhere";
import { MAX_BYTES } from "../documents.ts";
import { bytes as size, list, text as t } from "../strings.ts";
import { type Reading, readFile } from "./files.ts";

/** Timeout without data from a site, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Whether the policy of the page lets it ask an origin. A source is "https:", "https://host" or "https://*.host". */
function allowed({ protocol, host, origin }: URL): boolean {
  return elsewhere.some((source) => {
    if (source === protocol) return true;
    const [, scheme, rest] = /^(\w+:)\/\/\*(\..+)$/.exec(source) ?? [];
    return scheme ? scheme === protocol && host.endsWith(rest!) : source === origin;
  });
}

/** Fetches an address that the reader typed and reads it as a file. The site learns nothing but the address. Throws only the signal's reason. */
export async function readAddress(typed: string, signal: AbortSignal): Promise<Reading> {
  const refuse = (problem: string): Reading => ({ outcomes: [{ name: typed, problem }], left: 0 });
  const given = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !/\.|^localhost$|^\[/.test(url.hostname)) return refuse(t.problems.addressInvalid);
  if (!allowed(url)) return refuse(elsewhere.includes("https:") ? t.problems.addressPlain : t.problems.addressElsewhere(list(elsewhere.map((source) => source.replace(/^\w+:\/\//, "")))));

  // The host may send a stricter policy than the page's: the browser then reports a violation.
  let forbidden = false;
  const violated = (event: SecurityPolicyViolationEvent) => (forbidden ||= event.effectiveDirective === "connect-src");
  document.addEventListener("securitypolicyviolation", violated);
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-cache", signal: AbortSignal.any([signal, late]) });
    if (!response.ok) return refuse(t.problems.addressStatus(response.status));
    const content = await limited(response);
    if (!content) return refuse(t.problems.addressLarge(size(MAX_BYTES)));
    const [type = "", ...rest] = (response.headers.get("content-type") ?? "").toLowerCase().split(";").map((part) => part.trim());
    const charset = rest.find((part) => part.startsWith("charset="))?.slice("charset=".length).replaceAll('"', "");
    const name = decoded(url.pathname.split("/").at(-1)!) || url.hostname;
    return await readFile(new File([content], name, { type }), url.href, { charset, signal });
  } catch {
    signal.throwIfAborted();
    // The violation event comes after the rejection.
    await new Promise((resolve) => setTimeout(resolve));
    return refuse(forbidden ? t.problems.addressForbidden : late.aborted ? t.problems.addressSlow : t.problems.addressRefused);
  } finally {
    document.removeEventListener("securitypolicyviolation", violated);
  }
}

/** The body; undefined if it exceeds the maximum size of a file. */
async function limited(response: Response): Promise<Blob | undefined> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  return new Blob(parts);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
