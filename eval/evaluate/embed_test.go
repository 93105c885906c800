package evaluate

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cerasum/cerasum/core"
	"github.com/cerasum/cerasum/eval/rouge"
)

// letters is an encoder that counts some letters, so that the same text has
// the same embedding.
type letters struct {
	texts, questions atomic.Int64 // that it was given
	fail             string       // a text that it cannot embed
}

func (*letters) Name() string    { return "letters" }
func (*letters) Dimensions() int { return 5 }

func (l *letters) Embed(ctx context.Context, texts []string, _ func(done, total int)) ([]float32, error) {
	l.texts.Add(int64(len(texts)))
	var out []float32
	for _, s := range texts {
		if l.fail != "" && strings.Contains(s, l.fail) {
			return nil, errors.New("cannot embed")
		}
		h := fnv.New32a()
		h.Write([]byte(s))
		out = append(out, float32(strings.Count(s, "e")), float32(strings.Count(s, "a")), float32(strings.Count(s, "r")), 1, float32(h.Sum32()%7))
	}
	return out, ctx.Err()
}

func (l *letters) EmbedQuestion(ctx context.Context, text string) ([]float32, error) {
	l.questions.Add(1)
	return l.Embed(ctx, []string{text}, nil)
}

func TestEncoder(t *testing.T) {
	half := 0.5
	list := methods("lead", "mean", "hybrid", "oracle", "auto")
	list = append(list, Method{Name: "half", Options: core.Options{Method: "mean", DenseWeight: &half}})
	one, many := &letters{}, &letters{}
	a := gather(t, reader(corpus(30)), options(Options{Methods: list, Encoder: one, Workers: 1}))
	b := gather(t, reader(corpus(30)), options(Options{Methods: list, Encoder: many, Workers: 8}))
	if !reflect.DeepEqual(a, b) {
		t.Error("eight workers give other outcomes than one")
	}
	if one.texts.Load() == 0 || one.texts.Load() != many.texts.Load() {
		t.Errorf("%d texts embedded, then %d", one.texts.Load(), many.texts.Load())
	}
	var tables []string
	for _, outcomes := range [][]*Outcome{a, b} {
		tally := NewTally(list)
		for _, o := range outcomes {
			if err := tally.Add(o); err != nil {
				t.Fatal(err)
			}
		}
		var table bytes.Buffer
		r := tally.Report(Setting{Encoder: one.Name(), Budget: words(20), ROUGE: rouge.Options{Stem: true}, Resamples: 50, Seed: 3})
		if err := r.WriteMarkdown(&table); err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table.String())
	}
	if tables[0] != tables[1] || !strings.Contains(tables[0], "encoder letters") {
		t.Errorf("the same seed, two tables:\n%s\n%s", tables[0], tables[1])
	}
	// Words alone give others.
	words := gather(t, reader(corpus(30)), options(Options{Methods: methods("mean", "oracle")}))
	same := 0
	for i := range a {
		if a[i].Results != nil && reflect.DeepEqual(a[i].Summaries[1], words[i].Summaries[0]) {
			same++
		}
	}
	if same == len(a) {
		t.Error("the embeddings change nothing")
	}
}

// TestQueryWithEncoder: the encoder embeds the query, too, once for a cluster.
func TestQueryWithEncoder(t *testing.T) {
	list := methods("mean", "hybrid", "auto", "instant")
	for i := range list {
		list[i].Options.Query = "harbour"
	}
	encoder := &letters{}
	var clusters int64
	for _, o := range gather(t, reader(corpus(3)), options(Options{Methods: list, Encoder: encoder})) {
		if o.LeftOut != "" {
			continue
		}
		clusters++
		if len(o.Results) != len(list) {
			t.Errorf("cluster %s: %d results", o.ID, len(o.Results))
		}
	}
	if n := encoder.questions.Load(); n != clusters {
		t.Errorf("%d queries embedded for %d clusters", n, clusters)
	}
}

func TestEncoderOptions(t *testing.T) {
	half := 0.5
	for name, list := range map[string][]Method{
		"hybrid":       methods("hybrid"),
		"dense weight": {{Name: "mean", Options: core.Options{Method: "mean", DenseWeight: &half}}},
	} {
		if err := Run(t.Context(), reader(corpus(3)), options(Options{Methods: list})); !errors.Is(err, ErrOptions) {
			t.Errorf("%s without an encoder: %v", name, err)
		}
	}
	err := Run(t.Context(), reader(corpus(5)), options(Options{Methods: methods("lead", "hybrid"), Encoder: &letters{fail: "a"}}))
	if err == nil || !strings.Contains(err.Error(), "cluster c0: cannot embed") {
		t.Errorf("an encoder that fails: %v", err)
	}
	if out := gather(t, reader(corpus(5)), options(Options{Methods: methods("lead"), Encoder: &letters{fail: "a"}})); len(out) != 5 {
		t.Errorf("an encoder that is not wanted was used: %v", out)
	}
}

func TestGridOfWeights(t *testing.T) {
	axis, err := ParseAxis("W=0,0.25,1")
	if err != nil {
		t.Fatal(err)
	}
	list, err := Grid(methods("mean", "hybrid"), []Axis{axis})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range list {
		names = append(names, m.Name)
	}
	if want := []string{"mean W=0", "mean W=0.25", "mean W=1", "hybrid W=0", "hybrid W=0.25", "hybrid W=1"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if w := list[1].Options.DenseWeight; w == nil || *w != 0.25 {
		t.Error(w)
	}
	if _, err := Grid(methods("instant"), []Axis{axis}); !errors.Is(err, ErrOptions) {
		t.Errorf("instant: %v", err)
	}
	out := gather(t, reader(corpus(10)), options(Options{Methods: list, Encoder: &letters{}}))
	for _, o := range out {
		if o.Results != nil && !reflect.DeepEqual(o.Summaries[0], o.Summaries[3]) {
			t.Errorf("at weight 0 hybrid is mean: %q, %q", o.Summaries[0], o.Summaries[3])
		}
	}
}
