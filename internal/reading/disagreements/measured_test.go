package disagreements

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"
	"unicode/utf16"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/text"
)

// labelled is a cluster and what its documents disagree on. Spans are a document and
// an interval of UTF-16 units.
type labelled struct {
	ID        string
	Documents []struct{ Text, Date string }

	Disagreements []struct {
		What   string
		Update bool
		Values []struct{ Span [3]int }
	}
}

func readLabelled(t testing.TB, r io.Reader) []labelled {
	t.Helper()
	var list []labelled
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var c labelled
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func (c *labelled) open() []cluster.Document {
	documents := make([]cluster.Document, len(c.Documents))
	for i, d := range c.Documents {
		language := text.Detect(d.Text)
		documents[i] = cluster.Document{Text: d.Text, Date: d.Date, Language: language, Sentences: text.Split(d.Text, language)}
	}
	return documents
}

// tally counts what was found, and what of it is right, of what there is.
type tally struct{ right, found, all int }

func (a tally) precision() float64 { return float64(a.right) / float64(max(a.found, 1)) }
func (a tally) recall() float64    { return float64(a.right) / float64(max(a.all, 1)) }

// score finds the disagreements of a cluster. One is right if two of its values, of
// different documents, are in the spans of one that is labelled, and, where labels
// tell updates, it is told to be one or not.
func (c *labelled) score(t *testing.T, a *tally, updates, show bool) {
	documents := c.open()
	list, _ := Find(documents)
	a.all += len(c.Disagreements)
	matched := make([]bool, len(c.Disagreements))
	for _, d := range list {
		// Labels that do not tell updates leave them out.
		if d.Update && !updates && !c.lists(d) {
			if show {
				t.Logf("%s: update, not counted: %q %v", c.ID, d.What, texts(d))
			}
			continue
		}
		a.found++
		ok := false
		for i, l := range c.Disagreements {
			documents := map[int]bool{}
			for _, v := range d.Values {
				for _, w := range l.Values {
					if v.Document == w.Span[0] && v.StartUTF16 < w.Span[2] && w.Span[1] < v.EndUTF16 {
						documents[v.Document] = true
					}
				}
			}
			if len(documents) > 1 && !matched[i] && (!updates || l.Update == d.Update) {
				matched[i], ok = true, true
				a.right++
				break
			}
		}
		if !ok && show {
			t.Logf("%s: wrong: %q %v update=%v", c.ID, d.What, texts(d), d.Update)
		}
	}
	for i, l := range c.Disagreements {
		if !matched[i] && show {
			t.Logf("%s: not found: %q", c.ID, l.What)
		}
	}
}

func (c *labelled) lists(d Disagreement) bool {
	for _, l := range c.Disagreements {
		n := 0
		for _, w := range l.Values {
			for _, v := range d.Values {
				if v.Document == w.Span[0] && v.StartUTF16 < w.Span[2] && w.Span[1] < v.EndUTF16 {
					n++
				}
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

func texts(d Disagreement) []string {
	var list []string
	for _, v := range d.Values {
		list = append(list, v.Text)
	}
	return list
}

// measurePairs scores the committed clusters: those with an even number were used to
// develop, the others only to measure.
func measurePairs(t *testing.T, show bool) (developed, kept tally) {
	for i, c := range readLabelled(t, reference.Case(t, "testdata/clusters.jsonl")) {
		to := &developed
		if i%2 == 1 {
			to = &kept
		}
		c.score(t, to, true, show)
	}
	return developed, kept
}

func (a tally) plus(b tally) tally {
	return tally{a.right + b.right, a.found + b.found, a.all + b.all}
}

func (a tally) check(t *testing.T, name string, precision, recall float64) {
	t.Helper()
	t.Logf("%s: %d right of %d found, of %d: precision %.2f, recall %.2f", name, a.right, a.found, a.all, a.precision(), a.recall())
	if a.precision() < precision || a.recall() < recall {
		t.Errorf("%s: want precision %.2f, recall %.2f", name, precision, recall)
	}
}

func TestPairs(t *testing.T) {
	developed, kept := measurePairs(t, true)
	developed.check(t, "developed with", 0.95, 0.8)
	kept.check(t, "kept for measuring", 0.9, 0.8)
	developed.plus(kept).check(t, "all", 0.95, 0.8)
}

// TestOwn measures the self-written clusters, of which every third was kept for
// measuring, and both sets together.
func TestOwn(t *testing.T) {
	clusters := readLabelled(t, reference.Open(t, "data/own/clusters.jsonl.gz"))
	var developed, kept tally
	for i, c := range clusters {
		if i%3 == 2 {
			c.score(t, &kept, false, false)
		} else {
			c.score(t, &developed, false, true)
		}
	}
	developed.check(t, "developed with", 0.95, 0.3)
	kept.check(t, "kept for measuring", 0, 0)
	first, second := measurePairs(t, false)
	developed.plus(kept).plus(first).plus(second).check(t, "with the pairs", 0.95, 0.6)
}

func TestSpans(t *testing.T) {
	for _, c := range readLabelled(t, reference.Case(t, "testdata/clusters.jsonl")) {
		documents := c.open()
		found, _ := Find(documents)
		for _, d := range found {
			for _, v := range d.Values {
				whole := documents[v.Document].Text
				units := utf16.Encode([]rune(whole))
				if got := string(utf16.Decode(units[v.StartUTF16:v.EndUTF16])); whole[v.Start:v.End] != v.Text || got != v.Text {
					t.Errorf("%s: %q is %q in bytes, %q in units", c.ID, v.Text, whole[v.Start:v.End], got)
				}
			}
		}
	}
}
