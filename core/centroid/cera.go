package centroid

import (
	"context"
	"errors"
	"math"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/errorf"
	"github.com/cerasum/cerasum/core/linalg"
)

// What the authors' program adds to a length and to a variance.
const (
	// UnitEpsilon is the least length that an embedding is divided by.
	UnitEpsilon = 1e-8
	// NormEpsilon is added to the variance in layer normalisation.
	NormEpsilon = 1e-5
)

// ErrEstimate is wrapped by the errors of [Estimate].
var ErrEstimate = errors.New("cannot estimate the centroid")

// Estimate runs CeRA or CeRAI (Gonçalves et al. 2023, "Supervising the Centroid
// Baseline for Extractive Multi-Document Summarization"): ĉ, of length D, is
// near the embedding that a human summary would have; β, of length N, says how
// much each sentence has to do with it. β is positive and sums to 1, and
// [Weighted] by it is a centroid in whatever space, dense or sparse.
//
// refs has length N and goes document by document. Rows of zeros take no part:
// their β is 0, and positions count the other sentences of the document. Where
// all rows are zeros, so are ĉ and β. Embeddings of other dimensions than the
// weights', numbers that are not finite and weights that overflow are
// ErrEstimate; otherwise the error is ctx.Err().
func Estimate(ctx context.Context, w *Weights[float32], m linalg.Rows, refs []cluster.Ref) (centroid, attention []float64, err error) {
	if len(refs) != m.Len() {
		panic("centroid: Estimate: not one reference for each row")
	}
	if m.Len() > 0 && m.Dims() != w.Dimensions {
		return nil, nil, errorf.Errorf("%w: the embeddings have %d dimensions, the weights want %d", ErrEstimate, m.Dims(), w.Dimensions)
	}
	centroid, attention = make([]float64, w.Dimensions), make([]float64, len(refs))
	e := &estimator{Weights: w}
	if err := e.read(m, refs); err != nil {
		return nil, nil, err
	}
	if len(e.rows) == 0 {
		return centroid, attention, nil
	}
	beta, err := e.attend(ctx)
	if err != nil {
		return nil, nil, err
	}
	for k, row := range e.rows {
		attention[row] = beta[k]
	}
	e.project(centroid, beta)
	if w.Interpolation {
		e.interpolate(centroid)
	}
	for _, x := range centroid {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, nil, errorf.Errorf("%w: the weights are too large: it is not finite", ErrEstimate)
		}
	}
	return centroid, attention, nil
}

// estimator is one estimation: K sentences that take part.
type estimator struct {
	*Weights[float32]
	rows  []int     // K: which rows of the matrix
	place []int     // K: the row of PositionEmbeddings
	x     []float32 // K×D: x_k, unit length, then normalised
	pool  []float64 // D: the mean over the documents of the means of x_k + position
	mean  []float64 // D: ē_D, of the embeddings as they came
}

// read fills in all but what attention is for.
func (e *estimator) read(m linalg.Rows, refs []cluster.Ref) error {
	d := e.Dimensions
	e.x = make([]float32, 0, len(refs)*d)
	e.pool, e.mean = make([]float64, d), make([]float64, d)
	row, sum := make([]float64, d), make([]float64, d)
	documents := 0
	position := 0 // of the sentence in its document: how many took part before it
	closeDocument := func() {
		if position == 0 {
			return
		}
		documents++
		for j, v := range sum {
			e.pool[j] += v / float64(position)
		}
		clear(sum)
		position = 0
	}
	for k, r := range refs {
		if k > 0 && r.Document != refs[k-1].Document {
			closeDocument()
		}
		clear(row)
		m.AddScaledTo(row, 1, k)
		length := 0.0
		for _, v := range row {
			length += float64(v * v)
		}
		if length == 0 {
			continue
		}
		if math.IsNaN(length) || math.IsInf(length, 0) {
			return errorf.Errorf("%w: the embedding of sentence %d of document %d is not finite, or too large", ErrEstimate, r.Sentence, r.Document)
		}
		length = max(math.Sqrt(length), UnitEpsilon)
		for j, v := range row {
			e.mean[j] += v
			row[j] = v / length
		}
		normalise(row, e.InputNormGain, e.InputNormBias)
		place := min(position, e.Positions-1)
		for j, v := range row {
			e.x = append(e.x, float32(v))
			sum[j] += v + float64(e.PositionEmbeddings[place*d+j])
		}
		e.rows, e.place = append(e.rows, k), append(e.place, place)
		position++
	}
	closeDocument()
	for j := range e.pool {
		e.pool[j] /= float64(documents)
		e.mean[j] /= float64(len(e.rows))
	}
	return nil
}

