package vocabulary

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// naiveCounts sums over all ways to cut the word, one by one.
func naiveCounts(word string, index map[string]int, score []float64) []float64 {
	counts := make([]float64, len(score))
	total := 0.0
	var cut func(rest []rune, used []int, logP float64)
	cut = func(rest []rune, used []int, logP float64) {
		if len(rest) == 0 {
			p := math.Exp(logP)
			total += p
			for _, i := range used {
				counts[i] += p
			}
			return
		}
		for n := 1; n <= len(rest); n++ {
			if i, ok := index[string(rest[:n])]; ok {
				cut(rest[n:], append(slices.Clone(used), i), logP+score[i])
			}
		}
	}
	cut([]rune(word), nil, 0)
	for i := range counts {
		counts[i] /= total
	}
	return counts
}

func TestExpectedCountsAgainstNaive(t *testing.T) {
	words := map[string]float64{"banana": 3, "ananas": 2, "año": 5, "naño": 1, "ba": 4}
	f := newFitter(words, Params{MaxLength: 4, Seeds: 1000})
	f.seed()
	index := map[string]int{}
	score := make([]float64, len(f.pieces))
	for i, p := range f.pieces {
		index[p.Text], score[i] = i, p.Score
	}
	want := make([]float64, len(f.pieces))
	for w, n := range words {
		for i, c := range naiveCounts(w, index, score) {
			want[i] += n * c
		}
	}
	for i, got := range f.expect() {
		if math.Abs(got-want[i]) > 1e-9 {
			t.Errorf("%q: expected count %v, want %v", f.pieces[i].Text, got, want[i])
		}
	}
}

func TestDigamma(t *testing.T) {
	for _, x := range []float64{0.01, 0.5, 1, 2.5, 6.9, 7, 100, 1e6} {
		if got, want := digamma(x), mathext.Digamma(x); math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Errorf("digamma(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	words := map[string]float64{}
	stems := strings.Fields("walk talk jump paint cook clean look help turn play open start work call wait kick push pull listen answer")
	for _, stem := range stems {
		for _, end := range []string{"", "s", "ed", "ing"} {
			words[stem+end] = 10
		}
	}
	p := Params{Size: 50, MaxLength: 16, Seeds: 1000, MinCount: 2}
	var left []int
	p.Progress = func(n int) { left = append(left, n) }
	pieces, err := Fit(context.Background(), words, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(pieces) > p.Size || len(left) < 2 || left[len(left)-1] > p.Size {
		t.Fatalf("%d pieces by way of %v, want at most %d", len(pieces), left, p.Size)
	}
	var texts []string
	sum := 0.0
	for i, x := range pieces {
		texts = append(texts, x.Text)
		sum += math.Exp(x.Score)
		if i > 0 && x.Score > pieces[i-1].Score {
			t.Errorf("%q after %q: not best first", x.Text, pieces[i-1].Text)
		}
	}
	if sum > 1+1e-9 {
		t.Errorf("the probabilities add up to %v", sum)
	}
	for _, want := range stems {
		if !slices.Contains(texts, want) {
			t.Errorf("no piece %q in %q", want, texts)
		}
	}
	for r := range strings.SplitSeq("walktjumpinocedgshry", "") {
		if !slices.Contains(texts, r) {
			t.Errorf("the character %q is gone: its words cannot be cut", r)
		}
	}
	again, err := Fit(context.Background(), words, p)
	if err != nil || !slices.Equal(again, pieces) {
		t.Errorf("a second run gives other pieces: %v", err)
	}
}

func TestFitStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, map[string]float64{"word": 1}, DefaultParams()); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
