package text

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	"github.com/cerasum/cerasum/internal/reference"
)

// shared opens a corpus of the shared folder, or skips the test if it is absent.
func shared(t testing.TB, name string) *bufio.Scanner {
	t.Helper()
	lines := bufio.NewScanner(reference.Open(t, "data/"+name))
	lines.Buffer(nil, 1<<20)
	return lines
}

// readRows reads JSON Lines: objects with one text per language and, in some
// corpora, "document".
func readRows(t testing.TB, name string) (rows []map[string]string) {
	t.Helper()
	lines := shared(t, name)
	for lines.Scan() {
		var row map[string]string
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// readParallel returns the texts of readRows by language.
func readParallel(t testing.TB, name string) map[string][]string {
	t.Helper()
	texts := map[string][]string{}
	for _, row := range readRows(t, name) {
		delete(row, "document")
		for tag, s := range row {
			texts[tag] = append(texts[tag], s)
		}
	}
	return texts
}

// score counts boundaries.
type score struct{ found, right, wanted int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.found)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.wanted)) }
func (s score) f1() float64        { return 2 * float64(s.right) / float64(max(1, s.found+s.wanted)) }

// endsSentence reports whether a line ends with a terminal mark, perhaps within
// closing quotes and brackets.
func endsSentence(s string) bool {
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if isTerminal(r) {
			return true
		}
		if !isBlank(r) && !isCloser(r) {
			return false
		}
		s = s[:len(s)-size]
	}
	return false
}

// boundaryScores joins lines by spaces in runs of ten and compares the ends of
// the sentences that split finds with those of the lines. The end of a run is
// trivial and not counted.
func boundaryScores(lines []string, split func(string) []int, report func(doc string, at int, missed bool)) (s score, n int) {
	var kept []string
	for _, l := range lines {
		if l = strings.TrimSpace(l); endsSentence(l) {
			kept = append(kept, l)
		}
	}
	for run := range sliceChunks(kept, 10) {
		doc := strings.Join(run, " ")
		wanted := map[int]bool{}
		at := 0
		for _, l := range run[:len(run)-1] {
			at += len(l)
			wanted[at] = true
			at++
		}
		s.wanted += len(wanted)
		for _, end := range split(doc) {
			if end == len(doc) {
				continue
			}
			s.found++
			if wanted[end] {
				s.right++
				delete(wanted, end)
			} else if report != nil {
				report(doc, end, false)
			}
		}
		for end := range wanted {
			if report != nil {
				report(doc, end, true)
			}
		}
	}
	return s, len(kept)
}

func sliceChunks(s []string, n int) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for len(s) > 0 {
			k := min(n, len(s))
			if !yield(s[:k]) {
				return
			}
			s = s[k:]
		}
	}
}

// ends returns where the sentences of Split end.
func ends(tag string) func(string) []int {
	return func(doc string) []int {
		var at []int
		for _, s := range Split(doc, tag) {
			at = append(at, s.End)
		}
		return at
	}
}

// endsUAX29 returns where the sentences of UAX #29 alone end, without the spaces
// after them.
func endsUAX29(doc string) []int {
	var at []int
	pieces := sentences.FromString(doc)
	for pieces.Next() {
		if p := pieces.Value(); hasWord(p) {
			at = append(at, pieces.Start()+len(strings.TrimRight(p, " ")))
		}
	}
	return at
}

// reportErrors returns a function that prints wrong boundaries of the language
// that CERASUM_SHOW names.
func reportErrors(t *testing.T, corpus, tag string) func(string, int, bool) {
	if os.Getenv("CERASUM_SHOW") != corpus+"/"+tag {
		return nil
	}
	return func(doc string, at int, missed bool) {
		what := "wrong "
		if missed {
			what = "missed"
		}
		from, to := max(0, at-70), min(len(doc), at+50)
		t.Logf("%s …%s|%s…", what, strings.ToValidUTF8(doc[from:at], ""), strings.ToValidUTF8(doc[at:to], ""))
	}
}

// TestBoundaryF1 measures sentence boundaries on UD-PUD and NTREX, one table
// row per language.
func TestBoundaryF1(t *testing.T) {
	required := strings.Fields("en es fr pt ru tr de it")
	for _, corpus := range []string{"ud-pud", "ntrex"} {
		texts := readParallel(t, "parallel/"+corpus+".jsonl.gz")
		tags := make([]string, 0, len(texts))
		for tag := range texts {
			tags = append(tags, tag)
		}
		sort.Strings(tags)
		var table strings.Builder
		fmt.Fprintf(&table, "\n%s\n| language | lines | precision | recall | F1 | F1, UAX #29 alone |\n| --- | ---: | ---: | ---: | ---: | ---: |\n", corpus)
		for _, tag := range tags {
			s, n := boundaryScores(texts[tag], ends(tag), reportErrors(t, corpus, tag))
			u, _ := boundaryScores(texts[tag], endsUAX29, nil)
			fmt.Fprintf(&table, "| %s | %d | %.4f | %.4f | %.4f | %.4f |\n", tag, n, s.precision(), s.recall(), s.f1(), u.f1())
			if corpus != "ud-pud" {
				continue
			}
			for _, r := range required {
				if r == tag && s.f1() < 0.97 {
					t.Errorf("%s: boundary F1 %.4f, want at least 0.97", tag, s.f1())
				}
			}
		}
		t.Log(table.String())
	}
}
