package encoder

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/internal/onnx"
)

// sentences of 4 to 43 words, seeded.
func sentences(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, n)
	for i := range texts {
		var w []string
		for range 4 + r.IntN(40) {
			w = append(w, words[4+r.IntN(6)])
		}
		texts[i] = strings.Join(w, " ")
	}
	return texts
}

func benchmark(b *testing.B, m *Model, n int) {
	texts := sentences(n)
	if _, err := m.Embed(context.Background(), texts, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Embed(context.Background(), texts, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/sentence")
}

// BenchmarkStatic is a table as large as the shipped one: 60,000 × 256.
func BenchmarkStatic(b *testing.B) {
	const rows, dims = 60000, 256
	table, scales := make([]int8, rows*dims), make([]float32, rows)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range table {
		table[i] = int8(r.IntN(255) - 127)
	}
	for i := range scales {
		scales[i] = r.Float32()
	}
	var model bytes.Buffer
	if err := onnx.WriteStatic(&model, table, scales, dims, nil); err != nil {
		b.Fatal(err)
	}
	files := with(staticFiles(b), map[string][]byte{"model.onnx": model.Bytes(), "modules.json": nil})
	m := open(b, files, Options{ORTLibrary: os.Getenv("CERASUM_ORT_LIBRARY")})
	for _, n := range []int{50, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, m, n) })
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			m, err := OpenFS(files, "", Options{})
			if err != nil {
				b.Fatal(err)
			}
			m.Close()
		}
	})
	b.Run("cold50", func(b *testing.B) {
		texts := sentences(50)
		for b.Loop() {
			b.StopTimer()
			m, err := OpenFS(files, "", Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := m.Embed(context.Background(), texts, nil); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			m.Close()
			b.StartTimer()
		}
	})
}

// BenchmarkFolder is any export.
func BenchmarkFolder(b *testing.B) {
	dir := os.Getenv("CERASUM_TEST_MODEL")
	if dir == "" {
		b.Skip("CERASUM_TEST_MODEL does not name an export folder")
	}
	m, err := Open(dir, Options{ORTLibrary: os.Getenv("CERASUM_ORT_LIBRARY")})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmark(b, m, n) })
	}
}
