package reading_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cerasum/cerasum/internal/reference"
	"github.com/cerasum/cerasum/internal/train/reading"

	signals "github.com/cerasum/cerasum/internal/reading"
)

// choice is a cluster with an editor's spans [document, start, end], in UTF-16 units.
type choice struct {
	ID, Language         string
	Documents            []json.RawMessage
	Extract, Good, Never [][3]int
}

// quotes returns what the spans hold of a document.
func quotes(spans [][3]int, document int, units []uint16) []string {
	var list []string
	for _, span := range spans {
		if span[0] == document {
			list = append(list, string(utf16.Decode(units[span[1]:span[2]])))
		}
	}
	return list
}

// judged holds the probabilities that sentences stand alone.
type judged struct{ quoted, never, other, openers []float64 }

func (j *judged) add(t *testing.T, c *choice) {
	t.Helper()
	for k, raw := range c.Documents {
		document := struct{ Text, Language string }{Language: c.Language}
		if json.Unmarshal(raw, &document.Text) != nil {
			if err := json.Unmarshal(raw, &document); err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
		}
		units := utf16.Encode([]rune(document.Text))
		quoted := quotes(slices.Concat(c.Extract, c.Good), k, units)
		never := quotes(c.Never, k, units)
		sentences := reading.Sentences(document.Text, document.Language)
		for i, lean := range signals.Standing(sentences, document.Language) {
			in := func(quotes []string) bool {
				return slices.ContainsFunc(quotes, func(q string) bool {
					return strings.Contains(sentences[i], q) || 2*len(sentences[i]) > len(q) && strings.Contains(q, sentences[i])
				})
			}
			if in(quoted) {
				j.quoted = append(j.quoted, lean.Alone)
				continue
			}
			if lean.Opener {
				j.openers = append(j.openers, lean.Alone)
			}
			if in(never) {
				j.never = append(j.never, lean.Alone)
			} else {
				j.other = append(j.other, lean.Alone)
			}
		}
	}
}

// auc is the chance that one of a is more than one of b.
func auc(a, b []float64) float64 {
	var n float64
	for _, x := range a {
		for _, y := range b {
			if x > y {
				n++
			} else if x == y {
				n += 0.5
			}
		}
	}
	return n / float64(len(a)*len(b))
}

func mean(a []float64) float64 {
	var sum float64
	for _, x := range a {
		sum += x
	}
	return sum / float64(len(a))
}

// leaning is the share that does not stand alone, in percent.
func leaning(a []float64) float64 {
	n := 0
	for _, x := range a {
		if x < signals.StandsAlone {
			n++
		}
	}
	return 100 * float64(n) / float64(len(a))
}

// TestShippedStanding checks that sentences that an editor quotes have higher probabilities than
// others, with the weights that the program has. It prints the table of
// internal/reading/DATA.md.
func TestShippedStanding(t *testing.T) {
	var own, newswire judged
	for n, c := range reference.Cases[choice](t, reference.Open(t, "data/own/clusters.jsonl.gz")) {
		if n%3 == 2 { // the others were used for training
			own.add(t, &c)
		}
	}
	choices := map[string]choice{}
	for _, c := range reference.Cases[choice](t, reference.Open(t, "reference/editor.jsonl.gz")) {
		choices[c.ID] = c
	}
	for _, set := range []string{"duc2002", "duc2007-updateA"} {
		for _, c := range reference.Cases[choice](t, reference.Open(t, "data/newswire/"+set+".jsonl.gz")) {
			if of, ok := choices[c.ID]; ok {
				of.Documents, of.Language = c.Documents, "en"
				newswire.add(t, &of)
			}
		}
	}
	for _, set := range []struct {
		name                  string
		of                    *judged
		openers, never, other float64 // the least AUC
	}{
		{"own, testing", &own, 0.97, 0.83, 0.82},
		{"69 clusters", &newswire, 0.93, 0.81, 0.70},
	} {
		of := set.of
		openers, never, other := auc(of.quoted, of.openers), auc(of.quoted, of.never), auc(of.quoted, of.other)
		rest := slices.Concat(of.never, of.other)
		t.Logf("| %s | %.2f | %.2f | %.2f | %.3f | %.3f | %.3f | %.1f %% | %.0f %% |", set.name,
			mean(of.quoted), mean(of.never), mean(of.other), openers, never, other, leaning(of.quoted), leaning(rest))
		if !(openers >= set.openers && never >= set.never && other >= set.other) { // NaN: no data
			t.Errorf("%s: AUC %.3f, %.3f, %.3f, want %.2f, %.2f, %.2f", set.name, openers, never, other, set.openers, set.never, set.other)
		}
	}
}
