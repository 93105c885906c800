package encoder

import (
	"math"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// model is a static encoder in training. A piece's vector is the sum of its own
// vector and those of its character n-grams (Bojanowski et al. 2017, "Enriching
// Word Vectors with Subword Information"), times exp of its log weight. The export
// folds the n-grams into the pieces.
//
// V pieces, G n-grams, D dimensions.
type model struct {
	dims int
	// own is V × D, grams G × D.
	own, grams []float32
	// logWeight has one number per piece.
	logWeight []float32
	// The n-grams of piece i are gramIDs[gramStart[i]:gramStart[i+1]].
	gramStart, gramIDs []int32
	// Adagrad's sums of squared gradients.
	own2, grams2, weight2 []float32
}

// n-gram lengths in characters.
const (
	minGram = 3
	maxGram = 6
)

// newModel returns a model with random, nearly orthogonal own vectors of length 1
// and n-grams of 0. idf is the initial weight of each piece.
func newModel(pieces []string, idf []float64, dims int, seed uint64) *model {
	m := &model{dims: dims, gramStart: []int32{0}}
	shared := map[string]int32{} // -1: seen in a single piece
	each := func(visit func(i int, gram string)) {
		for i, p := range pieces {
			seen := map[string]bool{}
			eachGram(p, func(g string) {
				if !seen[g] {
					seen[g] = true
					visit(i, g)
				}
			})
		}
	}
	count := map[string]int{}
	each(func(_ int, g string) { count[g]++ })
	at := 0
	each(func(i int, g string) {
		for ; at < i; at++ {
			m.gramStart = append(m.gramStart, int32(len(m.gramIDs)))
		}
		if count[g] < 2 {
			return
		}
		id, ok := shared[g]
		if !ok {
			id = int32(len(shared))
			shared[g] = id
		}
		m.gramIDs = append(m.gramIDs, id)
	})
	for ; at < len(pieces); at++ {
		m.gramStart = append(m.gramStart, int32(len(m.gramIDs)))
	}
	random := rand.New(rand.NewPCG(seed, 1))
	m.own = make([]float32, len(pieces)*dims)
	for i := range m.own {
		m.own[i] = float32(random.NormFloat64() / math.Sqrt(float64(dims)))
	}
	m.grams = make([]float32, len(shared)*dims)
	m.logWeight = make([]float32, len(pieces))
	for i, w := range idf {
		m.logWeight[i] = float32(math.Log(w))
	}
	m.own2 = make([]float32, len(m.own))
	m.grams2 = make([]float32, len(m.grams))
	m.weight2 = make([]float32, len(pieces))
	return m
}

// eachGram calls visit with the n-grams of a piece. Numbers have none and stay
// distinct. In scripts that write a word with one or two characters the n-grams are
// short.
func eachGram(piece string, visit func(string)) {
	if strings.ContainsFunc(piece, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		return
	}
	shortest, longest := minGram, maxGram
	if dense(piece) {
		shortest, longest = 1, 3
	}
	starts := []int{}
	for i := range piece {
		starts = append(starts, i)
	}
	starts = append(starts, len(piece))
	n := len(starts) - 1
	for from := range n {
		for to := from + shortest; to <= min(n, from+longest); to++ {
			visit(piece[starts[from]:starts[to]])
		}
	}
	// N-grams at the start, where the stem is, are distinct.
	for to := shortest; to <= min(n, longest); to++ {
		visit("^" + piece[:starts[to]])
	}
}

func dense(piece string) bool {
	r, _ := utf8.DecodeRuneInString(piece)
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// vectorTo writes the unweighted vector of a piece.
func (m *model) vectorTo(dst []float32, piece int32) {
	d := m.dims
	copy(dst, m.own[int(piece)*d:(int(piece)+1)*d])
	ids := m.gramIDs[m.gramStart[piece]:m.gramStart[piece+1]]
	if len(ids) == 0 {
		return
	}
	c := m.gramShare(len(ids))
	for _, g := range ids {
		axpy(c, m.grams[int(g)*d:(int(g)+1)*d], dst)
	}
}

// gramShare returns the weight of each of n n-grams.
func (m *model) gramShare(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }

// numbers returns everything that training changes.
func (m *model) numbers() [][]float32 {
	return [][]float32{m.own, m.grams, m.logWeight, m.own2, m.grams2, m.weight2}
}

// fold returns the V × D table of weighted vectors for the export.
func (m *model) fold() []float32 {
	table := make([]float32, len(m.own))
	for i := range m.logWeight {
		row := table[i*m.dims : (i+1)*m.dims]
		m.vectorTo(row, int32(i))
		w := float32(math.Exp(float64(m.logWeight[i])))
		for k := range row {
			row[k] *= w
		}
	}
	return table
}
