//go:build wasm

package linalg

// gemv32To writes dst[k] = a_k · x for the rows a_k of a, each as long as x.
// gonum has no assembly here: a loop over four sums is twice as fast.
func gemv32To(dst []float64, a, x []float32) { gemvTo(dst, a, x) }

func gemv64To(dst, a, x []float64) { gemvTo(dst, a, x) }

func gemvTo[T Float](dst []float64, a, x []T) {
	d := len(x)
	for k := range dst {
		row := a[k*d : (k+1)*d : (k+1)*d]
		var s0, s1, s2, s3 float64
		j := 0
		for ; j+4 <= d; j += 4 {
			r, y := row[j:j+4:j+4], x[j:j+4:j+4]
			s0 += float64(r[0]) * float64(y[0])
			s1 += float64(r[1]) * float64(y[1])
			s2 += float64(r[2]) * float64(y[2])
			s3 += float64(r[3]) * float64(y[3])
		}
		for ; j < d; j++ {
			s0 += float64(row[j]) * float64(x[j])
		}
		dst[k] = s0 + s1 + s2 + s3
	}
}
