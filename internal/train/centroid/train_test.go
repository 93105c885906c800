package centroid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// list is a source in memory.
type list []Example

func (l list) Len() int { return len(l) }
func (l list) Read(i int) (Example, error) {
	if l[i].Gold == nil {
		return Example{}, fmt.Errorf("example %d cannot be read", i)
	}
	return l[i], nil
}

// corpus is clusters whose first sentences alone have to do with the gold
// centroid: something that attention can learn and a mean cannot.
func corpus(n int, seed uint64) list {
	random := rand.New(rand.NewPCG(seed, seed))
	const d = 8
	var l list
	for range n {
		x := someExample(d, random, 4, 3)
		for j := range d {
			x.Gold[j] = x.Embeddings[j] + x.Embeddings[4*d+j]
		}
		l = append(l, x)
	}
	return l
}

func someParams() Params {
	p := DefaultParams()
	p.Positions, p.Epochs, p.Rate, p.Dropout, p.Milestones, p.Patience = 4, 6, 3e-3, 0.05, []int{4}, 0
	return p
}

func trained(t *testing.T, p Params, source Source) *Training {
	t.Helper()
	training, err := New(8, p, source)
	if err != nil {
		t.Fatal(err)
	}
	for !training.Done() {
		if _, err := training.Epoch(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return training
}

func TestTrainingLearns(t *testing.T) {
	training, unseen := trained(t, someParams(), corpus(600, 1)), corpus(100, 2)
	before, mean, err := Cosine(context.Background(), initial[float32](8, someParams()), unseen)
	if err != nil {
		t.Fatal(err)
	}
	after, _, err := Cosine(context.Background(), training.Weights(), unseen)
	if err != nil {
		t.Fatal(err)
	}
	if after < mean+0.1 || after < before+0.1 {
		t.Errorf("the cosine went from %.3f to %.3f, the mean centroid has %.3f", before, after, mean)
	}
}

func TestTrainingIsReproducible(t *testing.T) {
	p := someParams()
	p.Epochs, p.Batch = 2, 11 // more than there are slots, and 30 is no multiple
	source := corpus(30, 3)
	a, b := trained(t, p, source).Weights(), trained(t, p, source).Weights()
	if !slices.Equal(a.Data, b.Data) {
		t.Error("the same training gave other weights")
	}
	p.Seed++
	if c := trained(t, p, source).Weights(); slices.Equal(a.Data, c.Data) {
		t.Error("another seed gave the same weights")
	}
}

var errStop = errors.New("stop here")

func TestResumedIsUninterrupted(t *testing.T) {
	p := someParams()
	source := corpus(20, 4)
	// record stands for a validation whose second epoch is the best.
	record := func(t *Training, loss float64) {
		t.Record(Point{Epoch: t.Epochs(), Loss: loss, Score: -math.Abs(float64(t.Epochs()) - 2)})
	}
	whole, err := New(8, p, source)
	if err != nil {
		t.Fatal(err)
	}
	for !whole.Done() {
		loss, err := whole.Epoch(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		record(whole, loss)
	}
	parts, err := New(8, p, source)
	if err != nil {
		t.Fatal(err)
	}
	stops := 0
	for !parts.Done() {
		steps := 0
		parts.AfterStep = func(done, total int, loss float64) error {
			if steps++; steps == 7 && total == 10 && loss > 0 {
				return errStop
			}
			return nil
		}
		loss, err := parts.Epoch(context.Background())
		if err == nil {
			record(parts, loss)
		} else if !errors.Is(err, errStop) {
			t.Fatal(err)
		}
		stops++
		var b bytes.Buffer
		if err := parts.Save(&b); err != nil {
			t.Fatal(err)
		}
		if parts, err = Resume(&b, 8, p, source); err != nil {
			t.Fatal(err)
		}
	}
	if stops <= p.Epochs {
		t.Errorf("only %d stops", stops)
	}
	if !slices.Equal(whole.Weights().Data, parts.Weights().Data) || !slices.Equal(whole.History(), parts.History()) {
		t.Errorf("after checkpoints %+v, without %+v", parts.History(), whole.History())
	}
	at, best := parts.Best()
	wholeAt, wholeBest := whole.Best()
	if at.Epoch != 2 || at != wholeAt || !slices.Equal(best.Data, wholeBest.Data) || slices.Equal(best.Data, parts.Weights().Data) {
		t.Errorf("the best is %+v, want that of epoch 2", at)
	}
}

func TestResumeRefuses(t *testing.T) {
	p, source := someParams(), corpus(4, 5)
	training, err := New(8, p, source)
	if err != nil {
		t.Fatal(err)
	}
	training.Record(Point{})
	var b bytes.Buffer
	if err := training.Save(&b); err != nil {
		t.Fatal(err)
	}
	other, more, elsewhere := p, p, p
	other.Rate *= 2
	elsewhere.Source = "another encoder"
	more.Epochs, more.Patience = p.Epochs+5, 3
	if _, err := Resume(bytes.NewReader(b.Bytes()), 8, more, source); err != nil {
		t.Errorf("more epochs: %v", err)
	}
	for name, c := range map[string]struct {
		raw    []byte
		d      int
		p      Params
		source Source
		want   string
	}{
		"other parameters": {b.Bytes(), 8, other, source, "--rate 0.003"},
		"other source":     {b.Bytes(), 8, elsewhere, source, "another encoder"},
		"other dimensions": {b.Bytes(), 9, p, source, "want 9 dimensions, got 8"},
		"other corpus":     {b.Bytes(), 8, p, corpus(5, 5), "want 5 examples, got 4"},
		"cut off":          {b.Bytes()[:b.Len()-1], 8, p, source, "truncated"},
		"something else":   {[]byte("something else"), 8, p, source, "unusable"},
		"nothing":          {nil, 8, p, source, "EOF"},
	} {
		if _, err := Resume(bytes.NewReader(c.raw), c.d, c.p, c.source); !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPatience(t *testing.T) {
	p := someParams()
	p.Patience, p.Epochs = 2, 100
	training, err := New(8, p, corpus(2, 6))
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range []float64{1, 3, 2, 3, 9} {
		if training.Done() {
			break
		}
		if _, err := training.Epoch(context.Background()); err != nil {
			t.Fatal(err)
		}
		training.Record(Point{Epoch: training.Epochs(), Score: score})
	}
	if best, _ := training.Best(); best.Epoch != 2 || training.Epochs() != 4 || !training.Done() {
		t.Errorf("stopped after %d epochs, the best was %d: want 4 and 2", training.Epochs(), best.Epoch)
	}
}

func TestRate(t *testing.T) {
	p := DefaultParams()
	for epochs, want := range []float64{5e-4, 5e-4, 5e-4, 5e-5, 5e-5, 5e-5, 5e-6, 5e-6} {
		if got := p.rate(epochs); math.Abs(got-want) > 1e-12 {
			t.Errorf("after %d epochs the rate is %v, want %v", epochs, got, want)
		}
	}
}

// TestAdam against the update's definition, in float64.
func TestAdam(t *testing.T) {
	p := someParams()
	tr := newTrainer(initial[float64](3, p), 2)
	w, m, v := slices.Clone(tr.w.Data), make([]float64, len(tr.w.Data)), make([]float64, len(tr.w.Data))
	random := rand.New(rand.NewPCG(8, 9))
	for step := 1; step <= 3; step++ {
		for i := range w {
			a, b := random.NormFloat64(), random.NormFloat64()
			tr.slots[0].gradient.Data[i], tr.slots[1].gradient.Data[i] = a, b
			g := a + b
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			w[i] -= 0.01 * (m[i] / (1 - math.Pow(0.9, float64(step)))) / (math.Sqrt(v[i]/(1-math.Pow(0.999, float64(step)))) + 1e-8)
		}
		tr.adam(2, 0.01)
	}
	if !within(tr.w.Data, w, 1e-9) {
		t.Errorf("%v, want %v", tr.w.Data, w)
	}
}

func TestParamsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*Params){
		"positions":  func(p *Params) { p.Positions = 0 },
		"epochs":     func(p *Params) { p.Epochs = -1 },
		"batch":      func(p *Params) { p.Batch = 0 },
		"rate":       func(p *Params) { p.Rate = math.NaN() },
		"decay":      func(p *Params) { p.Decay = 0 },
		"dropout":    func(p *Params) { p.Dropout = 1 },
		"patience":   func(p *Params) { p.Patience = -1 },
		"milestones": func(p *Params) { p.Milestones = []int{3, 3} },
	} {
		p := someParams()
		change(&p)
		if _, err := New(8, p, corpus(1, 1)); !errors.Is(err, ErrParams) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := New(0, someParams(), corpus(1, 1)); !errors.Is(err, ErrParams) {
		t.Error(err)
	}
	if _, err := New(8, someParams(), list{}); !errors.Is(err, ErrExample) {
		t.Error(err)
	}
}

func TestBadExamples(t *testing.T) {
	nan := float32(math.NaN())
	good := Example{Embeddings: []float32{1, 2, 3, 4}, Documents: []int{2}, Gold: []float32{1, 0}}
	for want, change := range map[string]func(*Example){
		"3 numbers for 2 sentences of 2 dimensions":       func(e *Example) { e.Embeddings = e.Embeddings[:3] },
		"want 2 dimensions, got 3":                        func(e *Example) { e.Gold = []float32{1, 2, 3} },
		"embedding is zero":                               func(e *Example) { e.Gold = []float32{0, 0} },
		"an embedding is not finite":                      func(e *Example) { e.Embeddings[1] = nan },
		"want at least one embedding":                     func(e *Example) { clear(e.Embeddings) },
		"the references' embedding is zero or not finite": func(e *Example) { e.Gold[1] = nan },
	} {
		x := good
		x.Embeddings, x.Gold = slices.Clone(x.Embeddings), slices.Clone(x.Gold)
		change(&x)
		training, err := New(2, someParams(), list{x})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := training.Epoch(context.Background()); !errors.Is(err, ErrExample) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if _, _, err := Cosine(context.Background(), training.Weights(), list{x}); !errors.Is(err, ErrExample) {
			t.Errorf("%s: validation: %v", want, err)
		}
	}
	training, err := New(2, someParams(), list{Example{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := training.Epoch(context.Background()); err == nil || !strings.Contains(err.Error(), "example 0 cannot be read") {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	training, err := New(8, someParams(), corpus(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := training.Epoch(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := Cosine(ctx, training.Weights(), corpus(3, 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
