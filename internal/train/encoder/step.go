package encoder

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// trainer holds the buffers of a step: B pairs, that is 2B sentences, first one side
// and then the other.
type trainer struct {
	m           *model
	temperature float64
	rate        float32
	weightRate  float32

	unique  []int32 // the pieces of the batch
	place   []int32 // of a piece in unique, -1
	vectors []float32
	vgrad   []float32
	sums    []float32 // 2B × D, then unit length
	sgrad   []float32
	norms   []float32
	scores  []float32 // B × B
	gramAt  []int32   // of an n-gram in grams, -1
	grams   []int32
	ggrad   []float32
}

func newTrainer(m *model) *trainer {
	t := &trainer{m: m, place: make([]int32, len(m.logWeight)), gramAt: make([]int32, len(m.grams)/m.dims)}
	for i := range t.place {
		t.place[i] = -1
	}
	for i := range t.gramAt {
		t.gramAt[i] = -1
	}
	return t
}

// batch of B pairs: pair i is sentences i and B+i. Sentences with the same text
// number are not negatives of each other.
type batch struct {
	sentences [][]int32
	texts     []int32
}

// step trains on one batch and returns its loss.
func (t *trainer) step(x batch) float64 {
	sentences := x.sentences
	m, d := t.m, t.m.dims
	n := len(sentences)
	b := n / 2
	t.unique = t.unique[:0]
	for _, s := range sentences {
		for _, p := range s {
			if t.place[p] < 0 {
				t.place[p] = int32(len(t.unique))
				t.unique = append(t.unique, p)
			}
		}
	}
	u := len(t.unique)
	t.vectors = grow(t.vectors, u*d)
	t.vgrad = grow(t.vgrad, u*d)
	parallel(u, func(from, to int) {
		for i := from; i < to; i++ {
			p := t.unique[i]
			row := t.vectors[i*d : (i+1)*d]
			m.vectorTo(row, p)
			w := float32(math.Exp(float64(m.logWeight[p])))
			for k := range row {
				row[k] *= w
			}
		}
	})
	t.sums = grow(t.sums, n*d)
	t.sgrad = grow(t.sgrad, n*d)
	t.norms = grow(t.norms, n)
	parallel(n, func(from, to int) {
		for i := from; i < to; i++ {
			row := t.sums[i*d : (i+1)*d]
			clear(row)
			for _, p := range sentences[i] {
				at := int(t.place[p])
				axpy(1, t.vectors[at*d:(at+1)*d], row)
			}
			norm := float32(math.Sqrt(float64(dot(row, row)))) + 1e-9
			t.norms[i] = norm
			for k := range row {
				row[k] /= norm
			}
		}
	})
	t.scores = grow(t.scores, b*b)
	a := general(b, d, t.sums[:b*d])
	c := general(b, d, t.sums[b*d:])
	s := general(b, b, t.scores)
	blas32.Gemm(blas.NoTrans, blas.Trans, float32(1/t.temperature), a, c, 0, s)
	loss := t.crossEntropy(b, x.texts)
	blas32.Gemm(blas.NoTrans, blas.NoTrans, float32(1/t.temperature), s, c, 0, general(b, d, t.sgrad[:b*d]))
	blas32.Gemm(blas.Trans, blas.NoTrans, float32(1/t.temperature), s, a, 0, general(b, d, t.sgrad[b*d:]))
	// Backpropagate through the normalization.
	parallel(n, func(from, to int) {
		for i := from; i < to; i++ {
			z, g := t.sums[i*d:(i+1)*d], t.sgrad[i*d:(i+1)*d]
			along := dot(z, g)
			for k := range g {
				g[k] = (g[k] - z[k]*along) / t.norms[i]
			}
		}
	})
	// Backpropagate to the pieces, one goroutine per slice of the dimensions for a
	// fixed order of summation.
	parallel(d, func(from, to int) {
		for i := range u {
			clear(t.vgrad[i*d+from : i*d+to])
		}
		for i, s := range sentences {
			g := t.sgrad[i*d+from : i*d+to]
			for _, p := range s {
				at := int(t.place[p]) * d
				axpy(1, g, t.vgrad[at+from:at+to])
			}
		}
	})
	t.update()
	for _, p := range t.unique {
		t.place[p] = -1
	}
	return loss
}

