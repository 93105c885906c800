package core

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func TestOracleKnowsTheAnswer(t *testing.T) {
	o := Options{Method: "oracle", Budget: Budget{15, Words}, References: []string{"A team from Norby won the handball cup.", "The captain thanked fans."}}
	s := mustSummarize(t, flood(), o)
	if !strings.Contains(s.Text, "handball") || !strings.Contains(s.Text, "captain") || s.Method != "oracle" {
		t.Errorf("got %s: %q", s.Method, s.Text)
	}
	if mean := mustSummarize(t, flood(), Options{Method: "bs+gs", Budget: o.Budget}); strings.Contains(mean.Text, "handball") {
		t.Errorf("without references got %q, too", mean.Text)
	}
	o.References = []string{"Kein Wort davon steht hier drin."}
	if s := mustSummarize(t, flood(), o); s.Score != 0 || len(s.Sentences) == 0 {
		t.Errorf("references that share no word: score %v, %q", s.Score, s.Text)
	}
	for _, m := range Methods() {
		if m.Name == "oracle" {
			t.Error("oracle is offered")
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(stage string, done, total int) {
		if stage == "select" {
			cancel()
		}
	}
	if _, err := Summarize(ctx, flood().Documents, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestOracleReadsReferencesInTheClustersLanguage: both sides are stemmed in the
// same language, although a short reference may be detected as another.
func TestOracleReadsReferencesInTheClustersLanguage(t *testing.T) {
	c := &cluster.Cluster{Documents: []cluster.Document{
		{Language: "pt", Text: "As inundações destruíram casas. O governo anunciou medidas. Os bombeiros trabalharam durante a noite."},
		{Language: "pt", Text: "Uma inundação destruiu uma casa. O jogo foi adiado."},
	}}
	s := mustSummarize(t, c, Options{Method: "oracle", Budget: Budget{1, Sentences}, References: []string{"Bombeiro trabalhava."}})
	if !strings.Contains(s.Text, "bombeiros") {
		t.Errorf("got %q, score %v", s.Text, s.Score)
	}
}

// refsOf returns the sentences of a summary by rank.
func refsOf(t *testing.T, c *cluster.Cluster, o Options) (refs []cluster.Ref) {
	o.Order = OrderRank
	for _, q := range mustSummarize(t, c, o).Sentences {
		refs = append(refs, q.Ref)
	}
	return refs
}

func TestSearchOptionsReachTheSearch(t *testing.T) {
	c := large(6, 30)
	budget := Budget{120, PaperWords}
	for _, method := range []string{"mean", "position", "bs", "bs+gs", "gholipour"} {
		for _, r := range refsOf(t, c, Options{Method: method, Budget: budget, Preselect: "n_first", N: 2}) {
			if r.Sentence >= 2 {
				t.Errorf("%s: %v is not among the first two of its document", method, r)
			}
		}
		all := refsOf(t, c, Options{Method: method, Budget: budget, Preselect: "all"})
		// The position-weighted centroid prefers early sentences, too.
		if method != "position" && !slices.ContainsFunc(all, func(r cluster.Ref) bool { return r.Sentence >= 9 }) {
			t.Errorf("%s: no sentence beyond the ninth among all: %v", method, all)
		}
	}
	// With beam width 1, the paper's beam search selects what the greedy method does.
	greedy := refsOf(t, c, Options{Method: "gholipour", Budget: budget})
	beam := refsOf(t, c, Options{Method: "bs", Budget: budget, Preselect: "all", BeamWidth: 1})
	if !slices.Equal(greedy, beam) {
		t.Errorf("gholipour %v, a beam of one %v", greedy, beam)
	}
	wide := mustSummarize(t, c, Options{Method: "bs+gs", Budget: budget})
	narrow := mustSummarize(t, c, Options{Method: "bs+gs", Budget: budget, BeamWidth: 1, Patience: 1})
	if wide.Score <= narrow.Score {
		t.Errorf("score %v with B = 5 and T = 9, %v with 1 and 1", wide.Score, narrow.Score)
	}
	one := 1.0
	if divided := mustSummarize(t, c, Options{Method: "bs+gs", Budget: budget, LengthExponent: &one}); divided.Score > wide.Score/100 {
		t.Errorf("score %v with a length exponent of 1, %v with 0", divided.Score, wide.Score)
	}
}

func TestLeadGoesInTurns(t *testing.T) {
	got := refsOf(t, flood(), Options{Method: "lead", Budget: Budget{5, Sentences}})
	want := []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 1, Sentence: 0}, {Document: 2, Sentence: 0}, {Document: 0, Sentence: 1}, {Document: 1, Sentence: 1}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestMethodsDiffer: no two names run the same method by mistake.
func TestMethodsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, m := range append(Methods()[1:], oracle.MethodInfo) {
		answers := ""
		for _, words := range []int{40, 60, 97, 150, 300} {
			c := large(6, 6)
			// Sentences of different lengths let the greedy search fill the budget.
			c.Documents = append(c.Documents, flood().Documents...)
			s := mustSummarize(t, c, Options{Method: m.Name, Order: OrderRank, Budget: Budget{words, Words}, References: []string{flood().Documents[2].Text}})
			if s.Method != m.Name || m.Title == "" || m.Description == "" {
				t.Errorf("%+v: method %q", m, s.Method)
			}
			answers += s.Text + "\n\n"
		}
		// No sentence repeats another, so that the filter of rossiello removes
		// nothing.
		if other, ok := seen[answers]; ok && (m.Name != "radev" || other != "rossiello") {
			t.Errorf("%s gives the summaries of %s", m.Name, other)
		}
		seen[answers] = m.Name
	}
}
