package core

import (
	"context"
	"slices"
	"testing"
)

// conceptSummary summarizes with method concepts and returns the quoted texts.
func conceptSummary(t *testing.T, texts []string, budget int, decay *float64) []string {
	t.Helper()
	var documents []Document
	for _, text := range texts {
		documents = append(documents, Document{Text: text, Language: "en"})
	}
	s, err := Summarize(context.Background(), documents, Options{Method: "concepts", Budget: Budget{budget, Words}, PositionDecay: decay})
	if err != nil {
		t.Fatal(err)
	}
	if s.Used > budget {
		t.Errorf("%d words, the budget is %d", s.Used, budget)
	}
	var quoted []string
	for _, q := range s.Sentences {
		quoted = append(quoted, q.Text)
	}
	return quoted
}

const (
	bridge  = "The bridge fell into the river."
	rescue  = "Rescue boats searched the water."
	weather = "Heavy rain hit the valley."
	farmers = "Local farmers sold fresh apples."
)

// TestConceptsCoverWhatDocumentsShare: pairs in more documents come first; pairs in
// too few documents fill the rest of the budget.
func TestConceptsCoverWhatDocumentsShare(t *testing.T) {
	three := []string{farmers + " " + bridge, weather + " " + bridge, rescue + " Nobody said more that day. " + bridge, rescue, "Schools close early this week."}
	two := []string{farmers + " " + rescue, weather + " " + rescue}
	none := new(float64)
	for name, test := range map[string]struct {
		texts  []string
		budget int
		want   []string
	}{
		"what three of five documents have":  {three, 6, []string{bridge}},
		"then what two have":                 {three, 11, []string{bridge, rescue}},
		"what two of two have":               {two, 5, []string{rescue}},
		"then what one has":                  {two, 10, []string{farmers, rescue}},
		"nothing shared: the budget is used": {[]string{farmers, weather}, 10, []string{farmers, weather}},
		"one document":                       {[]string{farmers + " " + weather}, 5, []string{farmers}},
	} {
		got := conceptSummary(t, test.texts, test.budget, none)
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// TestPositionDecay: with it, an early sentence precedes a late one that has more
// pairs.
func TestPositionDecay(t *testing.T) {
	late := "The river water rose above several old stone houses."
	text := bridge
	for range 5 {
		text += " So it was then and there."
	}
	text += " " + late
	if got := conceptSummary(t, []string{text, text}, 9, new(float64)); !slices.Equal(got, []string{late}) {
		t.Errorf("without: %q", got)
	}
	decay := 2.0
	if got := conceptSummary(t, []string{text, text}, 9, &decay); !slices.Contains(got, bridge) {
		t.Errorf("with: %q", got)
	}
}
