package lexical

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
)

// naiveTFIDF computes the matrix directly from the formula, as a map from column
// names to weights per sentence.
func naiveTFIDF(a *Analysis, docs []cluster.Document, w Weighting) []map[string]float64 {
	// columnsOf lists the columns of sentence k, repeated ones repeated.
	columnsOf := func(k int) (names []string, parts [][]int32) {
		terms := a.Sentences[k]
		for i, t := range terms {
			if !a.Terms[t].Stop {
				names, parts = append(names, fmt.Sprint(t)), append(parts, []int32{t})
			}
			if w.Bigrams && i > 0 && !(a.Terms[t].Stop && a.Terms[terms[i-1]].Stop) {
				names = append(names, fmt.Sprint(terms[i-1], "+", t))
				parts = append(parts, []int32{terms[i-1], t})
			}
		}
		return names, parts
	}
	languageOf := func(k int) string { return docs[a.Refs[k].Document].Language }
	hasTerm := func(language string, t int32) bool {
		for k := range a.Sentences {
			for _, x := range a.Sentences[k] {
				if x == t && languageOf(k) == language {
					return true
				}
			}
		}
		return false
	}
	withSentences := map[int]bool{}
	for _, ref := range a.Refs {
		withSentences[ref.Document] = true
	}

	rows := make([]map[string]float64, len(a.Sentences))
	for k := range rows {
		rows[k] = map[string]float64{}
		names, parts := columnsOf(k)
		for i, name := range names {
			if _, done := rows[k][name]; done {
				continue
			}
			tf := 0.0
			for _, other := range names {
				if other == name {
					tf++
				}
			}
			if w.SublinearTF {
				tf = 1 + math.Log(tf)
			}
			n, df, p := 0.0, 0.0, 1.0
			documents := map[int]bool{}
			for j := range a.Sentences {
				inLanguage := true
				for _, t := range parts[i] {
					inLanguage = inLanguage && hasTerm(languageOf(j), t)
				}
				if inLanguage {
					n++
				}
				others, _ := columnsOf(j)
				for _, other := range others {
					if other == name {
						df++
						documents[a.Refs[j].Document] = true
						break
					}
				}
			}
			for _, t := range parts[i] {
				p *= a.Terms[t].Background
			}
			v := tf * (1 + math.Log((n+w.Background+1)/(df+w.Background*p+1)))
			if w.SingleDocument > 0 && len(documents) == 1 && len(withSentences) > 1 {
				v *= w.SingleDocument
			}
			rows[k][name] = v
		}
		if !w.Raw {
			square := 0.0
			for _, v := range rows[k] {
				square += v * v
			}
			for name, v := range rows[k] {
				rows[k][name] = v / math.Sqrt(square)
			}
		}
	}
	return rows
}

func TestTFIDFAgainstNaive(t *testing.T) {
	clusters := uint64(60)
	if testing.Short() {
		clusters = 15
	}
	for seed := range clusters {
		docs := randomCluster(seed)
		a := analyze(t, docs...)
		for _, w := range []Weighting{
			{},
			{Raw: true},
			{SublinearTF: true, Background: 100},
			{Bigrams: true, SingleDocument: 0.25},
			{Bigrams: true, SingleDocument: 0.5, Background: 1000, SublinearTF: true},
		} {
			got := a.TFIDF(w)
			want := naiveTFIDF(a, docs, w)
			names := map[string]int32{} // column of a name
			for k := range want {
				cols, vals := got.Row(k)
				if len(cols) != len(want[k]) {
					t.Fatalf("seed %d, %+v, sentence %d: %d columns, want %d", seed, w, k, len(cols), len(want[k]))
				}
				at := map[int32]float64{}
				for i, c := range cols {
					if i > 0 && cols[i-1] >= c {
						t.Fatalf("seed %d, sentence %d: columns %v are not ascending", seed, k, cols)
					}
					at[c] = float64(vals[i])
				}
				// The numbering: a new name is matched with the new columns
				// in order of their first appearance.
				terms := a.Sentences[k]
				for i, x := range terms {
					pair := ""
					if i > 0 {
						pair = fmt.Sprint(terms[i-1], "+", x)
					}
					for _, name := range []string{fmt.Sprint(x), pair} {
						if _, ok := want[k][name]; !ok {
							continue
						}
						if _, ok := names[name]; !ok {
							names[name] = int32(len(names))
						}
					}
				}
				for name, v := range want[k] {
					if g := at[names[name]]; math.Abs(g-v) > 1e-6*(1+math.Abs(v)) {
						t.Fatalf("seed %d, %+v, sentence %d, column %s: %g, want %g", seed, w, k, name, g, v)
					}
				}
			}
			if got.Dims() != len(names) || got.Len() != len(want) {
				t.Fatalf("seed %d: %d×%d, want %d×%d", seed, got.Len(), got.Dims(), len(want), len(names))
			}
		}
	}
}

func TestTFIDFOfStopWords(t *testing.T) {
	a := analyze(t, document("en", "It was the same.", "", "The bridge fell."))
	// The last has bridge, fell, "the bridge" and "bridge fell".
	for k, want := range []int{0, 0, 4} {
		cols, _ := a.TFIDF(Weighting{Bigrams: true}).Row(k)
		if len(cols) != want {
			t.Errorf("row %d has %d entries, want %d", k, len(cols), want)
		}
	}
}

func TestTFIDFOfNothing(t *testing.T) {
	for _, docs := range [][]cluster.Document{nil, {{}}, {{Language: "en"}, {Language: "fr"}}} {
		a := analyze(t, docs...)
		m := a.TFIDF(Weighting{Bigrams: true, SingleDocument: 0.25})
		if m.Len() != 0 || m.Dims() != 0 {
			t.Errorf("%d×%d, want 0×0", m.Len(), m.Dims())
		}
		if c := a.Concepts(); len(c.Sentence) != 0 || len(c.Weight) != 0 {
			t.Errorf("concepts of nothing: %+v", c)
		}
	}
}

// TestBackgroundWeighs: of two terms that are equally frequent in the cluster, the
// one that is common in the language weighs less; a larger Background increases
// the difference.
func TestBackgroundWeighs(t *testing.T) {
	a := analyze(t, document("en", "People protest", "Zeppelin protest"))
	gap := func(background float64) float64 {
		m := a.TFIDF(Weighting{Background: background, Raw: true})
		_, first := m.Row(0)
		_, second := m.Row(1)
		// Columns: people 0, protest 1, zeppelin 2.
		return float64(second[1] - first[0])
	}
	if g := gap(0); g != 0 {
		t.Errorf("without a background the gap is %g, want 0", g)
	}
	if weak, strong := gap(10), gap(1000); !(0 < weak && weak < strong) {
		t.Errorf("the gaps are %g and %g, want them to grow from 0", weak, strong)
	}
}

func TestDeterministic(t *testing.T) {
	w := Weighting{Bigrams: true, SingleDocument: 0.25, Background: 100}
	for seed := range uint64(5) {
		docs := randomCluster(seed)
		a, b := analyze(t, docs...), analyze(t, docs...)
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(a.TFIDF(w), b.TFIDF(w)) || !reflect.DeepEqual(a.Concepts(), b.Concepts()) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
	}
}
