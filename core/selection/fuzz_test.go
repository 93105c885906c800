package selection

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
)

// fuzzValues are what bytes of FuzzSelect stand for; other bytes are multiples of 1/16.
var fuzzValues = []float64{
	0, math.Copysign(0, -1), 1, -1, 1e-9, math.SmallestNonzeroFloat64, 1e-200, 1e100, -1e100, 1e153, 1e160, 1e200, math.MaxFloat64, -math.MaxFloat64,
	math.NaN(), math.Inf(1), math.Inf(-1),
}

func fuzzValue(b byte) float64 {
	if int(b) < len(fuzzValues) {
		return fuzzValues[b]
	}
	return (float64(b) - 128) / 16
}

// fuzzProblem makes a problem of at most 24 sentences of bytes: first the dimensions
// and the centroid, then for each sentence its flags, its length, its concepts and words
// (a bit each), and its embedding.
func fuzzProblem(data []byte) (*Problem, *Concepts, *Values, [][]int32) {
	next := func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}
	head := next()
	rows := &linalg.Dense[float64]{Cols: 1 + int(head&3)}
	p := &Problem{}
	for range rows.Cols {
		p.Centroid = append(p.Centroid, fuzzValue(next()))
	}
	concepts, values := &Concepts{}, &Values{DocumentCost: fuzzValue(next())}
	for range 8 {
		concepts.Weight = append(concepts.Weight, fuzzValue(next()))
	}
	var words [][]int32
	for ref := (cluster.Ref{}); len(data) > 0 && len(p.Refs) < 24; ref.Sentence++ {
		flags := next()
		if flags&1 != 0 {
			ref = cluster.Ref{Document: ref.Document + 1}
		}
		p.Refs = append(p.Refs, ref)
		p.Texts = append(p.Texts, string('a'+rune(len(p.Texts))))
		p.Length = append(p.Length, int(next()))
		if k := len(p.Texts) - 1; flags&2 != 0 && k > 0 {
			p.Texts[k], p.Length[k] = p.Texts[k-1], p.Length[k-1]
		}
		p.Support = append(p.Support, flags&4 != 0)
		var ids []int32
		for id, mask := int32(0), next(); id < 8; id++ {
			if mask>>id&1 != 0 {
				ids = append(ids, id)
			}
		}
		concepts.Sentence, words = append(concepts.Sentence, ids), append(words, ids)
		values.Each, values.After = append(values.Each, fuzzValue(next())), append(values.After, fuzzValue(next()))
		for range rows.Cols {
			rows.Data = append(rows.Data, fuzzValue(next()))
		}
	}
	p.Rows = rows
	if head&4 != 0 {
		p.Centroid = centroid.Mean(rows)
	}
	if head&8 != 0 {
		p.Texts, p.Support = nil, nil
	}
	if head&16 != 0 {
		p.Translations = func(k int) []int {
			if k^1 < len(p.Refs) {
				return []int{k ^ 1}
			}
			return nil
		}
	}
	return p, concepts, values, words
}

// FuzzSelect: a search of any problem with any parameters gives an error, or the same
// result each time: candidates in order, each once, within the budget, with finite scores.
func FuzzSelect(f *testing.F) {
	simple := func(search func(context.Context, *Problem, int) (Result, error)) func(*Problem, Params) (Result, error) {
		return func(p *Problem, o Params) (Result, error) { return search(context.Background(), p, o.Budget) }
	}
	searches := []func(*Problem, Params) (Result, error){
		func(p *Problem, o Params) (Result, error) { return Select(context.Background(), p, o) },
		func(p *Problem, o Params) (Result, error) { return Gholipour(context.Background(), p, o) },
		simple(Lead), simple(Radev), simple(Rossiello), simple(Lamsiyah), simple(MMR), simple(LexRank), nil, nil, nil, nil,
	}
	data := []byte("\x05\x20\x90\x02\x02\x90\x02\x90\x02\x90\x02\x90\x02\x00\x09\x03\x90\x80\x90\x20\x00\x08\x06\x90\x80\x20\x90\x01\x07\x09\x91\x80\x93\x22\x02\x07\x11\x91\x80\x13\x82\x05\x04\xff\x91\x80\x33\x42\x00\x04\xf0\x81\x80\x33\x72")
	for which := range searches {
		f.Add(uint8(which), 20, uint8(3), uint8(3), uint8(which), 0.5, data)
		f.Add(uint8(which), 1, uint8(0), uint8(0), uint8(0), -1.0, data[:30])
	}
	f.Add(uint8(0), math.MaxInt, uint8(255), uint8(255), uint8(255), math.NaN(), []byte{4})
	f.Fuzz(func(t *testing.T, which uint8, budget int, width, n, options uint8, weight float64, data []byte) {
		p, concepts, values, words := fuzzProblem(data)
		// Wider searches take as long as their caller asks for.
		o := Params{Preselect: []Preselect{First, Best, All, "last"}[options&3], N: int(n), BeamWidth: int(width % 32), Patience: int(options >> 4), Budget: budget, LengthExponent: weight, Distinct: options&4 != 0}
		if options&8 != 0 {
			o.MaxCosine = 0.9
			values = nil
		}
		searches := slices.Clone(searches)
		at := len(searches) - 4
		searches[at] = func(p *Problem, o Params) (Result, error) { return TextRank(context.Background(), p, words, o.Budget) }
		searches[at+1] = func(p *Problem, o Params) (Result, error) {
			return MaxCoverage(context.Background(), p, concepts, o.Budget)
		}
		searches[at+2] = func(p *Problem, o Params) (Result, error) {
			return SelectCoverage(context.Background(), p, concepts, CoverageParams{Budget: o.Budget, BeamWidth: o.BeamWidth, CoverageWeight: weight, ConceptCapacity: o.N, MaxCosine: o.MaxCosine})
		}
		searches[at+3] = func(p *Problem, o Params) (Result, error) {
			return LocalSearch(context.Background(), p, concepts, LocalSearchParams{Budget: o.Budget, CoverageWeight: weight, ConceptCapacity: o.N, MaxCosine: o.MaxCosine, DensityExponents: []float64{0, weight}, SwapExponent: weight, Replacements: o.Patience, Values: values})
		}
		search := searches[int(which)%len(searches)]
		r, err := search(p, o)
		if err != nil {
			if !errors.Is(err, ErrParams) && !strings.HasPrefix(err.Error(), "selection: ") || !reflect.DeepEqual(r, Result{}) {
				t.Fatalf("%+v, %v", r, err)
			}
			return
		}
		if again, err := search(p, o); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v, then %+v, %v", r, again, err)
		}
		rank := slices.Sorted(slices.Values(r.Rank))
		if !slices.Equal(rank, r.Rows) || len(slices.Compact(rank)) != len(r.Rows) || len(r.Gain) != len(r.Rank) {
			t.Fatalf("%+v", r)
		}
		length, texts := 0, map[string]bool{}
		for _, k := range r.Rows {
			if k < 0 || k >= len(p.Refs) || p.supports(k) || p.Texts != nil && texts[p.Texts[k]] {
				t.Fatalf("%+v: row %d", r, k)
			}
			length += p.Length[k]
			if p.Texts != nil {
				texts[p.Texts[k]] = true
			}
		}
		if length > budget != r.OverBudget || r.OverBudget && len(r.Rows) != 1 {
			t.Fatalf("%+v: length %d, budget %d", r, length, budget)
		}
		for _, v := range slices.Concat(r.Gain, r.Centrality, []float64{r.Score}) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v", r)
			}
		}
	})
}
