package linalg

import "math"

// loops is the arithmetic in plain Go. An interleaved sum consists of four
// independent sums, each of every fourth term (the rest is added to the first),
// which the processor can compute in parallel; they are added at the end. The
// conversions to float64 and float32 prevent fused multiply-add, so that the
// result has the same bits on every machine.
type loops struct{}

func (loops) DotsTo(dst []float64, a, b []float32) {
	d := cols(len(dst), a)
	for k := range dst {
		dst[k] = dot(a[k*d:(k+1)*d], b[k*d:(k+1)*d])
	}
}

func (loops) GemvTo(dst []float64, a, x []float32) { gemvTo(dst, a, x) }

func (loops) GemvWideTo(dst []float64, a []float32, x []float64) { gemvTo(dst, a, x) }

func gemvTo[A, X Float](dst []float64, a []A, x []X) {
	d := len(x)
	for k := range dst {
		dst[k] = dot(a[k*d:(k+1)*d], x)
	}
}

// dot is a · b, interleaved.
func dot[A, B Float](a []A, b []B) float64 {
	d := len(b)
	a = a[:d:d]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= d; j += 4 {
		x, y := a[j:j+4:j+4], b[j:j+4:j+4]
		s0 += float64(float64(x[0]) * float64(y[0]))
		s1 += float64(float64(x[1]) * float64(y[1]))
		s2 += float64(float64(x[2]) * float64(y[2]))
		s3 += float64(float64(x[3]) * float64(y[3]))
	}
	for ; j < d; j++ {
		s0 += float64(float64(a[j]) * float64(b[j]))
	}
	return s0 + s1 + s2 + s3
}

func (loops) AddColumnsTo(p, x, table []float32, place []int32) {
	d := len(p) / Lanes
	for r, k := range place {
		y := table[int(k)*d : (int(k)+1)*d]
		for j, v := range x[r*d : (r+1)*d] {
			p[j*Lanes+r] = v + y[j]
		}
	}
}

func (loops) MulTo(c, a []float32, lda int, p []float32) {
	d := len(p) / Lanes
	if d == 0 {
		clear(c)
		return
	}
	m := len(c) / Lanes
	for i := 0; i < m; i += 2 {
		next := min(i+1, m-1)
		for q := 0; q < Lanes; q += 4 {
			s, t := twoByFour(a[i*lda:i*lda+d], a[next*lda:next*lda+d], p[q:])
			copy(c[i*Lanes+q:], s[:])
			copy(c[next*Lanes+q:], t[:])
		}
	}
}

// twoByFour multiplies two rows with the first four columns of P, whose rows
// are Lanes long. Eight products need six loads, and the eight sums are
// independent.
func twoByFour(v, w, p []float32) (s, t [4]float32) {
	w = w[:len(v)]
	var s0, s1, s2, s3, t0, t1, t2, t3 float32
	for j, x := range v {
		y := w[j]
		b := p[j*Lanes : j*Lanes+4 : j*Lanes+4]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		s0 += float32(x * b0)
		s1 += float32(x * b1)
		s2 += float32(x * b2)
		s3 += float32(x * b3)
		t0 += float32(y * b0)
		t1 += float32(y * b1)
		t2 += float32(y * b2)
		t3 += float32(y * b3)
	}
	return [4]float32{s0, s1, s2, s3}, [4]float32{t0, t1, t2, t3}
}

func (loops) TanhSumTo(dst []float64, c, base, o []float32) {
	clear(dst)
	for i, b := range base {
		for k, x := range c[i*Lanes : (i+1)*Lanes] {
			dst[k] += float64(float32(o[i] * tanh(b+x)))
		}
	}
}

// tanh with an error of at most 6e-7, faster than math.Tanh: the rational
// approximation of the library Eigen.
func tanh(x float32) float32 {
	const flat = 7.90531110763549805 // beyond it float32 knows only ±1
	x = max(-flat, min(flat, x))
	s := float32(x * x)
	p := float32(-2.76076847742355e-16)
	p = float32(p*s) + 2.00018790482477e-13
	p = float32(p*s) - 8.60467152213735e-11
	p = float32(p*s) + 5.12229709037114e-08
	p = float32(p*s) + 1.48572235717979e-05
	p = float32(p*s) + 6.37261928875436e-04
	p = float32(p*s) + 4.89352455891786e-03
	q := float32(1.19825839466702e-06)
	q = float32(q*s) + 1.18534705686654e-04
	q = float32(q*s) + 2.26843463243900e-03
	q = float32(q*s) + 4.89352518554385e-03
	return float32(x*p) / q
}

func (loops) AddWeighted(dst, w []float64, x []float32) {
	d := len(dst)
	for k, f := range w {
		for j, v := range x[k*d : (k+1)*d] {
			dst[j] += float64(f * float64(v))
		}
	}
}

func (loops) Softmax(x []float64) {
	top := math.Inf(-1)
	for _, z := range x {
		top = max(top, z)
	}
	total := 0.0
	for k, z := range x {
		x[k] = math.Exp(z - top)
		total += x[k]
	}
	for k := range x {
		x[k] /= total
	}
}

func (loops) LayerNormTo(dst, x []float32, scale []float64, gain, bias []float32, epsilon float64) {
	d := len(gain)
	n := float64(d)
	for k, f := range scale {
		row, to := x[k*d:(k+1)*d], dst[k*d:(k+1)*d]
		sum, squares := moments(row, f)
		mean := sum / n
		variance := max(0, squares/n-float64(mean*mean))
		g := 1 / math.Sqrt(variance+epsilon)
		slope, level := float32(f*g), float32(-mean*g)
		for j, v := range row {
			to[j] = float32((float32(slope*v)+level)*gain[j]) + bias[j]
		}
	}
}

// moments are the sums of f·x and of their squares, interleaved.
func moments(x []float32, f float64) (sum, squares float64) {
	var s, t [4]float64
	whole := len(x) &^ 3
	for j, v := range x {
		i := j & 3
		if j >= whole {
			i = 0
		}
		v := float64(f * float64(v))
		s[i] += v
		t[i] += float64(v * v)
	}
	return s[0] + s[1] + s[2] + s[3], t[0] + t[1] + t[2] + t[3]
}
