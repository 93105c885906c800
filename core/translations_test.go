package core

import (
	"errors"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// TestTranslations: budgets and repetition are computed on the translations; the
// original sentences are quoted.
func TestTranslations(t *testing.T) {
	// Two documents say the same in other words; the third sentence is short,
	// but long in translation.
	c := &cluster.Cluster{Documents: []cluster.Document{
		{Language: "en", Text: "The river flooded the town. Rain fell."},
		{Language: "pt", Text: "O rio inundou a cidade."},
	}}
	o := Options{Method: "bs+gs", Budget: Budget{10, PaperWords}}
	s, err := Summarize(t.Context(), c.Documents, o)
	if err != nil || len(s.Sentences) != 2 || s.Used > 10 {
		t.Fatalf("without translations: %+v, %v", s, err)
	}
	o.Translations = []string{"The river flooded the town.", "The rain fell on roofs and on streets and on fields.", "The river flooded the town."}
	s, err = Summarize(t.Context(), c.Documents, o)
	if err != nil || len(s.Sentences) != 1 || s.Text != "The river flooded the town." || s.Used != 5 {
		t.Fatalf("with translations: %+v, %v", s, err)
	}
	o.Translations = o.Translations[:2]
	if _, err := Summarize(t.Context(), c.Documents, o); !errors.Is(err, ErrOption) {
		t.Errorf("two translations of three sentences: %v", err)
	}
}
