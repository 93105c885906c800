// The language of a page, if its declaration is plausible.

/** Tags of the same language. */
const SAME: ReadonlyMap<string, string> = new Map(Object.entries({ nb: "no", nn: "no", iw: "he", in: "id", fil: "tl", hr: "sh", sr: "sh", bs: "sh" }));
const canonical = (tag: string) => SAME.get(tag) ?? tag;

/** Minimum share of letters in the language's script. */
const OWN_SCRIPT = 0.5;

function writes(tag: string, text: string): boolean {
  let { script } = new Intl.Locale(tag).maximize();
  if (script === undefined) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  // Japanese and Korean use several scripts, Serbian and others either of two.
  const own = { Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, Kore: /[\p{Script=Hangul}\p{Script=Han}]/u, Hans: /\p{Script=Han}/u, Hant: /\p{Script=Han}/u }[script] ??
    (/^(sr|uz|az|kk|mn|bs)\b/.test(tag) ? /[\p{Script=Latin}\p{Script=Cyrillic}]/u : new RegExp(`\\p{Script=${script}}`, "u"));
  return letters.length > 0 && letters.filter((letter) => own.test(letter)).length >= OWN_SCRIPT * letters.length;
}

/**
 * The language that a page declares, as a two- or three-letter tag, unless its
 * letters or the browser's language detector contradict it.
 */
export async function plausible(claimed: string, text: string): Promise<string | undefined> {
  const tag = /^([a-z]{2,3})(?:[-_]|$)/i.exec(claimed.trim())?.[1]?.toLowerCase();
  if (!tag || ["und", "mul", "zxx"].includes(tag)) return undefined;
  const sample = text.slice(0, 4000);
  try {
    if (!writes(tag, sample)) return undefined;
    const { isReliable, languages } = await chrome.i18n.detectLanguage(sample);
    const likeliest = languages.reduce((best, one) => (one.percentage > best.percentage ? one : best), { language: "und", percentage: 0 });
    const detected = likeliest.language.split("-")[0]!;
    if (isReliable && detected !== "und" && likeliest.percentage >= 60 && canonical(detected) !== canonical(tag)) return undefined;
  } catch {
    return undefined;
  }
  return tag;
}
