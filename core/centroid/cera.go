package centroid

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/core/linalg"
	"github.com/cerasum/cerasum/internal/errorf"
)

// The constants of the authors' program that prevent division by zero.
const (
	// UnitEpsilon is the smallest length that an embedding is divided by.
	UnitEpsilon = 1e-8
	// NormEpsilon is added to the variance in layer normalisation.
	NormEpsilon = 1e-5
)

// ErrEstimate is wrapped by the errors of [Estimate].
var ErrEstimate = errors.New("cannot estimate the centroid")

// Estimate runs CeRA or CeRAI (Gonçalves et al. 2023, "Supervising the Centroid
// Baseline for Extractive Multi-Document Summarization"). ĉ, of length D, is an
// estimate of the embedding of a human summary; β, of length N, is the attention
// of the sentences. β is positive and sums to 1; [Weighted] by it is a centroid
// in any space, dense or sparse.
//
// refs has length N, in order of the documents. Rows of zeros are ignored:
// their β is 0, and positions count the other sentences of the document. If all
// rows are zeros, so are ĉ and β. The error is ErrEstimate for embeddings and
// weights of different dimensions, numbers that are not finite and weights that
// overflow; otherwise it is ctx.Err().
func Estimate(ctx context.Context, w *Weights[float32], m linalg.Rows, refs []cluster.Ref) (centroid, attention []float64, err error) {
	if len(refs) != m.Len() {
		panic("centroid: Estimate: not one reference for each row")
	}
	if m.Len() > 0 && m.Dims() != w.Dimensions {
		return nil, nil, errorf.Errorf("%w: the embeddings have %d dimensions, the weights require %d", ErrEstimate, m.Dims(), w.Dimensions)
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
			return nil, nil, errorf.Errorf("%w: the weights are too large: the centroid is not finite", ErrEstimate)
		}
	}
	return centroid, attention, nil
}

// estimator is one estimation, from the K sentences that are not zeros.
type estimator struct {
	*Weights[float32]
	rows  []int     // K: which rows of the matrix
	place []int32   // K: row of PositionEmbeddings
	x     []float32 // K×D: x_k, unit length, then normalised
	pool  []float64 // D: the mean over the documents of the means of x_k + position
	mean  []float64 // D: ē_D, of the unscaled embeddings
}

// read sets all fields from the embeddings.
func (e *estimator) read(m linalg.Rows, refs []cluster.Ref) error {
	d := e.Dimensions
	raw := float32Data(m)
	scale := make([]float64, len(refs)) // squared lengths, at first
	linalg.DotsTo(scale, raw, raw)
	var share []float64 // K: weight in the mean over the documents
	documents, first := 0, 0
	closeDocument := func() {
		if first == len(e.rows) {
			return
		}
		documents++
		for range e.rows[first:] {
			share = append(share, 1/float64(len(e.rows)-first))
		}
		first = len(e.rows)
	}
	for k, r := range refs {
		if k > 0 && r.Document != refs[k-1].Document {
			closeDocument()
		}
		if scale[k] == 0 {
			continue
		}
		if math.IsNaN(scale[k]) || math.IsInf(scale[k], 0) {
			return errorf.Errorf("%w: the embedding of sentence %d of document %d is not finite, or too large", ErrEstimate, r.Sentence, r.Document)
		}
		scale[k] = 1 / max(math.Sqrt(scale[k]), UnitEpsilon)
		e.place = append(e.place, int32(min(len(e.rows)-first, e.Positions-1)))
		e.rows = append(e.rows, k)
	}
	closeDocument()
	e.pool, e.mean = make([]float64, d), make([]float64, d)
	if documents == 0 {
		return nil
	}
	even := make([]float64, len(refs))
	for _, k := range e.rows {
		even[k] = 1 / float64(len(e.rows))
	}
	linalg.AddWeighted(e.mean, even, &linalg.Dense[float32]{Data: raw, Cols: d})
	e.x = slices.Grow([]float32(nil), len(raw))[:len(raw)] // not zeroed
	linalg.LayerNormTo(e.x, raw, scale, e.InputNormGain, e.InputNormBias, NormEpsilon)
	for n, k := range e.rows {
		if n != k {
			copy(e.x[n*d:(n+1)*d], e.x[k*d:(k+1)*d])
		}
	}
	e.x = e.x[:len(e.rows)*d]
	x := &linalg.Dense[float32]{Data: e.x, Cols: d}
	at := make([]float64, e.Positions) // sum of the shares at each position
	for k, p := range e.place {
		share[k] /= float64(documents)
		at[p] += share[k]
	}
	linalg.AddWeighted(e.pool, share, x)
	linalg.AddWeighted(e.pool, at, &linalg.Dense[float32]{Data: e.PositionEmbeddings[:len(at)*d], Cols: d})
	return nil
}

// float32Data returns the N×D numbers of m, without a copy if they are float32.
func float32Data(m linalg.Rows) []float32 {
	if m, ok := m.(*linalg.Dense[float32]); ok {
		return m.Data[:m.Len()*m.Cols]
	}
	d := m.Dims()
	x, row := make([]float32, 0, m.Len()*d), make([]float64, d)
	for k := range m.Len() {
		clear(row)
		m.AddScaledTo(row, 1, k)
		for _, v := range row {
			x = append(x, float32(v))
		}
	}
	return x
}

// attend returns β of the K sentences.
func (e *estimator) attend(ctx context.Context) ([]float64, error) {
	d := e.Dimensions
	// The part of the first layer that is the same for all sentences, computed
	// with zeros in place of the sentence.
	base64, base := make([]float64, d), make([]float32, d)
	linearTo(base64, e.AttentionHiddenWeight, e.AttentionHiddenBias, append(make([]float64, d, 2*d), e.pool...))
	for i, v := range base64 {
		base[i] = float32(v)
	}
	const batch = linalg.Lanes
	s, hidden := make([]float32, d*batch), make([]float32, d*batch) // s: x_k + position, a column each
	var score [batch]float64
	beta := make([]float64, len(e.rows))
	for k := 0; k < len(beta); k += batch {
		if k%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next := min(k+batch, len(beta))
		linalg.AddColumnsTo(s, e.x[k*d:next*d], e.PositionEmbeddings, e.place[k:next])
		linalg.MulTo(hidden, e.AttentionHiddenWeight, 2*d, s)
		linalg.TanhSumTo(score[:], hidden, base, e.AttentionOutputWeight)
		copy(beta[k:], score[:])
	}
	// The output bias is left out: it is the same for all, and cancels in the
	// softmax.
	linalg.Softmax(beta)
	return beta, nil
}

// project writes CeRA's ĉ to dst.
func (e *estimator) project(dst, beta []float64) {
	h := make([]float64, e.Dimensions)
	linalg.AddWeighted(h, beta, &linalg.Dense[float32]{Data: e.x, Cols: e.Dimensions})
	normalise(h, e.OutputNormGain, e.OutputNormBias)
	linearTo(dst, e.OutputWeight, e.OutputBias, h)
}

// interpolate turns CeRA's ĉ into CeRAI's.
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
	(&linalg.Dense[float32]{Data: w, Cols: len(x)}).MulVecTo(dst, x)
	for i, b := range bias {
		dst[i] += float64(b)
	}
}
