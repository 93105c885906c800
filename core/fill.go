package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/core/selection"
	"github.com/cerasum/cerasum/internal/text"
)

// searchAndFill is searchCandidates on the candidates, and fills up a summary for
// which little has to be selected; see filling.
func (j *job) searchAndFill(rows linalg.Rows, c []float64, has [][]int32, weight []float64, params lexicalParams, coverageWeight float64, search func(*selection.Problem, *selection.Concepts) (selection.Result, error)) (selection.Result, error) {
	r, err := j.searchCandidates(j.candidates(rows, c, params), rows, c, has, weight, search)
	if err != nil || r.OverBudget {
		return r, err
	}
	filled := j.fill(r.Rows, centroid.Cosines(rows, c), params)
	if len(filled) == len(r.Rows) {
		return r, nil
	}
	return j.searchCandidates(filled, rows, c, has, weight, func(p *selection.Problem, con *selection.Concepts) (selection.Result, error) {
		return selection.RankAll(p, con, coverageWeight)
	})
}

// fill adds to the chosen rows what the search left out, if all sentences of minWords
// or more fit the budget: these, and the shorter ones that fit beside them. Headings
// and repetitions remain left out. Where all sentences are short, all must fit.
func (j *job) fill(chosen []int, cosine []float64, params lexicalParams) []int {
	var long, short []int
	prose := j.prose()
	for k, n := range j.words {
		switch {
		case n == 0 || j.title(k) || j.supports(k) || j.heading(k, prose, params) && j.startsLine(k):
		case n < params.minWords:
			short = append(short, k)
		default:
			long = append(long, k)
		}
	}
	if len(long) > maxCandidates {
		return chosen
	}
	nearest := func(a, b int) int { return cmp.Compare(cosine[b], cosine[a]) }
	slices.SortStableFunc(long, nearest)
	slices.SortStableFunc(short, nearest)
	f := j.newFilling(params, slices.Concat(long, short))
	for _, k := range chosen {
		f.add(k)
	}
	for _, k := range long {
		if !f.add(k) {
			return chosen
		}
	}
	for _, k := range short {
		if !f.add(k) && len(long) == 0 {
			return chosen
		}
	}
	slices.Sort(f.rows)
	return f.rows
}

// title reports whether row k is of a title; only method headline quotes these.
func (j *job) title(k int) bool { return j.refs[k].Document >= j.titles }

// heading reports whether row k is a heading, a caption or a byline: in prose, a
// short sentence without a terminal mark.
func (j *job) heading(k int, prose []bool, params lexicalParams) bool {
	return prose[j.refs[k].Document] && j.words[k] < params.openWords && !text.Closed(j.texts[k])
}

// startsLine reports whether row k begins a line of its document. A sentence that
// does not is no heading, though its terminal mark be missing.
func (j *job) startsLine(k int) bool {
	before := j.cluster.Documents[j.refs[k].Document].Text
	before = before[:min(j.cluster.At(j.refs[k]).Start, len(before))]
	before = strings.TrimRight(before, " \t\u00a0\u3000")
	return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\r")
}

// filling is a summary to which rows are added while they fit.
type filling struct {
	*job
	params lexicalParams
	rows   []int
	left   int // of the budget
	// whole says that all rows fit together, repeated words aside.
	whole bool
	said  map[string]bool // the terms of rows
	// repeated marks the rows that repeat one of rows in other words.
	repeated []bool
	cosines  []float64 // scratch, of length N
}

func (j *job) newFilling(params lexicalParams, rows []int) *filling {
	n := len(j.refs)
	f := &filling{job: j, params: params, left: j.measure.budget, said: map[string]bool{}, repeated: make([]bool, n), cosines: make([]float64, n)}
	total := 0
	for _, k := range rows {
		if terms := f.terms(k); !f.said[terms] {
			f.said[terms] = true
			total += f.measure.cost[k]
		}
	}
	f.whole = total <= f.left
	clear(f.said)
	return f
}

// add adds row k unless it repeats another. It reports false if it does not fit.
func (f *filling) add(k int) bool {
	terms := f.terms(k)
	if f.repeated[k] || f.said[terms] {
		return true
	}
	if f.measure.cost[k] > f.left {
		return false
	}
	f.rows = append(f.rows, k)
	f.left -= f.measure.cost[k]
	f.said[terms] = true
	f.markRepeated(k)
	return true
}

// markRepeated marks the translations of row k and, unless k is short, its
// near-duplicates. Where the whole text fits, those in its document are quoted, too:
// "The flight to Rome leaves at nine. The flight to Oslo leaves at nine."
func (f *filling) markRepeated(k int) {
	f.translations().of(k, func(row int, _ float64) { f.repeated[row] = true })
	if f.words[k] < f.params.minWords {
		return
	}
	f.wording().GramRowTo(f.cosines, k)
	for i, v := range f.cosines {
		if v > nearDuplicate && !(f.whole && f.refs[i].Document == f.refs[k].Document) {
			f.repeated[i] = true
		}
	}
}

// terms identifies the terms of row k in their order; of a row without terms, the
// text.
func (j *job) terms(k int) string {
	terms := j.analysis.Sentences[k]
	if len(terms) == 0 {
		return j.texts[k]
	}
	key := make([]byte, 0, 4*len(terms))
	for _, t := range terms {
		key = append(key, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
	}
	return string(key)
}
