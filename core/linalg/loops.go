package linalg

import "math"

// loops is the arithmetic in plain Go. An interleaved sum is four sums, of every
// fourth term each (what is left over goes to the first), added up in their
// order: they do not wait for each other. The conversions to float64 and float32
// forbid fused products: the same bits on every machine.
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

func (loops) MulTransTo(c, a []float32, lda int, b, _ []float32) {
	d := cols(Abreast, b)
	m := len(c) / Abreast
	for i := 0; i < m; i += 2 {
		next := min(i+1, m-1)
		for q := 0; q < Abreast; q += 4 {
			s, t := dots(b[q*d:(q+1)*d], b[(q+1)*d:(q+2)*d], b[(q+2)*d:(q+3)*d], b[(q+3)*d:(q+4)*d], a[i*lda:i*lda+d], a[next*lda:next*lda+d])
			copy(c[i*Abreast+q:], s[:])
			copy(c[next*Abreast+q:], t[:])
		}
	}
}

// dots are the products of four vectors with two others, of equal length. Six
// numbers read for eight products, and eight sums that do not wait for each
// other.
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

func (loops) TanhSumTo(dst []float64, c []float32, base []float64, o []float32) {
	clear(dst)
	for i, b := range base {
		w := float64(o[i])
		for k, x := range c[i*Abreast : (i+1)*Abreast] {
			dst[k] += float64(w * tanh(b+float64(x)))
		}
	}
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

func (loops) LayerNorm(x []float32, scale []float64, gain, bias []float32, epsilon float64) {
	d := len(gain)
	n := float64(d)
	for k, f := range scale {
		row := x[k*d : (k+1)*d]
		mean := interleaved(row, func(v float32) float64 { return float64(f * float64(v)) }) / n
		variance := interleaved(row, func(v float32) float64 {
			apart := float64(f*float64(v)) - mean
			return float64(apart * apart)
		}) / n
		g := 1 / math.Sqrt(variance+epsilon)
		for j, v := range row {
			row[j] = float32(float64((float64(f*float64(v))-mean)*g*float64(gain[j])) + float64(bias[j]))
		}
	}
}

// interleaved is the sum of the terms of a row.
func interleaved(row []float32, term func(v float32) float64) float64 {
	var s [4]float64
	whole := len(row) &^ 3
	for j, v := range row[:whole] {
		s[j&3] += term(v)
	}
	for _, v := range row[whole:] {
		s[0] += term(v)
	}
	return s[0] + s[1] + s[2] + s[3]
}
