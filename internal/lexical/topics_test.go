package lexical

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// naiveTopics is Topics by its documentation: documents of a topic are those that a chain
// of alike documents joins.
func naiveTopics(a *Analysis, documents int) []int {
	weights := make([]map[string]float64, documents)
	for k, ref := range a.Refs {
		if weights[ref.Document] == nil {
			weights[ref.Document] = map[string]float64{}
		}
		for _, t := range a.Sentences[k] {
			if !a.Terms[t].Stop {
				weights[ref.Document][a.Terms[t].Text]++
			}
		}
	}
	background := map[string]float64{}
	for _, t := range a.Terms {
		background[t.Text] = t.Background
	}
	dot := func(x, y map[string]float64) (sum float64) {
		for t, n := range x {
			if y[t] > 0 {
				r := math.Pow(math.Log(background[t]+1e-4), 4)
				sum += (1 + math.Log(n)) * (1 + math.Log(y[t])) * r
			}
		}
		return sum
	}
	alike := func(x, y map[string]float64) bool {
		cosine := dot(x, y) / math.Sqrt(dot(x, x)*dot(y, y))
		return cosine >= 0.009*math.Pow(float64(len(x)*len(y)), 0.25)
	}
	topic := make([]int, documents)
	for d := range topic {
		topic[d] = -1
		if len(weights[d]) > 0 {
			topic[d] = d
		}
	}
	for range documents { // the smallest number spreads along chains
		for d := range topic {
			for e := range topic {
				if topic[d] >= 0 && topic[e] >= 0 && alike(weights[d], weights[e]) {
					topic[d] = min(topic[d], topic[e])
				}
			}
		}
	}
	return topic
}

func TestTopicsAgreeWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	vocabulary := strings.Fields("bridge harbour pier barge ferry toll council bread yeast dough oven crust flour planet star orbit telescope methane spectra transit chess league trophy coach junior match")
	seen := map[int]bool{}
	for range 300 {
		c := &cluster.Cluster{}
		for range 1 + r.IntN(7) {
			d := cluster.Document{Language: "en"}
			from := r.IntN(len(vocabulary))
			for range r.IntN(4) {
				var words []string
				for range 1 + r.IntN(6) {
					words = append(words, vocabulary[(from+r.IntN(6))%len(vocabulary)])
				}
				s := strings.Join(words, " ") + ". "
				d.Sentences = append(d.Sentences, cluster.Sentence{Text: s, Start: len(d.Text), End: len(d.Text) + len(s)})
				d.Text += s
			}
			c.Documents = append(c.Documents, d)
		}
		a, err := Analyze(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		got, want := a.Topics(len(c.Documents)), naiveTopics(a, len(c.Documents))
		if !slices.Equal(got, want) {
			t.Fatalf("topics %v, want %v: %v", got, want, c.Documents)
		}
		seen[len(slices.Compact(slices.Sorted(slices.Values(got))))] = true
	}
	if len(seen) < 4 {
		t.Errorf("numbers of topics: %v", seen)
	}
}
