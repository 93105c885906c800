package rouge

import (
	"io"
	"math"
	"testing"

	"github.com/cerasum/cerasum/internal/reference"
)

// figures are recall, precision and F1 by the metric's name.
type figures map[string]struct{ Recall, Precision, F1 float64 }

// group is answers of the official script under the same options.
type group struct {
	LimitWords *int `json:"limit_words"`
	Stem       bool
	Cases      []struct {
		Summary    []string
		References [][]string
		Expected   figures
	}
	// Aggregate holds mean, low and high over the cases.
	Aggregate map[string]struct{ Recall, Precision, F1 [3]float64 }
}

func (g *group) options() Options {
	o := Options{Stem: g.Stem}
	if g.LimitWords != nil {
		o.LimitWords = *g.LimitWords
	}
	return o
}

// checkGroups compares every case of r with what we compute: the script prints
// five decimals, and so every one of them has to agree.
func checkGroups(t *testing.T, r io.Reader) (cases int) {
	t.Helper()
	for n, g := range reference.Cases[group](t, r) {
		s := NewScorer(g.options())
		var values [Metrics][3][]float64
		for i, c := range g.Cases {
			cases++
			got, err := s.Score(c.Summary, c.References)
			if err != nil {
				t.Fatalf("group %d case %d: %v", n, i, err)
			}
			if len(c.Expected) != Metrics {
				t.Fatalf("group %d case %d: expects %d metrics", n, i, len(c.Expected))
			}
			for m, name := range Names {
				want := c.Expected[name]
				if got[m] != Score(want) {
					t.Errorf("group %d (%+v) case %d %s: %v, the script %v", n, g.options(), i, name, got[m], want)
				}
				for k, v := range []float64{got[m].Recall, got[m].Precision, got[m].F1} {
					values[m][k] = append(values[m][k], v)
				}
			}
		}
		for m, name := range Names {
			want, ok := g.Aggregate[name]
			if !ok {
				continue
			}
			for k, w := range [][3]float64{want.Recall, want.Precision, want.F1} {
				// The script's interval is random, and its mean is that of the
				// resamples.
				got := Bootstrap(values[m][k], Resamples, 1)
				if math.Abs(got.Mean-w[0]) > 0.01 || math.Abs(got.Low-w[1]) > 0.01 || math.Abs(got.High-w[2]) > 0.01 {
					t.Errorf("group %d %s %d: %v, the script %v", n, name, k, got, w)
				}
			}
		}
	}
	return cases
}

// TestReferenceCases runs what the official script answered to texts of our own.
// The folder testdata holds no intervals: over twelve cases they are too random.
func TestReferenceCases(t *testing.T) {
	if n := checkGroups(t, reference.Case(t, "testdata/rouge155.jsonl")); n != 96 {
		t.Errorf("%d cases, want 96", n)
	}
}

func TestAllReferenceCases(t *testing.T) {
	if n := checkGroups(t, reference.Open(t, "reference/rouge155.jsonl.gz")); n != 192 {
		t.Errorf("%d cases, want 192", n)
	}
}
