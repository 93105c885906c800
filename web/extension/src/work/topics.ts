// Groups tabs by topic: average linkage over the cosines of the tabs' embeddings,
// and a name for each group.

/** N vectors of D numbers, row-major. */
export interface Vectors {
  embeddings: Float32Array;
  dimensions: number;
}

/**
 * Groups are merged if the mean cosine between their tabs is at least this. Chosen
 * on the pages of tests/topics.mjs, which it groups by their topics.
 */
export const SAME_TOPIC = 0.47;

/** Scales every row to length 1, in place. */
export function normalize({ embeddings, dimensions: D }: Vectors): void {
  for (let row = 0; row < embeddings.length; row += D) {
    let norm = 0;
    for (let k = row; k < row + D; k++) norm += embeddings[k]! ** 2;
    if (norm === 0) continue;
    norm = Math.sqrt(norm);
    for (let k = row; k < row + D; k++) embeddings[k]! /= norm;
  }
}

/** The rows as vectors. */
export const rows = ({ embeddings, dimensions: D }: Vectors): Float32Array[] =>
  Array.from({ length: embeddings.length / D }, (_, i) => embeddings.subarray(i * D, (i + 1) * D));

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

/**
 * Average linkage: merges the two groups with the highest mean cosine between
 * their members until none reaches the threshold. Returns sorted indices, groups
 * ordered by their first member, including groups of one.
 */
export function cluster(vectors: readonly Float32Array[], threshold = SAME_TOPIC): number[][] {
  const groups = vectors.map((_, i) => [i]);
  // likeness[a][b] is the mean cosine between groups a and b.
  const likeness = vectors.map((a) => vectors.map((b) => dot(a, b)));
  const alive = new Set(groups.keys());
  for (;;) {
    let best = threshold;
    let pair: [number, number] | undefined;
    for (const a of alive) {
      for (const b of alive) if (b > a && likeness[a]![b]! >= best) [best, pair] = [likeness[a]![b]!, [a, b]];
    }
    if (!pair) break;
    const [a, b] = pair;
    const [m, n] = [groups[a]!.length, groups[b]!.length];
    for (const c of alive) {
      if (c === a || c === b) continue;
      likeness[a]![c] = likeness[c]![a] = (m * likeness[a]![c]! + n * likeness[b]![c]!) / (m + n);
    }
    groups[a]!.push(...groups[b]!);
    alive.delete(b);
  }
  return [...alive].map((a) => groups[a]!.sort((x, y) => x - y)).sort((x, y) => x[0]! - y[0]!);
}

export interface Named {
  title: string;
  /** The first sentences. */
  lead: string;
}

/** Words that say nothing about a topic. */
const EMPTY = new Set(
  ("about after again against also among because before being between could does doing down during each from have having into just more most much only other over same should some such than that their them then there these they this those through under until very were what when where which while with would your news home page how why who will "
    + "ante antes aqui aquí cada como cómo con contra cuando cuándo desde donde dónde durante entre esta está este estas estos hacia hasta mais más menos mientras mucho otra otro para pero porque pour pode quando quién según sobre también tras todo todos una unos uma umas isso esse essa pelo pela sem seu sua são também não noticias notícias inicio início "
    + "alors après aussi autre avant avec cette comme contre dans depuis deux donc elle elles encore entre être leur leurs mais même nous notre par pas plus pour pourquoi quand quel quelle sans ses son sont sous sur tous tout très une vers votre vous actualités accueil des les").split(" "));

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
const wordsOf = (s: string): string[] => s.match(WORD) ?? [];
const key = (word: string): string => word.toLocaleLowerCase();

/** Title without the site's name: " | Harbour Post". */
export function shortTitle(title: string): string {
  const [head] = title.replace(/\s+/gu, " ").split(/ [|·–—-] (?=[^|·–—]{1,40}$)/u);
  return (head && head.length >= 8 ? head : title).trim();
}

/**
 * A name for a group: the words in the title of its central tab that most of its
 * tabs and few others contain, or that title.
 */
export function nameOf(members: readonly number[], tabs: readonly Named[], medoid: number): string {
  const seen = tabs.map(({ title, lead }) => new Set(wordsOf(`${title} ${lead}`).map(key)));
  const inside = (word: string) => members.filter((i) => seen[i]!.has(word)).length / members.length;
  const others = tabs.length - members.length;
  const outside = (word: string) => (others === 0 ? 0 : tabs.filter((_, i) => !members.includes(i) && seen[i]!.has(word)).length / others);
  const title = shortTitle(tabs[medoid]!.title);
  const telling = [...new Map(wordsOf(title).map((word) => [key(word), word])).entries()]
    .filter(([word]) => word.length >= 4 && !EMPTY.has(word) && !/^\d+$/.test(word))
    .map(([word, written], place) => ({ written, place, score: inside(word) * (1 - outside(word)) }))
    .filter(({ score }) => score > 0.6)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, 3)
    .sort((a, b) => a.place - b.place);
  const name = telling.map(({ written }) => written).join(" ");
  return telling.length >= 2 ? name.charAt(0).toLocaleUpperCase() + name.slice(1) : title;
}

/** The member with the highest total similarity to the others. */
export function medoidOf(members: readonly number[], vectors: readonly Float32Array[]): number {
  let best = members[0]!;
  let most = -Infinity;
  for (const i of members) {
    const sum = members.reduce((total, j) => total + dot(vectors[i]!, vectors[j]!), 0);
    if (sum > most) [best, most] = [i, sum];
  }
  return best;
}
