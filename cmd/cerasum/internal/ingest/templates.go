package ingest

import (
	"regexp"
	"strings"
)

// Markdown of sites has the tags of their generators: {{ page.title }}, {% include note.html %}
// of Liquid and Hugo, {: .warning} of kramdown, ::: tip of VitePress. None is text.
var (
	attributes = regexp.MustCompile(`^\{:[^{}\r\n]*\}`)
	containers = regexp.MustCompile(`(?m)^[ \t]*:::[^\r\n]*`)
)

// longestTag is the length in bytes, or in the page in UTF-16 units, from which on braces are no tag.
const longestTag = 500

// withoutTags returns Markdown without such tags, but for those in code between backticks.
func withoutTags(s string) string {
	s = containers.ReplaceAllString(s, "")
	var b strings.Builder
	open := map[int]bool{} // lengths of runs of backticks without a second one
	for {
		at := strings.IndexAny(s, "`{")
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		s = s[at:]
		n := tagLength(s)
		if n > 0 {
			s = s[n:]
			continue
		}
		n = 1
		if s[0] == '`' {
			n = codeLength(s, open)
		}
		b.WriteString(s[:n])
		s = s[n:]
	}
	b.WriteString(s)
	return b.String()
}

// tagLength returns the length of a tag at the start of s, or 0.
func tagLength(s string) int {
	for _, marks := range [][2]string{{"{{", "}}"}, {"{%", "%}"}} {
		if !strings.HasPrefix(s, marks[0]) {
			continue
		}
		tag := s[:min(len(s), longestTag)]
		if n := strings.Index(tag, marks[1]); n > 0 && !blankLine(tag[:n]) {
			return n + len(marks[1])
		}
	}
	return len(attributes.FindString(s))
}

// codeLength returns the length of the code between runs of backticks of the same length at the
// start of s, or of the run where no second one follows in the paragraph. Fences, of three and
// more, may hold several paragraphs.
func codeLength(s string, open map[int]bool) int {
	const fence = 3
	run := runLength(s)
	for at := run; !open[run]; {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			open[run] = true
			break
		}
		if run < fence && blankLine(s[at:at+next]) {
			break
		}
		at += next
		n := runLength(s[at:])
		if at += n; n == run {
			return at
		}
	}
	return run
}

func runLength(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

func blankLine(s string) bool {
	return strings.Contains(s, "\n\n") || strings.Contains(s, "\n\r\n")
}
