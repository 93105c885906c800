// Package selection chooses the sentences of a summary: the paper's beam
// search and greedy search (Algorithm 1) over embeddings and a centroid.
//
// Start with [Select], the paper's search. [SelectCoverage] and [LocalSearch]
// also score the concepts that a summary covers, [MaxCoverage] only these.
// [RankAll] quotes everything. The published baselines are [Gholipour], [Lamsiyah],
// [Rossiello], [Radev], [LexRank], [TextRank], [MMR] and [Lead].
//
// Legend: N sentences, M of them candidates, D dimensions, B beam width, T
// patience of the greedy search, n sentences pre-selected in a document, e_s
// the embedding of sentence s, ĉ the centroid. A state is a partial summary S;
// its score is cos(Σ_{s∈S} e_s, ĉ), divided by length(S)^exponent.
//
// The search works in Gram form: with e_S = Σ e_s,
//
//	e_{S∪s}·ĉ = e_S·ĉ + e_s·ĉ   and   |e_{S∪s}|² = |e_S|² + 2 e_S·e_s + |e_s|²,
//
// so that a state is two numbers and the row (e_S · every candidate), to which
// each sentence adds one Gram row. No sum of embeddings is formed.
package selection

import (
	"context"
	"errors"
	"math"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/errorf"
)

// Preselect chooses the candidates among the sentences of each document.
type Preselect string

const (
	// First takes the first n sentences of each document, as in the paper.
	First Preselect = "n_first"
	// Best takes the n sentences of each document nearest the centroid.
	Best Preselect = "n_best"
	// All takes every sentence.
	All Preselect = "all"
)

// Params are the parameters of the paper's search.
type Params struct {
	Preselect      Preselect
	N              int     // sentences pre-selected in a document
	BeamWidth      int     // B, at least 1
	Patience       int     // T, failures in a row that end the greedy search; 0: no greedy search
	Budget         int     // in the unit of Problem.Length, at least 1
	LengthExponent float64 // in 0..10; scores are divided by length^exponent
	// Distinct keeps one state for each set of sentences. The paper's search
	// keeps all.
	Distinct bool
	// MaxCosine, if above 0, excludes near-duplicates: sentences whose cosine
	// (of Problem.Wording) to a chosen one is higher. The paper's search has no
	// such filter.
	MaxCosine float64
}

// PaperParams are the values that the paper's grid search found on the
// validation set of Multi-News: n = 9, B = 5, T = 9; budget 230 words.
func PaperParams() Params {
	return Params{Preselect: First, N: 9, BeamWidth: 5, Patience: 9, Budget: 230}
}

// ErrParams is wrapped by the errors about Params.
var ErrParams = errors.New("bad selection parameter")

// Check returns an error that names the first value out of range.
func (p Params) Check() error {
	switch p.Preselect {
	case All:
	case First, Best:
		if p.N < 1 {
			return errorf.Errorf("%w: n is %d: want at least 1", ErrParams, p.N)
		}
	default:
		return errorf.Errorf("%w: preselect %q: want %s, %s or %s", ErrParams, string(p.Preselect), string(First), string(Best), string(All))
	}
	switch {
	case p.BeamWidth < 1:
		return errorf.Errorf("%w: beam_width is %d: want at least 1", ErrParams, p.BeamWidth)
	case p.Patience < 0:
		return errorf.Errorf("%w: patience is %d: want 0 or more", ErrParams, p.Patience)
	case p.Budget < 1:
		return errorf.Errorf("%w: budget is %d: want at least 1", ErrParams, p.Budget)
	case !(p.LengthExponent >= 0 && p.LengthExponent <= 10):
		return errorf.Errorf("%w: length_exponent is %v: want 0 to 10", ErrParams, p.LengthExponent)
	}
	return nil
}

// Problem is the input of a selection: N sentences of a cluster in reading
// order.
type Problem struct {
	// Rows holds the embeddings, N×D.
	Rows linalg.Rows
	// Centroid ĉ, of length D. It need not have unit length.
	Centroid []float64
	// Refs are the sentences, ascending, of length N.
	Refs []cluster.Ref
	// Texts are the sentences' texts, of length N. Of sentences with the same
	// text, only the first is a candidate. Nil: no two are the same.
	Texts []string
	// Length of each sentence in units of the budget, of length N.
	Length []int
	// Support, of length N if not nil, marks the rows that are not candidates: they
	// only influence the centroid and the graph methods.
	Support []bool
	// Translations, if not nil, returns the rows that translate row k. No
	// summary holds a sentence and its translation. It is called once for each
	// chosen row.
	Translations func(k int) []int
	// Wording holds the vectors that MaxCosine compares, N rows; nil: Rows. In
	// TF-IDF vectors a single rare number can hide that all other words are
	// equal.
	Wording linalg.Rows
}