// attend returns β of the K sentences.
func (e *estimator) attend(ctx context.Context) ([]float64, error) {
	d := e.Dimensions
	// The half of the first layer that is the same for all sentences.
	base := make([]float64, d)
	for i := range base {
		base[i] = float64(e.AttentionHiddenBias[i]) + dotWide(e.AttentionHiddenWeight[(2*i+1)*d:(2*i+2)*d], e.pool)
	}
	beta := make([]float64, len(e.rows))
	const together = 4
	var s [together][]float32 // x_k + position
	for i := range s {
		s[i] = make([]float32, d)
	}
	var score [together]float64
	for k := 0; k < len(beta); k += together {
		if k%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := min(together, len(beta)-k)
		for i := range n {
			x, p := e.x[(k+i)*d:(k+i+1)*d], e.PositionEmbeddings[e.place[k+i]*d:(e.place[k+i]+1)*d]
			for j, v := range x {
				s[i][j] = v + p[j]
			}
		}
		clear(score[:])
		for i := 0; i < d; i += 2 {
			next := min(i+1, d-1)
			a, b := dots(s[0], s[1], s[2], s[3],
				e.AttentionHiddenWeight[2*i*d:(2*i+1)*d], e.AttentionHiddenWeight[2*next*d:(2*next+1)*d])
			o := float64(e.AttentionOutputWeight[i])
			for q := range score {
				score[q] += float64(o * tanh(base[i]+float64(a[q])))
			}
			if next == i {
				break
			}
			o = float64(e.AttentionOutputWeight[next])
			for q := range score {
				score[q] += float64(o * tanh(base[next]+float64(b[q])))
			}
		}
		copy(beta[k:], score[:n])
	}
	// The bias of the output is the same for all: softmax does not see it.
	top := math.Inf(-1)
	for _, z := range beta {
		top = max(top, z)
	}
	total := 0.0
	for k, z := range beta {
		beta[k] = math.Exp(z - top)
		total += beta[k]
	}
	for k := range beta {
		beta[k] /= total
	}
	return beta, nil
}

// project writes ĉ_attn.
func (e *estimator) project(dst, beta []float64) {
	d := e.Dimensions
	h := make([]float64, d)
	for k, b := range beta {
		for j, v := range e.x[k*d : (k+1)*d] {
			h[j] += float64(b * float64(v))
		}
	}
	normalise(h, e.OutputNormGain, e.OutputNormBias)
	linearTo(dst, e.OutputWeight, e.OutputBias, h)
}

// interpolate turns ĉ_attn into CeRAI's ĉ.
func (e *estimator) interpolate(centroid []float64) {
	d := e.Dimensions
	both := append(append(make([]float64, 0, 2*d), centroid...), e.mean...)
	hidden, gate := make([]float64, d), make([]float64, d)
	linearTo(hidden, e.InterpolationHiddenWeight, e.InterpolationHiddenBias, both)
	for j, v := range hidden {
		hidden[j] = max(v, 0)
	}
	linearTo(gate, e.InterpolationOutputWeight, e.InterpolationOutputBias, hidden)
	for j, v := range gate {
		alpha := 1 / (1 + math.Exp(-v))
		centroid[j] = float64(alpha*centroid[j]) + float64((1-alpha)*e.mean[j])
	}
}

// normalise is layer normalisation, in place.
func normalise(x []float64, gain, bias []float32) {
	n := float64(len(x))
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v
	}
	mean /= n
	for _, v := range x {
		variance += float64((v - mean) * (v - mean))
	}
	scale := 1 / math.Sqrt(variance/n+NormEpsilon)
	for j, v := range x {
		x[j] = float64((v-mean)*scale*float64(gain[j])) + float64(bias[j])
	}
}

// linearTo writes dst = w x + bias, w being len(dst)×len(x).
func linearTo(dst []float64, w, bias []float32, x []float64) {
	for i := range dst {
		dst[i] = float64(bias[i]) + dotWide(w[i*len(x):(i+1)*len(x)], x)
	}
}

func dotWide(a []float32, x []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += float64(float64(v) * x[j])
	}
	return s
}

// dots are the products of four vectors with two others, of equal length. Six
// numbers read for eight products, and eight sums that do not wait for each
// other. The sums are the same everywhere, to the last bit.
func dots(a0, a1, a2, a3, w, v []float32) (p, q [4]float32) {
	n := len(w)
	a0, a1, a2, a3, v = a0[:n], a1[:n], a2[:n], a3[:n], v[:n]
	var p0, p1, p2, p3, q0, q1, q2, q3 float32
	for j, x := range w {
		y := v[j]
		b0, b1, b2, b3 := a0[j], a1[j], a2[j], a3[j]
		p0 += float32(x * b0)
		p1 += float32(x * b1)
		p2 += float32(x * b2)
		p3 += float32(x * b3)
		q0 += float32(y * b0)
		q1 += float32(y * b1)
		q2 += float32(y * b2)
		q3 += float32(y * b3)
	}
	return [4]float32{p0, p1, p2, p3}, [4]float32{q0, q1, q2, q3}
}

// tanh to 4e-7, which takes less than math.Tanh: the rational function that the
// library Eigen uses for float32, odd over even powers.
func tanh(x float64) float64 {
	const flat = 7.90531110763549805 // beyond it float32 knows only ±1
	x = max(-flat, min(flat, x))
	s := x * x
	p := -2.76076847742355e-16
	p = float64(p*s) + 2.00018790482477e-13
	p = float64(p*s) - 8.60467152213735e-11
	p = float64(p*s) + 5.12229709037114e-08
	p = float64(p*s) + 1.48572235717979e-05
	p = float64(p*s) + 6.37261928875436e-04
	p = float64(p*s) + 4.89352455891786e-03
	q := 1.19825839466702e-06
	q = float64(q*s) + 1.18534705686654e-04
	q = float64(q*s) + 2.26843463243900e-03
	q = float64(q*s) + 4.89352518554385e-03
	return x * p / q
}
