package lexical

import (
	"context"
	"math"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

func TestWordingCountsEveryTermOnce(t *testing.T) {
	c := &cluster.Cluster{Documents: []cluster.Document{{Language: "en"}}}
	for _, s := range []string{"Gauge 17 measured the river, the river Ola.", "The gauge 99 measured the river Ola.", "Rain fell.", "It was so."} {
		c.Documents[0].Sentences = append(c.Documents[0].Sentences, cluster.Sentence{Text: s})
	}
	a, err := Analyze(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 4)
	a.Wording().GramRowTo(got, 0)
	// gauge, measured, river, Ola of five words each; nothing; nothing.
	for k, want := range []float64{1, 4.0 / 5, 0, 0} {
		if math.Abs(got[k]-want) > 1e-6 {
			t.Errorf("sentence %d: cosine %v, want %v", k, got[k], want)
		}
	}
}
