package text

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"
)

// setting is a layout of paragraphs as plain text.
type setting struct {
	name string
	// width in columns; with ragged, each line has its own width, up to so much less.
	width, ragged int
	// first and rest are the indentations of a paragraph's lines, between is what
	// separates paragraphs.
	first, rest, between string
}

// settings returns the settings of TestWrappedBoundaryF1.
func settings() []setting {
	var all []setting
	for _, width := range []int{60, 66, 72, 78} {
		all = append(all,
			setting{fmt.Sprint(width), width, 0, "", "", "\n\n"},
			setting{fmt.Sprint(width, " no blank lines"), width, 0, "", "", "\n"},
			setting{fmt.Sprint(width, " first line indented"), width, 0, "   ", "", "\n"},
			setting{fmt.Sprint(width, " all indented"), width, 0, "    ", "    ", "\n\n"},
		)
	}
	return append(all, setting{"60 to 70", 70, 10, "", "", "\n\n"}, setting{"60 to 70 first line indented", 70, 10, "  ", "", "\n"})
}

// write writes paragraphs in the setting.
func (l setting) write(paragraphs []string) string {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i, p := range paragraphs {
		if i > 0 {
			b.WriteString(l.between)
		}
		b.WriteString(l.first)
		used, limit, empty := columns(l.first), l.width, true
		for _, piece := range breakable(p) {
			glue := strings.HasPrefix(piece, " ")
			w := columns(strings.TrimPrefix(piece, " "))
			if glue && !empty {
				w++
			}
			// Closing marks do not start a line.
			r, _ := utf8.DecodeRuneInString(piece)
			if !empty && used+w > limit && !(isPause(r) || tight(r) && isTerminal(r) || isCloser(r) && wide(r)) {
				b.WriteString("\n" + l.rest)
				used, limit, empty = columns(l.rest), l.width-random.IntN(l.ragged+1), true
				w = columns(strings.TrimPrefix(piece, " "))
			}
			if empty {
				piece = strings.TrimPrefix(piece, " ")
			}
			b.WriteString(piece)
			used, empty = used+w, false
		}
	}
	return b.String()
}

// breakable cuts s before every space and around every Han and kana character.
func breakable(s string) []string {
	var pieces []string
	start := 0
	var last rune
	for i, r := range s {
		if i > start && (r == ' ' || last != ' ' && (unspaced(r) || unspaced(last))) {
			pieces = append(pieces, s[start:i])
			start = i
		}
		last = r
	}
	return append(pieces, s[start:])
}

// inkEnds returns where the sentences of doc end, counted in bytes without blanks.
func inkEnds(doc, language string) []int {
	var at []int
	ink, from := 0, 0
	for _, s := range Split(doc, language) {
		ink += inkOf(doc[from:s.End])
		from = s.End
		at = append(at, ink)
	}
	return at
}

func inkOf(s string) int {
	n := 0
	for _, r := range s {
		if !isBlank(r) {
			n += utf8.RuneLen(r)
		}
	}
	return n
}

// paragraphsOf joins the lines of one language into documents of paragraphs of one to
// five sentences: the lines of a source document, or runs of twenty.
func paragraphsOf(rows []map[string]string, tag string) (documents [][][]string) {
	var current [][]string
	last := ""
	for i, row := range rows {
		line := strings.Join(strings.Fields(row[tag]), " ")
		name := row["document"]
		if name == "" {
			name = fmt.Sprint(i / 20)
		}
		if name != last && current != nil {
			documents, current = append(documents, current), nil
		}
		last = name
		if !endsSentence(line) {
			continue
		}
		n := len(current)
		if n == 0 || len(current[n-1]) > (n*7+i/20)%5 {
			current = append(current, nil)
			n++
		}
		current[n-1] = append(current[n-1], line)
	}
	return append(documents, current)
}

// TestWrappedBoundaryF1 measures sentence boundaries on wrapped text: documents of
// UD-PUD and NTREX in each setting, and with one line per paragraph.
func TestWrappedBoundaryF1(t *testing.T) {
	if testing.Short() {
		t.Skip("splits each corpus twenty times: make test-slow")
	}
	for _, corpus := range []string{"ud-pud", "ntrex"} {
		rows := readRows(t, "parallel/"+corpus+".jsonl.gz")
		var tags []string
		for tag := range rows[0] {
			if tag != "document" {
				tags = append(tags, tag)
			}
		}
		sort.Strings(tags)
		measure := func(tag string, documents [][][]string, write func([]string) string) (s score) {
			for _, paragraphs := range documents {
				var joined []string
				wanted := map[int]bool{}
				ink := 0
				for _, lines := range paragraphs {
					glue := " "
					if tag == "zh" || tag == "ja" {
						glue = ""
					}
					joined = append(joined, strings.Join(lines, glue))
					for _, l := range lines {
						ink += inkOf(l)
						wanted[ink] = true
					}
				}
				delete(wanted, ink)
				s.wanted += len(wanted)
				for _, end := range inkEnds(write(joined), tag) {
					if end == ink {
						continue
					}
					s.found++
					if wanted[end] {
						s.right++
					}
				}
			}
			return s
		}
		var table strings.Builder
		fmt.Fprintf(&table, "\n%s\n| language | not wrapped | lowest of wrapped | where |\n| --- | ---: | ---: | --- |\n", corpus)
		for _, tag := range tags {
			documents := paragraphsOf(rows, tag)
			whole := measure(tag, documents, func(p []string) string { return strings.Join(p, "\n\n") }).f1()
			worst, name := 2.0, ""
			for _, l := range settings() {
				f1 := measure(tag, documents, l.write).f1()
				if f1 < worst {
					worst, name = f1, l.name
				}
				if f1 < whole-0.003 {
					t.Errorf("%s, %s, wrapped at %s: boundary F1 %.4f, %.4f without line breaks", corpus, tag, l.name, f1, whole)
				}
			}
			fmt.Fprintf(&table, "| %s | %.4f | %.4f | %s |\n", tag, whole, worst, name)
		}
		t.Log(table.String())
	}
}
