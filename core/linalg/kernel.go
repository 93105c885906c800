package linalg

// Kernel is a faster implementation of the package's arithmetic, for example
// with SIMD instructions that Go's compiler does not use. Each method gives the
// same bits as the loop of the same name (loops.go), except MulTo and
// TanhSumTo, which may use fused multiply-add. Lengths are checked before the
// call; a kernel does not keep its arguments.
type Kernel interface {
	// DotsTo is [DotsTo].
	DotsTo(dst []float64, a, b []float32)
	// GemvTo writes dst[k] = a_k · x.
	GemvTo(dst []float64, a, x []float32)
	// GemvWideTo is GemvTo for a vector of float64.
	GemvWideTo(dst []float64, a []float32, x []float64)
	// AddColumnsTo is [AddColumnsTo].
	AddColumnsTo(p, x, table []float32, place []int32)
	// MulTo is [MulTo].
	MulTo(c, a []float32, lda int, p []float32)
	// TanhSumTo is [TanhSumTo].
	TanhSumTo(dst []float64, c, base, o []float32)
	// AddWeighted is [AddWeighted] of dense rows.
	AddWeighted(dst, w []float64, x []float32)
	// Softmax is [Softmax].
	Softmax(x []float64)
	// LayerNormTo is [LayerNormTo].
	LayerNormTo(dst, x []float32, scale []float64, gain, bias []float32, epsilon float64)
}

var kernel Kernel = loops{}

// Use selects the kernel; nil selects the package's own loops. Call it at the
// start of the program, before anything else uses the package.
func Use(k Kernel) {
	if k == nil {
		k = loops{}
	}
	kernel = k
}

// DotsTo writes dst[k] = a_k · b_k for the rows of two matrices of the same
// shape, with len(dst) rows.
func DotsTo(dst []float64, a, b []float32) {
	if len(a) != len(b) || cols(len(dst), a) < 0 {
		panic("linalg: DotsTo: wrong length")
	}
	kernel.DotsTo(dst, a, b)
}

// Lanes is the number of vectors that [MulTo] multiplies at once.
const Lanes = 8

// AddColumnsTo writes row r of X plus row place_r of the table into column r of
// P, D×Lanes, for every row of X; X has at most Lanes rows.
func AddColumnsTo(p, x, table []float32, place []int32) {
	d := len(p) / Lanes
	if len(p)%Lanes != 0 || len(place) > Lanes || len(x) != len(place)*d {
		panic("linalg: AddColumnsTo: wrong length")
	}
	for _, k := range place {
		if k < 0 || (int(k)+1)*d > len(table) {
			panic("linalg: AddColumnsTo: no such row of the table")
		}
	}
	kernel.AddColumnsTo(p, x, table, place)
}

// MulTo writes C = A P in float32: C is M×Lanes, P D×Lanes and A M×D. Rows of A
// start lda numbers apart; a may end with the last row.
func MulTo(c, a []float32, lda int, p []float32) {
	m, d := len(c)/Lanes, len(p)/Lanes
	if len(c)%Lanes != 0 || len(p)%Lanes != 0 || lda < d || m > 0 && len(a) < (m-1)*lda+d {
		panic("linalg: MulTo: wrong length")
	}
	kernel.MulTo(c, a, lda, p)
}

// TanhSumTo writes dst[k] = Σ_i o_i tanh(base_i + c_ik), C is M×Lanes: the
// output of a network with one hidden layer.
func TanhSumTo(dst []float64, c, base, o []float32) {
	if len(dst) != Lanes || len(base) != len(o) || len(c) != len(o)*Lanes {
		panic("linalg: TanhSumTo: wrong length")
	}
	kernel.TanhSumTo(dst, c, base, o)
}

// AddWeighted adds Σ w_k row_k to dst, of length D; w has length N.
func AddWeighted(dst, w []float64, m Rows) {
	if len(w) != m.Len() || len(dst) != m.Dims() {
		panic("linalg: AddWeighted: wrong length")
	}
	switch m := m.(type) {
	case *Dense[float32]:
		kernel.AddWeighted(dst, w, m.Data)
	case *Concat:
		m.addWeighted(dst, w)
	default:
		for k, x := range w {
			if x != 0 {
				m.AddScaledTo(dst, x, k)
			}
		}
	}
}

// Softmax replaces x_k with exp(x_k) / Σ exp(x).
func Softmax(x []float64) { kernel.Softmax(x) }

// LayerNormTo normalises every row of X, N×D: with v = scale_k · x_k, to (v −
// mean) / √(variance + epsilon) · gain + bias. Scale has length N, gain and
// bias have length D; dst may be x. The variance is the mean of the squares
// minus the square of the mean; v should have about unit length, so that the
// rounding error is far below epsilon.
func LayerNormTo(dst, x []float32, scale []float64, gain, bias []float32, epsilon float64) {
	if len(dst) != len(x) || len(gain) != len(bias) || len(x) != len(scale)*len(gain) {
		panic("linalg: LayerNormTo: wrong length")
	}
	kernel.LayerNormTo(dst, x, scale, gain, bias, epsilon)
}

// cols is the length of the rows of a, -1 if a cannot be divided into that many
// rows.
func cols(rows int, a []float32) int {
	switch {
	case rows == 0 && len(a) == 0:
		return 0
	case rows == 0 || len(a)%rows != 0:
		return -1
	}
	return len(a) / rows
}
