package salience

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cerasum/cerasum/core/cluster"
	"github.com/cerasum/cerasum/internal/lexical"
)

func read(t *testing.T) *Features {
	t.Helper()
	c := &cluster.Cluster{Documents: []cluster.Document{
		{Language: "en", Sentences: []cluster.Sentence{{Text: "Red birds sang."}, {Text: "Were 2 birds red?"}}},
		{Language: "en"},
		{Language: "en", Sentences: []cluster.Sentence{{Text: "Red birds slept."}}},
	}}
	a, err := lexical.Analyze(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	f := Read(&Source{
		Analysis: a, Texts: []string{"Red birds sang.", "Were 2 birds red?", "Red birds slept."},
		Words: []int{3, 4, 3}, Cosine: []float64{0.9, 0.1, 0.5},
	})
	f.SetBudget(5)
	return f
}

func TestRead(t *testing.T) {
	f := read(t)
	if f.Sentences() != 3 || f.Pairs() != 6 || len(f.Sentence) != 3*SentenceInputs {
		t.Fatalf("%d sentences, %d pairs, %d inputs", f.Sentences(), f.Pairs(), len(f.Sentence))
	}
	near := func(what string, got float32, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	second := f.Sentence[SentenceInputs : 2*SentenceInputs]
	near("the place in the document", second[2], 1)
	near("the length", second[4], math.Log(5))
	near("the number of documents with sentences", second[6], math.Log(2))
	near("the share of the document", second[7], 0.7)
	near("the room", second[8], math.Log(2))
	near("a digit", second[10], 1)
	near("a question", second[13], 1)
	// "Red birds" is in both documents, in the first sentences.
	shared := f.pair[:pairInputs]
	near("the share of the documents", shared[0], 1)
	near("the first mention", shared[1], 1)
	near("the mean over the documents", shared[4], 1)
	near("the largest document", shared[18], 0.7)
	// Of the sentences that have it the first is most central: +1.2247 and 0.
	near("the highest centrality", shared[11], math.Sqrt(1.5))
	near("the mean centrality", shared[12], math.Sqrt(1.5)/2)
}

// anExpert has random numbers.
func anExpert(seed uint64, hidden int) *Expert {
	random := rand.New(rand.NewPCG(seed, 1))
	e := &Expert{Sentence: NewNetwork(SentenceInputs, hidden), Pair: NewNetwork(PairInputs, hidden)}
	for _, n := range []*Network{e.Sentence, e.Pair} {
		for _, list := range [][]float32{n.Mean, n.Scale, n.Weight, n.Bias, n.Output} {
			for i := range list {
				list[i] = float32(random.NormFloat64())
			}
		}
		n.OutputBias = float32(random.NormFloat64())
	}
	return e
}

// TestPredict: in between the log-odds of the two experts are mixed.
func TestPredict(t *testing.T) {
	f, long, short := read(t), anExpert(1, 3), anExpert(2, 5)
	odds := func(p float64) float64 { return math.Log(p / (1 - p)) }
	at0, at1, between := Predict(f, long, short, 0), Predict(f, long, short, 1), Predict(f, long, short, 0.25)
	for k, v := range between.Sentence {
		if want := 0.75*at0.Sentence[k] + 0.25*at1.Sentence[k]; math.Abs(v-want) > 1e-12 {
			t.Errorf("sentence %d: %v, want %v", k, v, want)
		}
	}
	for m, v := range between.Pair {
		if want := 0.75*odds(at0.Pair[m]) + 0.25*odds(at1.Pair[m]); math.Abs(odds(v)-want) > 1e-9 {
			t.Errorf("pair %d: %v, want %v", m, odds(v), want)
		}
	}
	// An expert with a share of 0 is not run.
	if p := Predict(f, long, nil, 0); p.Pair[0] != at0.Pair[0] {
		t.Errorf("%v, want %v", p.Pair[0], at0.Pair[0])
	}
	// The pair network sees the highest and the mean of the sentences.
	f.Inputs(long.Sentence, func(m int, x []float32) {
		if z := at0.Sentence; m == 0 && (x[pairInputs] != float32(max(z[0], z[2])) || x[pairInputs+1] != float32((z[0]+z[2])/2)) {
			t.Errorf("pair 0 sees %v of %v", x[pairInputs:], z)
		}
	})
}

func TestLongShare(t *testing.T) {
	for _, test := range []struct {
		documents   int
		ratio, want float64
	}{{2, 0, 1}, {5, 2, 1}, {2, 2.5, 0.5}, {9, 3, 0}, {9, 1e9, 0}, {1, 1, 0}, {0, 1, 0}} {
		if got := LongShare(test.documents, test.ratio); got != test.want {
			t.Errorf("%d documents, %v words for one of the budget: %v, want %v", test.documents, test.ratio, got, test.want)
		}
	}
}

func TestRunClips(t *testing.T) {
	e := anExpert(3, 4)
	for i := range e.Pair.Scale {
		e.Pair.Scale[i] = 2
	}
	far, edge := make([]float32, PairInputs), make([]float32, PairInputs)
	for i, mean := range e.Pair.Mean {
		far[i], edge[i] = mean+1000, mean+Clip/2.0
	}
	if got, want := e.Pair.Run(far), e.Pair.Run(edge); math.Abs(got-want) > 1e-5 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestEncode(t *testing.T) {
	for _, hidden := range []int{1, 8, 200} {
		data := Encode(anExpert(4, hidden))
		e, err := Decode(string(data))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(Encode(e), data) {
			t.Errorf("%d hidden units: read and written again it is another", hidden)
		}
	}
	data := string(Encode(anExpert(4, 2)))
	notFinite := []byte(data)
	copy(notFinite[len(magic)+1:], "\x00\x00\xc0\x7f") // a NaN
	for broken, want := range map[string]string{
		"":                     "wrong header",
		"salience2" + data[9:]: "wrong header",
		data[:len(magic)]:      "truncated",
		data[:len(data)-1]:     "truncated",
		data + "x":             "trailing data",
		string(notFinite):      "not finite",
	} {
		if e, err := Decode(broken); !errors.Is(err, ErrExpert) || !strings.Contains(err.Error(), want) || e != nil {
			t.Errorf("%d of %d bytes: %v, want %s", len(broken), len(data), err, want)
		}
	}
	for end := range data {
		if _, err := Decode(data[:end]); err == nil {
			t.Errorf("the first %d bytes of %d are taken for the whole", end, len(data))
		}
	}
}

func TestCheck(t *testing.T) {
	for want, damage := range map[string]func(e *Expert){
		"missing network":      func(e *Expert) { e.Pair = nil },
		"without hidden units": func(e *Expert) { e.Sentence.Output = nil },
		"want a network of":    func(e *Expert) { e.Sentence, e.Pair = e.Pair, e.Sentence },
		"3 hidden units":       func(e *Expert) { e.Pair.Bias = e.Pair.Bias[1:] },
		"not finite":           func(e *Expert) { e.Pair.OutputBias = float32(math.Inf(1)) },
		"out of range":         func(e *Expert) { e.Pair.Output[1] = -300 },
	} {
		e := anExpert(5, 3)
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		damage(e)
		if err := e.Check(); !errors.Is(err, ErrExpert) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestShipped(t *testing.T) {
	for _, shipped := range []func() *Expert{General, LongBudget} {
		if n := shipped(); n.Check() != nil || n != shipped() {
			t.Errorf("%+v", n)
		}
	}
	if string(Encode(LongBudget())) != multinews || string(Encode(General())) != general {
		t.Error("what is shipped is read and written again to other bytes")
	}
}