// crossEntropy replaces the scores with the gradient of the mean loss in both
// directions, and returns that mean.
func (t *trainer) crossEntropy(b int, texts []int32) float64 {
	rowLog := make([]float64, b)
	colMax := make([]float32, b)
	colSum := make([]float64, b)
	for j := range colMax {
		colMax[j] = float32(math.Inf(-1))
	}
	masked := float32(math.Inf(-1))
	for i := range b {
		row := t.scores[i*b : (i+1)*b]
		for j := range row {
			if i != j && (texts[i] == texts[j] || texts[b+i] == texts[b+j] || texts[i] == texts[b+j] || texts[b+i] == texts[j]) {
				row[j] = masked
			}
			colMax[j] = max(colMax[j], row[j])
		}
	}
	parallel(b, func(from, to int) {
		for i := from; i < to; i++ {
			row := t.scores[i*b : (i+1)*b]
			top := slices.Max(row)
			sum := 0.0
			for _, v := range row {
				sum += math.Exp(float64(v - top))
			}
			rowLog[i] = float64(top) + math.Log(sum)
		}
	})
	parallel(b, func(from, to int) {
		for i := range b {
			row := t.scores[i*b : (i+1)*b]
			for j := from; j < to; j++ {
				colSum[j] += math.Exp(float64(row[j] - colMax[j]))
			}
		}
	})
	loss := 0.0
	for i := range b {
		own := float64(t.scores[i*b+i])
		loss += 0.5 * (rowLog[i] - own + float64(colMax[i]) + math.Log(colSum[i]) - own)
	}
	parallel(b, func(from, to int) {
		for i := from; i < to; i++ {
			row := t.scores[i*b : (i+1)*b]
			for j, v := range row {
				p := math.Exp(float64(v)-rowLog[i]) + math.Exp(float64(v-colMax[j]))/colSum[j]
				if i == j {
					p -= 2
				}
				row[j] = float32(p / 2 / float64(b))
			}
		}
	})
	return loss / float64(b)
}

// update applies Adagrad to the pieces and n-grams of the batch.
func (t *trainer) update() {
	m, d := t.m, t.m.dims
	t.grams = t.grams[:0]
	for _, p := range t.unique {
		for _, g := range m.gramIDs[m.gramStart[p]:m.gramStart[p+1]] {
			if t.gramAt[g] < 0 {
				t.gramAt[g] = int32(len(t.grams))
				t.grams = append(t.grams, g)
			}
		}
	}
	t.ggrad = grow(t.ggrad, len(t.grams)*d)
	wgrad := make([]float32, len(t.unique))
	parallel(len(t.unique), func(from, to int) {
		for i := from; i < to; i++ {
			wgrad[i] = dot(t.vgrad[i*d:(i+1)*d], t.vectors[i*d:(i+1)*d])
		}
	})
	// Own vectors and n-gram gradients, by slices of the dimensions.
	parallel(d, func(from, to int) {
		for i := range t.grams {
			clear(t.ggrad[i*d+from : i*d+to])
		}
		for i, p := range t.unique {
			g := t.vgrad[i*d+from : i*d+to]
			w := float32(math.Exp(float64(m.logWeight[p])))
			for k := range g {
				g[k] *= w
			}
			ids := m.gramIDs[m.gramStart[p]:m.gramStart[p+1]]
			if len(ids) > 0 {
				c := m.gramShare(len(ids))
				for _, id := range ids {
					at := int(t.gramAt[id]) * d
					axpy(c, g, t.ggrad[at+from:at+to])
				}
			}
			at := int(p) * d
			adagrad(m.own[at+from:at+to], m.own2[at+from:at+to], g, t.rate)
		}
		for i, id := range t.grams {
			at := int(id) * d
			adagrad(m.grams[at+from:at+to], m.grams2[at+from:at+to], t.ggrad[i*d+from:i*d+to], t.rate)
		}
	})
	for i, p := range t.unique {
		adagrad(m.logWeight[p:p+1], m.weight2[p:p+1], wgrad[i:i+1], t.weightRate)
	}
	for _, g := range t.grams {
		t.gramAt[g] = -1
	}
}

func adagrad(x, sum2, g []float32, rate float32) {
	sum2, g = sum2[:len(x)], g[:len(x)]
	for k, v := range g {
		if v == 0 {
			continue
		}
		s := sum2[k] + v*v
		sum2[k] = s
		x[k] -= rate * v / (float32(math.Sqrt(float64(s))) + 1e-8)
	}
}

func general(rows, cols int, data []float32) blas32.General {
	return blas32.General{Rows: rows, Cols: cols, Stride: cols, Data: data[:rows*cols]}
}

func grow(s []float32, n int) []float32 { return slices.Grow(s[:0], n)[:n] }

func axpy(c float32, x, y []float32) {
	blas32.Axpy(c, blas32.Vector{N: len(x), Inc: 1, Data: x}, blas32.Vector{N: len(y), Inc: 1, Data: y})
}

func dot(x, y []float32) float32 {
	return blas32.Dot(blas32.Vector{N: len(x), Inc: 1, Data: x}, blas32.Vector{N: len(y), Inc: 1, Data: y})
}

// parallel runs f on parts of 0..n-1 in parallel.
func parallel(n int, f func(from, to int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for w := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			f(w*n/workers, (w+1)*n/workers)
		}()
	}
	group.Wait()
}
