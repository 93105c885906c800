package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine puts a sentence that its document wraps over several lines on one: white
// space becomes one space, and a line break between two characters of scripts without
// spaces nothing. js/src/one-line.ts and web/common/one-line.ts do the same.
func OneLine(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) && !strings.Contains(s, "  ") {
		return strings.Trim(s, " ")
	}
	var b strings.Builder
	for s = strings.TrimSpace(s); s != ""; {
		i := strings.IndexFunc(s, unicode.IsSpace)
		if i < 0 {
			break
		}
		rest := strings.TrimLeftFunc(s[i:], unicode.IsSpace)
		b.WriteString(s[:i])
		if !strings.ContainsAny(s[i:len(s)-len(rest)], "\n\v\f\r\u0085\u2028\u2029") || !solid(s[:i], rest) {
			b.WriteByte(' ')
		}
		s = rest
	}
	b.WriteString(s)
	return b.String()
}

// solid reports whether there is no space between before and after in running text:
// one is of a script without spaces, the other as well or a quotation mark, a dash or
// an ellipsis.
func solid(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	joins := func(r rune) bool {
		return unspaced(r) || unbroken(r) || r >= 0xff00 && r <= 0xff60
	}
	marks := func(r rune) bool { return strings.ContainsRune("‘’“”—…·", r) }
	return joins(a) && (joins(b) || marks(b)) || marks(a) && joins(b)
}
