package core

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestTopicsOfAnything: whatever the documents and the budget are, the summary of a divided
// session fits the budget, its gains add up, and it is the same the next time.
func TestTopicsOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	divided := 0
	for range 150 {
		var documents []Document
		for range 2 + r.IntN(5) {
			d := Document{Language: "en", Title: []string{"", "A title"}[r.IntN(2)], Date: []string{"", "2026-04-21", "2026-05-01"}[r.IntN(3)]}
			if r.IntN(8) > 0 { // else without text
				sentences := strings.SplitAfter(tabs[r.IntN(len(tabs))].Text, ". ")
				for range 1 + r.IntN(12) {
					d.Text += sentences[r.IntN(len(sentences))] + " "
				}
			}
			documents = append(documents, d)
		}
		s, err := Open(t.Context(), documents, OpenOptions{Titles: r.IntN(2) == 0})
		if err != nil {
			t.Fatal(err)
		}
		unit := Units[r.IntN(len(Units))]
		amount := 1 + r.IntN(map[Unit]int{Words: 200, PaperWords: 200, Sentences: 10, Characters: 1200}[unit])
		o := Options{Budget: Budget{amount, unit}, Order: []Order{OrderStory, OrderDocument, OrderRank}[r.IntN(3)]}
		first, err := s.Summarize(t.Context(), o)
		if err == ErrNoText {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(s.cache.parts) > 0 {
			divided++
		}
		if first.Used > amount && !first.OverBudget || len(first.Sentences) == 0 {
			t.Errorf("%v: %d sentences use %d", o.Budget, len(first.Sentences), first.Used)
		}
		sum := 0.0
		for _, q := range first.Sentences {
			sum += q.Gain
		}
		if math.Abs(sum-first.Score) > 1e-9 {
			t.Errorf("%v: gains add up to %v, score %v", o.Budget, sum, first.Score)
		}
		again, err := s.Summarize(t.Context(), o)
		if err != nil || !reflect.DeepEqual(again, first) {
			t.Errorf("%v: %q, then %q (%v)", o.Budget, first.Text, again.Text, err)
		}
		if len(s.cache.parts) == 0 || len(first.Sentences) == 1 { // perhaps none fitted its share
			continue
		}
		// Titles are no text.
		other, err := Summarize(t.Context(), documents, o)
		if err != nil || other.Text != first.Text {
			t.Errorf("%v: %q with titles, %q without (%v)", o.Budget, first.Text, other.Text, err)
		}
	}
	if divided < 20 {
		t.Errorf("%d divided", divided)
	}
}
