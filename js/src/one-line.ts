// Wrapped sentences on one line. The same as OneLine in internal/text/oneline.go and
// web/common/one-line.ts; their tests read the same cases.

const unspaced = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u9fff\\uf900-\\ufaff\\uff00-\\uff60\\u{20000}-\\u{3ffff}";
const marks = "‘’“”—…·";
/** A place where running text has no space: next to it is a character of a script without spaces, and another one or a mark. */
const solid = new RegExp(`[${unspaced}]\\n[${unspaced}${marks}]|[${marks}]\\n[${unspaced}]`, "u");

/** White space becomes one space, and a line break between two characters of scripts without spaces nothing. */
export function oneLine(s: string): string {
  return s
    .replace(/\p{White_Space}+/gu, (blanks, at: number) => {
      const around = `${s.slice(Math.max(0, at - 2), at)}\n${s.slice(at + blanks.length, at + blanks.length + 2)}`;
      return /[\n\v\f\r\u0085\u2028\u2029]/.test(blanks) && solid.test(around) ? "" : " ";
    })
    .replace(/^ | $/g, "");
}
