// The words of a sentence that answer a question: those that it shares with the
// question, whatever their endings, without function words.

export interface Found { start: number; end: number }

/** Function words and question words by language. Words of other languages are all looked for. */
const FUNCTION_WORDS = new Map(Object.entries({
  en: "a about after all also an and any are as at be been before but by can could did do does for from had has have he her his how i if in into is it its me more most my no not of on or our out over she should so some tell than that the their them then there these they this those to under up was we were what when where which who whom whose why will with would you your",
  es: "a al algo ante antes como cómo con cual cuál cuales cuáles cuando cuándo cuanto cuánto cuantos cuántos de del desde donde dónde e el él ella ellas ellos en entre era es esa ese eso esta está están este esto fue fueron ha han hasta hay la las le les lo los más me mi muy ni no o para pero por porque que qué quien quién quienes quiénes se según ser si sí sin sobre son su sus también un una unas uno unos y ya",
  fr: "a à afin ai au aux avait avant avec ce ces cet cette comme comment d dans de des du elle elles en est et était été être eu il ils j je l la le les leur leurs lui mais me mes moi mon n ne nous on ont ou où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur ta tes toi ton tu un une vos votre vous y",
  pt: "a à ao aos as às até com como da das de dela dele depois do dos e é ela elas ele eles em entre era está estão eu foi foram há isso isto já lhe mais mas me muito na não nas nem no nos o onde os ou para pela pelas pelo pelos por porque porquê qual quais quando quanto quantos que quê quem se sem ser seu seus sobre são sua suas também tem um uma umas uns",
  de: "aber als am an auch auf aus bei bis da das dass dem den der des die durch ein eine einem einen einer eines er es für hat hatte ich ihr im in ins ist ist kann man mehr mit nach nicht noch nur ob oder sich sie sind so über um und uns unter vom von vor war waren warum was welche welcher welches wem wen wenn wer werden wie wieso wir wird wo wurde wurden zu zum zur",
  it: "a ad ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è era gli ha hanno i il in io la le lo loro ma mi nei nel nella non o per perché più quale quali quando quanto quanti quella quello questa questo se si sono su sua sue suo sul sulla tra un una uno",
}));

const segmenter = "Segmenter" in Intl ? new Intl.Segmenter(undefined, { granularity: "word" }) : undefined;

/** The words of a text with their places. */
function* words(text: string): Generator<Found & { word: string }> {
  if (segmenter) {
    for (const { segment, index, isWordLike } of segmenter.segment(text)) {
      if (!isWordLike) continue;
      // "l’eau" is one segment.
      for (const { 0: part, index: at } of segment.matchAll(/[^'’]+/g)) yield { word: fold(part), start: index + at, end: index + at + part.length };
    }
    return;
  }
  for (const { 0: part, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) yield { word: fold(part), start: index, end: index + part.length };
}

const fold = (word: string): string => word.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

/** Whether two folded words differ in their endings at most: "repair" and "repaired". */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  if (/\p{N}/u.test(a + b)) return false;
  const longest = Math.max(a.length, b.length);
  let same = 0;
  while (same < longest && a[same] === b[same]) same++;
  return same >= Math.max(3, 0.6 * longest) && longest - same <= 3 && (same >= 4 || longest - same <= 1);
}

/** Finds the words of a question in texts; `languages` are those of the texts and of the question. */
export function askedWords(question: string, languages: Iterable<string>): (text: string) => Found[] {
  const common = new Set([...languages].flatMap((tag) => (FUNCTION_WORDS.get(tag.split("-")[0]!.toLowerCase()) ?? "").split(" ").map(fold)));
  const wanted = [...new Set([...words(question)].map(({ word }) => word))].filter((word) => word !== "" && !common.has(word));
  return (text) => {
    const found: Found[] = [];
    if (wanted.length === 0) return found;
    for (const { word, start, end } of words(text)) {
      if (common.has(word) || !wanted.some((one) => alike(one, word))) continue;
      const last = found.at(-1);
      // Neighbours are marked together.
      if (last && text.slice(last.end, start) === " ") last.end = end;
      else found.push({ start, end });
    }
    return found;
  };
}

/** The languages of which a question has the most function words; none if it has none of any. */
function languagesOf(question: string): string[] {
  const asked = [...words(question)].map(({ word }) => word);
  const counts = [...FUNCTION_WORDS].map(([language, common]) => {
    const all = new Set(common.split(" ").map(fold));
    return { language, n: asked.filter((word) => all.has(word)).length };
  });
  const most = Math.max(...counts.map(({ n }) => n));
  return most > 0 ? counts.filter(({ n }) => n === most).map(({ language }) => language) : [];
}

/**
 * Whether some quotes are in a language that is not the question's, so that they may
 * answer it in other words. If the question does not tell its language, it is that of
 * the quotes that have words of it, or else `locale`, the page's.
 */
export function othersAsked(question: string, quotes: readonly { language: string; found: boolean }[], locale: string): boolean {
  let own = languagesOf(question);
  if (own.length === 0) own = quotes.filter(({ found }) => found).map(({ language }) => language);
  if (own.length === 0) own = [locale];
  const base = (tag: string) => tag.split("-")[0]!.toLowerCase();
  const all = new Set(own.map(base));
  return quotes.some(({ language }) => language !== "" && !all.has(base(language)));
}

/** The text with what was found in <mark>. */
export function marked(text: string, found: readonly Found[]): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let from = 0;
  for (const { start, end } of found) {
    const mark = document.createElement("mark");
    mark.className = "asked";
    mark.textContent = text.slice(start, end);
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  return [...parts, text.slice(from)];
}
