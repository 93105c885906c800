package core

import (
	"errors"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/salience"
)

// TestExperts: given experts are used for their budgets.
func TestExperts(t *testing.T) {
	sure := &salience.Expert{Sentence: salience.NewNetwork(salience.SentenceInputs, 1), Pair: salience.NewNetwork(salience.PairInputs, 1)}
	text := func(o Options) string {
		o.Method = "salience"
		return mustSummarize(t, ferry(), o).Text
	}
	long, short := Budget{Amount: 60, Unit: Words}, Budget{Amount: 12, Unit: Words}
	for _, b := range []Budget{long, short} {
		shipped := text(Options{Budget: b})
		for _, same := range []*salience.Experts{{}, {General: salience.General()}} {
			if text(Options{Budget: b, Experts: same}) != shipped {
				t.Errorf("%v: the shipped experts give another summary when they are handed in", b)
			}
		}
	}
	// For this expert, only the last sentence of each document matters.
	sure.Sentence.Scale[2], sure.Sentence.Weight[2], sure.Sentence.Output[0] = 1, 1, 20
	sure.Pair.Scale[salience.PairInputs-1], sure.Pair.Weight[salience.PairInputs-1], sure.Pair.Output[0] = 1, 1, 20
	for _, test := range []struct {
		budget  Budget
		experts salience.Experts
		licence string
		other   bool
	}{
		{long, salience.Experts{General: sure}, "", true},
		{short, salience.Experts{General: sure}, "", true},
		{long, salience.Experts{General: sure}, LicenceAny, false},
		{short, salience.Experts{General: sure}, LicenceAny, true},
		// A given long-budget expert is used under every licence option.
		{long, salience.Experts{LongBudget: sure}, "", true},
		{long, salience.Experts{LongBudget: sure}, LicenceAny, true},
		{short, salience.Experts{LongBudget: sure}, LicenceAny, false},
	} {
		o := Options{Budget: test.budget, Licence: test.licence}
		before := text(o)
		o.Experts = &test.experts
		if other := text(o) != before; other != test.other {
			t.Errorf("%v, licence %q, long-budget expert given %v: another summary %v, want %v", test.budget, test.licence, test.experts.LongBudget != nil, other, test.other)
		}
	}
	_, err := Summarize(t.Context(), ferry().Documents, Options{Experts: &salience.Experts{General: &salience.Expert{}}})
	if !errors.Is(err, ErrOption) || !strings.Contains(err.Error(), "missing network") {
		t.Errorf("an expert without networks: %v", err)
	}
}
