package encoder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lossOf is the loss of a batch in float64, by its definition.
func lossOf(own, grams, logWeight []float64, m *model, x batch, temperature float64) float64 {
	d := m.dims
	embed := func(tokens []int32) []float64 {
		z := make([]float64, d)
		for _, p := range tokens {
			w := math.Exp(logWeight[p])
			ids := m.gramIDs[m.gramStart[p]:m.gramStart[p+1]]
			for k := range z {
				v := own[int(p)*d+k]
				for _, g := range ids {
					v += grams[int(g)*d+k] / math.Sqrt(float64(len(ids)))
				}
				z[k] += w * v
			}
		}
		norm := 0.0
		for _, v := range z {
			norm += v * v
		}
		for k := range z {
			z[k] /= math.Sqrt(norm)
		}
		return z
	}
	b := len(x.sentences) / 2
	score := make([][]float64, b)
	for i := range score {
		a := embed(x.sentences[i])
		for j := range b {
			c := embed(x.sentences[b+j])
			s := 0.0
			for k := range a {
				s += a[k] * c[k]
			}
			t := x.texts
			if i != j && (t[i] == t[j] || t[b+i] == t[b+j] || t[i] == t[b+j] || t[b+i] == t[j]) {
				s = math.Inf(-1)
			}
			score[i] = append(score[i], s/temperature)
		}
	}
	loss := 0.0
	for i := range b {
		row, col := 0.0, 0.0
		for j := range b {
			row += math.Exp(score[i][j])
			col += math.Exp(score[j][i])
		}
		loss += (math.Log(row)+math.Log(col))/2 - score[i][i]
	}
	return loss / float64(b)
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func TestStepAgainstNaiveAndFiniteDifferences(t *testing.T) {
	names := []string{Unknown, "nation", "nacion", "natura", "2024", "casa", "house", "haus"}
	idf := []float64{1, 0.5, 0.7, 1, 0.2, 0.9, 1, 0.4}
	m := newModel(names, idf, 5, 3)
	if len(m.grams) == 0 {
		t.Fatal("no n-grams are shared")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range m.grams {
		m.grams[i] = float32(random.NormFloat64())
	}
	x := batch{
		sentences: [][]int32{{1, 4}, {5, 5, 3}, {7}, {5, 1}, {2, 4}, {6, 3}, {6, 7}, {1, 2, 5}},
		texts:     []int32{0, 1, 2, 3, 4, 5, 6, 1},
	}
	own, grams, weight := wide(m.own), wide(m.grams), wide(m.logWeight)
	tr := newTrainer(m)
	tr.temperature, tr.rate, tr.weightRate = 0.3, 1e-3, 1e-3
	want := lossOf(own, grams, weight, m, x, tr.temperature)
	got := tr.step(x)
	if math.Abs(got-want) > 1e-5 {
		t.Errorf("loss %v, want %v", got, want)
	}
	// The first step of Adagrad goes by the rate against the gradient's sign and
	// keeps its square.
	check := func(name string, before []float64, after, squares []float32) {
		for i := range before {
			gradient := math.Sqrt(float64(squares[i]))
			if float64(after[i]) > before[i] {
				gradient = -gradient
			}
			const h = 1e-5
			was := before[i]
			before[i] = was + h
			up := lossOf(own, grams, weight, m, x, tr.temperature)
			before[i] = was - h
			down := lossOf(own, grams, weight, m, x, tr.temperature)
			before[i] = was
			if want := (up - down) / (2 * h); math.Abs(gradient-want) > 2e-5+1e-3*math.Abs(want) {
				t.Errorf("%s[%d]: gradient %v, want %v", name, i, gradient, want)
			}
		}
	}
	check("own", own, m.own, m.own2)
	check("grams", grams, m.grams, m.grams2)
	check("weight", weight, m.logWeight, m.weight2)
}

func TestNumbersShareNoGrams(t *testing.T) {
	for piece, want := range map[string]bool{"1998": false, "2024th": false, "nation": true, "北京": true, "ab": false} {
		got := false
		eachGram(piece, func(string) { got = true })
		if got != want {
			t.Errorf("%q has n-grams: %v, want %v", piece, got, want)
		}
	}
}

// toy is a corpus of two made-up languages: each word has a translation.
func toy(name string, sentences int) Corpus {
	vowels := []string{"a", "e", "i", "o", "u"}
	word := func(i int, first, last string) string {
		return first + vowels[i%5] + "mn"[i/5%2:i/5%2+1] + vowels[i/10%5] + last
	}
	random := rand.New(rand.NewPCG(5, uint64(len(name))))
	var b strings.Builder
	for range sentences {
		var x, y []string
		for range 6 {
			i := random.IntN(50)
			x, y = append(x, word(i, "tr", "k")), append(y, word(i, "sp", "lo"))
		}
		fmt.Fprintf(&b, "xx\tyy\t%s\t%s\n", strings.Join(x, " "), strings.Join(y, " "))
	}
	return corpusOf(name, b.String())
}

func corpusOf(name, content string) Corpus {
	return Corpus{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

func toyParams() Params {
	p := DefaultParams()
	p.Dimensions, p.Pieces, p.Epochs, p.Batch = 32, 150, 4, 32
	return p
}

func train(t *testing.T, tr *Training) {
	t.Helper()
	for !tr.Done() {
		if _, err := tr.Epoch(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTrainingFindsTranslations(t *testing.T) {
	ctx := context.Background()
	tr, err := New(ctx, []Corpus{toy("train", 2000)}, toyParams(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	held := toy("held out", 200)
	if err := held.Groups(func(g []Sentence) error {
		fmt.Fprintf(&lines, "{%q:%q,%q:%q}\n", g[0].Language, g[0].Text, g[1].Language, g[1].Text)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	p, err := ReadParallel(corpusOf("held.jsonl", lines.String()))
	if err != nil {
		t.Fatal(err)
	}
	score := func() float64 {
		share, err := p.Retrieval(ctx, tr.Encoder(), [][2]string{{"xx", "yy"}})
		if err != nil {
			t.Fatal(err)
		}
		return share[[2]string{"xx", "yy"}]
	}
	before := score()
	train(t, tr)
	if after := score(); before > 0.2 || after < 0.95 {
		t.Errorf("%.2f of the translations are found before the training, %.2f after it", before, after)
	}
}

func TestResumeGivesTheSameEncoder(t *testing.T) {
	ctx := context.Background()
	corpora := []Corpus{toy("train", 500)}
	p := toyParams()
	p.Dropout, p.Epochs = 0.1, 2
	whole, err := New(ctx, corpora, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	train(t, whole)

	part, err := New(ctx, corpora, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	steps := 0
	part.AfterStep = func() error {
		if steps++; steps == 20 { // in the second epoch
			return stop
		}
		return nil
	}
	for err == nil {
		_, err = part.Epoch(ctx)
	}
	if !errors.Is(err, stop) || part.Epochs() != 1 {
		t.Fatalf("stopped after %d epochs by %v", part.Epochs(), err)
	}
	var saved bytes.Buffer
	if err := part.Save(&saved); err != nil {
		t.Fatal(err)
	}
	rest, err := Resume(ctx, bytes.NewReader(saved.Bytes()), corpora, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	train(t, rest)
	if !slices.Equal(rest.Encoder().Table, whole.Encoder().Table) || !slices.Equal(rest.Encoder().Scales, whole.Encoder().Scales) {
		t.Error("the resumed training ends elsewhere")
	}

	other := p
	other.Rate *= 2
	for name, try := range map[string]func() error{
		"other parameters": func() error {
			_, err := Resume(ctx, bytes.NewReader(saved.Bytes()), corpora, other, nil)
			return err
		},
		"other corpora": func() error {
			_, err := Resume(ctx, bytes.NewReader(saved.Bytes()), []Corpus{toy("other", 400)}, p, nil)
			return err
		},
		"cut off": func() error {
			_, err := Resume(ctx, bytes.NewReader(saved.Bytes()[:saved.Len()-9]), corpora, p, nil)
			return err
		},
		"no checkpoint": func() error {
			_, err := Resume(ctx, strings.NewReader("hello"), corpora, p, nil)
			return err
		},
	} {
		if err := try(); !errors.Is(err, ErrCheckpoint) {
			t.Errorf("%s: %v, want %v", name, err, ErrCheckpoint)
		}
	}
}

func TestCorpusErrors(t *testing.T) {
	for content, want := range map[string]string{
		"en\tfr\thello\n":                          "f:1: want language, language, text, text, or a JSON object, got 3 columns",
		"en\tfr\ta\tb\nen\t4\ta\tb\n":              `f:2: language 2: want a language code, got "4"`,
		"{\"en\":\"a\",\"fr\":1}\n":                "f:1: fr: want a string",
		"{\"en\":\"a\"}\n":                         "f:1: fewer than two languages",
		"{\"en\":\"a\",\"fr\":\"b\",\"x1\":\"c\"}": "f:1: x1: want a language code",
		"{\"en\":\n":                               "f:1: invalid JSON",
		"en\tfr\ta\t\xff\n":                        "f:1: not UTF-8",
	} {
		err := corpusOf("f", content).Groups(func([]Sentence) error { return nil })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
	if _, err := New(context.Background(), []Corpus{corpusOf("empty", "\n")}, toyParams(), nil); err == nil {
		t.Error("a corpus without sentences is already in use")
	}
	p := toyParams()
	p.Temperature = 0
	if _, err := New(context.Background(), []Corpus{toy("x", 10)}, p, nil); !errors.Is(err, ErrParams) {
		t.Errorf("temperature 0: %v, want %v", err, ErrParams)
	}
}

func TestPivotsBringParaphrasesTogether(t *testing.T) {
	c := corpusOf("f", "en\tde\ta house\tein haus\nen\tde\tone home\tein haus\nen\tfr\ta house\tune maison\n")
	tr, err := New(context.Background(), []Corpus{c}, Params{Dimensions: 4, Pieces: 100, Batch: 2, Temperature: 1, Rate: 1, Smoothing: 1, FocusWeight: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var groups [][]int32
	for _, g := range tr.data.groups {
		groups = append(groups, g.members)
	}
	// Three pairs; then "ein haus" joins a house (0) and one home (2), and "a
	// house" joins ein haus (1) and une maison (5).
	want := [][]int32{{0, 1}, {2, 3}, {4, 5}, {1, 5}, {0, 2}}
	if fmt.Sprint(groups) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", groups, want)
	}
}

func TestSpearman(t *testing.T) {
	s, err := ReadSimilarity("s", strings.NewReader("5\ta b\ta b\n1\ta b\tc d\n3\ta b\ta c\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Spearman(context.Background(), letters{}); err != nil || math.Abs(r-1) > 1e-12 {
		t.Errorf("correlation %v, %v: want 1", r, err)
	}
	s.Gold = []float64{1, 5, 3}
	if r, err := s.Spearman(context.Background(), letters{}); err != nil || math.Abs(r+1) > 1e-12 {
		t.Errorf("correlation %v, %v: want -1", r, err)
	}
	if got, want := ranks([]float64{3, 1, 3, 2}), []float64{2.5, 0, 2.5, 1}; !slices.Equal(got, want) {
		t.Errorf("ranks %v, want %v", got, want)
	}
	for content, want := range map[string]string{
		"5\ta\n":      "s:1: want score, sentence, sentence, got 2 columns",
		"x\ta\tb\n":   `s:1: score: want a number, got "x"`,
		"1\ta\tb\n\n": "s:2: want score, sentence, sentence, got 1 columns",
	} {
		if _, err := ReadSimilarity("s", strings.NewReader(content)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", content, err, want)
		}
	}
}

// letters embeds a text as the counts of its letters.
type letters struct{}

func (letters) Dimensions() int { return 26 }

func (letters) Embed(_ context.Context, texts []string, _ func(int, int)) ([]float32, error) {
	out := make([]float32, 26*len(texts))
	for i, t := range texts {
		for _, r := range t {
			if r >= 'a' && r <= 'z' {
				out[26*i+int(r-'a')]++
			}
		}
	}
	return out, nil
}
