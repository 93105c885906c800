package centroid

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/cerasum/cerasum/core/centroid"
	"github.com/cerasum/cerasum/core/linalg"
	"gonum.org/v1/gonum/blas"
)

// pass holds the buffers of the forward and backward pass for one cluster. Names:
// x_k the normalized embedding of sentence k, s_k with its position, a_k before
// tanh and t_k after it, z_k the score, β the softmax of z, h = Σ β_k x_k, y its
// layer norm, c = ĉ_attn, r the hidden layer of the gate, α the gate, ĉ the
// centroid. The prefix d marks the gradient of the loss with respect to the rest of
// the name.
type pass[T linalg.Float] struct {
	n                int
	x, s, t          []T // N×D
	beta, dbeta      []T // N
	pool, base       []T // D
	h, hhat, y       []T // D
	scale            T   // 1/σ of h
	c, both          []T // D, 2D: c and ē_D
	r, alpha, out    []T // D
	dropS, dropH     []T // N×D, D: 0 or 1/(1 − rate); nil without dropout
	da, ds, dx       []T // N×D
	dout, dc, dalpha []T // D
	dr, dboth, dh    []T // D, 2D, D
	sum, dpool       []T // D: Σ da_k
}

func grow[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// zeroed is grow with all elements zero.
func zeroed[T any](s []T, n int) []T {
	s = grow(s, n)
	clear(s)
	return s
}

// forward returns the loss 1 − cos(ĉ, gold). random is nil without dropout.
func (p *pass[T]) forward(w *centroid.Weights[T], e *sample[T], dropout float64, random *rand.Rand) float64 {
	d, n := w.Dimensions, e.n
	p.n = n
	p.x, p.s, p.t = grow(p.x, n*d), grow(p.s, n*d), grow(p.t, n*d)
	p.pool, p.base = zeroed(p.pool, d), grow(p.base, d)
	p.dropS, p.dropH = nil, nil
	if random != nil && dropout > 0 {
		p.dropS, p.dropH = mask[T](n*d, dropout, random), mask[T](d, dropout, random)
	}
	for k := range n {
		x, s, hat := p.x[k*d:(k+1)*d], p.s[k*d:(k+1)*d], e.hat[k*d:(k+1)*d]
		place := w.PositionEmbeddings[e.place[k]*d : (e.place[k]+1)*d]
		for j, v := range hat {
			x[j] = v*w.InputNormGain[j] + w.InputNormBias[j]
			s[j] = x[j] + place[j]
		}
		if p.dropS != nil {
			multiply(s, p.dropS[k*d:(k+1)*d])
		}
		axpy(e.share[k], s, p.pool)
	}
	// The half of the first layer that all sentences share.
	copy(p.base, w.AttentionHiddenBias)
	gemv(blas.NoTrans, d, d, w.AttentionHiddenWeight[d:], 2*d, p.pool, p.base)
	for k := range n {
		copy(p.t[k*d:(k+1)*d], p.base)
	}
	gemm(blas.NoTrans, blas.Trans, n, d, d, p.s, d, w.AttentionHiddenWeight, 2*d, false, p.t, d)
	for i, v := range p.t {
		p.t[i] = T(math.Tanh(float64(v)))
	}
	p.beta = grow(p.beta, n)
	top := math.Inf(-1)
	for k := range n {
		p.beta[k] = dot(p.t[k*d:(k+1)*d], w.AttentionOutputWeight) + w.AttentionOutputBias[0]
		top = max(top, float64(p.beta[k]))
	}
	total := 0.0
	for k, z := range p.beta {
		b := math.Exp(float64(z) - top)
		p.beta[k] = T(b)
		total += b
	}
	for k := range p.beta {
		p.beta[k] /= T(total)
	}
	p.h = zeroed(p.h, d)
	for k, b := range p.beta {
		axpy(b, p.x[k*d:(k+1)*d], p.h)
	}
	if p.dropH != nil {
		multiply(p.h, p.dropH)
	}
	p.hhat, p.y = grow(p.hhat, d), grow(p.y, d)
	p.scale = normaliseTo(p.hhat, p.h)
	for j, v := range p.hhat {
		p.y[j] = v*w.OutputNormGain[j] + w.OutputNormBias[j]
	}
	p.c = append(p.c[:0], w.OutputBias...)
	gemv(blas.NoTrans, d, d, w.OutputWeight, d, p.y, p.c)
	p.out = append(p.out[:0], p.c...)
	if w.Interpolation {
		p.both = append(append(p.both[:0], p.c...), e.mean...)
		p.r = append(p.r[:0], w.InterpolationHiddenBias...)
		gemv(blas.NoTrans, d, 2*d, w.InterpolationHiddenWeight, 2*d, p.both, p.r)
		for j, v := range p.r {
			p.r[j] = max(v, 0)
		}
		p.alpha = append(p.alpha[:0], w.InterpolationOutputBias...)
		gemv(blas.NoTrans, d, d, w.InterpolationOutputWeight, d, p.r, p.alpha)
		for j, v := range p.alpha {
			p.alpha[j] = T(1 / (1 + math.Exp(-float64(v))))
			p.out[j] = p.alpha[j]*p.c[j] + (1-p.alpha[j])*e.mean[j]
		}
	}
	return 1 - p.cosine(e.gold)
}

// cosine returns the cosine of ĉ and a non-zero vector; 0 if ĉ is zero.
func (p *pass[T]) cosine(gold []T) float64 {
	along, cc, gg := 0.0, 0.0, 0.0
	for j, v := range p.out {
		c, g := float64(v), float64(gold[j])
		along += c * g
		cc += c * c
		gg += g * g
	}
	if cc == 0 {
		return 0
	}
	return along / math.Sqrt(cc*gg)
}

// backward adds share × the gradient of the last forward pass's loss to g.
func (p *pass[T]) backward(w *centroid.Weights[T], e *sample[T], g *centroid.Weights[T], share T) {
	d, n := w.Dimensions, p.n
	p.lossGradient(e.gold, share)
	p.dc = append(p.dc[:0], p.dout...)
	if w.Interpolation {
		p.gateGradient(w, e, g)
	}
	// c = W y + b, y = gain ĥ + bias, ĥ = layer norm of h.
	ger(p.dc, p.y, g.OutputWeight, d)
	axpy(1, p.dc, g.OutputBias)
	p.dh = zeroed(p.dh, d)
	gemv(blas.Trans, d, d, w.OutputWeight, d, p.dc, p.dh)
	axpy(1, p.dh, g.OutputNormBias)
	mean, along := T(0), T(0)
	for j, v := range p.dh {
		g.OutputNormGain[j] += v * p.hhat[j]
		v *= w.OutputNormGain[j]
		p.dh[j] = v
		mean += v
		along += v * p.hhat[j]
	}
	mean, along = mean/T(d), along/T(d)
	for j, v := range p.dh {
		p.dh[j] = p.scale * (v - mean - p.hhat[j]*along)
	}
	if p.dropH != nil {
		multiply(p.dh, p.dropH)
	}
	// h = Σ β_k x_k, β = softmax(z), z_k = v·t_k + b.
	p.dx, p.da, p.ds = zeroed(p.dx, n*d), grow(p.da, n*d), grow(p.ds, n*d)
	p.dbeta = grow(p.dbeta, n)
	expected := T(0)
	for k, b := range p.beta {
		p.dbeta[k] = dot(p.dh, p.x[k*d:(k+1)*d])
		expected += b * p.dbeta[k]
		axpy(b, p.dh, p.dx[k*d:(k+1)*d])
	}
	p.sum = zeroed(p.sum, d)
	for k, b := range p.beta {
		dz := b * (p.dbeta[k] - expected)
		g.AttentionOutputBias[0] += dz
		t, da := p.t[k*d:(k+1)*d], p.da[k*d:(k+1)*d]
		axpy(dz, t, g.AttentionOutputWeight)
		for j, v := range t {
			da[j] = dz * w.AttentionOutputWeight[j] * (1 - v*v)
		}
		axpy(1, da, p.sum)
	}
	// a_k = U s_k + V pool + b.
	gemm(blas.Trans, blas.NoTrans, d, d, n, p.da, d, p.s, d, false, g.AttentionHiddenWeight, 2*d)
	ger(p.sum, p.pool, g.AttentionHiddenWeight[d:], 2*d)
	axpy(1, p.sum, g.AttentionHiddenBias)
	gemm(blas.NoTrans, blas.NoTrans, n, d, d, p.da, d, w.AttentionHiddenWeight, 2*d, true, p.ds, d)
	p.dpool = zeroed(p.dpool, d)
	gemv(blas.Trans, d, d, w.AttentionHiddenWeight[d:], 2*d, p.sum, p.dpool)
	for k := range n {
		ds, dx := p.ds[k*d:(k+1)*d], p.dx[k*d:(k+1)*d]
		axpy(e.share[k], p.dpool, ds)
		if p.dropS != nil {
			multiply(ds, p.dropS[k*d:(k+1)*d])
		}
		axpy(1, ds, g.PositionEmbeddings[e.place[k]*d:(e.place[k]+1)*d])
		axpy(1, ds, dx)
		axpy(1, dx, g.InputNormBias)
		for j, v := range e.hat[k*d : (k+1)*d] {
			g.InputNormGain[j] += v * dx[j]
		}
	}
}

// lossGradient writes share × ∂(1 − cos(ĉ, gold))/∂ĉ.
func (p *pass[T]) lossGradient(gold []T, share T) {
	p.dout = zeroed(p.dout, len(gold))
	cc, gg := 0.0, 0.0
	for j, v := range p.out {
		cc += float64(v) * float64(v)
		gg += float64(gold[j]) * float64(gold[j])
	}
	if cc == 0 {
		return // the cosine has no gradient at zero
	}
	cosine := p.cosine(gold)
	for j, v := range p.out {
		p.dout[j] = share * T(cosine*float64(v)/cc-float64(gold[j])/math.Sqrt(cc*gg))
	}
}

// gateGradient converts the gradient with respect to ĉ to that with respect to ĉ_attn.
func (p *pass[T]) gateGradient(w *centroid.Weights[T], e *sample[T], g *centroid.Weights[T]) {
	d := w.Dimensions
	p.dalpha, p.dr, p.dboth = grow(p.dalpha, d), zeroed(p.dr, d), zeroed(p.dboth, 2*d)
	for j, v := range p.dout {
		a := p.alpha[j]
		p.dc[j] = v * a
		p.dalpha[j] = v * (p.c[j] - e.mean[j]) * a * (1 - a)
	}
	ger(p.dalpha, p.r, g.InterpolationOutputWeight, d)
	axpy(1, p.dalpha, g.InterpolationOutputBias)
	gemv(blas.Trans, d, d, w.InterpolationOutputWeight, d, p.dalpha, p.dr)
	for j, v := range p.r {
		if v <= 0 {
			p.dr[j] = 0
		}
	}
	ger(p.dr, p.both, g.InterpolationHiddenWeight, 2*d)
	axpy(1, p.dr, g.InterpolationHiddenBias)
	gemv(blas.Trans, d, 2*d, w.InterpolationHiddenWeight, 2*d, p.dr, p.dboth)
	axpy(1, p.dboth[:d], p.dc)
}

// normaliseTo is layer normalization without gain and bias; it returns 1/σ.
func normaliseTo[T linalg.Float](dst, x []T) T {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += float64(v)
	}
	mean /= float64(len(x))
	for _, v := range x {
		variance += (float64(v) - mean) * (float64(v) - mean)
	}
	scale := 1 / math.Sqrt(variance/float64(len(x))+centroid.NormEpsilon)
	for j, v := range x {
		dst[j] = T((float64(v) - mean) * scale)
	}
	return T(scale)
}

// mask returns the factors of dropout.
func mask[T linalg.Float](n int, rate float64, random *rand.Rand) []T {
	m := make([]T, n)
	kept := T(1 / (1 - rate))
	for i := range m {
		if random.Float64() >= rate {
			m[i] = kept
		}
	}
	return m
}

func multiply[T linalg.Float](x, by []T) {
	for j, v := range by {
		x[j] *= v
	}
}
