package core

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/text"
)

func oneSentence() Budget { return Budget{Amount: 1, Unit: Sentences} }

// TestQuerySteers: methods with a centroid quote what the query asks for, and other
// sentences without it.
func TestQuerySteers(t *testing.T) {
	for _, method := range []string{"", "salience", "instant", "mean", "position", "headline"} {
		o := Options{Method: method, Budget: Budget{Amount: 3, Unit: Sentences}}
		plain := mustSummarize(t, flood(), o)
		for query, want := range map[string]string{
			"Which schools are closed?":        "Schools stay closed until Thursday.",
			"bakeries giving away their bread": "A bakery gave away bread.",
			"the handball cup":                 "The handball team of Norby won the cup in Lund.",
		} {
			o.Query = query
			if asked := mustSummarize(t, flood(), o); !strings.Contains(asked.Text, want) {
				t.Errorf("%s, %q: got %q", method, query, asked.Text)
			}
			if strings.Contains(plain.Text, want) {
				t.Errorf("%s: %q is quoted unasked", method, want)
			}
		}
		// Words that the documents lack change nothing, nor do stop words.
		for _, query := range []string{"quantum chromodynamics", "what is it about?", " \n"} {
			o.Query = query
			if got := mustSummarize(t, flood(), o); got.Text != plain.Text || got.Score != plain.Score {
				t.Errorf("%s, %q: got %q (%g), want %q (%g)", method, query, got.Text, got.Score, plain.Text, plain.Score)
			}
		}
	}
}

func TestQueryWeight(t *testing.T) {
	query := "bread of the bakery"
	steered := func(w float64) bool {
		s := mustSummarize(t, flood(), Options{Method: "instant", Budget: oneSentence(), Query: query, QueryWeight: &w})
		return strings.Contains(s.Text, "bread")
	}
	plain := mustSummarize(t, flood(), Options{Method: "instant", Budget: oneSentence()})
	zero := 0.0
	if got := mustSummarize(t, flood(), Options{Method: "instant", Budget: oneSentence(), Query: query, QueryWeight: &zero}); got.Text != plain.Text || got.Score != plain.Score {
		t.Errorf("weight 0 changes the summary: %q", got.Text)
	}
	last := false
	for w := range 11 {
		now := steered(float64(w) / 10)
		if last && !now {
			t.Errorf("weight %d/10 steers less than the one before", w)
		}
		last = now
	}
	if !last {
		t.Error("weight 1 does not quote what the query asks for")
	}
}

// TestSteeredIsTheMix: the steered centroid is the weighted sum of the centroid and the
// query, each of unit length.
func TestSteeredIsTheMix(t *testing.T) {
	w := 0.3
	// If the query is a sentence of the documents, its vector is that sentence's.
	j := jobOf(t, flood(), Options{Query: "Schools stay closed until Thursday.", QueryWeight: &w})
	rows := j.analysis.TFIDF(plainWeighting)
	const asked, other = 3, 1
	query, centroid := make([]float64, rows.Cols), make([]float64, rows.Cols)
	rows.AddScaledTo(query, 1, asked)
	rows.AddScaledTo(centroid, 1, other)
	twice := slices.Clone(centroid)
	for i := range twice {
		twice[i] *= 2
	}
	q, err := j.query(context.Background(), j.blend, plainWeighting)
	if err != nil {
		t.Fatal(err)
	}
	// The sentence holds all of it.
	if want := math.Pow(w, usualHeld); math.Abs(q.weight-want) > 1e-9 {
		t.Errorf("weight %g, want %g", q.weight, want)
	}
	for i, v := range q.biasCentroid(twice) {
		if want := (1-q.weight)*centroid[i] + q.weight*query[i]; math.Abs(v-want) > 1e-6 {
			t.Errorf("column %d is %g, want %g", i, v, want)
		}
	}
}

func TestQueryInSeveralLanguages(t *testing.T) {
	c := func() *cluster.Cluster {
		return &cluster.Cluster{Documents: []cluster.Document{
			{Language: "en", Text: "The river rose on Monday and the town was flooded. The river fell on Friday. Schools stay closed in the flooded town."},
			{Language: "pt", Text: "O rio subiu na segunda-feira e a cidade ficou inundada. O rio desceu. As escolas continuam fechadas na cidade inundada."},
		}}
	}
	// Stems and stop words are those of each language.
	for query, want := range map[string]string{
		"closing of the schools": "Schools stay closed in the flooded town.",
		"uma escola fechada":     "As escolas continuam fechadas na cidade inundada.",
	} {
		if s := mustSummarize(t, c(), Options{Method: "instant", Budget: oneSentence(), Query: query}); s.Text != want {
			t.Errorf("%q: got %q", query, s.Text)
		}
	}
	// An embedding can ask in any language: dimension 0 is the common topic, 1 is school.
	embeddings := []float32{1, 0, 1, 0, 0.6, 0.8, 1, 0, 1, 0, 0.6, 0.8}
	w := 0.5
	o := denseOptions{Options{Method: "mean", Budget: oneSentence()}, Embeddings{Data: embeddings, Dimensions: 2}}
	if s := mustSummarize(t, c(), o); strings.Contains(s.Text, "closed") || strings.Contains(s.Text, "fechadas") {
		t.Errorf("unasked: got %q", s.Text)
	}
	o.Query, o.QueryEmbedding, o.QueryWeight = "Wat is gesloten?", []float32{0, 1}, &w
	if s := mustSummarize(t, c(), o); !strings.Contains(s.Text, "closed") && !strings.Contains(s.Text, "fechadas") {
		t.Errorf("asked by an embedding: got %q", s.Text)
	}
	// Without a question mark and a word of the documents, it may be no question.
	described := o
	described.Query = "gesloten"
	if s := mustSummarize(t, c(), described); strings.Contains(s.Text, "closed") || strings.Contains(s.Text, "fechadas") {
		t.Errorf("described: got %q", s.Text)
	}
	// An embedding that is near to no sentence changes nothing.
	for _, method := range []string{"mean", "multilingual"} {
		far := o
		far.Method, far.QueryEmbedding = method, []float32{0, 0}
		plain := far
		plain.Query, plain.QueryEmbedding, plain.QueryWeight = "", nil, nil
		if got, want := mustSummarize(t, c(), far), mustSummarize(t, c(), plain); got.Text != want.Text {
			t.Errorf("%s, no embedding: got %q, want %q", method, got.Text, want.Text)
		}
	}
	o.Method = "multilingual"
	if s := mustSummarize(t, c(), o); !strings.Contains(s.Text, "closed") && !strings.Contains(s.Text, "fechadas") {
		t.Errorf("asked by an embedding, in a blend: got %q", s.Text)
	}
}

