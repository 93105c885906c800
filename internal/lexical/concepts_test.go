package lexical

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// naiveConcepts looks every bigram up in every sentence.
func naiveConcepts(a *Analysis, docs []cluster.Document) *Concepts {
	bigrams := func(k int) (out []gram) {
		terms := a.Sentences[k]
		for i := 1; i < len(terms); i++ {
			if !(a.Terms[terms[i-1]].Stop && a.Terms[terms[i]].Stop) {
				out = append(out, gram{terms[i-1], terms[i]})
			}
		}
		return out
	}
	withSentences := 0
	for _, d := range docs {
		withSentences += min(1, len(d.Sentences))
	}
	c := &Concepts{Sentence: make([][]int32, len(a.Sentences))}
	known := map[gram]bool{}
	for k := range a.Sentences {
		for _, g := range bigrams(k) {
			if known[g] {
				continue
			}
			known[g] = true
			first := map[int]int{} // document → sentence
			var sentences []int
			for j := range a.Sentences {
				if slices.Contains(bigrams(j), g) {
					sentences = append(sentences, j)
					if _, ok := first[a.Refs[j].Document]; !ok {
						first[a.Refs[j].Document] = a.Refs[j].Sentence
					}
				}
			}
			if len(first) < 2 && !(withSentences == 1 && len(sentences) > 1) {
				continue
			}
			id := int32(len(c.Weight))
			weight := 0.0
			for _, p := range first {
				weight += math.Exp(-float64(p) / 10)
			}
			c.Weight = append(c.Weight, weight)
			c.Documents = append(c.Documents, int32(len(first)))
			for _, j := range sentences {
				c.Sentence[j] = append(c.Sentence[j], id)
			}
		}
	}
	return c
}

func TestConceptsAgainstNaive(t *testing.T) {
	found := 0
	for seed := range uint64(200) {
		docs := randomCluster(seed)
		a := analyze(t, docs...)
		got, want := a.Concepts(), naiveConcepts(a, docs)
		found += len(want.Weight)
		if fmt.Sprint(got.Sentence) != fmt.Sprint(want.Sentence) || !slices.Equal(got.Documents, want.Documents) {
			t.Fatalf("seed %d: got %v %v\nwant %v %v", seed, got.Sentence, got.Documents, want.Sentence, want.Documents)
		}
		for c := range want.Weight {
			if math.Abs(got.Weight[c]-want.Weight[c]) > 1e-12 {
				t.Fatalf("seed %d, concept %d: weight %g, want %g", seed, c, got.Weight[c], want.Weight[c])
			}
		}
	}
	if found < 100 {
		t.Errorf("the random clusters have only %d concepts", found)
	}
}

func TestConcepts(t *testing.T) {
	a := analyze(t,
		document("en", "The old bridge fell.", "Nobody was hurt.", "The bridge fell at noon; the bridge fell."),
		document("en", "Rain came first.", "Then bridges fell."))
	c := a.Concepts()
	// Only "bridge fell" is in both: first at 0, then at 1.
	if want := [][]int32{{0}, {}, {0}, {}, {0}}; !reflect.DeepEqual(c.Sentence, want) {
		t.Errorf("concepts %v, want %v", c.Sentence, want)
	}
	if want := 1 + math.Exp(-0.1); len(c.Weight) != 1 || math.Abs(c.Weight[0]-want) > 1e-12 {
		t.Errorf("weights %v, want [%g]", c.Weight, want)
	}
}

func TestPairs(t *testing.T) {
	a := analyze(t,
		document("en", "The old bridge fell.", "Nobody was hurt.", "The bridge fell."),
		document("en", "Rain came first.", "Then bridges fell."))
	// In order: the old, old bridge, bridge fell, was hurt …
	for scale, want := range map[float64]float64{0: 2, 10: 1 + math.Exp(-0.1), 1: 1 + math.Exp(-1)} {
		c := a.Pairs(scale)
		if math.Abs(c.Weight[2]-want) > 1e-12 || c.Documents[2] != 2 || !slices.Contains(c.Sentence[2], 2) || !slices.Contains(c.Sentence[4], 2) {
			t.Errorf("scale %v: %+v, want weight %v", scale, c, want)
		}
		if c.Documents[0] != 1 || c.Weight[0] != 1 || !slices.Equal(c.Sentence[0], []int32{0, 1, 2}) {
			t.Errorf("scale %v: %+v", scale, c)
		}
	}
}

func TestConceptsOfOneDocument(t *testing.T) {
	for _, docs := range [][]cluster.Document{
		{document("en", "Bridge fell.", "It rained.", "Bridge fell again.")},
		{{}, document("en", "Bridge fell.", "It rained.", "Bridge fell again."), {}},
	} {
		c := analyze(t, docs...).Concepts()
		if want := [][]int32{{0}, {}, {0}}; !reflect.DeepEqual(c.Sentence, want) || len(c.Weight) != 1 || c.Weight[0] != 1 {
			t.Errorf("got %+v, want %v of weight 1", c, want)
		}
	}
}
