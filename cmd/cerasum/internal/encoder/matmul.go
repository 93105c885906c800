package encoder

import (
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego/packgemm"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// The pure Go backend multiplies matrices with plain loops, which take most of the time
// of a transformer. It allows registering another product, but uses it only for the form
// [batch…, rows, k] × [batch…, k, columns]. flatBackend rewrites the products of a model
// to that form.

func init() {
	// Higher priority than the backend's loops, lower than its SIMD products where
	// they are compiled in.
	packgemm.RegisterGEMM[float32, float32]("cerasum", gemm, &packgemm.NoSIMD32Params, packgemm.PriorityDType)
}

// gemm sets out to alpha·(a × b) + beta·out for each matrix, row-major: a is
// rows×k, b is k×columns. The last parameters are buffers and workers of
// unexported types.
func gemm[B, R, P any](alpha, beta float32, a, b []float32, batch, rows, columns, k int, out []float32, _ B, _ R, _ P) error {
	for i := range batch {
		x, y, to := a[i*rows*k:(i+1)*rows*k], b[i*k*columns:(i+1)*k*columns], out[i*rows*columns:(i+1)*rows*columns]
		if hasTile && alpha == 1 && beta == 0 {
			multiply(to, x, y, rows, columns, k)
			continue
		}
		blas32.Gemm(blas.NoTrans, blas.NoTrans, alpha,
			blas32.General{Rows: rows, Cols: k, Stride: max(1, k), Data: x},
			blas32.General{Rows: k, Cols: columns, Stride: max(1, columns), Data: y}, beta,
			blas32.General{Rows: rows, Cols: columns, Stride: max(1, columns), Data: to})
	}
	return nil
}

const (
	// A tile of the product, whose sums are in registers.
	tileRows, tileColumns = 4, 16
	// A panel is panelRows×tileColumns numbers of b, which stay in the first cache.
	panelRows = 384
)

var panels = sync.Pool{New: func() any { return new([panelRows * tileColumns]float32) }}

// multiply sets out to a × b, tile by tile, six times as fast as gonum.
func multiply(out, a, b []float32, rows, columns, k int) {
	clear(out)
	panel := panels.Get().(*[panelRows * tileColumns]float32)
	defer panels.Put(panel)
	var tile [tileRows * tileColumns]float32
	for column := 0; column < columns; column += tileColumns {
		width := min(tileColumns, columns-column)
		for start := 0; start < k; start += panelRows {
			depth := min(panelRows, k-start)
			for i := range depth {
				copy(panel[i*tileColumns:], b[(start+i)*columns+column:][:width])
			}
			for row := 0; row < rows; {
				n, stride := tileRows, k
				if row+n > rows {
					n, stride = 1, 0 // the same row again
				}
				multiplyTile(&tile, &a[row*k+start], stride, &panel[0], depth)
				for r := range n {
					to := out[(row+r)*columns+column:][:width]
					for c, v := range tile[r*tileColumns:][:width] {
						to[c] += v
					}
				}
				row += n
			}
		}
	}
}

// goBackend is the configuration of the backend that uses registered products.
const goBackend = "go:packgemm"

// flatBackend is a backend whose builders flatten products.
type flatBackend struct{ backends.Backend }

func (b flatBackend) Builder(name string) backends.Builder {
	return flatBuilder{b.Backend.Builder(name)}
}

type flatBuilder struct{ backends.Builder }

func (b flatBuilder) Main() backends.Function { return flatFunction{b.Builder.Main(), b.Builder} }

// flatFunction builds a product of [a, b, …, k] and a matrix [k, columns] as the
// matrix product [a·b·…, k] × [k, columns].
type flatFunction struct {
	backends.Function
	builder backends.Builder
}

func (f flatFunction) DotGeneral(a backends.Value, sumA, batchA []int, b backends.Value, sumB, batchB []int, c backends.DotGeneralConfig) (backends.Value, error) {
	shapeA, err := f.builder.OpShape(a)
	if err != nil {
		return nil, err
	}
	shapeB, err := f.builder.OpShape(b)
	if err != nil {
		return nil, err
	}
	last := shapeA.Rank() - 1
	if last < 2 || shapeB.Rank() != 2 || len(batchA) > 0 || len(batchB) > 0 ||
		len(sumA) != 1 || len(sumB) != 1 || sumA[0] != last || sumB[0] != 0 {
		return f.Function.DotGeneral(a, sumA, batchA, b, sumB, batchB, c)
	}
	rows := 1
	for _, d := range shapeA.Dimensions[:last] {
		rows *= d
	}
	flat, err := f.Function.Reshape(a, rows, shapeA.Dimensions[last])
	if err != nil {
		return nil, err
	}
	product, err := f.Function.DotGeneral(flat, []int{1}, nil, b, sumB, nil, c)
	if err != nil {
		return nil, err
	}
	dims := append([]int(nil), shapeA.Dimensions[:last]...)
	return f.Function.Reshape(product, append(dims, shapeB.Dimensions[1])...)
}

// The backend's fused layers use products of their own. Without them gomlx
// builds the same layers from basic operations.

func (flatFunction) FusedDense(_, _, _ backends.Value, _ backends.ActivationType) (backends.Value, error) {
	return nil, backends.ErrNotImplemented
}

func (flatFunction) FusedAttentionQKVProjection(_, _, _, _, _ backends.Value, _, _ int) (q, k, v backends.Value, err error) {
	return nil, nil, nil, backends.ErrNotImplemented
}

func (flatFunction) FusedScaledDotProductAttention(_, _, _, _ backends.Value, _, _ int, _ backends.AxesLayout, _ float64, _ bool, _ *backends.ScaledDotProductAttentionConfig) (backends.Value, error) {
	return nil, backends.ErrNotImplemented
}