// TestQueryOfWordsInAnEmbeddedSession: a method that uses words only needs no
// embedding of the query, whatever the session has.
func TestQueryOfWordsInAnEmbeddedSession(t *testing.T) {
	c := flood()
	s := mustOpen(t, c)
	data := make([]float32, 2*len(s.Texts()))
	data[0] = 1
	if err := s.Embed(Embeddings{Data: data, Dimensions: 2}); err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"auto", "salience", "instant"} {
		if _, err := s.Summarize(t.Context(), Options{Method: m, Query: "dam"}); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	none := 0.0
	if _, err := s.Summarize(t.Context(), Options{Method: "mean", Query: "dam", DenseWeight: &none}); err != nil {
		t.Error(err)
	}
}

func TestBadQuery(t *testing.T) {
	half, two, nan := 0.5, 2.0, math.NaN()
	embeddings := Embeddings{Data: make([]float32, 2*11), Dimensions: 2}
	embeddings.Data[0] = 1
	for want, o := range map[string]denseOptions{
		"queryWeight: want a number from 0 to 1, got 2":                   dense(Options{Query: "x", QueryWeight: &two}),
		"queryWeight: want a number from 0 to 1, got NaN":                 dense(Options{Query: "x", QueryWeight: &nan}),
		"queryWeight: requires query":                                     dense(Options{QueryWeight: &half}),
		"queryEmbedding: requires query":                                  dense(Options{QueryEmbedding: []float32{1}}),
		"queryEmbedding: requires embeddings":                             dense(Options{Query: "x", QueryEmbedding: []float32{1}}),
		"queryEmbedding: want 2 numbers (1 × 2), got 0":                   {Options{Method: "mean", Query: "x"}, embeddings},
		"queryEmbedding: want finite numbers, got NaN in row 0, column 1": {Options{Method: "mean", Query: "x", QueryEmbedding: []float32{0, float32(nan)}}, embeddings},
	} {
		_, err := summarize(flood(), o)
		if !errors.Is(err, ErrOption) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestHeadline: one line that fits, or one that does not if it is much nearer.
func TestHeadline(t *testing.T) {
	line := func(words int, lines ...string) *Summary {
		t.Helper()
		c := &cluster.Cluster{Documents: []cluster.Document{{Text: strings.Join(lines, "\n\n"), Language: "en"}}}
		return mustSummarize(t, c, Options{Method: "headline", Budget: Budget{Amount: words, Unit: Words}})
	}
	report := []string{
		"The Harlow bridge was closed to all traffic on Monday after inspectors found cracks in two of its girders.",
		"Engineers expect that the repairs of the Harlow bridge will take six weeks in all.",
		"The weather was fine.",
		"The inspection was the first since the bridge was last renewed in 1998.",
	}
	titled := append([]string{"Harlow bridge closes after inspection finds cracks"}, report...)
	if s := line(12, titled...); s.Text != titled[0] || s.OverBudget {
		t.Errorf("got %q", s.Text)
	}
	// "The weather was fine." fits, but is not the topic.
	if s := line(12, report...); !s.OverBudget || !strings.Contains(s.Text, "Harlow bridge") || len(s.Sentences) != 1 {
		t.Errorf("got %q", s.Text)
	}
	if s := line(22, report...); s.OverBudget || text.CountSegments(s.Text) > 22 || !strings.Contains(s.Text, "bridge") {
		t.Errorf("got %q", s.Text)
	}
	// A line of two words is near but says too little, unless there is no other.
	if s := line(12, "Harlow bridge.", report[1], "The Harlow bridge reopened."); s.Text != "The Harlow bridge reopened." {
		t.Errorf("got %q", s.Text)
	}
	if s := line(12, "Fire!"); s.Text != "Fire!" {
		t.Errorf("got %q", s.Text)
	}
	for _, m := range Methods() {
		if m.Name == "headline" {
			t.Error("it makes no summary and is for no list of methods")
		}
	}
	if _, err := Summarize(context.Background(), nil, Options{Method: "headline"}); !errors.Is(err, ErrNoText) {
		t.Error(err)
	}
	// Of many equal lines only the first.
	if s := line(12, slices.Repeat([]string{"The dam of Varn held."}, 50)...); fmt.Sprint(s.Sentences[0].Ref) != "{0 0}" {
		t.Errorf("got %v", s.Sentences[0].Ref)
	}
}
