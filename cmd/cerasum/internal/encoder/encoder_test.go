package encoder

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cerasum/cerasum/eval/evaluate"
	"github.com/cerasum/cerasum/internal/onnx"
	"github.com/cerasum/cerasum/internal/unigram"
	"github.com/cerasum/cerasum/models"
)

var _ evaluate.Encoder = (*Model)(nil)

// TestShipped compares with vectors made by hand from tokenTable.
func TestShipped(t *testing.T) {
	m := openSmall(t)
	if m.Name() != "small" || m.Dimensions() != tokenWidth || m.Runtime() != "pure Go" {
		t.Errorf("%s, %d dimensions, %s", m.Name(), m.Dimensions(), m.Runtime())
	}
	got := embed(t, m, "the storm", "", "  ", "sun", "zebra")
	for i, want := range [][]float64{
		wantEmbedding([]int{0, the, storm, 2}, 1, 3), make([]float64, tokenWidth), make([]float64, tokenWidth),
		wantEmbedding([]int{0, sun, 2}, 1, 2), nil,
	} {
		if want != nil {
			near(t, "text", got[i*tokenWidth:(i+1)*tokenWidth], want)
		}
	}
	asked, err := m.EmbedQuestion(t.Context(), "the storm")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "question", asked, wantEmbedding([]int{0, query, the, storm, 2}, 2, 4))
	if asked, err = m.EmbedQuestion(t.Context(), ""); err != nil || !slices.Equal(asked, make([]float32, tokenWidth)) {
		t.Errorf("an empty question: %v, %v", asked, err)
	}
}

// TestLong cuts a text to its first tokens.
func TestLong(t *testing.T) {
	m := openSmall(t)
	long := strings.Repeat("storm sun ", unigram.MostTokens/2)
	if a, b := embed(t, m, long), embed(t, m, long+"roof"); !slices.Equal(a, b) {
		t.Errorf("%v, %v", a, b)
	}
}

// TestOrder embeds texts of many lengths together and alone: rows stay with
// their texts, and neighbours and padding change nothing.
func TestOrder(t *testing.T) {
	for name, m := range map[string]*Model{"shipped": openSmall(t), "folder": openFolder(t, nil)} {
		var texts []string
		for i := range 150 {
			texts = append(texts, strings.Repeat([]string{"broke ", "roof ", "storm "}[i%3], i*7%50)+[]string{"sun", "the"}[i%2])
		}
		all := embed(t, m, texts...)
		for i := 0; i < len(texts); i += 11 {
			var want []float64
			for _, v := range embed(t, m, texts[i]) {
				want = append(want, float64(v))
			}
			near(t, name+": "+texts[i], all[i*m.Dimensions():(i+1)*m.Dimensions()], want)
		}
	}
}

func TestCancel(t *testing.T) {
	m := openSmall(t)
	ctx, cancel := context.WithCancel(t.Context())
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = strings.Repeat("storm ", 1+i%60)
	}
	calls := 0
	_, err := m.Embed(ctx, texts, func(done, total int) {
		if total != len(texts) {
			t.Errorf("total %d", total)
		}
		if calls++; done > 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if _, err := m.Embed(ctx, texts, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	m := openSmall(t)
	last := -1
	texts := slices.Repeat([]string{"storm", "", "the sun"}, 100)
	if _, err := m.Embed(t.Context(), texts, func(done, total int) {
		if done <= last || total != 300 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}); err != nil || last != 300 {
		t.Errorf("%v, %d", err, last)
	}
	if out, err := m.Embed(t.Context(), nil, nil); err != nil || len(out) != 0 {
		t.Errorf("nothing: %v, %v", out, err)
	}
}

func TestConcurrent(t *testing.T) {
	for name, m := range map[string]*Model{"shipped": openSmall(t), "folder": openFolder(t, nil)} {
		texts := []string{"the storm broke the roof", "sun", "roof the sun"}
		want := embed(t, m, texts...)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					got, err := m.Embed(context.Background(), texts, nil)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%s: %v: %v, want %v", name, err, got, want)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestShippedErrors(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		data []byte
		want string
	}{
		"no vocabulary":      {vocabularyFile, nil, vocabularyFile},
		"damaged vocabulary": {vocabularyFile, []byte("?"), vocabularyFile},
		"no graph":           {graphFile, nil, graphFile},
		"damaged graph":      {graphFile, []byte("?"), graphFile},
		"other output": {graphFile, graphOf(t, func(g *onnx.Graph) {
			g.Input(onnx.InputIDs, onnx.Int64, onnx.Dynamic("batch"), onnx.Dynamic("tokens"))
			g.Input(onnx.AttentionMask, onnx.Int64, onnx.Dynamic("batch"), onnx.Dynamic("tokens"))
			g.Node("Add", []string{onnx.InputIDs, onnx.AttentionMask}, []string{"sum"})
			g.Output("sum", onnx.Int64)
		}), graphFile},
	} {
		files := shippedFiles(t)
		delete(files, c.file)
		if c.data != nil {
			files[c.file] = shippedFiles(t)[c.file]
			files[c.file].Data = c.data
		}
		m, err := OpenShipped(files, Options{})
		if err == nil {
			m.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrFolder) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenShipped(shippedFiles(t), Options{ORTLibrary: "no/library.so"}); !errors.Is(err, ErrLibrary) || !strings.Contains(err.Error(), "no/library.so") {
		t.Error(err)
	}
	m := openSmall(t)
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if _, err := m.Embed(t.Context(), []string{"sun"}, nil); !errors.Is(err, ErrFolder) {
		t.Errorf("closed: %v", err)
	}
}

// TestRuntimes runs the shipped encoder in Go and in the library that "make cli" fetched.
func TestRuntimes(t *testing.T) {
	library := cmp.Or(os.Getenv("CERASUM_ORT_LIBRARY"), filepath.Join("../../../../build/out/bin", libraries[runtime.GOOS]))
	if _, err := ortVersion(library); err != nil {
		t.Skip(err)
	}
	files, err := models.Encoder()
	if err != nil {
		t.Skip(err)
	}
	inGo, err := OpenShipped(files, Options{})
	opened(t, inGo, err)
	native, err := OpenShipped(files, Options{ORTLibrary: library})
	opened(t, native, err)
	if !strings.HasPrefix(native.Runtime(), "onnxruntime 1.") {
		t.Error(native.Runtime())
	}
	texts := []string{
		"The storm tore the roof off the house.", "In the storm the building lost its roof.", "",
		"Parliament will vote on the new budget in June.", "Im Juni stimmt das Parlament über den neuen Haushalt ab.",
		strings.Repeat("A long sentence, which goes on ", 40),
	}
	a, b, d := embed(t, inGo, texts...), embed(t, native, texts...), inGo.Dimensions()
	for k := range texts {
		sum := 0.0
		for i := k * d; i < (k+1)*d; i++ {
			sum += float64(a[i]) * float64(b[i])
		}
		if texts[k] != "" && sum < 0.999 || math.IsNaN(sum) {
			t.Errorf("cosine %.4f: %s", sum, texts[k])
		}
	}
}
