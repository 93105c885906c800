// Markdown of sites has the tags of their generators: {{ page.title }}, {% include note.html %}
// of Liquid and Hugo, {: .warning} of kramdown, ::: tip of VitePress. None is text.
const ATTRIBUTES = /\{:[^{}\r\n]*\}/y;
const CONTAINERS = /^[ \t]*:::[^\r\n]*/gm;
const MARKS = [
  ["{{", "}}"],
  ["{%", "%}"],
] as const;

const BLANK_LINE = /\n\r?\n/;

/** Runs of this many backticks and more are fences, which may hold several paragraphs. */
const FENCE = 3;

/** The length from which on braces are no tag. */
const LONGEST_TAG = 500;

/** Markdown without such tags, but for those in code between backticks. */
export function withoutTags(source: string): string {
  const s = source.replace(CONTAINERS, "");
  const open = new Set<number>(); // lengths of runs of backticks without a second one
  let out = "";
  let done = 0;
  for (let at = next(s, 0); at < s.length; at = next(s, at)) {
    const tag = tagLength(s, at);
    if (!tag) {
      at += s[at] === "`" ? codeLength(s, at, open) : 1;
      continue;
    }
    out += s.slice(done, at);
    done = at += tag;
  }
  return out + s.slice(done);
}

/** Where the next backtick or brace is. */
function next(s: string, from: number): number {
  let at = from;
  while (at < s.length && s[at] !== "`" && s[at] !== "{") at++;
  return at;
}

/** The length of a tag, or 0. */
function tagLength(s: string, at: number): number {
  for (const [opens, closes] of MARKS) {
    if (!s.startsWith(opens, at)) continue;
    const tag = s.slice(at, at + LONGEST_TAG);
    const n = tag.indexOf(closes);
    if (n > 0 && !BLANK_LINE.test(tag.slice(0, n))) return n + closes.length;
  }
  ATTRIBUTES.lastIndex = at;
  return ATTRIBUTES.exec(s)?.[0].length ?? 0;
}

/**
 * The length of code between runs of backticks of the same length, or of a run without a
 * second in its paragraph.
 */
function codeLength(s: string, start: number, open: Set<number>): number {
  const runAt = (at: number): number => {
    let end = at;
    while (s[end] === "`") end++;
    return end - at;
  };
  const run = runAt(start);
  for (let at = start + run; !open.has(run); ) {
    const following = s.indexOf("`", at);
    if (following < 0) {
      open.add(run);
      break;
    }
    if (run < FENCE && BLANK_LINE.test(s.slice(at, following))) break;
    const n = runAt(following);
    at = following + n;
    if (n === run) return at - start;
  }
  return run;
}
