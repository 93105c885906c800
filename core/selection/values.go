package selection

import (
	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/errorf"
)

// Values is what the N sentences of a problem are worth in a summary, beside the
// objective of the search.
type Values struct {
	// Each, of length N, is what each sentence adds by itself; it may be negative.
	Each []float64
	// After, of length N, is what each sentence adds besides if the sentence before it in
	// its document is in the summary too.
	After []float64
	// DocumentCost is what each quoted document costs, except the first.
	DocumentCost float64
	// Opening, of length N or nil, is what each sentence adds as the opening of the
	// summary: only the largest of the summary counts. At least 0.
	Opening []float64
}

func (v *Values) check(n int) error {
	if v != nil && (len(v.Each) != n || len(v.After) != n || v.Opening != nil && len(v.Opening) != n) {
		return errorf.Errorf("selection: values of %d, %d and %d sentences, embeddings of %d", len(v.Each), len(v.After), len(v.Opening), n)
	}
	return nil
}

// each returns Each, or nil without values.
func (v *Values) each() []float64 {
	if v == nil {
		return nil
	}
	return v.Each
}

// valuation computes the value of sets; nil without values.
type valuation struct {
	*Values
	refs []cluster.Ref
	// follows[k] says that row k−1 is the sentence before row k in its document.
	follows   []bool
	documents int // that the refs are of
}

func newValuation(v *Values, refs []cluster.Ref) *valuation {
	if v == nil {
		return nil
	}
	a := &valuation{Values: v, refs: refs, follows: make([]bool, len(refs)+1)}
	for k, r := range refs {
		a.follows[k] = k > 0 && refs[k-1].Document == r.Document && refs[k-1].Sentence == r.Sentence-1
		a.documents = max(a.documents, r.Document+1)
	}
	return a
}

// worth is the value of a set.
type worth struct {
	value   float64
	opening float64 // the largest Opening of its rows, or 0
	size    int
	held    []bool  // whether the set has row k; of length N
	quoted  []int32 // how many rows of the set each document has
}

func (a *valuation) empty() worth {
	return worth{held: make([]bool, len(a.Each)), quoted: make([]int32, a.documents)}
}

// gain is what row k adds to the value of a set that it is not in.
func (a *valuation) gain(w *worth, k int) float64 {
	if a == nil {
		return 0
	}
	v := a.Each[k]
	if a.follows[k] && w.held[k-1] {
		v += a.After[k]
	}
	if a.follows[k+1] && w.held[k+1] {
		v += a.After[k+1]
	}
	if w.size > 0 && w.quoted[a.refs[k].Document] == 0 {
		v -= a.DocumentCost
	}
	if a.Opening != nil {
		v += max(0, a.Opening[k]-w.opening)
	}
	return v
}

// add adds row k to the set.
func (a *valuation) add(w *worth, k int) {
	if a == nil {
		return
	}
	w.value += a.gain(w, k)
	w.size++
	w.held[k] = true
	w.quoted[a.refs[k].Document]++
	if a.Opening != nil {
		w.opening = max(w.opening, a.Opening[k])
	}
}

// remove removes row k from the set, of which rows remain.
func (a *valuation) remove(w *worth, rows []int, k int) {
	if a == nil {
		return
	}
	w.size--
	w.held[k] = false
	w.quoted[a.refs[k].Document]--
	if a.Opening != nil {
		w.opening = 0
		for _, i := range rows {
			w.opening = max(w.opening, a.Opening[i])
		}
	}
	w.value -= a.gain(w, k)
}
