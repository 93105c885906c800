// Package vocabulary fits the word pieces of a tokenizer: the unigram language model
// of Kudo (2018), "Subword Regularization", fitted by expectation maximization and
// pruned to size.
//
// A word is a unit of the pre-tokenizer: a normalized run without spaces and
// punctuation. A piece is a part of a word; every word is segmented into the pieces
// whose probabilities have the highest product.
package vocabulary

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"unicode/utf8"
)

// Piece is a word piece and the natural logarithm of its probability.
type Piece struct {
	Text  string
	Score float64
}

// Params of [Fit].
type Params struct {
	// Size is the target number of pieces.
	Size int
	// MaxLength of a piece in characters.
	MaxLength int
	// Seeds is the number of candidates in the first round.
	Seeds int
	// MinCount is the minimum weight of a candidate of two or more characters.
	MinCount float64
	// Progress, if set, is called after each round with the pieces left.
	Progress func(pieces int)
}

// DefaultParams returns the parameters of the shipped encoder.
func DefaultParams() Params {
	return Params{Size: 64000, MaxLength: 16, Seeds: 600_000, MinCount: 2}
}

const (
	rounds  = 2    // of expectation maximization between two prunings
	keep    = 0.75 // share of the pieces kept by a pruning
	minimum = 0.5  // expected count below which a piece is dropped at once
)

// Fit fits the pieces to weighted words and returns them best first. All single
// characters are kept, so that every word can be segmented. The result does not
// depend on the order of the words. It returns ctx.Err() if the context ends first.
func Fit(ctx context.Context, words map[string]float64, p Params) ([]Piece, error) {
	f := newFitter(words, p)
	f.seed()
	for {
		for range rounds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			f.maximise(f.expect())
		}
		if p.Progress != nil {
			p.Progress(len(f.pieces))
		}
		if len(f.pieces) <= p.Size {
			break
		}
		f.prune(max(p.Size, int(keep*float64(len(f.pieces)))))
	}
	slices.SortFunc(f.pieces, func(a, b Piece) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Text, b.Text))
	})
	return f.pieces, nil
}

type weighted struct {
	text   string
	weight float64
}

type fitter struct {
	params Params
	words  []weighted // in alphabetical order
	pieces []Piece
	index  map[string]int32
}

func newFitter(words map[string]float64, p Params) *fitter {
	f := &fitter{params: p}
	for w, n := range words {
		if w != "" && n > 0 {
			f.words = append(f.words, weighted{w, n})
		}
	}
	slices.SortFunc(f.words, func(a, b weighted) int { return cmp.Compare(a.text, b.text) })
	return f
}

// seed selects the parts of words with the highest weight × length, and all
// characters.
func (f *fitter) seed() {
	count := map[string]float64{}
	for _, w := range f.words {
		eachPart(w.text, f.params.MaxLength, func(part string) { count[part] += w.weight })
	}
	var characters, longer []weighted
	for part, n := range count {
		switch {
		case utf8.RuneCountInString(part) == 1:
			characters = append(characters, weighted{part, n})
		case n >= f.params.MinCount:
			longer = append(longer, weighted{part, n})
		}
	}
	value := func(w weighted) float64 { return w.weight * float64(utf8.RuneCountInString(w.text)) }
	slices.SortFunc(longer, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(a.text, b.text))
	})
	longer = longer[:min(len(longer), f.params.Seeds)]
	all := append(characters, longer...)
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(a.text, b.text) })
	total := 0.0
	for _, w := range all {
		total += w.weight
	}
	for _, w := range all {
		f.pieces = append(f.pieces, Piece{w.text, math.Log(w.weight / total)})
	}
	f.reindex()
}

func (f *fitter) reindex() {
	f.index = make(map[string]int32, len(f.pieces))
	for i, p := range f.pieces {
		f.index[p.Text] = int32(i)
	}
}

// eachPart calls visit with every part of the word of at most limit characters.
func eachPart(word string, limit int, visit func(string)) {
	for from := range word {
		n := 0
		for at, r := range word[from:] {
			if n++; n > limit {
				break
			}
			visit(word[from : from+at+utf8.RuneLen(r)])
		}
	}
}

// expect returns the expected count of each piece over all segmentations of the
// words (forward-backward algorithm).
func (f *fitter) expect() []float64 {
	return f.sum(func(l *lattice, w weighted, counts []float64) { l.forwardBackward(w.weight, counts) })
}

// sum sums the results of count over the lattices of all words, on all processors.
func (f *fitter) sum(count func(l *lattice, w weighted, counts []float64)) []float64 {
	// A fixed number of parts, summed in order: the result does not depend on the
	// number of processors.
	const parts = 16
	sums := make([][]float64, parts)
	inParts(parts, len(f.words), func(part, from, to int) {
		sums[part] = make([]float64, len(f.pieces))
		var l lattice
		for _, w := range f.words[from:to] {
			l.build(w.text, f)
			count(&l, w, sums[part])
		}
	})
	total := sums[0]
	for _, s := range sums[1:] {
		for i, v := range s {
			total[i] += v
		}
	}
	return total
}

// inParts calls do for each part of 0..n-1, on all processors.
func inParts(parts, n int, do func(part, from, to int)) {
	var group sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range parts {
		group.Add(1)
		limit <- struct{}{}
		go func() {
			defer func() { <-limit; group.Done() }()
			do(i, i*n/parts, (i+1)*n/parts)
		}()
	}
	group.Wait()
}

