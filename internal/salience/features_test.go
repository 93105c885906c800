package salience

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
	"github.com/cerasum/cerasum/internal/text"
)

// small is made by hand: a document of three sentences, an empty one, and one of
// one sentence.
func small() *Source {
	return &Source{
		Analysis: &lexical.Analysis{
			Refs: []cluster.Ref{{Document: 0, Sentence: 0}, {Document: 0, Sentence: 1}, {Document: 0, Sentence: 2}, {Document: 2, Sentence: 0}},
			Terms: []lexical.Term{
				{Text: "river", Background: 0.01}, {Text: "the", Stop: true, Background: 0.5},
				{Text: "2024", Background: 0.001}, {Text: "rose", Background: 0.02},
			},
			Sentences: [][]int32{{1, 0, 3}, {3, 1, 0}, {2, 0, 2}, {1, 0, 1, 0}},
		},
		Texts:  []string{"The river rose.", "“Rose the river?”", "2024 river 2024", "The river, the river"},
		Words:  []int{3, 3, 3, 4},
		Cosine: []float64{0.9, 0.5, 0.1, 0.5},
	}
}

// TestInputsByHand checks the meaning of each input.
func TestInputsByHand(t *testing.T) {
	f := Read(small())
	f.SetBudget(4)
	e, log := math.Exp, math.Log
	root2 := math.Sqrt2
	compare := func(what string, got []float32, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d inputs, want %d", what, len(got), len(want))
		}
		for i := range want {
			if math.Abs(float64(got[i])-want[i]) > 1e-5 {
				t.Errorf("%s, input %d: got %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	for k, want := range [][]float64{
		// Early (steeply, gently), place, first; length, centrality; documents,
		// share of its own, room; closed, digits, quotation, stop words, question.
		{1, 1, 0, 1, log(4), root2, log(2), 9. / 13, log(3.25), 1, 0, 0, 1. / 3, 0},
		{e(-0.5), e(-0.1), 0.5, 0, log(4), 0, log(2), 9. / 13, log(3.25), 1, 0, 1, 1. / 3, 1},
		{e(-1), e(-0.2), 1, 0, log(4), -root2, log(2), 9. / 13, log(3.25), 0, 1, 0, 0, 0},
		{1, 1, 0, 1, log(5), 0, log(2), 4. / 13, log(3.25), 0, 0, 0, 0.5, 0},
	} {
		compare(fmt.Sprint("sentence ", k), f.Sentence[k*SentenceInputs:(k+1)*SentenceInputs], want)
	}
	if want := [][2]int32{{1, 0}, {0, 3}, {3, 1}, {2, 0}, {0, 2}, {0, 1}}; !slices.Equal(f.Terms, want) {
		t.Fatalf("pairs %v, want %v", f.Terms, want)
	}
	if got, want := fmt.Sprint(f.Of), "[[0 1] [0 2] [3 4] [0 5]]"; got != want {
		t.Fatalf("pairs of the sentences %v, want %v", got, want)
	}
	for m, want := range map[int][]float64{
		// Documents that have it, early (steeply, gently), mean place, mean of
		// early over the documents; the terms: background, stop words, documents; centrality: highest,
		// mean; documents, room, longest sentence; numbers, largest document,
		// documents where there are several, at the beginning.
		0: {1, 1, 1, 0, 1, log(0.5), log(0.01), 1, 0, 1, 1, root2, root2 / 3, log(2), log(3.25), log(5), 0, 0, 9. / 13, 1, 1},
		2: {0.5, e(-1. / 3), e(-0.1), 0.5, e(-0.1), log(0.02), log(0.5), 0, 1, 0.5, 1, 0, 0, log(2), log(3.25), log(4), 0, 0, 9. / 13, 0.5, 0},
		3: {0.5, e(-2. / 3), e(-0.2), 1, e(-0.2), log(0.001), log(0.01), 0, 0, 0.5, 1, -root2, -root2, log(2), log(3.25), log(4), 1, 0, 9. / 13, 0.5, 0},
		5: {0.5, 1, 1, 0, 1, log(0.01), log(0.5), 0, 1, 1, 1, 0, 0, log(2), log(3.25), log(5), 0, 0, 4. / 13, 0.5, 1},
	} {
		compare(fmt.Sprint("pair ", m), f.pair[m*pairInputs:(m+1)*pairInputs], want)
	}
	// "river the" is in both, "the river" in the first alone.
	if got, want := f.Support()[0], 1.0; math.Abs(got-want) > 1e-12 {
		t.Errorf("support of what both say at once: %v, want %v", got, want)
	}
	if got, want := f.Support()[2], math.Pow(e(-0.1)/2, 0.7); math.Abs(got-want) > 1e-12 {
		t.Errorf("support of what one says second: %v, want %v", got, want)
	}
	// A document alone: what it says is in all documents, but not in several.
	alone := small()
	alone.Analysis.Refs, alone.Analysis.Sentences = alone.Analysis.Refs[:3], alone.Analysis.Sentences[:3]
	alone.Texts, alone.Words, alone.Cosine = alone.Texts[:3], alone.Words[:3], alone.Cosine[:3]
	one := Read(alone)
	one.SetBudget(4)
	if slices.ContainsFunc(one.Support(), func(v float64) bool { return v != 1 }) {
		t.Errorf("one document: support %v", one.Support())
	}
	if x := one.pair; x[0] != 1 || x[13] != 0 || x[18] != 1 || x[19] != 0 {
		t.Errorf("one document: %v", x[:pairInputs])
	}
}

// randomSource has a few documents, some of them empty, of random terms.
func randomSource(r *rand.Rand) *Source {
	s := &Source{Analysis: &lexical.Analysis{}}
	for i := range 3 + r.IntN(15) {
		s.Analysis.Terms = append(s.Analysis.Terms, lexical.Term{
			Text: []string{"word", "7days", "", "ß"}[r.IntN(4)], Stop: i%3 == 0, Background: 1e-6 + r.Float64()/2,
		})
	}
	for d := range 1 + r.IntN(5) {
		for i := range r.IntN(8) {
			s.Analysis.Refs = append(s.Analysis.Refs, cluster.Ref{Document: d, Sentence: i})
			terms := make([]int32, r.IntN(9))
			for n := range terms {
				terms[n] = int32(r.IntN(len(s.Analysis.Terms)))
			}
			s.Analysis.Sentences = append(s.Analysis.Sentences, terms)
			s.Texts = append(s.Texts, []string{"So be it.", "Why?", "“Stop!”", "a heading", "In 1999.", "«Oui»", "…", "他来了。"}[r.IntN(8)])
			s.Words = append(s.Words, r.IntN(20))
			s.Cosine = append(s.Cosine, r.Float64())
		}
	}
	return s
}

// TestReadAgreesWithNaiveTwin works out every input from what it is said to be,
// looking through the whole cluster for each.
func TestReadAgreesWithNaiveTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 12))
	compared := 0
	for i := range 200 {
		s := randomSource(r)
		f := Read(s)
		// A budget replaces the one before.
		f.SetBudget(r.Float64() * 50)
		budget := r.Float64() * 50
		f.SetBudget(budget)
		refs := s.Analysis.Refs
		in := map[int][]int{} // of a document: its sentences
		for k, ref := range refs {
			in[ref.Document] = append(in[ref.Document], k)
		}
		documents := float64(len(in))
		words := func(rows []int) (n float64) {
			for _, k := range rows {
				n += float64(s.Words[k])
			}
			return n
		}
		var all []int
		for k := range refs {
			all = append(all, k)
		}
		share := func(d int) float64 { return words(in[d]) / math.Max(1, words(all)) }
		ratio := math.Max(1, words(all)) / math.Max(1, budget)
		mean, deviation := 0.0, 0.0
		for _, c := range s.Cosine {
			mean += c / float64(len(s.Cosine))
		}
		for _, c := range s.Cosine {
			deviation += (c - mean) * (c - mean) / float64(len(s.Cosine))
		}
		central := func(k int) float64 { return (s.Cosine[k] - mean) / (math.Sqrt(deviation) + 1e-6) }
		place := func(k int) float64 {
			return float64(refs[k].Sentence) / math.Max(1, float64(len(in[refs[k].Document])-1))
		}
		yes := map[bool]float64{true: 1}
		compare := func(what string, got []float32, want []float64) {
			t.Helper()
			for x := range want {
				compared++
				if math.Abs(float64(got[x])-want[x]) > 1e-4 {
					t.Errorf("cluster %d, %s, input %d: got %v, want %v", i, what, x, got[x], want[x])
				}
			}
		}
		pairs := map[[2]int32][]int{} // of a pair: the sentences that have it
		for k, terms := range s.Analysis.Sentences {
			stops, at := 0.0, float64(refs[k].Sentence)
			for n, id := range terms {
				stops += yes[s.Analysis.Terms[id].Stop]
				if n > 0 {
					pair := [2]int32{terms[n-1], id}
					if !slices.Contains(pairs[pair], k) {
						pairs[pair] = append(pairs[pair], k)
					}
				}
			}
			compare(fmt.Sprint("sentence ", k), f.Sentence[k*SentenceInputs:], []float64{
				math.Exp(-at / 2), math.Exp(-at / 10), place(k), yes[at == 0], math.Log(1 + float64(s.Words[k])), central(k),
				math.Log(documents), share(refs[k].Document), math.Log(ratio), yes[text.Closed(s.Texts[k])],
				yes[strings.ContainsAny(s.Texts[k], "0123456789")], yes[strings.ContainsAny(s.Texts[k], "\"“”«»")],
				stops / math.Max(1, float64(len(terms))), yes[strings.ContainsAny(s.Texts[k], "?!")],
			})
		}
		if len(pairs) != f.Pairs() || len(refs) != f.Sentences() {
			t.Fatalf("cluster %d: %d pairs of %d sentences, want %d of %d", i, f.Pairs(), f.Sentences(), len(pairs), len(refs))
		}
		for m, pair := range f.Terms {
			rows := pairs[pair]
			first := map[int]int{} // of a document: the first sentence that has it
			highest, sum, longest, largest, early, places, least := math.Inf(-1), 0.0, 0.0, 0.0, 0.0, 0.0, math.Inf(1)
			for _, k := range slices.Backward(rows) {
				first[refs[k].Document] = k
				highest, sum, longest = math.Max(highest, central(k)), sum+central(k), math.Max(longest, float64(s.Words[k]))
			}
			for d, k := range first {
				at := float64(refs[k].Sentence)
				early, places, least, largest = early+math.Exp(-at/10), places+place(k), math.Min(least, at), math.Max(largest, share(d))
			}
			having := func(id int32) float64 {
				found := map[int]bool{}
				for k, terms := range s.Analysis.Sentences {
					if slices.Contains(terms, id) {
						found[refs[k].Document] = true
					}
				}
				return float64(len(found)) / documents
			}
			a, b := s.Analysis.Terms[pair[0]], s.Analysis.Terms[pair[1]]
			part := float64(len(first)) / documents
			compare(fmt.Sprint("pair ", m), f.pair[m*pairInputs:], []float64{
				part, math.Exp(-least / 3), math.Exp(-least / 10), places / float64(len(first)), early / float64(len(first)),
				math.Log(a.Background), math.Log(b.Background), yes[a.Stop], yes[b.Stop], having(pair[0]), having(pair[1]),
				highest, sum / float64(len(rows)), math.Log(documents), math.Log(ratio), math.Log(1 + longest),
				yes[a.Text == "7days"], yes[b.Text == "7days"], largest, yes[documents > 1] * part, yes[least == 0],
			})
			support := math.Pow(early/documents, supportExponent)
			if len(first) == 1 {
				support /= math.Min(4, documents/2)
			}
			if documents < 2 {
				support = 1
			}
			if got := f.Support()[m]; math.Abs(got-support) > 1e-12 {
				t.Errorf("cluster %d, pair %d: support %v, want %v", i, m, got, support)
			}
			for k, of := range f.Of {
				if slices.Contains(of, int32(m)) != slices.Contains(rows, k) || !slices.IsSorted(of) {
					t.Errorf("cluster %d: sentence %d has the pairs %v", i, k, of)
				}
			}
		}
	}
	if compared < 20000 {
		t.Errorf("%d inputs compared", compared)
	}
}

func TestReadOfNothing(t *testing.T) {
	f := Read(&Source{Analysis: &lexical.Analysis{}})
	f.SetBudget(100)
	if p := Predict(f, General(), LongBudget(), 0.5); len(p.Sentence)+len(p.Pair)+f.Sentences()+f.Pairs() != 0 {
		t.Errorf("%+v", p)
	}
	// Sentences in which nothing can be read, of no words, for no budget.
	s := &Source{
		Analysis: &lexical.Analysis{Refs: []cluster.Ref{{}, {Sentence: 1}}, Sentences: make([][]int32, 2)},
		Texts:    make([]string, 2), Words: make([]int, 2), Cosine: make([]float64, 2),
	}
	f = Read(s)
	f.SetBudget(0)
	p := Predict(f, General(), LongBudget(), 0.5)
	for _, z := range p.Sentence {
		if math.IsNaN(z) || math.IsInf(z, 0) {
			t.Errorf("%+v", p)
		}
	}
}
