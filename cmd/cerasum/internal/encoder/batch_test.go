package encoder

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"
)

// TestPlan: every text that has a token is in one batch, which holds it.
func TestPlan(t *testing.T) {
	var ids [][]int32
	for i := range 1000 {
		ids = append(ids, make([]int32, (i*37)%700))
	}
	seen := map[int]bool{}
	shapes := map[[2]int]bool{}
	for _, b := range plan(ids) {
		shapes[[2]int{b.rows, b.tokens}] = true
		if len(b.texts) == 0 || len(b.texts) > b.rows || b.rows >= 2*len(b.texts) || b.rows > maxBatch || b.rows > 1 && b.rows*b.tokens > batchTokens {
			t.Errorf("%d texts in %d × %d", len(b.texts), b.rows, b.tokens)
		}
		for _, k := range b.texts {
			if seen[k] || len(ids[k]) == 0 || len(ids[k]) > b.tokens || b.tokens > len(ids[k])+max(8, len(ids[k])/4) {
				t.Errorf("text %d of %d tokens in a batch of %d, seen %v", k, len(ids[k]), b.tokens, seen[k])
			}
			seen[k] = true
		}
	}
	for k := range ids {
		if len(ids[k]) > 0 && !seen[k] {
			t.Errorf("text %d of %d tokens is in no batch", k, len(ids[k]))
		}
	}
	if len(shapes) > 60 {
		t.Errorf("%d shapes to compile for 1,000 texts", len(shapes))
	}
}

func TestRound(t *testing.T) {
	for n, want := range map[int]int{1: 8, 8: 8, 9: 16, 33: 40, 64: 64, 65: 80, 128: 128, 129: 160, 257: 320, 512: 512} {
		if got := roundTokens(n); got != want {
			t.Errorf("%d tokens: %d, want %d", n, got, want)
		}
	}
	for n, want := range map[int]int{1: 1, 2: 2, 3: 4, 33: 64, 64: 64} {
		if got := roundTexts(n); got != want {
			t.Errorf("%d texts: %d, want %d", n, got, want)
		}
	}
}

// TestModel runs a real export, and the same through a local library where
// there is one.
func TestModel(t *testing.T) {
	dir := os.Getenv("CERASUM_TEST_MODEL")
	if dir == "" {
		t.Skip("CERASUM_TEST_MODEL does not name an export folder")
	}
	m, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	texts := []string{
		"The storm tore the roof off the house.", "In the storm the building lost its roof.",
		"Parliament will vote on the new budget in June.", "In June the budget is decided by a vote in parliament.",
	}
	d := m.Dimensions()
	v := embed(t, m, texts...)
	cosine := func(a, b []float32) float64 {
		var ab, aa, bb float64
		for i := range a {
			ab, aa, bb = ab+float64(a[i])*float64(b[i]), aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i])
		}
		return ab / math.Sqrt(aa*bb)
	}
	row := func(v []float32, k int) []float32 { return v[k*d : (k+1)*d] }
	for i := range texts {
		for j := range texts {
			if i/2 != j/2 && cosine(row(v, i), row(v, i^1)) <= cosine(row(v, i), row(v, j)) {
				t.Errorf("%q is as near to %q as to its paraphrase", texts[i], texts[j])
			}
		}
	}
	library := os.Getenv("CERASUM_ORT_LIBRARY")
	if library == "" {
		return
	}
	o, err := Open(dir, Options{ORTLibrary: library})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	texts = append(texts, sentences(30)...)
	a := embed(t, m, texts...)
	b, err := o.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	least := 1.0
	for k := range texts {
		least = min(least, cosine(row(a, k), row(b, k)))
	}
	if least < 0.9999 || slices.Equal(a, b) {
		t.Errorf("hugot and onnxruntime: cosine %.6f", least)
	}
	t.Logf("hugot and onnxruntime: least cosine of %d texts %.8f", len(texts), least)
}