// maximise sets the scores from the expected counts, after dropping rarely used
// pieces. As in SentencePiece, the digamma of the Bayesian form penalizes rare
// pieces.
func (f *fitter) maximise(counts []float64) {
	var kept []Piece
	var sum float64
	var n []float64
	for i, p := range f.pieces {
		if counts[i] < minimum && utf8.RuneCountInString(p.Text) > 1 {
			continue
		}
		c := max(counts[i], minimum)
		kept = append(kept, p)
		n = append(n, c)
		sum += c
	}
	logSum := digamma(sum)
	for i := range kept {
		kept[i].Score = digamma(n[i]) - logSum
	}
	f.pieces = kept
	f.reindex()
}

// prune keeps the size pieces whose removal would reduce the likelihood most.
func (f *fitter) prune(size int) {
	counts := f.sum(func(l *lattice, w weighted, counts []float64) {
		for _, i := range l.best(-1) {
			counts[i] += w.weight
		}
	})
	type loss struct {
		piece int
		value float64
	}
	losses := make([]loss, len(f.pieces))
	inParts(16, len(f.pieces), func(_, from, to int) {
		var l lattice
		for i := from; i < to; i++ {
			p := f.pieces[i]
			losses[i] = loss{i, math.Inf(1)}
			if utf8.RuneCountInString(p.Text) == 1 {
				continue
			}
			l.build(p.Text, f)
			without := 0.0
			for _, k := range l.best(int32(i)) {
				without += f.pieces[k].Score
			}
			losses[i].value = counts[i] * (p.Score - without)
		}
	})
	slices.SortStableFunc(losses, func(a, b loss) int { return cmp.Compare(b.value, a.value) })
	losses = losses[:size]
	slices.SortFunc(losses, func(a, b loss) int { return cmp.Compare(a.piece, b.piece) })
	var kept []Piece
	for _, x := range losses {
		kept = append(kept, f.pieces[x.piece])
	}
	f.pieces = kept
	f.reindex()
}

// lattice holds the segmentations of one word: for each byte offset the pieces that
// end there.
type lattice struct {
	word     string
	scores   []Piece
	starts   []int // of each character
	arcs     []arc // ordered by their ends
	forward  []float64
	backward []float64
	from     []int32 // best arc into an offset
	path     []int32
}

type arc struct {
	from, to int32 // in characters
	piece    int32
}

func (l *lattice) build(word string, f *fitter) {
	l.word, l.scores = word, f.pieces
	l.starts = l.starts[:0]
	for i := range word {
		l.starts = append(l.starts, i)
	}
	l.starts = append(l.starts, len(word))
	l.arcs = l.arcs[:0]
	for to := 1; to < len(l.starts); to++ {
		for from := max(0, to-f.params.MaxLength); from < to; from++ {
			if i, ok := f.index[word[l.starts[from]:l.starts[to]]]; ok {
				l.arcs = append(l.arcs, arc{int32(from), int32(to), i})
			}
		}
	}
}

func (l *lattice) forwardBackward(weight float64, counts []float64) {
	n := len(l.starts)
	l.forward = fill(l.forward, n)
	l.backward = fill(l.backward, n)
	l.forward[0], l.backward[n-1] = 0, 0
	for _, a := range l.arcs {
		l.forward[a.to] = logAdd(l.forward[a.to], l.forward[a.from]+l.scores[a.piece].Score)
	}
	for i := len(l.arcs) - 1; i >= 0; i-- {
		a := l.arcs[i]
		l.backward[a.from] = logAdd(l.backward[a.from], l.backward[a.to]+l.scores[a.piece].Score)
	}
	total := l.forward[n-1]
	for _, a := range l.arcs {
		counts[a.piece] += weight * math.Exp(l.forward[a.from]+l.scores[a.piece].Score+l.backward[a.to]-total)
	}
}

// best returns the most likely segmentation without one piece (-1: with all), its
// pieces in reverse order.
func (l *lattice) best(without int32) []int32 {
	n := len(l.starts)
	l.forward = fill(l.forward, n)
	l.forward[0] = 0
	l.from = slices.Grow(l.from[:0], n)[:n]
	for i, a := range l.arcs {
		if a.piece == without {
			continue
		}
		if s := l.forward[a.from] + l.scores[a.piece].Score; s > l.forward[a.to] {
			l.forward[a.to], l.from[a.to] = s, int32(i)
		}
	}
	l.path = l.path[:0]
	for at := int32(n - 1); at > 0; {
		a := l.arcs[l.from[at]]
		l.path = append(l.path, a.piece)
		at = a.from
	}
	return l.path
}

func fill(s []float64, n int) []float64 {
	s = slices.Grow(s[:0], n)[:n]
	for i := range s {
		s[i] = math.Inf(-1)
	}
	return s
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// digamma is the derivative of the log-gamma function, for x > 0.
func digamma(x float64) float64 {
	sum := 0.0
	for ; x < 7; x++ {
		sum -= 1 / x
	}
	x -= 0.5
	y := 1 / (x * x)
	return sum + math.Log(x) + y/24 - 7*y*y/960 + 31*y*y*y/8064 - 127*y*y*y*y/30720
}