func (p *Problem) check() error {
	n := p.Rows.Len()
	switch {
	case len(p.Refs) != n:
		return errorf.Errorf("selection: %d sentences but %d embeddings", len(p.Refs), n)
	case len(p.Length) != n || p.Texts != nil && len(p.Texts) != n || p.Support != nil && len(p.Support) != n:
		return errorf.Errorf("selection: lengths, texts or support are not of %d sentences", n)
	case n > 0 && len(p.Centroid) != p.Rows.Dims():
		return errorf.Errorf("selection: the centroid has %d dimensions, the embeddings have %d", len(p.Centroid), p.Rows.Dims())
	}
	for i, v := range p.Centroid {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errorf.Errorf("selection: component %d of the centroid is not a finite number", i)
		}
	}
	return nil
}

// Result is a selection of sentences.
type Result struct {
	// Rows are the chosen sentences as row indices of the problem, ascending.
	Rows []int
	// Score of the chosen set.
	Score float64
	// Rank lists the same rows best first: the one with the highest score alone,
	// then always the one with the highest gain. A published baseline lists them
	// in the order in which it chose them. Gain[i] is what Rank[i] adds to the
	// score; it may be negative. The gains add up to Score.
	Rank []int
	Gain []float64
	// Centrality is what LexRank and TextRank rank the rows by, 1 on average over
	// the candidates, 0 for the others, of length N. It is nil for the other
	// methods, and if no sentence fits the budget.
	Centrality []float64
	// OverBudget says that no sentence fits the budget, and that the one nearest
	// the centroid was chosen.
	OverBudget bool
}

// Select runs Algorithm 1 of the paper: remove repeated and too long sentences,
// pre-select candidates, beam search, greedy search. Ties break by (document,
// sentence). A problem without sentences gives an empty result.
func Select(ctx context.Context, p *Problem, params Params) (Result, error) {
	if err := params.Check(); err != nil {
		return Result{}, err
	}
	if err := p.check(); err != nil {
		return Result{}, err
	}
	if p.Rows.Len() == 0 {
		return Result{}, nil
	}
	sc, err := newScorer(p, params.LengthExponent)
	if err != nil {
		return Result{}, err
	}
	usable := usableRows(p, params.Budget)
	if len(usable) == 0 {
		return sc.nearest(), nil
	}
	s := &search{
		scorer:     sc,
		params:     params,
		candidates: sc.preselect(sc.dropZeros(usable), params),
		gram:       newGramCache(p.Rows),
		duplicates: newNearDuplicates(p, params.MaxCosine),
	}
	found, err := s.beam(ctx)
	if err != nil {
		return Result{}, err
	}
	finals := found.finals
	if !found.exhausted && params.Patience > 0 {
		for i := range finals {
			if finals[i], err = s.greedy(ctx, finals[i]); err != nil {
				return Result{}, err
			}
		}
	}
	if found.complete != nil {
		finals = append(finals, found.complete)
	}
	best := finals[0]
	for _, st := range finals[1:] {
		if st.score > best.score {
			best = st
		}
	}
	return s.result(best, s.gram, nil, nil), nil
}

// supports reports whether row k is no candidate.
func (p *Problem) supports(k int) bool { return p.Support != nil && p.Support[k] }

// usableRows returns the candidates, ascending, that fit the budget on their own and
// do not repeat the exact text of an earlier one.
func usableRows(p *Problem, budget int) []int {
	seen := make(map[string]bool, len(p.Texts))
	rows := make([]int, 0, len(p.Refs))
	for k := range p.Refs {
		if p.supports(k) {
			continue
		}
		if p.Texts != nil {
			if seen[p.Texts[k]] {
				continue
			}
			seen[p.Texts[k]] = true
		}
		if p.Length[k] <= budget {
			rows = append(rows, k)
		}
	}
	return rows
}
